"""What commits do to clocks: reserve, quick play, allowance, extra time, waiting for others."""

from __future__ import annotations

import pytest

from magnate.game import clockwork
from magnate.game.clock_views import seat_times
from magnate.game.draft import Draft
from magnate.game.fold import GameFold
from magnate.game.snapshot import GameSnapshots
from magnate.rules.decision import Decision
from magnate.rules.vocabulary import (
    BuyLot,
    DeclineLot,
    EndTurn,
    OfferTrade,
    PayDebt,
    PlaceBid,
    RejectOffer,
    Roll,
    Terms,
)
from tests.support.tables import done
from tests.support.timed_tables import (
    AWAY,
    BUDGETS,
    QUICK,
    RESERVE,
    begun,
    go,
    left,
    said,
    seat_time,
    shown,
    values_of,
    wait,
)

pytestmark = pytest.mark.asyncio


async def test_the_reserve_is_used_when_the_budget_is_gone() -> None:
    """One deadline at both; what was used is said by the commit that ends the decision."""
    table = await begun(RESERVE)
    assert await left(table) == {"roll-0": 150}
    view = (await shown(table))["roll-0"]
    assert (view.seat, view.budget_ms, view.due_ms - view.budget_ends_ms) == (0, 90_000, 60_000)
    await wait(table, 100)
    assert (await seat_time(table, 0)).reserve_ms == 50_000
    assert (await shown(table))["roll-0"].budget_ms == 0
    await table.act(0, Roll())
    assert "reserve_changed" in await said(table)
    assert (await seat_time(table, 0)).reserve_ms == 50_000
    assert await left(table) == {"roll-0": 140}


async def test_the_budget_alone_costs_no_reserve() -> None:
    """To the last millisecond of it."""
    table = await begun(RESERVE)
    await wait(table, 90)
    await table.act(0, Roll())
    assert "reserve_changed" not in await said(table)
    assert (await seat_time(table, 0)).reserve_ms == 60_000


async def test_who_is_late_for_both_has_no_reserve_left() -> None:
    """The expiry says so together with what it leads to, and the next decision has its budget alone."""
    table = await begun(RESERVE)
    await wait(table, 149.999)
    assert "time_expired" not in await said(table)
    await wait(table, 0.001)
    assert {"reserve_changed", "time_expired", "dice_thrown"} <= set(await said(table))
    assert await left(table) == {"roll-0": 90}


async def test_an_auction_costs_the_seat_on_turn_nothing() -> None:
    """C055: its clock stands with what was left, the reserve it had used is charged, and it runs on."""
    table = await begun({**RESERVE, "auction.close_seconds": "40"})
    await table.act(0, Roll())
    await wait(table, 100)
    await table.act(0, DeclineLot())
    assert (await seat_time(table, 0)).reserve_ms == 50_000
    before = await left(table)
    assert "roll-0" not in before
    await wait(table, 39)
    await table.act(1, PlaceBid(3, 10))
    await wait(table, 40)
    assert (await seat_time(table, 0)).reserve_ms == 50_000
    assert await left(table) == {"roll-0": 140}


async def test_a_debt_has_its_own_budget_and_the_same_reserve() -> None:
    """The clock of the turn has stood meanwhile, and the next decision has what is left of the reserve."""
    table = await begun({**RESERVE, "debt.payment": "asked"})
    await table.act(0, Roll())
    await table.act(0, BuyLot())
    await table.act(0, EndTurn())
    await wait(table, 120)
    await table.act(1, Roll())
    assert await left(table) == {"pay-1": 120}
    await wait(table, 100)
    await table.act(1, PayDebt())
    assert (await seat_time(table, 1)).reserve_ms == 20_000
    assert await left(table) == {"roll-1": 110}


