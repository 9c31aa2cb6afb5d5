"""Whoever acts is there: what commands of a seat that is away, or has a stand-in, say of its presence."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from magnate.cli.local import KEYS
from magnate.game.domain.attendance import AWAY, CONNECTED, UNKNOWN, presence_of
from magnate.game.v1 import game_pb2
from magnate.game.watch import Watch
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from magnate.rules.vocabulary import BuyLot, DeclineLot, PassAuction, PlaceBid, Roll
from magnate.timer.codec import TimerFold
from magnate.timer.domain import schedule
from magnate.timer.domain.timers import FIRE, Table, When, Wish
from magnate.timer.metrics import TimerMetrics
from magnate.timer.service import TimerService
from tests.support.tables import done
from tests.support.timed_tables import AWAY as ALLOWANCE
from tests.support.timed_tables import MISSES, begun, go, left, said, seat_time, wait

if TYPE_CHECKING:
    from tests.support.tables import LocalTable

pytestmark = pytest.mark.asyncio


async def presence(table: LocalTable, seat: int) -> str:
    """Return whether a seat is there, by the log."""
    return presence_of((await table.loaded()).state.table.standing(seat))


async def gone(table: LocalTable, seat: int) -> None:
    """Let a seat have a stream and lose it."""
    await go(table, seat, connected=True)
    await go(table, seat, connected=False)
    assert await presence(table, seat) == AWAY


async def test_a_command_over_a_single_call_ends_the_absence_and_stops_its_allowance() -> None:
    """It says so in its own commit; what was used of the allowance is charged, and no more of it."""
    table = await begun(ALLOWANCE)
    await gone(table, 0)
    assert await left(table) == {"roll-0": -150, "away-0": 45}
    await wait(table, 10)
    await table.act(0, Roll())
    assert {"seat_presence", "allowance_changed", "dice_thrown"} <= set(await said(table))
    assert await presence(table, 0) == UNKNOWN
    assert await left(table) == {"roll-0": 150}
    await wait(table, 60)
    assert (await seat_time(table, 0)).allowance_ms == 35_000
    await table.act(0, BuyLot())
    assert await presence(table, 0) == UNKNOWN, "nothing is written for those who play with single calls"
    assert "seat_presence" not in await said(table)


async def test_after_that_a_stream_decides_again() -> None:
    """Coming and going is told as before, and the rest of the allowance is there for it."""
    table = await begun(ALLOWANCE)
    await gone(table, 0)
    await wait(table, 10)
    await table.act(0, Roll())
    await go(table, 0, connected=True)
    assert await presence(table, 0) == CONNECTED
    await go(table, 0, connected=False)
    assert await left(table) == {"roll-0": -150, "away-0": 35}


@pytest.mark.parametrize("what", ["bid", "pass"])
async def test_a_bid_ends_the_absence(what: str) -> None:
    """The auction service writes it and says nothing of seats: its sender does."""
    table = await begun(ALLOWANCE, seats=3)
    await table.act(0, Roll())
    await table.act(0, DeclineLot())
    await gone(table, 2)
    await table.act(2, PlaceBid(3, 10) if what == "bid" else PassAuction(3))
    assert await presence(table, 2) == UNKNOWN
    assert (await seat_time(table, 2)).since_ms == table.clock.now_ms()
    assert await presence(table, 1) == UNKNOWN
    fresh = await table.game.transactor.loader.load(table.game_id)
    assert presence_of(fresh.state.table.standing(2)) == UNKNOWN, "and the log alone says the same"


async def test_watchers_hear_of_it_with_the_bid() -> None:
    """Nothing in that commit speaks of seats, and yet it comes with how they stand."""
    table = await begun(ALLOWANCE, seats=3)
    await table.act(0, Roll())
    await table.act(0, DeclineLot())
    await gone(table, 2)
    loaded = await table.loaded()
    watch = Watch(table.game.transactor, KEYS, table.clock)
    async with aclosing(watch.follow(loaded, loaded.version)) as updates:
        first = await anext(updates)
        assert first.standing.seats[2].presence == game_pb2.PRESENCE_AWAY
        await table.act(2, PlaceBid(3, 10))
        async for update in updates:
            if update.HasField("commit"):
                break
        assert update.standing.seats[2].presence == game_pb2.PRESENCE_UNKNOWN


async def test_breaks_and_time_for_others_end_the_absence_too() -> None:
    """Whatever one sends oneself; not what others do."""
    table = await begun({**ALLOWANCE, "timers.extra_seconds_max": "60"}, seats=3)
    for seat in range(1, 3):
        await gone(table, seat)
    done(await table.game.attendance.grant(table.game_id, table.command("seat-1"), 1, 0, 10_000))
    assert "seat_presence" in await said(table)
    assert [await presence(table, seat) for seat in (1, 2)] == [UNKNOWN, AWAY]
    done(await table.game.attendance.pause(table.game_id, table.command("seat-2"), 2))
    assert await presence(table, 2) == UNKNOWN
    await gone(table, 2)
    done(await table.game.attendance.resume(table.game_id, table.command("seat-2"), 2))
    assert await presence(table, 2) == UNKNOWN


async def test_a_timer_that_the_seat_sets_hands_back_as_well() -> None:
    """The timer service writes it, as the auction service writes bids."""
    table = await begun({**MISSES, "timers.misses_max": "1"})
    await wait(table, 90)
    assert (await seat_time(table, 0)).stand_in
    transactor: Transactor[Table] = Transactor(table.services.log, KEYS, TimerFold(), clock=table.clock)
    timers = TimerService(transactor, TimerMetrics(CollectorRegistry()), table.clock)
    wish = Wish("t-tea", When(after_ms=60_000), schedule.Terms("tea", b"", FIRE, "seat-0", runs_through=True))
    result = await timers.schedule(table.game_id, "seat-0", table.command("seat-0"), wish)
    assert isinstance(result, Done), result.rejection
    assert (await seat_time(table, 0)).stand_in is False
    await wait(table, 3)
    assert (await left(table))["roll-0"] == 90, "its own clock, with all its budget"
