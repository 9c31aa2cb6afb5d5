"""What a commit does to the clocks: which it sets, stops, lets run on and clears, and whose time it charges.

A running deadline is due when the budget of its decision and the reserve of its seat are both gone. One that
stands keeps what was left of the budget alone, so what a seat uses or earns meanwhile counts when it runs on.
What was used of the reserve is said by the commit that ends the decision, or stops its clock: so the reserve
in the state is always what it was when the running clock was set, and no seat has two that run on it.

A decision made by its seat within `timers.quick_percent` of its budget earns some reserve, once in a turn.
What is sent again is answered from the log and decides nothing, so it earns nothing; a clock that is set anew
in the same turn earns no second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.clocks import (
    AWAY,
    SECOND_MS,
    WITH_RESERVE,
    allowance_of,
    clocks_of,
    goes_on,
    is_clock,
    may_have,
    name_of,
    number_of,
    reserve_of,
)
from magnate.game.domain import table
from magnate.game.domain.attendance import AGREE
from magnate.game.domain.standing import (
    AllowanceChanged,
    ClockMissed,
    ExtraTimeGranted,
    ReserveChanged,
    SeatPresence,
    StandInLeft,
)
from magnate.game.ports import OWNER, DeadlineChange

if TYPE_CHECKING:
    from magnate.game.clocks import Clock
    from magnate.game.draft import Draft
    from magnate.game.state import Deadline, GameState

PERCENT: Final = 100


class Moment:
    """When a commit is made, and by whose command: `seat` is -1 if no seat sent it.

    `at_ms` is when the command was received: until then its seat is charged. New clocks run from `now_ms`. It
    is made in this `turn` of the game, also if it ends it.
    """

    __slots__ = ("at_ms", "now_ms", "seat", "turn", "version")

    def __init__(self, version: int, now_ms: int, at_ms: int, seat: int, turn: int) -> None:
        self.version = version
        self.now_ms = now_ms
        self.at_ms = at_ms
        self.seat = seat
        self.turn = turn


def settle(draft: Draft, before: GameState, moment: Moment) -> None:
    """Say what the commit, which leads from one position to that of the draft, does to the clocks.

    The draft may have dropped a deadline already (one that expired): then that clock is not running any more.
    """
    after = draft.state
    ruleset = after.table.ruleset
    if ruleset is None or not may_have(ruleset) or after.table.status not in (table.RUNNING, table.PAUSED):
        return
    old, new = clocks_of(before), clocks_of(after)
    paused = after.table.status == table.PAUSED
    running = {name_of(key): key for key, deadline in after.deadlines.items() if is_clock(deadline)}
    for name, deadline_id in running.items():
        clock, deadline = new.get(name), after.deadlines[deadline_id]
        if clock is None or not goes_on(old.get(name), clock):
            _end(draft, deadline_id, deadline, old.get(name), moment)
        elif deadline.due_ms and (paused or clock.stands):
            _stop(draft, deadline_id, deadline, clock, moment)
    for name, clock in new.items():
        if paused or clock.stands:
            continue
        kind = name.partition("-")[0]
        reserve_ms = reserve_of(after.table, number_of(f"{name}-0")) if kind in WITH_RESERVE else 0
        if name not in running or not goes_on(old.get(name), clock):
            due_ms = clock.due_ms or moment.now_ms + clock.length_ms + reserve_ms
            change = DeadlineChange("set", f"{name}-{moment.version}", owner=OWNER, kind=kind, due_ms=due_ms)
            draft.deadlines.append(change)
        elif not after.deadlines[running[name]].due_ms and not after.deadlines[running[name]].held:
            due_ms = moment.now_ms + after.deadlines[running[name]].left_ms + reserve_ms
            draft.deadlines.append(DeadlineChange("resumed", running[name], due_ms=due_ms))


def _end(draft: Draft, deadline_id: str, deadline: Deadline, clock: Clock | None, moment: Moment) -> None:
    """A decision is made, or nobody asks for it any more: its clock ends."""
    draft.deadlines.append(DeadlineChange("cleared", deadline_id))
    seat = number_of(deadline_id)
    if deadline.kind == AWAY:
        left_ms = min(left_of(deadline, moment.at_ms), allowance_of(draft.state.table, seat))
        draft.tell(AllowanceChanged(seat, left_ms))
    if deadline.kind not in WITH_RESERVE or not deadline.due_ms or clock is None:
        return
    reserve_ms = reserve_of(draft.state.table, seat)
    length_ms = clock.length_ms + extra_of(draft.state, seat, deadline_id) + reserve_ms
    left_ms = min(left_of(deadline, moment.at_ms), length_ms)
    if left_ms < reserve_ms:
        draft.tell(ReserveChanged(seat, left_ms))
    elif seat == moment.seat:
        _earn(draft, seat, moment.turn, clock.length_ms, length_ms - left_ms)


def _earn(draft: Draft, seat: int, turn: int, budget_ms: int, used_ms: int) -> None:
    """Add to the reserve of a seat that decided quickly, once in a turn and up to the most."""
    options = draft.state.table.ruleset
    if options is None or not options.timers_reserve_gain_seconds:
        return
    quick = used_ms * PERCENT <= budget_ms * options.timers_quick_percent
    if not quick or draft.state.table.standing(seat).earned_turn == turn:
        return
    most_ms = max(options.timers_reserve_max_seconds, options.timers_reserve_seconds) * SECOND_MS
    before_ms = reserve_of(draft.state.table, seat)
    after_ms = min(most_ms, before_ms + options.timers_reserve_gain_seconds * SECOND_MS)
    if after_ms > before_ms:
        draft.tell(ReserveChanged(seat, after_ms, turn))


def _stop(draft: Draft, deadline_id: str, deadline: Deadline, clock: Clock, moment: Moment) -> None:
    """Others are waited for: what is left of the budget is kept, what was used of the reserve is charged.

    No more is left than there was at first, although the clocks of two processes may differ.
    """
    left_ms = left_of(deadline, moment.at_ms)
    if deadline.kind in WITH_RESERVE:
        seat = number_of(deadline_id)
        reserve_ms = reserve_of(draft.state.table, seat)
        if left_ms < reserve_ms:
            draft.tell(ReserveChanged(seat, left_ms))
        most_ms = clock.length_ms + extra_of(draft.state, seat, deadline_id)
        left_ms = min(max(0, left_ms - reserve_ms), most_ms)
    elif clock.length_ms:
        left_ms = min(left_ms, clock.length_ms)
    draft.deadlines.append(DeadlineChange("paused", deadline_id, left_ms=left_ms))


def running_on(state: GameState, now_ms: int) -> list[DeadlineChange]:
    """Let run what a pause stopped; a proposal is done. The clocks of decisions are left to `settle`."""
    return [
        DeadlineChange("cleared", deadline_id)
        if deadline.kind == AGREE
        else DeadlineChange("resumed", deadline_id, due_ms=now_ms + deadline.left_ms)
        for deadline_id, deadline in state.deadlines.items()
        if deadline.kind == AGREE or (deadline.due_ms == 0 and not deadline.held and not is_clock(deadline))
    ]


def left_of(deadline: Deadline, at_ms: int) -> int:
    """Return what is left of a clock: for a running one the reserve of its seat is part of it."""
    return max(0, deadline.due_ms - at_ms) if deadline.due_ms else deadline.left_ms


def extra_of(state: GameState, seat: int, deadline_id: str) -> int:
    """Return what the clock of a decision was given on top of its budget."""
    return state.table.standing(seat).extra.get(deadline_id, 0)


def is_there(draft: Draft, seat: int, at_ms: int) -> None:
    """The seat has acted: its stand-in leaves, what it missed is forgotten, and if it was away it is not.

    For how long it stays nobody knows, unless it holds a stream. Seat -1 is nobody's.
    """
    standing = draft.state.table.standing(seat)
    if standing.stand_in:
        draft.tell(StandInLeft(seat))
    elif standing.misses:
        draft.tell(ClockMissed(seat, 0))
    if standing.away_since_ms:
        draft.tell(SeatPresence(seat, True, "", at_ms))


def grant(draft: Draft, by_seat: int, seat: int, extra_ms: int, at_ms: int) -> bool:
    """Give the decision that a seat is waited for more time; False: it has no clock now.

    What was used of the reserve before stays used: the time comes on top.
    """
    state = draft.state
    deadline_id = clock_of_seat(state, seat)
    if not deadline_id:
        return False
    deadline = state.deadlines[deadline_id]
    if deadline.due_ms:
        left_ms = left_of(deadline, at_ms)
        if left_ms < reserve_of(state.table, seat):
            draft.tell(ReserveChanged(seat, left_ms))
        change = DeadlineChange("resumed", deadline_id, due_ms=deadline.due_ms + extra_ms)
        moved = deadline.running(change.due_ms)
    else:
        change = DeadlineChange("paused", deadline_id, left_ms=deadline.left_ms + extra_ms)
        moved = deadline.paused(change.left_ms)
    draft.tell(ExtraTimeGranted(by_seat, seat, deadline_id, extra_ms))
    draft.deadlines.append(change)
    state.deadlines = {**state.deadlines, deadline_id: moved}
    return True


def clock_of_seat(state: GameState, seat: int) -> str:
    """Return the deadline of the decision that a seat is waited for; else one of its that stands, or none."""
    found = ""
    for deadline_id, deadline in state.deadlines.items():
        if is_clock(deadline) and deadline.kind in WITH_RESERVE and number_of(deadline_id) == seat:
            if deadline.due_ms:
                return deadline_id
            found = deadline_id
    return found
