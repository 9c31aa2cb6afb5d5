"""Any sequence of commands, late timers, downtimes, breaks, absences, extra time, and a naive account of it.

The account knows nothing of how clocks are worked: it looks only at which of them run between commits, and
takes that time off the budget of the decision first, then off the reserve of its seat.
"""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.game import clocks, service
from magnate.game.clocks import AWAY, STAND_IN, WITH_RESERVE, is_clock, number_of
from magnate.game.domain.attendance import ANYBODY, Sighting
from magnate.game.domain.table import OVER, PAUSED, RUNNING
from magnate.game.fold import GameFold
from magnate.game.v1 import game_pb2
from magnate.kit import misfire
from magnate.kit.log.commit import DEADLINES, TABLE
from magnate.kit.transact_types import Done
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_DEBT, PHASE_SHORTAGE
from magnate.rules.waiting import waiting_seats
from magnate.timer.v1 import timer_pb2
from tests.support.random_play import choose, inside
from tests.support.tables import LocalTable, View

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.log.commit import ParsedCommit

SEATS = 3
BUDGETS_MS = {"roll": 20_000, "pay": 30_000}
OPTIONS = {
    "timers.roll_seconds": "20",
    "timers.pay_seconds": "30",
    "timers.deal_seconds": "10",
    "timers.expiry": "default_action",
    "timers.reserve_seconds": "30",
    "timers.reserve_gain_seconds": "7",
    "timers.reserve_max_seconds": "40",
    "timers.quick_percent": "30",
    "timers.away_seconds": "25",
    "timers.extra_seconds_max": "60",
    "timers.misses_max": "3",
    "timers.offer_stops_clock": "true",
    "debt.payment": "asked",
}
GAIN_MS, MOST_MS, QUICK = 7_000, 40_000, 0.3
SLOW = settings(max_examples=max(1, settings().max_examples // 2))  # of the profile: each is a game

STEPS = st.lists(
    st.one_of(
        *[st.tuples(st.just("act"), st.integers(0, 2**32))] * 6,
        *[st.tuples(st.just("wait"), st.integers(0, 45_000))] * 4,
        st.tuples(st.just("late"), st.integers(0, misfire.LATE_MS)),
        st.tuples(st.just("down"), st.integers(misfire.LATE_MS + 1, 200_000)),
        st.tuples(st.just("restart"), st.integers(0, misfire.LATE_MS)),
        st.tuples(st.just("away"), st.integers(0, SEATS - 1)),
        st.tuples(st.just("back"), st.integers(0, SEATS - 1)),
        st.tuples(st.just("break"), st.integers(0, 100_000)),
        st.tuples(st.just("extra"), st.integers(0, SEATS - 1)),
    ),
    min_size=10,
    max_size=60,
)


class Account:
    """What each seat has left, by adding up; checked against the log commit by commit."""

    def __init__(self) -> None:
        self.reserve = dict.fromkeys(range(SEATS), 30_000)
        self.allowance = dict.fromkeys(range(SEATS), 25_000)
        self.budget: dict[str, int] = {}
        self.used: dict[str, int] = {}
        self.earned: set[tuple[int, int]] = set()
        self.time_ms = 0

    def follow(self, before: GameState, commit: ParsedCommit, after: GameState) -> None:
        """Let the time up to a commit pass, then compare with what the commit says."""
        passed_ms = commit.time_ms - self.time_ms
        self.time_ms = commit.time_ms
        made_up = shifted(commit)  # the services were down, and nobody is charged for it
        for deadline_id, deadline in before.deadlines.items():
            if is_clock(deadline) and deadline.due_ms and deadline_id not in made_up:
                self._pass(deadline_id, deadline.kind, passed_ms)
        if after.table.status in (RUNNING, PAUSED):
            self._events(before, commit)
        for deadline_id, deadline in after.deadlines.items():
            if is_clock(deadline) and deadline.kind in WITH_RESERVE:
                self._compare(deadline_id, before, after)
        for seat in range(SEATS):
            self._whole(seat, after)
        self._waited_for(after)

    def _waited_for(self, after: GameState) -> None:
        """A clock runs for exactly the seats that the rules wait for, and for each of them one.

        Bidders and who may want a building have the auction's clock, or that of the window, and stand-ins
        pass in auctions by one of their own.
        """
        rules = after.rules
        assert rules is not None
        running = [
            number_of(deadline_id)
            for deadline_id, deadline in after.deadlines.items()
            if is_clock(deadline) and deadline.kind in (*WITH_RESERVE, AWAY, STAND_IN) and deadline.due_ms
            if not (deadline.kind == STAND_IN and rules.phase == PHASE_AUCTION)
        ]
        waited: list[int] = []
        if after.table.status == RUNNING and rules.phase not in (PHASE_AUCTION, PHASE_SHORTAGE):
            waited = waiting_seats(rules, after.auctions)
        if rules.phase != PHASE_DEBT:  # by an option an offer of one's own stops the clock of one's turn
            waited = [seat for seat in waited if all(one.from_seat != seat for one in rules.offers.values())]
        assert sorted(running) == sorted(waited), rules.phase

    def _pass(self, deadline_id: str, kind: str, passed_ms: int) -> None:
        seat = number_of(deadline_id)
        if kind == AWAY:
            self.allowance[seat] = max(0, self.allowance[seat] - passed_ms)
        if kind in WITH_RESERVE:
            over_ms = max(0, passed_ms - self.budget[deadline_id])
            self.budget[deadline_id] = max(0, self.budget[deadline_id] - passed_ms)
            self.reserve[seat] = max(0, self.reserve[seat] - over_ms)
            self.used[deadline_id] += passed_ms

    def _events(self, before: GameState, commit: ParsedCommit) -> None:
        for section in commit.sections:
            if section.kind != TABLE:
                continue
            for event in game_pb2.TableSection.FromString(section.body).events:
                kind = event.WhichOneof("kind")
                if kind == "extra_time_granted":
                    self.budget[event.extra_time_granted.deadline_id] += event.extra_time_granted.extra_ms
                elif kind == "reserve_changed" and event.reserve_changed.earned_turn:
                    self._earn(event.reserve_changed, before, commit)

    def _earn(self, event: game_pb2.ReserveChanged, before: GameState, commit: ParsedCommit) -> None:
        """Only who decides himself, within the quick part of a budget, and once in a turn."""
        seat, turn = event.seat, event.earned_turn
        assert commit.actor == f"seat-{seat}"
        assert (seat, turn) not in self.earned
        assert before.rules is not None
        assert turn == before.rules.turn
        self.earned.add((seat, turn))
        quick = [
            deadline_id
            for deadline_id, deadline in before.deadlines.items()
            if is_clock(deadline) and deadline.kind in WITH_RESERVE and number_of(deadline_id) == seat
            if self.used[deadline_id] <= QUICK * BUDGETS_MS[deadline.kind]
        ]
        assert quick
        self.reserve[seat] = min(MOST_MS, self.reserve[seat] + GAIN_MS)

    def _compare(self, deadline_id: str, before: GameState, after: GameState) -> None:
        """A running clock is due when budget and reserve are gone; one that stands keeps the budget."""
        deadline = after.deadlines[deadline_id]
        if deadline_id not in before.deadlines:
            self.budget[deadline_id] = BUDGETS_MS[deadline.kind]
            self.used[deadline_id] = 0
        left_ms = self.budget[deadline_id]
        if deadline.due_ms:
            reserve_ms = self.reserve[number_of(deadline_id)]
            assert max(0, deadline.due_ms - self.time_ms) == left_ms + reserve_ms, deadline_id
        else:
            assert deadline.left_ms == left_ms, deadline_id

    def _whole(self, seat: int, after: GameState) -> None:
        """What the log says is what was added up, wherever no clock of the seat runs."""
        running = {
            deadline.kind
            for deadline_id, deadline in after.deadlines.items()
            if is_clock(deadline) and deadline.due_ms and number_of(deadline_id) == seat
        }
        reserve_ms = clocks.reserve_of(after.table, seat)
        assert 0 <= reserve_ms <= MOST_MS
        assert reserve_ms >= self.reserve[seat]
        assert not ({"roll", "pay"} <= running), "two clocks that run on one reserve"
        if not running & set(WITH_RESERVE):
            assert reserve_ms == self.reserve[seat] or after.table.status == OVER
        if AWAY not in running and after.table.status == RUNNING:
            assert clocks.allowance_of(after.table, seat) == self.allowance[seat]


def shifted(commit: ParsedCommit) -> set[str]:
    """Return the deadlines that a commit gives their time again."""
    section = commit.section(DEADLINES)
    changes = [] if section is None else timer_pb2.DeadlinesSection.FromString(section.body).changes
    return {change.shifted.deadline_id for change in changes if change.HasField("shifted")}


async def come_back(table: LocalTable) -> None:
    """Announce all that fell due in a downtime, until nothing is due any more."""
    services, game_id = table.services, table.game_id
    for _ in range(100):
        due = [one for one in await services.pending(game_id) if one.due_ms <= table.clock.now_ms()]
        if not due:
            return
        if due[0].owner == "auction":
            await services.auction.expire(game_id, due[0].deadline_id, (await table.loaded()).version)
        else:
            await table.game.service.expire(game_id, due[0].deadline_id)
    raise AssertionError(f"there is no end to what is due: {due}")


async def wait(table: LocalTable, by_ms: int) -> None:
    """Let time pass; what falls due is announced at its time, and again where its owner gives it time."""
    end_ms = table.clock.now_ms() + by_ms
    while pending := await table.services.pending(table.game_id):
        if pending[0].due_ms > end_ms:
            break
        table.clock.set(max(table.clock.now_ms(), pending[0].due_ms))
        await come_back(table)
    table.clock.set(end_ms)


async def step(table: LocalTable, what: str, number: int) -> None:
    """Do one thing at the table, if it can be done."""
    loaded = await table.loaded()
    attendance = table.game.attendance
    if what == "act":
        rng = Random(number)
        seat, action = choose(View(loaded), rng)  # type: ignore[arg-type]  # it looks like a Table
        await table.act(seat, inside(View(loaded), rng, seat, action))  # type: ignore[arg-type]
    elif what == "wait":
        await wait(table, number)
    elif what == "late":  # the timer is late: what fell due is dealt with, all of it, at the end
        table.clock.advance(number)
        await come_back(table)
    elif what in ("down", "restart"):  # who acts may be there before the timer is
        table.clock.advance(number)
        table.game.transactor.started_ms = table.clock.now_ms()
        if number % 2:
            await step(table, "act", number)
        await come_back(table)
    elif what == "break":
        await attendance.pause(table.game_id, table.command("seat-0"), 0)
        await wait(table, number)
        await attendance.resume(table.game_id, table.command("seat-0"), 0)
    elif what == "extra":
        by_seat = (number + 1) % SEATS
        await attendance.grant(table.game_id, table.command(f"seat-{by_seat}"), by_seat, number, 9_000)
    else:
        seen = Sighting(number, "boot.1", ANYBODY) if what == "back" else Sighting(number, "", "boot")
        result = await attendance.note(table.game_id, "boot", [seen])
        assert result is None or isinstance(result, Done)


async def check(steps: list[tuple[str, int]]) -> None:
    """Play, then go through the log. The same steps are the same game."""
    table = LocalTable()
    with patch.object(service, "secrets", SimpleNamespace(token_bytes=Random(7).randbytes)):
        await table.begin(seats=SEATS, options=OPTIONS)
    for what, number in steps:
        if (await table.loaded()).state.table.status == OVER:
            break
        await step(table, what, number)
    fold, account = GameFold(), Account()
    state = fold.initial(table.game_id)
    for commit in await table.commits():
        before = fold.copy(state)
        state = fold.apply(state, commit)
        if before.rules is None and state.rules is None:
            account.time_ms = commit.time_ms
        else:
            account.follow(before, commit, state)
    await table.close()


@given(steps=STEPS)
@SLOW
def test_nobody_is_charged_but_for_the_time_he_was_waited_for(steps: list[tuple[str, int]]) -> None:
    """Clocks run for whom the game waits, and for nobody else; what they took is what is gone of budget,
    reserve and allowance; and no turn earns twice.
    """  # noqa: D205
    asyncio.run(check(steps))