async def test_an_offer_stops_the_turn_only_where_the_table_says_so() -> None:
    """C055: with 20 s left, and 20 s left again when the other has answered; else the clock runs."""
    plain, stopped = await begun(BUDGETS), await begun({**BUDGETS, "timers.offer_stops_clock": "true"})
    for table, after in ((plain, 10), (stopped, 20)):
        await wait(table, 70)
        await table.act(0, OfferTrade(1, Terms(1, [], [], 0, [], [], 0)))
        assert abs((await left(table))["roll-0"]) == 20
        await wait(table, 10)
        await table.act(1, RejectOffer(1))
        assert await left(table) == {"roll-0": after}


async def test_quick_play_earns_once_in_a_turn_and_up_to_the_most() -> None:
    """A fifth of the budget is quick; a second quick decision of the turn earns nothing."""
    table = await begun(QUICK)
    await wait(table, 18)
    await table.act(0, Roll())
    assert "reserve_changed" in await said(table)
    assert (await seat_time(table, 0)).reserve_ms == 70_000
    await table.act(0, BuyLot())
    await table.act(0, EndTurn())
    assert (await seat_time(table, 0)).reserve_ms == 70_000
    await wait(table, 18.001)
    await table.act(1, Roll())
    assert (await seat_time(table, 1)).reserve_ms == 60_000
    await table.act(1, EndTurn())
    assert (await seat_time(table, 1)).reserve_ms == 70_000
    await table.act(0, Roll())
    assert (await seat_time(table, 0)).reserve_ms == 75_000
    kept = GameSnapshots().decode(GameSnapshots().encode((await table.loaded()).state))
    assert kept.table.standing(0).earned_turn == (await table.rules()).turn


async def test_what_time_does_for_a_seat_earns_nothing() -> None:
    """Nor does what another seat does."""
    table = await begun(QUICK)
    await wait(table, 150)
    assert (await seat_time(table, 0)).reserve_ms == 0


async def test_a_seat_that_is_away_is_waited_for_as_long_as_its_allowance_lasts() -> None:
    """Its clock stands meanwhile, then runs on; what is left of the allowance is kept for the next time."""
    table = await begun(AWAY)
    await go(table, 0, connected=True)
    await wait(table, 20)
    await go(table, 0, connected=False)
    assert await left(table) == {"roll-0": -130, "away-0": 45}
    await wait(table, 15)
    await go(table, 0, connected=True)
    assert "allowance_changed" in await said(table)
    assert await left(table) == {"roll-0": 130}
    assert (await seat_time(table, 0)).allowance_ms == 30_000
    await go(table, 0, connected=False)
    await wait(table, 30)
    assert await left(table) == {"roll-0": 130}
    assert (await seat_time(table, 0)).allowance_ms == 0
    await wait(table, 130)
    assert "time_expired" in await said(table)


async def test_processes_whose_clocks_differ_give_no_time() -> None:
    """Away by a fast clock, back by a slow one, again and again; and so with breaks: nothing grows."""
    table = await begun(AWAY)
    await table.act(0, OfferTrade(1, Terms(100, [], [], 0, [], [], 0)))
    await go(table, 0, connected=True)
    for _ in range(3):
        await go(table, 0, connected=False)
        table.clock.advance(-2_500)
        await go(table, 0, connected=True)
        table.clock.advance(2_500)
        assert (await seat_time(table, 0)).allowance_ms == 45_000
    await go(table, 0, connected=False)
    attendance = table.game.attendance
    for _ in range(3):
        table.clock.advance(-2_500)
        done(await attendance.pause(table.game_id, table.command("seat-1")))
        table.clock.advance(2_500)
        done(await attendance.resume(table.game_id, table.command("seat-1")))
        assert await left(table) == {"roll-0": -150, "away-0": 45, "deal-1": 30}


