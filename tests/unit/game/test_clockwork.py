"""What commits do to clocks: reserve, quick play, allowance, misses, stand-ins, extra time, waiting."""

from __future__ import annotations

import pytest

from magnate.game import clocks, clockwork
from magnate.game.clock_views import ClockView, SeatTime, clock_views, seat_times
from magnate.game.compose import Draft
from magnate.game.domain.attendance import ANYBODY, Sighting
from magnate.game.fold import GameFold
from magnate.game.snapshot import GameSnapshots
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import RULES, TABLE
from magnate.rules.decision import Decision
from magnate.rules.vocabulary import (
    BuyLot,
    DeclineLot,
    EndTurn,
    OfferTrade,
    PassAuction,
    PlaceBid,
    RejectOffer,
    Roll,
    Terms,
)
from tests.support.tables import LocalTable, done, refusal

pytestmark = pytest.mark.asyncio

BUDGETS = {"timers.roll_seconds": "90", "timers.deal_seconds": "30", "timers.pay_seconds": "90"}
RESERVE = {**BUDGETS, "timers.reserve_seconds": "60", "timers.expiry": "default_action"}
QUICK = {
    **RESERVE,
    "timers.reserve_gain_seconds": "10",
    "timers.reserve_max_seconds": "75",
    "timers.quick_percent": "20",
}
AWAY = {**RESERVE, "timers.away_seconds": "45"}
MISSES = {**RESERVE, "timers.reserve_seconds": "0", "timers.misses_max": "2", "timers.stand_in_seconds": "3"}
DICE = [6, 5, *[1, 2] * 40]


async def begun(options: dict[str, str], seats: int = 2, dice: list[int] | None = None) -> LocalTable:
    """Return a table with clocks at which seat 0 is to throw [1, 2], which leads to a lot that is free."""
    table = LocalTable()
    script = game_pb2.Sandbox(dice=dice or DICE, clocks=True)
    await table.begin(seats=seats, options=options, sandbox=script)
    return table


async def shown(table: LocalTable) -> dict[str, ClockView]:
    """Return the clocks that are set, by name."""
    state = (await table.loaded()).state
    return {clocks.name_of(view.deadline_id): view for view in clock_views(state, table.clock.now_ms())}


async def left(table: LocalTable) -> dict[str, int]:
    """Return what is left of every clock in seconds; of one that stands it is negative."""
    views = await shown(table)
    return {name: (-one.left_ms if one.stands else one.left_ms) // 1000 for name, one in views.items()}


async def seat_time(table: LocalTable, seat: int) -> SeatTime:
    """Return how a seat stands with its clocks now."""
    return seat_times((await table.loaded()).state, table.clock.now_ms())[seat]


async def said(table: LocalTable) -> list[str]:
    """Return the words of the newest commit, those of the table and those of the rules."""
    commit = (await table.commits())[-1]
    found: list[str] = []
    for section in commit.sections:
        if section.kind == TABLE:
            events = game_pb2.TableSection.FromString(section.body).events
            found += [str(event.WhichOneof("kind")) for event in events]
        elif section.kind == RULES:
            rules = game_pb2.RulesSection.FromString(section.body).events
            found += [str(event.WhichOneof("kind")) for event in rules]
    return found


async def wait(table: LocalTable, seconds: float) -> None:
    """Let time pass; what falls due is dealt with."""
    await table.services.advance(table.game_id, int(seconds * 1000))


async def go(table: LocalTable, seat: int, connected: bool) -> None:
    """Let a seat come, or go away."""
    at = Sighting(seat, "boot.1", ANYBODY) if connected else Sighting(seat, "", "boot")
    result = await table.game.attendance.note(table.game_id, "boot", [at])
    assert result is not None
    done(result)


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


async def test_a_command_is_charged_up_to_when_it_came() -> None:
    """Not to when it was carried out; and before the deadline it counts, whoever is late with it."""
    table = await begun(RESERVE)
    received_at_ms = table.clock.now_ms() + 89_000
    table.clock.advance(200_000)
    command = table.command("seat-0")
    command.received_at_ms = received_at_ms
    done(await table.game.service.act(table.game_id, 0, command, Roll()))
    assert (await seat_time(table, 0)).reserve_ms == 60_000


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


async def test_a_clock_stands_with_its_budget_while_others_pay() -> None:
    """And what its seat earns or uses of its reserve meanwhile counts when it runs on."""
    options = {**RESERVE, "debt.payment": "asked"}
    table = await begun(options, dice=[6, 5, 1, 2, 1, 2, 1, 3, 1, 2, 1, 2])
    await table.act(0, Roll())
    await table.act(0, BuyLot())
    await table.act(0, EndTurn())
    await wait(table, 30)
    await table.act(1, Roll())
    assert await left(table) == {"pay-1": 150}


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


async def test_what_is_sent_again_earns_nothing() -> None:
    """It is answered from the log; the clock of the next decision is as it was."""
    table = await begun(QUICK)
    await table.act(0, Roll(), command_id="once")
    version = (await table.loaded()).version
    before = await left(table)
    await table.act(0, Roll(), command_id="once")
    assert (await table.loaded()).version == version
    assert await left(table) == before
    assert (await seat_time(table, 0)).reserve_ms == 70_000


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


async def test_a_second_instance_finds_an_expired_clock_done() -> None:
    """C054: two timers, two processes, one effect."""
    table = await begun(RESERVE)
    (deadline_id,) = [one.deadline_id for one in (await shown(table)).values()]
    table.clock.advance(150_000)
    done(await table.game.service.expire(table.game_id, deadline_id))  # type: ignore[arg-type]
    version = (await table.loaded()).version
    again = await table.game.service.expire(table.game_id, deadline_id)
    assert (await table.loaded()).version == version
    assert not hasattr(again, "rejection") or refusal(again) == "UNKNOWN_DEADLINE"


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
        assert [vars_of(one) for one in seat_times(state, now_ms)] == [
            vars_of(one) for one in seat_times(live, now_ms)
        ]
    assert (await seat_time(table, 0)).stand_in


def vars_of(one: SeatTime) -> list[object]:
    """Return what a value with slots holds."""
    return [getattr(one, name) for name in SeatTime.__slots__]
