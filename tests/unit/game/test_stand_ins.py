"""Who misses his clock too often, who plays for him, and how he comes back."""

from __future__ import annotations

import pytest

from magnate.rules.vocabulary import (
    BuyLot,
    PassAuction,
    PlaceBid,
)
from tests.support.tables import done
from tests.support.timed_tables import (
    MISSES,
    begun,
    go,
    left,
    said,
    seat_time,
    wait,
)

pytestmark = pytest.mark.asyncio


async def test_a_stand_in_takes_over_after_so_many_misses_and_is_quick() -> None:
    """C052: the missed decisions are made by default, the next ones by the stand-in, which never deals."""
    table = await begun(MISSES)
    await wait(table, 90)
    assert {"clock_missed", "time_expired"} <= set(await said(table))
    assert (await seat_time(table, 0)).misses == 1
    await wait(table, 90)
    assert "stand_in_seated" in await said(table)
    assert (await seat_time(table, 0)).stand_in


async def test_the_stand_in_leaves_in_the_commit_of_the_seats_own_command() -> None:
    """And the next clock is the seat's, with all its budget."""
    table = await begun({**MISSES, "timers.misses_max": "1"})
    await wait(table, 90)
    assert await left(table) == {"stand_in-0": 3}
    await wait(table, 2)
    await table.act(0, BuyLot())
    assert {"stand_in_left", "lot_bought"} <= set(await said(table))
    time = await seat_time(table, 0)
    assert (time.stand_in, time.misses) == (False, 0)
    assert await left(table) == {"roll-0": 90}


async def test_the_stand_in_leaves_when_the_seat_is_back() -> None:
    """Without a command: being there is enough, and it is one commit."""
    table = await begun({**MISSES, "timers.misses_max": "1"})
    await wait(table, 90)
    await go(table, 0, connected=True)
    assert await said(table) == ["seat_presence", "stand_in_left"]
    assert await left(table) == {"roll-0": 90}


async def test_the_stand_in_buys_what_leaves_half_the_price() -> None:
    """It plays on until the seat comes back."""
    table = await begun({**MISSES, "timers.misses_max": "1"})
    await wait(table, 90)
    await wait(table, 3)
    assert "lot_bought" in await said(table)
    assert "time_expired" not in await said(table)
    await wait(table, 3)
    assert (await table.rules()).turn_seat == 1
    assert await left(table) == {"roll-1": 90}


async def test_a_bid_hands_back_as_well() -> None:
    """The auction service writes it; whoever folds its commit knows that the seat is there."""
    table = await begun(MISSES, seats=3)
    await wait(table, 180)
    assert (await seat_time(table, 0)).stand_in
    await table.act(0, PlaceBid(3, 10))
    assert (await seat_time(table, 0)).stand_in is False
    await wait(table, 10)
    assert await left(table) == {"roll-0": 90}


async def test_a_bid_that_ends_the_auction_hands_back_as_well() -> None:
    """What the rules set before they knew of it finds out when it is due, and does nothing for the seat."""
    table = await begun(MISSES)
    await wait(table, 180)
    await table.act(1, PlaceBid(3, 10))
    await table.act(0, PassAuction(3))
    assert (await seat_time(table, 0)).stand_in is False
    await wait(table, 5)
    assert (await table.rules()).turn_seat == 0
    assert (await left(table))["roll-0"] >= 88


async def test_own_commands_begin_the_count_of_misses_anew() -> None:
    """Only misses in a row count."""
    table = await begun(MISSES)
    await wait(table, 90)
    await table.act(0, BuyLot())
    assert "clock_missed" in await said(table)
    assert (await seat_time(table, 0)).misses == 0
    await wait(table, 90)
    assert (await seat_time(table, 0)).misses == 1


async def test_too_many_misses_may_cost_the_place() -> None:
    """Then the seat resigns instead of what would have been done for it."""
    table = await begun({**MISSES, "timers.misses_lead_to": "resign"}, seats=3)
    await wait(table, 90)
    await wait(table, 90)
    words = await said(table)
    assert {"time_expired", "seat_resigned", "clock_missed"} <= set(words)
    assert "stand_in_seated" not in words
    assert (await table.rules()).out[0]
    assert await left(table) == {"roll-1": 90}


async def test_a_break_that_the_seat_calls_for_hands_back_as_well() -> None:
    """Whatever one sends oneself: the clock that stands then is one's own."""
    table = await begun({**MISSES, "timers.misses_max": "1"})
    await wait(table, 90)
    done(await table.game.attendance.pause(table.game_id, table.command("seat-0"), 0))
    assert await said(table) == ["table_paused", "stand_in_left"]
    done(await table.game.attendance.resume(table.game_id, table.command("seat-0"), 0))
    assert await left(table) == {"roll-0": 90}


async def test_what_others_give_does_not_hand_back() -> None:
    """Extra time from a seat is a command of that seat, not of the one that gets it."""
    table = await begun({**MISSES, "timers.extra_seconds_max": "60"})
    await wait(table, 90)
    done(await table.game.attendance.grant(table.game_id, table.command("seat-1"), 1, 0, 10_000))
    assert (await seat_time(table, 0)).misses == 1
    await wait(table, 100)
    assert (await seat_time(table, 0)).stand_in


async def test_stand_ins_whose_script_is_used_up_write_no_more() -> None:
    """Each says once that its time is over; who comes back has all his budget, and then it is said again."""
    table = await begun({**MISSES, "timers.misses_max": "1"}, dice=[6, 5, *[1, 2] * 3])
    await wait(table, 300)
    assert "time_expired" in await said(table)
    stopped = len(await table.commits())
    await wait(table, 24 * 3600)
    assert len(await table.commits()) == stopped
    seat = (await table.rules()).turn_seat
    assert (await seat_time(table, seat)).stand_in
    await go(table, seat, connected=True)
    assert await left(table) == {f"roll-{seat}": 90}
    await wait(table, 24 * 3600)
    assert len(await table.commits()) == stopped + 2
