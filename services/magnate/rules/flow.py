"""The one place that says what the game waits for next.

In this order: over; a debt (one that can be paid is paid, and the look begins again); an auction; a
building that was won, or the last ones that are wanted; a card's choice; a move that was waiting; the lot
that is offered; the next turn; another throw; or nothing but what the seat on turn likes to do before it
ends its turn. `PhaseEntered` is said only when the answer changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import NOBODY
from magnate.rules.steps.auction import put_up
from magnate.rules.steps.choice import drop_unanswerable
from magnate.rules.steps.debt import pay_what_can_be_paid
from magnate.rules.steps.end import finish, reason_after_turn, reason_to_end
from magnate.rules.steps.land import land
from magnate.rules.steps.lapse import end_round
from magnate.rules.steps.move import by_dice
from magnate.rules.steps.shortage import distribute
from magnate.rules.steps.turn import next_turn
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_DEBT,
    PHASE_JAIL,
    PHASE_NAMES,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_ROLL,
    PHASE_SHORTAGE,
    PhaseEntered,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State


_ENTERED: Final = [PhaseEntered(phase) for phase in range(len(PHASE_NAMES))]
"""An event is never changed, so one of each is enough."""


def proceed(draft: Draft) -> None:
    """After every command and every outcome: do what follows by itself, and say what is waited for."""
    state = draft.state
    if state.phase == PHASE_OVER:
        return
    touched = state.extras.touched
    if touched or state.alive < 2:
        reason = reason_to_end(state)
        if reason:
            finish(draft, reason)
            return
    while True:
        touched = state.extras.touched
        if state.debts:
            pay_what_can_be_paid(draft)
        if not state.debts and not state.auction:
            if touched and (state.extras.placing_seat or state.extras.shortage_building):
                if distribute(draft):
                    continue
            elif state.estate:
                put_up(draft, state.estate[0], NOBODY)
            elif state.choice_deck >= 0 or (touched and state.extras.question):
                drop_unanswerable(draft)
            elif state.pending_move:
                by_dice(draft, state.turn_seat, state.pending_move)
                land(draft, state.turn_seat)
                continue
        break
    phase = _waits_for(state)
    if phase == 0:
        reason = reason_after_turn(state)
        if reason:
            finish(draft, reason)
            return
        if end_round(draft):  # something fell due and is a debt now
            proceed(draft)
            return
        next_turn(draft)
        if state.turn_over:  # the turn was skipped
            proceed(draft)
            return
        phase = PHASE_JAIL if state.jailed[state.turn_seat] else PHASE_ROLL
    if phase != state.phase:
        draft.emit(_ENTERED[phase])


def _waits_for(state: State) -> int:
    """The phase that follows from the state; 0 when it is time for the next turn."""
    if state.debts:
        return PHASE_DEBT
    if state.auction:
        return PHASE_AUCTION
    if state.extras.touched:
        if state.extras.placing_seat:
            return PHASE_PLACE
        if state.extras.shortage_building:
            return PHASE_SHORTAGE
        if state.extras.question:
            return PHASE_CHOICE
    if state.choice_deck >= 0:
        return PHASE_CHOICE
    if state.offered_lot >= 0:
        return PHASE_BUY
    if state.turn_over:
        return 0
    if state.to_roll:
        return PHASE_JAIL if state.jailed[state.turn_seat] else PHASE_ROLL
    return PHASE_ACT
