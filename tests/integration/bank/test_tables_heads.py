"""Tables of the bank beside games: they have heads, but no list and no call of games knows them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import grpc
import pytest
from prometheus_client import CollectorRegistry

from magnate.auction.fold import AuctionFold
from magnate.bank.tables.credentials import join_alias
from magnate.bank.tables.history import Histories
from magnate.bank.v1 import terminal_pb2
from magnate.game.fold import GameFold
from magnate.game.lists import Lists
from magnate.game.lobby import LobbyFold
from magnate.kit.clock import FakeClock
from magnate.kit.errors import NotFoundError
from magnate.kit.ids import request_hash
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import Command
from magnate.kit.log.fold import Loader
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.heads import list_heads
from magnate.kit.log.keeper import HeadKeeper
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.subjects import game_stream
from magnate.kit.transact import Transactor
from magnate.timer.codec import TimerFold
from magnate.timer.domain.agenda import Due
from magnate.timer.domain.schedule import Terms
from magnate.timer.domain.timers import FIRE, When, Wish
from magnate.timer.metrics import TimerMetrics
from magnate.timer.service import TimerService
from tests.support.bank_tables import Table, serving
from tests.support.banking import KEYS
from tests.support.game_api import refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.timer.domain.timers import Table as Timers

pytestmark = pytest.mark.asyncio


@contextlib.asynccontextmanager
async def kept(log: MemoryLog) -> AsyncIterator[HeadKeeper]:
    """Run the keeper of heads as the game service does; when it is done, the heads are up to date."""
    keeper = HeadKeeper(log, KEYS, LobbyFold(), write_seconds=0.0)
    running = asyncio.create_task(keeper.run())
    await asyncio.wait_for(keeper.caught_up.wait(), 10)
    try:
        yield keeper
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def test_heads_say_that_a_log_is_a_table_of_the_bank() -> None:
    """Open, paused, open again, closed; the guard of the tail learns of it; no list of games shows it."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        for method, status in (
            ("", "bank-open"),
            ("PauseTable", "bank-paused"),
            ("ResumeTable", "bank-open"),
            ("CloseTable", "bank-closed"),
        ):
            if method:
                await table.do(method)
            async with kept(log):
                pass
            (head,) = await list_heads(log, KEYS)
            assert (head.game_id, head.status, head.lobby) == (table.table_id, status, b"")
            assert head.version == (await table.now()).version
    games = await Lists(log, KEYS).page(0, "", 0)
    assert not games.games
    fresh = MemoryLog()
    for game_id, stored in await log.heads():
        await fresh.head_put(game_id, stored.data, 0)
    await raise_guard(fresh, KEYS)
    assert game_stream(table.table_id) in fresh.guard.stopped


async def test_the_game_service_knows_no_such_game() -> None:
    """Its fold says NOT_FOUND, so every call of it does; the auction finds nothing in it."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        await table.press("1")
    with pytest.raises(NotFoundError) as caught:
        await Loader(log, KEYS, GameFold()).load(table.table_id)
    assert caught.value.reason == "UNKNOWN_GAME"
    assert (await Loader(log, KEYS, AuctionFold()).load(table.table_id)).version == 2


async def test_a_lost_alias_is_made_up_by_the_heads() -> None:
    """Tables are found again; a code that no table has is refused as ever."""
    log = MemoryLog()
    async with serving(log) as bank:
        table, other = await bank.open(), await bank.open()
    async with kept(log):
        pass
    for one in (table, other):
        alias = join_alias(KEYS, KEYS.current_id, one.opened.table.join_code)
        assert await log.checkpoint_get(alias)
        await log.checkpoint_put(alias, b"")
    async with serving(log) as bank:
        again = Table(bank, table.opened)
        assert await again.guest()
        unknown = terminal_pb2.JoinTableRequest(join_code="ZZZZ-ZZZZ")
        wrong = await refused(bank.call("JoinTable", unknown))
        assert (wrong.code, wrong.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_TABLE")
        assert await Table(bank, other.opened).guest()


async def test_the_log_does_not_tell_a_join_code() -> None:
    """Neither what is stored nor its names have it, and a newer key finds what an older one stored."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        code = table.opened.table.join_code
    stored = [str(name) for name in log._caches] + [repr(data) for data in log._caches.values()]
    assert stored
    for spelling in (code, code.replace("-", "")):
        assert not [one for one in stored if spelling in one]
    newer = KeyRing("k2", {"k2": b"2" * 32, "k1": b"k" * 32})
    async with serving(log, keys=newer) as bank:
        assert await Table(bank, table.opened).guest()


async def test_tables_are_counted_by_status() -> None:
    """From the heads, as everybody else counts them."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        await bank.open()
        await table.do("CloseTable")
        async with kept(log):
            pass
        await bank.tables.count()
        assert bank.metric("magnate_bank_tables", status="open") == 1
        assert bank.metric("magnate_bank_tables", status="closed") == 1
        assert bank.metric("magnate_bank_tables", status="paused") == 0


async def test_a_history_is_read_once_and_then_added_to() -> None:
    """Whoever looks again gets the same operations and the new ones, at any version."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        await table.insert(0, "left")
        await table.press("GO")
        histories = Histories(log, KEYS)
        commits = await log.load(table.table_id)
        first = await histories.until(table.table_id, 3, commits[2].sequence)
        assert [one.version for one in first] == [1, 3]
        await table.press("C", "GO")
        commits = await log.load(table.table_id)
        later = await histories.until(table.table_id, 5, commits[4].sequence)
        assert [one.version for one in later] == [1, 3, 5]
        assert later[:2] == first
        earlier = await histories.until(table.table_id, 3, commits[2].sequence)
        assert [one.version for one in earlier] == [1, 3]


async def test_heads_know_when_a_timer_of_a_table_is_due() -> None:
    """So the sweep finds what no timer knew of: set, moved, stopped, resumed, fired."""
    log = MemoryLog()
    clock = FakeClock(4_000_000_000_000)
    transactor: Transactor[Timers] = Transactor(log, KEYS, TimerFold(), clock=clock)
    timers = TimerService(transactor, TimerMetrics(CollectorRegistry()), clock)
    async with serving(log) as bank:
        table = (await bank.open()).table_id

        async def due_ms() -> int:
            async with kept(log):
                pass
            head = next(one for one in await list_heads(log, KEYS) if one.game_id == table)
            assert head.status == "bank-open"
            return head.earliest_deadline_ms - clock.now_ms() if head.earliest_deadline_ms else 0

        def command(name: str) -> Command:
            return Command(name, request_hash(name.encode()), actor="banker", received_at_ms=0)

        def wish(name: str, after_ms: int) -> Wish:
            return Wish(name, When(after_ms=after_ms), Terms("", b"", FIRE, "banker", runs_through=False))

        assert await due_ms() == 0
        await timers.schedule(table, "banker", command("a"), wish("t-a", 9000))
        await timers.schedule(table, "banker", command("b"), wish("t-b", 5000))
        assert await due_ms() == 5000
        await timers.reschedule(table, "banker", command("c"), "t-b", When(after_ms=12_000))
        assert await due_ms() == 9000
        await timers.pause(table, "banker", command("d"), "t-a")
        assert await due_ms() == 12_000
        await timers.resume(table, "banker", command("e"), "t-a")
        assert await due_ms() == 9000
        loaded = await timers.deadlines(table)
        due = Due(table, loaded.version, loaded.state.deadlines["t-a"])
        clock.advance(9000)
        await timers.expire(due)
        assert await due_ms() == 3000
        await timers.cancel(table, "banker", command("f"), "t-b")
        assert await due_ms() == 0
