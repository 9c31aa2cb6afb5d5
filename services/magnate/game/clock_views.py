"""The clocks of a game, and how its seats stand with them, as people are shown them: plain values.

A clock that stands shows what it will have when it runs on. All times left are at the moment that is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.clocks import (
    AWAY,
    DEAL,
    STAND_IN,
    WITH_RESERVE,
    allowance_of,
    is_clock,
    number_of,
    reserve_of,
)
from magnate.game.clockwork import clock_of_seat, extra_of, left_of
from magnate.game.idle import ABANDON
from magnate.rules.decision import NOBODY

if TYPE_CHECKING:
    from magnate.game.state import Deadline, GameState

_OF_SEATS: Final = (*WITH_RESERVE, STAND_IN, AWAY)


class ClockView:
    """A clock. `seat` is whose decision it times, or -1; `offer` what a deal clock times, or 0.

    `left_ms` is what is left in all, the reserve of its seat included, and `due_ms` when that is over.
    `budget_ms` is what is left before the reserve is used, and `budget_ends_ms` when that is or was over.
    Both moments are 0 while it stands.
    """

    __slots__ = (
        "budget_ends_ms", "budget_ms", "deadline_id", "due_ms", "extra_ms", "kind", "left_ms", "offer",
        "owner", "seat", "stands",
    )  # fmt: skip

    def __init__(self, deadline_id: str, deadline: Deadline) -> None:
        self.deadline_id = deadline_id
        self.owner = deadline.owner
        self.kind = deadline.kind
        self.seat = NOBODY
        self.offer = 0
        self.stands = deadline.due_ms == 0
        self.due_ms = deadline.due_ms
        self.left_ms = 0
        self.budget_ms = 0
        self.budget_ends_ms = deadline.due_ms
        self.extra_ms = 0


class SeatTime:
    """What time a seat has beside that of its decisions, and whether it is there.

    `since_ms` is since when it is connected or away, 0 if nobody knows. The reserve and the allowance are as
    they are now, also while they are being used.
    """

    __slots__ = ("allowance_ms", "away", "misses", "reserve_ms", "seat", "since_ms", "stand_in")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.reserve_ms = 0
        self.allowance_ms = 0
        self.misses = 0
        self.stand_in = False
        self.away = False
        self.since_ms = 0


def clock_views(state: GameState, now_ms: int) -> list[ClockView]:
    """Return every clock that is set, those of auctions and of clients too, in the order of their setting.

    The deadline for an abandoned table is none.
    """
    found: list[ClockView] = []
    for deadline_id, deadline in state.deadlines.items():
        if deadline.kind == ABANDON:
            continue
        view = ClockView(deadline_id, deadline)
        view.left_ms = view.budget_ms = left_of(deadline, now_ms)
        if is_clock(deadline):
            _fill(state, view)
        found.append(view)
    return found


def _fill(state: GameState, view: ClockView) -> None:
    """Say whose clock of the game it is, and tell budget and reserve apart."""
    if view.kind == DEAL:
        view.offer = number_of(view.deadline_id)
        offer = None if state.rules is None else state.rules.offers.get(view.offer)
        view.seat = NOBODY if offer is None else offer.to_seat
    elif view.kind in _OF_SEATS:
        view.seat = number_of(view.deadline_id)
    if view.kind in WITH_RESERVE:
        reserve_ms = reserve_of(state.table, view.seat)
        view.extra_ms = extra_of(state, view.seat, view.deadline_id)
        if view.stands:
            view.left_ms += reserve_ms
        else:
            view.budget_ms = max(0, view.left_ms - reserve_ms)
            view.budget_ends_ms = view.due_ms - reserve_ms


def seat_times(state: GameState, now_ms: int) -> list[SeatTime]:
    """Return how every seat stands with the clocks."""
    return [_seat_time(state, seat, now_ms) for seat in range(len(state.table.names))]


def _seat_time(state: GameState, seat: int, now_ms: int) -> SeatTime:
    found = SeatTime(seat)
    standing = state.table.standing(seat)
    found.misses = standing.misses
    found.stand_in = standing.stand_in
    found.away = standing.away_since_ms > 0
    found.since_ms = standing.since_ms
    found.reserve_ms = reserve_of(state.table, seat)
    running = state.deadlines.get(clock_of_seat(state, seat))
    if running is not None and running.due_ms:
        found.reserve_ms = min(found.reserve_ms, left_of(running, now_ms))
    found.allowance_ms = allowance_of(state.table, seat)
    for deadline_id, deadline in state.deadlines.items():
        if is_clock(deadline) and deadline.kind == AWAY and number_of(deadline_id) == seat:
            found.allowance_ms = left_of(deadline, now_ms)
    return found
