"""Clocks of decisions as deadlines of the game service: late commands, late fires, pauses, old logs."""

from __future__ import annotations

from random import Random

import pytest

from magnate.game import clocks
from magnate.game.domain import table as domain
from magnate.game.fold import GameFold
from magnate.game.idle import DAY_MS
from magnate.game.snapshot import GameSnapshots
from magnate.game.v1 import game_pb2
from magnate.kit.expiry import NotYet
from magnate.kit.log.commit import TABLE
from magnate.rules.plain import digest
from magnate.rules.vocabulary import AcceptOffer, BuyLot, OfferTrade, RejectOffer, Resign, Roll, Terms
from tests.support.tables import LocalTable, done, refusal

pytestmark = pytest.mark.asyncio

TIMED = {"timers.roll_seconds": "90", "timers.deal_seconds": "30", "timers.pay_seconds": "90"}
SCRIPT = game_pb2.Sandbox(dice=[6, 5, 1, 2, 1, 2, 1, 3, 1, 2], clocks=True)


async def begun(**options: str) -> LocalTable:
    """Return a table for two with clocks at which seat 0 is to throw [1, 2]."""
    table = LocalTable()
    await table.begin(seats=2, options={**TIMED, **options}, sandbox=SCRIPT)
    return table


async def pending(table: LocalTable) -> dict[str, int]:
    """Return the clocks that are set, by name, with the time left."""
    state = (await table.loaded()).state
    now_ms = table.clock.now_ms()
    return {
        clocks.name_of(deadline_id): deadline.due_ms - now_ms if deadline.due_ms else -deadline.left_ms
        for deadline_id, deadline in state.deadlines.items()
        if deadline.kind in clocks.KINDS
    }


async def test_a_decision_has_a_clock_and_the_next_one_another() -> None:
    """Set with the decision, cleared with it; the id says in which version it was set."""
    table = await begun()
    assert await pending(table) == {"roll-0": 90_000}
    first = [key for key in (await table.loaded()).state.deadlines if key.startswith("roll-")]
    table.clock.advance(10_000)
    await table.act(0, Roll())
    assert await pending(table) == {"roll-0": 90_000}
    second = [key for key in (await table.loaded()).state.deadlines if key.startswith("roll-")]
    assert first != second
    late = await table.game.service.expire(table.game_id, first[0])
    assert not isinstance(late, NotYet)
    assert refusal(late) == "UNKNOWN_DEADLINE"


async def test_a_command_after_its_time_is_refused_before_the_clock_is_dealt_with() -> None:
    """What counts is when it was received; leaving is always possible."""
    table = await begun()
    table.clock.advance(89_999)
    assert await table.refused(0, Roll()) == ""
    table.clock.advance(90_000)
    assert await table.refused(0, BuyLot()) == "DEADLINE_PASSED"
    assert await table.refused(1, OfferTrade(0, Terms(1, [], [], 0, [], [], 0))) == ""
    assert await table.refused(0, Resign()) == ""


async def test_an_answer_after_its_time_is_refused() -> None:
    """An offer has a clock of its own."""
    table = await begun()
    await table.act(0, OfferTrade(1, Terms(1, [], [], 0, [], [], 0)))
    assert await pending(table) == {"roll-0": 90_000, "deal-1": 30_000}
    table.clock.advance(30_000)
    assert await table.refused(1, AcceptOffer(1, [])) == "DEADLINE_PASSED"
    assert await table.refused(1, RejectOffer(1)) == "DEADLINE_PASSED"
    await table.services.advance(table.game_id, 0)
    assert (await table.rules()).offers == {}
    assert await pending(table) == {"roll-0": 60_000}


async def test_pausing_keeps_what_was_left_of_every_clock() -> None:
    """All stop, all run on; the game's own time stands still too."""
    table = await begun()
    table.clock.advance(20_000)
    done(await table.game.attendance.pause(table.game_id, table.command("seat-0")))
    table.clock.advance(3_600_000)
    state = (await table.loaded()).state
    assert state.table.elapsed_ms(table.clock.now_ms()) == 20_000
    done(await table.game.attendance.resume(table.game_id, table.command("seat-0")))
    state = (await table.loaded()).state
    assert state.table.elapsed_ms(table.clock.now_ms() + 5) == 20_005
    assert await pending(table) == {"roll-0": 70_000}


