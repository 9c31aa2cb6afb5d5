"""Reads requests about timers into values, and says which field is wrong when one is."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Final, Protocol

from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.ids import InvalidIdError, check_sent_command_id, parse_game_id, request_hash
from magnate.kit.log.commit import Command
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.timer.codec import MISFIRE_WORDS
from magnate.timer.domain.schedule import Terms
from magnate.timer.domain.timers import EVERY_MS_MIN, FIRE, LEAD_MS_MAX, PREFIX, TIMES_MAX, When, Wish
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from magnate.kit.rpc.call import Principal

NAME_CHARS_MAX: Final = 40
LABEL_CHARS_MAX: Final = 80
DATA_BYTES_MAX: Final = 1024
DIGEST_CHARS: Final = 16
AFTER_MS_MAX: Final = 1 << 50
"""Far beyond what a timer may wait; larger numbers are not worth a sum."""
SECONDS_MAX: Final = 1 << 40

_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_TIMER_ID: Final = re.compile(r"t-[A-Za-z0-9._-]{1,40}")


class Asked(Protocol):
    """What every request that changes something has."""

    game_id: str
    command_id: str
    seen_version: int


def read_game_id(game_id: str) -> str:
    """Return the id if it can be one."""
    try:
        parse_game_id(game_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from None
    return game_id


def read_timer_id(timer_id: str) -> str:
    """Return the id if it can be one of a timer."""
    if _TIMER_ID.fullmatch(timer_id) is None:
        detail = f"{timer_id[:50]!r} is no timer's: {PREFIX}, then 1 to {NAME_CHARS_MAX} of A-Z a-z 0-9 . _ -"
        raise InvalidArgumentError("timer_id", detail)
    return timer_id


def read_caller(principal: Principal, game_id: str) -> str:
    """Return who asks, as the log keeps it: `seat-<n>`, `banker`, `card-<n>`.

    Raises:
        UnauthenticatedError: no token was shown. ForbiddenError: it is for another table.
        RefusedError: NOT_A_PLAYER, a guest of the table.
    """
    if principal.kind != "table":
        return f"seat-{principal.seat_of(game_id)}"
    role = principal.role_at(game_id)
    if role == "guest":
        raise RefusedError(Rejection(names.NOT_A_PLAYER, "a guest of the table only looks"))
    return f"card-{principal.seat}" if role == "card" else role


def read_command(request: Asked, content: Message, who: str, received_at_ms: int) -> Command:
    """Return the command of a request."""
    try:
        check_sent_command_id(request.command_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from None
    bare = type(content)()
    bare.CopyFrom(content)
    bare.ClearField("command_id")
    bare.ClearField("seen_version")
    return Command(
        request.command_id,
        request_hash(
            type(content).__name__.encode(), who.encode(), bare.SerializeToString(deterministic=True)
        ),
        actor=who,
        received_at_ms=received_at_ms,
        seen_version=request.seen_version,
    )


def read_when(request: timer_pb2.ScheduleTimerRequest | timer_pb2.RescheduleTimerRequest) -> When:
    """Return when a timer shall be due."""
    which = request.WhichOneof("when")
    if which is None:
        raise InvalidArgumentError("due_time", "or after_ms: one of them says when the timer is due")
    if which == "after_ms":
        if abs(request.after_ms) > AFTER_MS_MAX:
            raise InvalidArgumentError("after_ms", f"{request.after_ms} is no number of milliseconds")
        return When(after_ms=request.after_ms)
    due = request.due_time
    if not 0 <= due.nanos < 1_000_000_000 or not 0 < due.seconds < SECONDS_MAX:
        raise InvalidArgumentError("due_time", f"{due.seconds} s and {due.nanos} ns are no time")
    return When(due_ms=due.seconds * 1000 + -(-due.nanos // 1_000_000))


def read_repeat(request: timer_pb2.ScheduleTimerRequest) -> tuple[int, int]:
    """Return how often a timer is due, and how many times; 0 and 0 for one that fires once."""
    every_ms, times = request.every_ms, request.times
    if every_ms == 0 and times != 0:
        raise InvalidArgumentError("times", f"is {times}, and every_ms does not say how often")
    if every_ms and not EVERY_MS_MIN <= every_ms <= LEAD_MS_MAX:
        detail = (
            f"is {every_ms} ms; it is from {EVERY_MS_MIN} to {LEAD_MS_MAX}, or 0 for a timer that fires once"
        )
        raise InvalidArgumentError("every_ms", detail)
    if times < 0 or times == 1 or times > TIMES_MAX:
        detail = f"is {times}; it is from 2 to {TIMES_MAX}, or 0 for {TIMES_MAX}"
        raise InvalidArgumentError("times", detail)
    return every_ms, (times or TIMES_MAX) if every_ms else 0


def read_wish(request: timer_pb2.ScheduleTimerRequest, who: str) -> Wish:
    """Return what is asked for; without a name the timer's id is derived from the command's."""
    name = request.name
    if name and (len(name) > NAME_CHARS_MAX or _NAME.fullmatch(name) is None):
        detail = f"{name[:50]!r} is not 1 to {NAME_CHARS_MAX} of A-Z a-z 0-9 . _ -"
        raise InvalidArgumentError("name", detail)
    if len(request.label) > LABEL_CHARS_MAX or not request.label.isprintable():
        detail = f"has {len(request.label)} characters; it has at most {LABEL_CHARS_MAX}, all printable"
        raise InvalidArgumentError("label", detail)
    if len(request.data) > DATA_BYTES_MAX:
        detail = f"has {len(request.data)} bytes; it has at most {DATA_BYTES_MAX}"
        raise InvalidArgumentError("data", detail)
    misfire = MISFIRE_WORDS.get(request.misfire, FIRE)
    if request.misfire not in MISFIRE_WORDS and request.misfire != timer_pb2.MISFIRE_UNSPECIFIED:
        raise InvalidArgumentError("misfire", f"{request.misfire} is nothing that can become of a timer")
    every_ms, times = read_repeat(request)
    terms = Terms(
        request.label,
        request.data,
        misfire,
        who,
        runs_through=request.runs_through_pause,
        every_ms=every_ms,
        times=times,
    )
    if not name:
        name = hashlib.sha256(f"{who}|{request.command_id}".encode()).hexdigest()[:DIGEST_CHARS]
    return Wish(f"{PREFIX}{name}", read_when(request), terms)
