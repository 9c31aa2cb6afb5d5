"""What a clock that ran out leads to (rows 84, 85, 89): the rules say it, here their function is chosen.

Where misses are counted, the last one that is borne costs the seat its place: it resigns instead of what
would have been done for it, or that is done and a stand-in has the next decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game import clocks, clockwork
from magnate.game.chance import chance_of
from magnate.game.domain.attendance import AGREE
from magnate.game.domain.standing import (
    AllowanceChanged,
    ClockMissed,
    ProposalLapsed,
    ReserveChanged,
    StandInSeated,
)
from magnate.game.domain.table import PAUSED, TableResumed
from magnate.game.ports import DeadlineChange
from magnate.rules import stand_in
from magnate.rules.chance import ChanceExhausted
from magnate.rules.choices import MISSES_RESIGN, MISSES_STAND_IN
from magnate.rules.decide import close_window, pass_time
from magnate.rules.decision import Decision
from magnate.rules.expiry import close_offer, time_out
from magnate.rules.vocabulary import TimeExpired

if TYPE_CHECKING:
    from magnate.game.draft import Draft
    from magnate.game.state import GameState
    from magnate.rules.rejections import Rejection
    from magnate.rules.ruleset import RuleSet


def expire(draft: Draft, deadline_id: str, kind: str, now_ms: int) -> Rejection | None:
    """Act on a clock of the game, in place; its deadline is cleared.

    Where the script of a sandbox has no dice for what would be done for a seat, it is said that its time is
    over, and its clock stands until the decision is made: a table that nobody can play on writes no more.
    """
    state = draft.state
    rules = state.rules
    assert rules is not None
    expired = state.deadlines[deadline_id]
    draft.deadlines.append(DeadlineChange("cleared", deadline_id))
    state.deadlines = {key: one for key, one in state.deadlines.items() if key != deadline_id}
    elapsed_ms = state.table.elapsed_ms(now_ms)
    chance = chance_of(state)
    number = clocks.number_of(deadline_id)
    if kind == AGREE:
        _lapse(draft, now_ms)
        return None
    if kind in (clocks.TIME, clocks.RULE):
        return pass_time(rules, chance, draft.decision, elapsed_ms)
    if kind == clocks.SHORTAGE:
        return close_window(rules, draft.decision)
    if kind == clocks.DEAL:
        return close_offer(rules, number, chance, draft.decision)
    if kind == clocks.AWAY:
        draft.tell(AllowanceChanged(number, 0))  # and the clock of the decision runs on
        return None
    if kind == clocks.STAND_IN and not state.table.standing(number).stand_in:
        return None  # the seat came back with a bid, which another service wrote: its clock begins anew
    before = rules.copy() if state.table.sandbox is not None else rules
    misses = _misses(state, number, kind)
    try:
        if kind == clocks.STAND_IN:
            refused = stand_in.play(rules, number, chance, draft.decision, elapsed_ms)
        else:
            resigns = misses > 0 and _is_enough(rules.rules, misses, MISSES_RESIGN)
            refused = time_out(rules, number, chance, draft.decision, elapsed_ms, resigns=resigns)
    except ChanceExhausted:
        state.rules = before
        draft.decision = Decision()
        draft.decision.events.append(TimeExpired(number))
        draft.deadlines = [DeadlineChange("paused", deadline_id, held=True)]
        state.deadlines = {**state.deadlines, deadline_id: expired.paused(0, held=True)}
        return None
    if refused is None and kind in clocks.WITH_RESERVE:
        _count(draft, number, misses)
    return refused


def _lapse(draft: Draft, now_ms: int) -> None:
    """Not all agreed in time: to a break, so there is none; to going on, so the game goes on without them."""
    if draft.state.table.status == PAUSED:
        draft.deadlines.extend(clockwork.running_on(draft.state, now_ms))
        draft.tell(TableResumed(now_ms))
    else:
        draft.tell(ProposalLapsed())


def _misses(state: GameState, seat: int, kind: str) -> int:
    """Return how often in a row the seat has missed its clock with this one; 0 where that is not counted."""
    options = state.table.ruleset
    if options is None or not options.timers_misses_max or kind not in clocks.WITH_RESERVE:
        return 0
    return state.table.standing(seat).misses + 1


def _is_enough(options: RuleSet, misses: int, leads_to: int) -> bool:
    return misses >= options.timers_misses_max and options.timers_misses_lead_to == leads_to


def _count(draft: Draft, seat: int, misses: int) -> None:
    """Say what the missed clock cost: the reserve, and, if it was one too many, the seat's place."""
    rules = draft.state.rules
    assert rules is not None
    if clocks.reserve_of(draft.state.table, seat):
        draft.tell(ReserveChanged(seat, 0))
    if misses:
        draft.tell(ClockMissed(seat, misses))
        if _is_enough(rules.rules, misses, MISSES_STAND_IN) and not rules.out[seat]:
            draft.tell(StandInSeated(seat))
