"""`magnate bench deadlines`, `close` and `clocks`: thousands due at one instant, precision, memory."""

from __future__ import annotations

import asyncio
import time
import urllib.request
from collections import Counter
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, result, say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from collections.abc import Set as AbstractSet

    from magnate.cli.stack import Stack
    from magnate.client.timers import TimerSession
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.jetstream import JetStreamLog
    from magnate.timer.domain.schedule import Change

TABLES: Final = 1000
TIMERS: Final = 20
CALLS_AT_ONCE: Final = 64
CONNECTIONS: Final = 4
SETTING_SECONDS_MIN: Final = 20.0
EFFECTS_SECONDS_MAX: Final = 60.0

CLOCK_GAMES: Final = 10_000
APPENDS_AT_ONCE: Final = 256
READ_SECONDS_MAX: Final = 120.0
TIMER: Final = "timer-0"


@asynccontextmanager
async def stored_log(stack: Stack) -> AsyncIterator[tuple[JetStreamLog, KeyRing]]:
    """Connect to the log of a stack, as one of its services does."""
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.jetstream import JetStreamLog

    keys = KeyRing.parse((stack.data / "keys").read_text().strip())
    log = JetStreamLog([stack.nats_url], tenant="main", epoch=1, shards=4, replicas=1)
    await log.connect()
    try:
        yield log, keys
    finally:
        await log.close()


async def bench_deadlines(stack: Stack, *, json_mode: bool) -> int:
    """Set 20 timers at each of 1000 bank tables, all due at one instant; count effects in the log itself."""
    from magnate.client.terminal import TerminalClient
    from magnate.client.timers import TimerSession

    async with AsyncExitStack() as exits:
        log, keys = await exits.enter_async_context(stored_log(stack))
        bank = await exits.enter_async_context(TerminalClient(stack.addresses("bank")[0]))
        timers = [
            await exits.enter_async_context(TimerSession(stack.addresses("timer")[0]))
            for _ in range(CONNECTIONS)
        ]
        gate = asyncio.Semaphore(CALLS_AT_ONCE)

        async def open_one(number: int) -> tuple[str, str]:
            async with gate:
                opened = await bank.open_table([f"Player {number}"])
                table_id, token = opened.table.table_id, opened.banker_token
                await timers[number % CONNECTIONS].schedule(
                    table_id, token, name="far", after_ms=3_600_000, seen_version=1
                )
                return table_id, token

        say(f"opening {TABLES} tables", json_mode=json_mode)
        started = time.perf_counter()
        tables = await asyncio.gather(*(open_one(number) for number in range(TABLES)))
        # Setting a timer takes less than half of what opening a table and setting one did.
        lead = max(SETTING_SECONDS_MIN, (time.perf_counter() - started) * TIMERS / 2)
        for name in ("a", "b"):
            due_ms = round((time.time() + lead) * 1000)
            say(f"setting {TABLES * TIMERS} timers, due in {lead:.0f} s", json_mode=json_mode)
            if await _set_all(timers, tables, gate, name, due_ms):
                break
            say("that took too long: once more, with more time", json_mode=json_mode)
            lead *= 3
        else:
            say("magnate: this machine is too slow to set them all before they are due", json_mode=True)
            return FAILED
        say(f"all set {due_ms / 1000 - time.time():.1f} s before they are due", json_mode=json_mode)
        wanted = {(table_id, f"t-{name}{place}") for table_id, _ in tables for place in range(TIMERS)}
        fired, last_ms = await _effects(log, keys, wanted, due_ms)
    lost = sum(fired[one] == 0 for one in wanted)
    doubled = sum(count > 1 for count in fired.values())
    seconds = (last_ms - due_ms) / 1000
    values = {"count": len(wanted), "seconds": round(seconds, 2), "lost": lost, "doubled": doubled}
    result(values, json_mode=json_mode)
    return FAILED if lost or doubled else OK


async def _set_all(
    timers: Sequence[TimerSession],
    tables: Sequence[tuple[str, str]],
    gate: asyncio.Semaphore,
    name: str,
    due_ms: int,
) -> bool:
    """Set so many timers at every table; say whether all were set before they were due."""
    from magnate.client.session import RefusedError

    async def set_one(number: int, table: tuple[str, str], place: int) -> bool:
        async with gate:
            try:
                await timers[number % CONNECTIONS].schedule(
                    *table, name=f"{name}{place}", due_ms=due_ms, seen_version=1
                )
            except RefusedError as error:
                if error.reason != "SCHEDULE_IN_PAST":
                    raise
                return False
            return True

    calls = [set_one(number, table, place) for place in range(TIMERS) for number, table in enumerate(tables)]
    return all(await asyncio.gather(*calls))