async def test_the_allowance_is_not_used_while_others_are_waited_for() -> None:
    """It is for the time in which the game stands still because of the seat."""
    table = await begun(AWAY)
    await go(table, 1, connected=True)
    await go(table, 1, connected=False)
    assert await left(table) == {"roll-0": 150}
    await wait(table, 60)
    await table.act(0, Roll())
    await table.act(0, BuyLot())
    await table.act(0, EndTurn())
    assert await left(table) == {"away-1": 45}
    await wait(table, 44)
    await go(table, 1, connected=True)
    assert await left(table) == {"roll-1": 150}
    assert (await seat_time(table, 1)).allowance_ms == 1_000


async def test_a_pause_keeps_reserve_and_allowance() -> None:
    """All that ran runs on with what it had, also of a seat that is away."""
    table = await begun(AWAY)
    await go(table, 0, connected=True)
    await wait(table, 100)
    attendance = table.game.attendance
    done(await attendance.pause(table.game_id, table.command("seat-1")))
    assert await left(table) == {"roll-0": -50}
    assert (await seat_time(table, 0)).reserve_ms == 50_000
    await wait(table, 3600)
    await go(table, 0, connected=False)
    assert await left(table) == {"roll-0": -50}
    done(await attendance.resume(table.game_id, table.command("seat-1")))
    assert await left(table) == {"roll-0": -50, "away-0": 45}
    await wait(table, 10)
    done(await attendance.pause(table.game_id, table.command("seat-1")))
    await wait(table, 3600)
    done(await attendance.resume(table.game_id, table.command("seat-1")))
    assert await left(table) == {"roll-0": -50, "away-0": 35}
    await go(table, 0, connected=True)
    assert await left(table) == {"roll-0": 50}


async def test_extra_time_moves_the_running_clock_and_gives_no_reserve_back() -> None:
    """What was used before stays used; a decision is quick by all the time it took."""
    table = await begun({**QUICK, "timers.extra_seconds_max": "60"})
    await wait(table, 100)
    granted = await table.game.attendance.grant(table.game_id, table.command("seat-1"), 1, 0, 30_000)
    done(granted)
    assert await left(table) == {"roll-0": 80}
    view = (await shown(table))["roll-0"]
    assert (view.budget_ms, view.extra_ms) == (30_000, 30_000)
    await table.act(0, Roll())
    assert (await seat_time(table, 0)).reserve_ms == 50_000


async def test_extra_time_of_a_clock_that_stands_waits_with_it() -> None:
    """It is there when the clock runs on."""
    table = await begun({**AWAY, "timers.extra_seconds_max": "60"})
    await go(table, 0, connected=True)
    await wait(table, 20)
    await go(table, 0, connected=False)
    loaded = await table.loaded()
    draft = Draft(loaded.state.draft(), Decision())
    assert clockwork.grant(draft, 1, 0, 30_000, table.clock.now_ms())
    assert not clockwork.grant(draft, 1, 1, 30_000, table.clock.now_ms())
    (moved,) = [one for key, one in draft.state.deadlines.items() if key.startswith("roll-0")]
    assert (moved.due_ms, moved.left_ms) == (0, 100_000)


async def test_the_fold_of_the_log_knows_the_same() -> None:
    """Reserve, allowance, misses and stand-ins are facts, not what somebody remembers."""
    table = await begun({**AWAY, "timers.misses_max": "1", "timers.reserve_gain_seconds": "5",
                         "timers.reserve_max_seconds": "90"})  # fmt: skip
    await go(table, 0, connected=True)
    await table.act(0, Roll())
    await go(table, 0, connected=False)
    await wait(table, 500)
    fold = GameFold()
    folded = fold.initial(table.game_id)
    for commit in await table.commits():
        folded = fold.apply(folded, commit)
    kept = GameSnapshots().decode(GameSnapshots().encode(folded))
    live = (await table.loaded()).state
    now_ms = table.clock.now_ms()
    for state in (folded, kept):
        assert [values_of(one) for one in seat_times(state, now_ms)] == [
            values_of(one) for one in seat_times(live, now_ms)
        ]
    assert (await seat_time(table, 0)).stand_in