async def test_what_time_did_folds_and_can_be_kept_in_a_snapshot() -> None:
    """The fold of the log and a snapshot of it have the same clock."""
    table = await begun()
    table.clock.advance(20_000)
    done(await table.game.attendance.pause(table.game_id, table.command("seat-0")))
    table.clock.advance(10_000)
    done(await table.game.attendance.resume(table.game_id, table.command("seat-0")))
    live = (await table.loaded()).state
    fold = GameFold()
    folded = fold.initial(table.game_id)
    for commit in await table.commits():
        folded = fold.apply(folded, commit)
    kept = GameSnapshots().decode(GameSnapshots().encode(folded))
    assert live.table.started_at_ms == folded.table.started_at_ms == kept.table.started_at_ms
    assert live.table.elapsed_ms(table.clock.now_ms()) == 20_000


async def test_a_log_of_before_there_was_a_clock_counts_from_its_commits() -> None:
    """Then the time of the commit is all there is."""
    table = await begun()
    fold = GameFold()
    folded = fold.initial(table.game_id)
    for commit in await table.commits():
        for section in commit.sections:
            if section.kind == TABLE:
                message = game_pb2.TableSection.FromString(section.body)
                for event in message.events:
                    if event.HasField("table_started"):
                        event.table_started.started_at_ms = 0
                section.body = message.SerializeToString()
        folded = fold.apply(folded, commit)
    assert folded.table.status == domain.RUNNING
    assert folded.table.started_at_ms == (await table.commits())[-1].time_ms


async def test_a_sandbox_without_clocks_has_none() -> None:
    """Unless it asks for them; a table that is no sandbox always has them."""
    table = LocalTable()
    await table.begin(seats=2, options=TIMED, sandbox=game_pb2.Sandbox(dice=[6, 5, 1, 2]))
    assert await pending(table) == {}
    real = LocalTable("real")
    await real.begin(seats=2, options=TIMED)
    assert len(await pending(real)) == 1


async def test_the_agreed_time_is_a_deadline_of_the_game() -> None:
    """It is there from the start, and gone when it has been said that the time is over."""
    table = await begun(**{"end": "agreed_time", "end.minutes": "10"})
    assert (await pending(table))["time-0"] == 600_000
    plain = LocalTable("plain")
    await plain.begin(seats=2, options={"end": "agreed_time", "end.minutes": "10"})
    await plain.services.advance(plain.game_id, 600_000)
    assert (await plain.rules()).extras.time_up == 1
    assert await pending(plain) == {}


async def test_where_a_script_has_no_dice_the_clock_stands_until_the_decision_is_made() -> None:
    """What would be done cannot be done: it is said once, and the table writes no more by itself."""
    table = LocalTable()
    script = game_pb2.Sandbox(dice=[6, 5, 1, 2], clocks=True)
    await table.begin(seats=2, options={**TIMED, "timers.expiry": "default_action"}, sandbox=script)
    before = digest(await table.rules())
    await table.services.advance(table.game_id, 90_000)
    assert digest(await table.rules()) == before
    assert await pending(table) == {"roll-0": 0}
    said = len(await table.commits())
    state = (await table.loaded()).state
    (clock,) = [one for one in state.deadlines.values() if one.kind == "roll"]
    kept = GameSnapshots().decode(GameSnapshots().encode(state))
    assert clock.held
    assert [one.row() for one in kept.deadlines.values()] == [one.row() for one in state.deadlines.values()]
    done(await table.game.attendance.pause(table.game_id, table.command("seat-0")))
    done(await table.game.attendance.resume(table.game_id, table.command("seat-1")))
    await table.services.advance(table.game_id, DAY_MS)
    assert len(await table.commits()) == said + 2


@pytest.mark.parametrize("ruleset", ["computer", "online"])
async def test_every_decision_of_a_whole_game_has_its_clock(ruleset: str) -> None:
    """What runs is what is waited for; what stands is paused or was never set."""
    rng = Random(5)
    table = LocalTable()
    options = {"timers.expiry": "default_action", "end.turns_max": "40"}
    await table.begin(ruleset=ruleset, board="", seats=3, options=options)
    async for loaded in table.play(rng):
        state = loaded.state
        asked = clocks.clocks_of(state)
        set_now = {
            clocks.name_of(key): one for key, one in state.deadlines.items() if one.kind in clocks.KINDS
        }
        assert set(set_now) <= set(asked)
        for name, clock in asked.items():
            running = name in set_now and set_now[name].due_ms > 0
            assert running != clock.stands, (name, loaded.version)
        if rng.random() < 0.1:
            await table.services.advance(table.game_id, 90_000)


async def test_when_the_game_is_over_no_clock_is_left() -> None:
    """The last one out of time ends the game."""
    table = await begun()
    await table.services.advance(table.game_id, 90_000)
    assert (await table.rules()).ranking == [1, 0]
    assert (await table.loaded()).state.deadlines == {}