async def _effects(
    log: JetStreamLog, keys: KeyRing, wanted: AbstractSet[tuple[str, str]], due_ms: int
) -> tuple[Counter[tuple[str, str]], int]:
    """Follow the log from now on; return how often each of these timers fired, and when the last one did."""
    from magnate.kit.log.commit import parse_commit
    from magnate.kit.log.port import Followed
    from magnate.timer.codec import changes
    from magnate.timer.domain.schedule import DeadlineFired

    fired: Counter[tuple[str, str]] = Counter()
    last_ms = due_ms
    give_up = due_ms / 1000 + EFFECTS_SECONDS_MAX
    async with aclosing(log.watch_all(await log.last_sequences())) as items:
        async for item in items:
            if isinstance(item, Followed):
                commit = parse_commit(keys, item.game_id, item.data, item.sequence)
                said = [one for one in changes(commit) if isinstance(one, DeadlineFired)]
                found = [key for one in said if (key := (item.game_id, one.deadline_id)) in wanted]
                fired.update(found)
                last_ms = max(last_ms, commit.time_ms) if found else last_ms
                continue
            # A beat: everything is read. One more second than was needed shows what came twice.
            done = len(fired) >= len(wanted) and time.time() * 1000 > last_ms + 1500
            if done or time.time() > give_up:
                break
    return fired, last_ms


async def bench_clocks(stack: Stack, *, json_mode: bool) -> int:
    """Fill the log with the clocks of 10,000 games, as games do; measure the timer that knows them."""
    from magnate.kit.ids import derive_game_id

    process = stack.processes[TIMER]
    before = _rss_mb(process.pid)
    due_ms = round(time.time() * 1000) + 24 * 3_600_000
    gate = asyncio.Semaphore(APPENDS_AT_ONCE)
    async with stored_log(stack) as (log, keys):

        async def one(number: int) -> None:
            game_id = derive_game_id("main", "bench", f"clocks-{number}", epoch=1, shards=4)
            async with gate:
                await _append_clocks(log, keys, game_id, due_ms + number)

        say(f"writing the clocks of {CLOCK_GAMES} games", json_mode=json_mode)
        await asyncio.gather(*(one(number) for number in range(CLOCK_GAMES)))
    say("waiting for the timer to know them", json_mode=json_mode)
    games, give_up = 0, time.monotonic() + READ_SECONDS_MAX
    while games < CLOCK_GAMES and time.monotonic() < give_up:
        await asyncio.sleep(1)
        games = round(await _metric(stack, TIMER, "magnate_timer_games"))
    await asyncio.sleep(15)  # a checkpoint of the agenda, and the alarms, count too
    values = {"games": games, "rss_mb": _rss_mb(process.pid), "rss_before_mb": before}
    values["deadlines"] = round(await _metric(stack, TIMER, "magnate_timer_deadlines"))
    result(values, json_mode=json_mode)
    return OK if games >= CLOCK_GAMES else FAILED


async def _append_clocks(log: JetStreamLog, keys: KeyRing, game_id: str, due_ms: int) -> None:
    """Write a game of two commits: its clocks are set, and those of a turn are cleared and set again."""
    from magnate.kit.ids import request_hash
    from magnate.kit.log.commit import RULES, ZERO_HASH, Command, Section, build_commit
    from magnate.kit.log.port import Appended
    from magnate.timer.codec import deadlines_section
    from magnate.timer.domain.schedule import DeadlineCleared, DeadlineSet

    first: list[Change] = [
        DeadlineSet("abandon-1", "game", "abandon", due_ms + 86_400_000),
        DeadlineSet("time-0-1", "game", "time", due_ms + 3_600_000),
        DeadlineSet("roll-0-1", "game", "roll", due_ms),
    ]
    second: list[Change] = [
        DeadlineCleared("roll-0-1"),
        DeadlineSet("roll-1-2", "game", "roll", due_ms + 1000),
    ]
    commit_hash, sequence = ZERO_HASH, 0
    for version, changes in enumerate((first, second)):
        commit = build_commit(
            keys,
            game_id,
            Command(f"c{version}", request_hash(b""), actor="bench", received_at_ms=1),
            [Section(RULES, 1, b""), deadlines_section(changes)],
            previous_version=version,
            previous_hash=commit_hash,
            previous_time_ms=0,
            now_ms=round(time.time() * 1000),
        )
        appended = await log.append(game_id, commit.data, sequence)
        if not isinstance(appended, Appended):
            raise ConnectionError(f"game {game_id}: {appended!r}")
        commit_hash, sequence = commit.hash, appended.sequence


def _rss_mb(pid: int | None) -> float:
    """Return the resident memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return round(int(line.split()[1]) / 1024, 1)
    return 0.0


async def _metric(stack: Stack, process: str, name: str) -> float:
    """Return the value of a metric without labels, 0 if it is not there."""
    urls = stack.ready()["metrics"]
    assert isinstance(urls, dict)
    text = await asyncio.to_thread(_get, urls[process])
    return next((float(line.split()[1]) for line in text.splitlines() if line.startswith(f"{name} ")), 0.0)


def _get(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as answer:  # noqa: S310 - our own URL
        found: bytes = answer.read()
        return found.decode()
