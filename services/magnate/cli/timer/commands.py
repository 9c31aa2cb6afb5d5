"""What `magnate timer …` does: one call or one stream of a timer each."""

from __future__ import annotations

import json
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import grpc
from google.protobuf.json_format import MessageToDict

from magnate.cli.output import OK, UNREACHABLE, USAGE, fail, result, say
from magnate.client.session import RefusedError
from magnate.client.timers import TimerSession
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from google.protobuf.message import Message

REACH_SECONDS: Final = 1.0
MISFIRES: Final = {
    "fire": timer_pb2.MISFIRE_FIRE,
    "skip": timer_pb2.MISFIRE_SKIP,
    "shift": timer_pb2.MISFIRE_SHIFT,
}
_UNREACHABLE_CODES: Final = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
_WORDS: Final = {
    timer_pb2.TIMER_CHANGE_KIND_SET: "set",
    timer_pb2.TIMER_CHANGE_KIND_CLEARED: "cleared",
    timer_pb2.TIMER_CHANGE_KIND_PAUSED: "stopped",
    timer_pb2.TIMER_CHANGE_KIND_RESUMED: "runs",
    timer_pb2.TIMER_CHANGE_KIND_FIRED: "FIRED",
    timer_pb2.TIMER_CHANGE_KIND_SHIFTED: "shifted",
}


@dataclass(frozen=True)
class Wanted:
    """The timer that is to be set."""

    after_ms: int
    name: str
    label: str
    data: str
    missed: str
    through: bool
    every_ms: int = 0
    times: int = 0


@asynccontextmanager
async def asking(address: str) -> AsyncIterator[TimerSession]:
    """Connect, and turn what goes wrong into one line on stderr and an exit code."""
    try:
        async with TimerSession(address, retry_seconds=REACH_SECONDS) as session:
            yield session
    except RefusedError as error:
        if error.code in _UNREACHABLE_CODES:
            fail(f"no answer from {address}: {error.message}", UNREACHABLE)
        fail(str(error), USAGE)


async def run_list(address: str, table: str, *, json_mode: bool) -> int:
    """List what is pending."""
    async with asking(address) as session:
        answer = await session.deadlines(table)
    if json_mode:
        result(as_dict(answer), json_mode=True)
        return OK
    for deadline in answer.deadlines:
        say(line_of(deadline))
    if not answer.deadlines:
        say("nothing is pending")
    return OK


async def run_set(address: str, table: str, token: str, wanted: Wanted, *, json_mode: bool) -> int:
    """Set a timer."""
    if wanted.missed not in MISFIRES:
        fail(f"--missed is {wanted.missed!r}; one of {', '.join(MISFIRES)}", USAGE)
    async with asking(address) as session:
        answer = await session.schedule(
            table,
            token,
            after_ms=wanted.after_ms,
            name=wanted.name,
            label=wanted.label,
            data=wanted.data.encode(),
            misfire=MISFIRES[wanted.missed],
            runs_through_pause=wanted.through,
            every_ms=wanted.every_ms,
            times=wanted.times,
        )
    return _told(answer.deadline, json_mode=json_mode)


async def run_move(
    address: str, table: str, token: str, timer: str, after_ms: int, *, json_mode: bool
) -> int:
    """Move a timer."""
    async with asking(address) as session:
        answer = await session.reschedule(table, token, timer, after_ms=after_ms)
    return _told(answer.deadline, json_mode=json_mode)


async def run_cancel(address: str, table: str, token: str, timer: str, *, json_mode: bool) -> int:
    """Forget a timer."""
    async with asking(address) as session:
        answer = await session.cancel(table, token, timer)
    if json_mode:
        result(as_dict(answer), json_mode=True)
    else:
        say(f"{timer} is cancelled")
    return OK


async def run_pause(address: str, table: str, token: str, timer: str, *, json_mode: bool) -> int:
    """Stop a timer."""
    async with asking(address) as session:
        answer = await session.pause(table, token, timer)
    return _told(answer.deadline, json_mode=json_mode)


async def run_resume(address: str, table: str, token: str, timer: str, *, json_mode: bool) -> int:
    """Let a timer run on."""
    async with asking(address) as session:
        answer = await session.resume(table, token, timer)
    return _told(answer.deadline, json_mode=json_mode)


async def run_watch(address: str, table: str, fired_max: int, *, json_mode: bool) -> int:
    """Show what is pending and what changes; ends after so many firings, 0 never."""
    fired = 0
    async with asking(address) as session, aclosing(session.watch(table)) as messages:
        first = True
        async for message in messages:
            if json_mode:
                print(json.dumps(as_dict(message), ensure_ascii=False), flush=True)
            else:
                for deadline in message.deadlines if first else ():
                    say(line_of(deadline))
                for change in message.changes:
                    say(f"{_WORDS.get(change.kind, '?'):<8} {line_of(change.deadline)}")
            first = False
            fired += sum(one.kind == timer_pb2.TIMER_CHANGE_KIND_FIRED for one in message.changes)
            if fired_max and fired >= fired_max:
                break
    return OK


def line_of(deadline: timer_pb2.Deadline) -> str:
    """Return a deadline as a line for people."""
    left = f"stands at {deadline.left_ms / 1000:.1f} s" if deadline.paused else ""
    left = left or f"in {deadline.remaining_ms / 1000:.1f} s"
    about = f"  {deadline.label} ({deadline.set_by})" if deadline.owner == "timer" else ""
    if deadline.every_ms:
        about += f", {deadline.occurrence} of {deadline.times} every {deadline.every_ms / 1000:g} s"
    return f"{deadline.deadline_id:<20} {deadline.owner}.{deadline.kind:<10} {left}{about}"


def as_dict(message: Message) -> dict[str, object]:
    """Return a message as JSON has it, with the names of the protos."""
    return MessageToDict(message, preserving_proto_field_name=True)


def _told(deadline: timer_pb2.Deadline, *, json_mode: bool) -> int:
    if json_mode:
        result(as_dict(deadline), json_mode=True)
    else:
        say(line_of(deadline))
    return OK
