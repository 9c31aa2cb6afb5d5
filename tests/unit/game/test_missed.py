"""Clocks of a game that were missed while the services were down; timers of clients in a game."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from magnate.cli.local import KEYS, LocalServices
from magnate.game.acting import Acted
from magnate.game.clocks import allowance_of, reserve_of
from magnate.game.snapshot import GameSnapshots
from magnate.kit.expiry import NotYet
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import Command
from magnate.kit.misfire import LATE_MS
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from magnate.rules.vocabulary import OfferTrade, RejectOffer, Resign, Roll, Terms
from magnate.timer.codec import TimerFold
from magnate.timer.domain import schedule
from magnate.timer.domain.agenda import Due
from magnate.timer.domain.timers import FIRE, Table, When, Wish
from magnate.timer.metrics import TimerMetrics
from magnate.timer.service import TimerService
from tests.support.tables import LocalTable, done
from tests.support.timed_tables import go

if TYPE_CHECKING:
    from magnate.game.state import Deadline

pytestmark = pytest.mark.asyncio
TIMED = {"timers.roll_seconds": "90"}
DOWN_MS = 3_600_000


class Timers:
    """The timer service at a table."""

    def __init__(self, table: LocalTable) -> None:
        self.table = table
        transactor: Transactor[Table] = Transactor(table.services.log, KEYS, TimerFold(), clock=table.clock)
        self.service = TimerService(transactor, TimerMetrics(CollectorRegistry()), table.clock)
        self.sent = 0

    def command(self) -> Command:
        """Return a command of the first seat."""
        self.sent += 1
        name = f"timer-{self.sent}"
        return Command(name, request_hash(name.encode()), actor="seat-0", received_at_ms=0)

    async def set(self, name: str, *, through: bool = False) -> None:
        """Set a timer of ten seconds."""
        terms = schedule.Terms(name, b"", FIRE, "seat-0", runs_through=through)
        wish = Wish(f"t-{name}", When(after_ms=10_000), terms)
        result = await self.service.schedule(self.table.game_id, "seat-0", self.command(), wish)
        assert isinstance(result, Done), result.rejection

    async def pause(self, name: str) -> str:
        """Stop a timer; return the name of the refusal, if it was one."""
        result = await self.service.pause(self.table.game_id, "seat-0", self.command(), f"t-{name}")
        return "" if isinstance(result, Done) else result.rejection.name

    async def resume(self, name: str) -> str:
        """Let a timer run on; return the name of the refusal, if it was one."""
        result = await self.service.resume(self.table.game_id, "seat-0", self.command(), f"t-{name}")
        return "" if isinstance(result, Done) else result.rejection.name


async def pending(table: LocalTable, prefix: str) -> Deadline:
    """Return the one deadline whose id begins so, as the game service has it."""
    found = [one for key, one in (await table.loaded()).state.deadlines.items() if key.startswith(prefix)]
    assert len(found) == 1, found
    return found[0]


async def name_of(table: LocalTable, prefix: str) -> str:
    """Return the id that begins so."""
    return next(key for key in (await table.loaded()).state.deadlines if key.startswith(prefix))


async def begun(name: str) -> LocalTable:
    """Return a table whose seats have ninety seconds for a throw."""
    table = LocalTable(name)
    await table.begin(options=TIMED)
    return table


async def test_a_missed_clock_gets_its_time_again_once() -> None:
    """The seat can throw meanwhile; after a second downtime its time is over."""
    table = await begun("missed")
    clock_id = await name_of(table, "roll-")
    due_ms = (await pending(table, "roll-")).due_ms
    table.clock.set(due_ms + DOWN_MS)
    told = await table.game.service.expire(table.game_id, clock_id)
    assert isinstance(told, NotYet)
    assert told.remaining_ms == 90_000
    shifted = await pending(table, "roll-")
    assert (shifted.due_ms, shifted.shifted) == (due_ms + DOWN_MS + 90_000, True)
    again = await table.game.service.expire(table.game_id, clock_id)
    assert isinstance(again, NotYet)
    table.clock.advance(89_000)
    assert isinstance(await table.act((await table.rules()).turn_seat, Roll()), Acted)


async def test_a_clock_that_is_missed_twice_is_over() -> None:
    """And deals with the seat as it does without a downtime."""
    table = await begun("twice")
    clock_id = await name_of(table, "roll-")
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    assert isinstance(await table.game.service.expire(table.game_id, clock_id), NotYet)
    table.clock.advance(DOWN_MS)
    assert isinstance(await table.game.service.expire(table.game_id, clock_id), Done)
    assert clock_id not in (await table.loaded()).state.deadlines


async def test_a_downtime_uses_up_no_reserve() -> None:
    """Budget and reserve are as they were when the game was last heard of; throwing at once costs nothing."""
    table = LocalTable("reserve")
    await table.begin(options={"timers.roll_seconds": "30", "timers.reserve_seconds": "1200"})
    seat = (await table.rules()).turn_seat
    assert reserve_of((await table.loaded()).state.table, seat) == 1_200_000
    clock_id = await name_of(table, "roll-")
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    assert isinstance(await table.game.service.expire(table.game_id, clock_id), NotYet)
    table.clock.advance(20_000)
    assert isinstance(await table.act(seat, Roll()), Acted)
    assert reserve_of((await table.loaded()).state.table, seat) == 1_200_000


async def test_a_decision_is_not_lost_to_a_downtime_however_short() -> None:
    """Down from before the due time until two seconds after it: whoever starts gives the time again."""
    table = await begun("short")
    clock_id = await name_of(table, "roll-")
    table.clock.set((await pending(table, "roll-")).due_ms + 2_000)
    back = LocalServices(table.services)
    told = await back.game.service.expire(table.game_id, clock_id)
    assert isinstance(told, NotYet)
    assert told.remaining_ms == 90_000
    table.clock.advance(90_000)
    assert isinstance(await back.game.service.expire(table.game_id, clock_id), Done)


async def test_who_acts_just_after_a_short_downtime_is_in_time() -> None:
    """The time was over while nobody could act, or so soon after that nobody was back yet."""
    for off_ms in (1_500, -4_000):
        table = await begun(f"soon{off_ms}")
        seat = (await table.rules()).turn_seat
        due_ms = (await pending(table, "roll-")).due_ms
        table.clock.set(due_ms + off_ms)
        back = LocalServices(table.services)
        table.clock.set(max(due_ms, due_ms + off_ms) + 500)
        done(await back.game.service.act(table.game_id, seat, table.command(f"seat-{seat}"), Roll()))


async def test_what_was_there_for_a_while_is_no_downtime() -> None:
    """One that began five seconds before the due time, or that the log has been heard of since."""
    table = await begun("while")
    clock_id = await name_of(table, "roll-")
    due_ms = (await pending(table, "roll-")).due_ms
    table.clock.set(due_ms - LATE_MS)
    back = LocalServices(table.services)
    table.clock.set(due_ms)
    assert isinstance(await back.game.service.expire(table.game_id, clock_id), Done)


AWAY = {**TIMED, "timers.away_seconds": "45", "timers.reserve_seconds": "60"}


async def test_who_comes_back_first_does_not_take_the_lost_time_from_others() -> None:
    """After a downtime streams open again before the timer is there: the first commit shifts the clock."""
    table = await begun("first")
    clock_id = await name_of(table, "roll-")
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    await go(table, 1, connected=True)
    shifted = await pending(table, "roll-")
    assert (shifted.due_ms, shifted.shifted) == (table.clock.now_ms() + 90_000, True)
    assert isinstance(await table.game.service.expire(table.game_id, clock_id), NotYet)
    table.clock.advance(90_000)
    assert isinstance(await table.game.service.expire(table.game_id, clock_id), Done)


async def test_who_was_waited_for_acts_after_a_downtime_the_first_time() -> None:
    """Before the timer is back: the clock is shifted in the commit of the command, and nothing is charged."""
    table = LocalTable("acts")
    await table.begin(options=AWAY)
    seat = (await table.rules()).turn_seat
    clock_id = await name_of(table, "roll-")
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    before = len(await table.commits())
    assert isinstance(await table.act(seat, Roll()), Acted)
    assert len(await table.commits()) == before + 1
    assert clock_id not in (await table.loaded()).state.deadlines
    assert reserve_of((await table.loaded()).state.table, seat) == 60_000
    assert (await pending(table, "roll-")).due_ms == table.clock.now_ms() + 150_000


async def test_who_acts_too_late_without_a_downtime_or_after_the_second_is_refused_all_the_same() -> None:
    """Five seconds are no downtime, and a clock that was shifted once is over the next time."""
    table = await begun("late")
    seat = (await table.rules()).turn_seat
    clock_id = await name_of(table, "roll-")
    due_ms = (await pending(table, "roll-")).due_ms
    table.clock.set(due_ms + LATE_MS)
    assert await table.refused(seat, Roll()) == "DEADLINE_PASSED"
    table.clock.set(due_ms + DOWN_MS)
    assert isinstance(await table.game.service.expire(table.game_id, clock_id), NotYet)
    table.clock.advance(DOWN_MS)
    assert await table.refused(seat, Roll()) == "DEADLINE_PASSED"


async def test_an_answer_after_a_downtime_counts_the_first_time() -> None:
    """And the throw that is waited for as well gets its time in the same commit."""
    table = LocalTable("answer")
    await table.begin(options={**TIMED, "timers.deal_seconds": "30"})
    seat = (await table.rules()).turn_seat
    other = (seat + 1) % 3
    await table.act(seat, OfferTrade(other, Terms(100, [], [], 0, [], [], 0)))
    offer = next(iter((await table.rules()).offers))
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    assert isinstance(await table.act(other, RejectOffer(offer)), Acted)
    assert (await pending(table, "roll-")).due_ms == table.clock.now_ms() + 90_000


async def test_extra_time_after_a_downtime_comes_on_top_of_what_was_left() -> None:
    """Whoever gives it before the timer is back is not told that it is too late."""
    table = LocalTable("extra")
    await table.begin(options={**TIMED, "timers.extra_seconds_max": "60"})
    seat = (await table.rules()).turn_seat
    other = (seat + 1) % 3
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    done(await table.game.attendance.grant(table.game_id, table.command("seat-1"), other, seat, 20_000))
    assert (await pending(table, "roll-")).due_ms == table.clock.now_ms() + 110_000


@pytest.mark.parametrize("what", ["act", "break", "come"])
async def test_what_other_services_wrote_after_a_downtime_takes_nothing_either(what: str) -> None:
    """The timer of a client fires late; then the game goes on before its own timer is announced."""
    table = LocalTable("others")
    await table.begin(options=AWAY)
    seat = (await table.rules()).turn_seat
    timers = Timers(table)
    await timers.set("plain")
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    loaded = await timers.service.deadlines(table.game_id)
    await timers.service.expire(Due(table.game_id, loaded.version, loaded.state.deadlines["t-plain"]))
    if what == "act":
        assert isinstance(await table.act(seat, Roll()), Acted)
    elif what == "come":
        await go(table, seat, connected=True)
    else:
        done(await table.game.attendance.pause(table.game_id, table.command("operator:o")))
        assert (await pending(table, "roll-")).left_ms == 90_000
        done(await table.game.attendance.resume(table.game_id, table.command("operator:o")))
    assert reserve_of((await table.loaded()).state.table, seat) == 60_000
    assert (await pending(table, "roll-")).due_ms == table.clock.now_ms() + 150_000


async def test_all_clocks_of_a_table_that_were_missed_get_their_time() -> None:
    """Not only the one that is dealt with first: an answer and a throw were waited for."""
    table = LocalTable("all")
    await table.begin(options={**TIMED, "timers.deal_seconds": "30"})
    seat = (await table.rules()).turn_seat
    other = (seat + 1) % 3
    await table.act(seat, OfferTrade(other, Terms(100, [], [], 0, [], [], 0)))
    ids = [await name_of(table, "deal-"), await name_of(table, "roll-")]
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    told = [await table.game.service.expire(table.game_id, one) for one in ids]
    assert [one.remaining_ms for one in told if isinstance(one, NotYet)] == [30_000, 90_000]


async def test_a_timer_of_a_client_that_fires_late_takes_no_time_from_a_clock() -> None:
    """Another service wrote the first commit after the downtime: what was left before the due time counts."""
    table = await begun("fired")
    timers = Timers(table)
    table.clock.advance(30_000)
    await timers.set("plain")
    clock_id = await name_of(table, "roll-")
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    loaded = await timers.service.deadlines(table.game_id)
    await timers.service.expire(Due(table.game_id, loaded.version, loaded.state.deadlines["t-plain"]))
    assert (await table.loaded()).time_ms == table.clock.now_ms()
    told = await table.game.service.expire(table.game_id, clock_id)
    assert isinstance(told, NotYet)
    assert told.remaining_ms == 60_000


async def test_a_break_after_a_downtime_keeps_what_was_left_before_it() -> None:
    """Of budget and reserve: an operator pauses before the timer is back."""
    table = LocalTable("break")
    await table.begin(options=AWAY)
    seat = (await table.rules()).turn_seat
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    done(await table.game.attendance.pause(table.game_id, table.command("operator:o")))
    assert (await pending(table, "roll-")).left_ms == 90_000
    assert reserve_of((await table.loaded()).state.table, seat) == 60_000
    done(await table.game.attendance.resume(table.game_id, table.command("operator:o")))
    assert (await pending(table, "roll-")).due_ms == table.clock.now_ms() + 150_000


async def test_a_downtime_uses_up_no_allowance() -> None:
    """The seat was away, and so were the services; it comes back when they do."""
    table = LocalTable("allowance")
    await table.begin(options=AWAY)
    seat = (await table.rules()).turn_seat
    await go(table, seat, connected=True)
    await go(table, seat, connected=False)
    table.clock.set((await pending(table, "away-")).due_ms + DOWN_MS)
    await go(table, seat, connected=True)
    assert allowance_of((await table.loaded()).state.table, seat) == 45_000


async def test_two_processes_shift_once_and_a_snapshot_keeps_it() -> None:
    """One commit; what is cached says that it was shifted."""
    table = await begun("pair")
    clock_id = await name_of(table, "roll-")
    other = LocalServices(table.services)
    table.clock.set((await pending(table, "roll-")).due_ms + DOWN_MS)
    before = len(await table.commits())
    services = [table.game.service, other.game.service]
    told = await asyncio.gather(*(one.expire(table.game_id, clock_id) for one in services * 2))
    assert all(isinstance(one, NotYet) for one in told), told
    assert len(await table.commits()) == before + 1
    state = (await table.loaded()).state
    kept = GameSnapshots().decode(GameSnapshots().encode(state))
    assert kept.deadlines[clock_id].row() == state.deadlines[clock_id].row()
    assert kept.deadlines[clock_id].shifted


async def test_timers_of_clients_stand_still_with_the_game() -> None:
    """One that runs through does not; one that was stopped for itself stays stopped."""
    table = await begun("paused")
    timers = Timers(table)
    await timers.set("plain")
    await timers.set("through", through=True)
    await timers.set("held")
    assert await timers.pause("held") == ""
    table.clock.advance(4_000)
    done(await table.game.attendance.pause(table.game_id, table.command("seat-0")))
    assert (await pending(table, "t-plain")).left_ms == 6_000
    assert (await pending(table, "t-through")).due_ms
    assert await timers.resume("plain") == "GAME_PAUSED"
    assert await timers.resume("held") == "GAME_PAUSED"
    await timers.set("meanwhile")
    assert (await pending(table, "t-meanwhile")).left_ms == 10_000
    table.clock.advance(60_000)
    done(await table.game.attendance.resume(table.game_id, table.command("seat-0")))
    now_ms = table.clock.now_ms()
    assert (await pending(table, "t-plain")).due_ms == now_ms + 6_000
    assert (await pending(table, "t-meanwhile")).due_ms == now_ms + 10_000
    held = await pending(table, "t-held")
    assert (held.due_ms, held.left_ms, held.held) == (0, 10_000, True)
    assert await timers.resume("held") == ""
    assert (await pending(table, "t-held")).due_ms == now_ms + 10_000


async def test_the_end_of_a_game_clears_its_timers() -> None:
    """In the commit that ends it; none is set any more."""
    table = LocalTable("ends")
    await table.begin(options=TIMED, seats=2)
    timers = Timers(table)
    await timers.set("plain")
    await timers.set("through", through=True)
    assert isinstance(await table.act(0, Resign()), Acted)
    loaded = await table.loaded()
    assert not loaded.state.deadlines
    assert not (await timers.service.deadlines(table.game_id)).state.deadlines
    wish = Wish("t-more", When(after_ms=1000), schedule.Terms("", b"", FIRE, "seat-0", runs_through=False))
    result = await timers.service.schedule(table.game_id, "seat-0", timers.command(), wish)
    assert not isinstance(result, Done)
    assert result.rejection.name == "GAME_OVER"


async def test_a_timer_changes_nothing_of_the_game() -> None:
    """Its commits are folded by everybody, the clocks run on, and the next command of a seat is accepted."""
    table = await begun("beside")
    timers = Timers(table)
    before = await pending(table, "roll-")
    await timers.set("plain")
    assert (await pending(table, "roll-")).row() == before.row()
    assert isinstance(await table.act((await table.rules()).turn_seat, Roll()), Acted)
    table.clock.advance(10_000)
    loaded = await timers.service.deadlines(table.game_id)
    due = Due(table.game_id, loaded.version, loaded.state.deadlines["t-plain"])
    await timers.service.expire(due)
    assert "t-plain" not in (await table.loaded()).state.deadlines
