"""The one place that says what the game waits for next.

In this order: over; a debt (one that can be paid is paid first, and a lot it was owed for passes); an
auction; a building that was won, or the last ones that are wanted; a card's choice; a move that was
waiting; the lot that is offered; the next turn; another throw; or nothing but what the seat on turn likes
to do before it ends its turn. `PhaseEntered` is said only when the answer changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.steps.auction import put_up_estate
from magnate.rules.steps.choice import drop_unanswerable
from magnate.rules.steps.debt import pay_what_can_be_paid
from magnate.rules.steps.delivery import deliver
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


_ENTERED: Final = [PhaseEntered(phase) for phase in range(len(PHASE_NAMES))]
"""An event is never changed, so one of each is enough."""


def proceed(draft: Draft) -> None:
    """After every command and every outcome: do what follows by itself, and say what is waited for."""
    state = draft.state
    if state.phase == PHASE_OVER:
        return
    extras = state.extras
    if (extras.touched or state.alive < 2) and _ended(draft, reason_to_end(state)):
        return
    while True:  # what is done here and asks nobody is followed by another look
        if state.debts:
            pay_what_can_be_paid(draft)
        if extras.touched and extras.reserved_lots and deliver(draft):
            continue
        if state.debts:
            phase = PHASE_DEBT
        elif state.auction:
            phase = PHASE_AUCTION
        elif extras.touched and (extras.placing_seat or extras.shortage_building):
            if distribute(draft):
                continue
            phase = PHASE_PLACE if extras.placing_seat else PHASE_SHORTAGE
        elif state.estate:
            put_up_estate(draft)
            phase = PHASE_AUCTION
        elif state.choice_deck >= 0 or extras.question:
            if drop_unanswerable(draft):
                continue
            phase = PHASE_CHOICE
        elif state.pending_move:
            by_dice(draft, state.turn_seat, state.pending_move)
            land(draft, state.turn_seat)
            continue
        elif state.offered_lot >= 0:
            phase = PHASE_BUY
        elif state.turn_over:
            if _ended(draft, reason_after_turn(state)):
                return
            if end_round(draft):  # something fell due and is a debt now
                continue
            next_turn(draft)
            if state.turn_over:  # the turn was skipped
                continue
            phase = PHASE_JAIL if state.jailed[state.turn_seat] else PHASE_ROLL
        elif state.to_roll:
            phase = PHASE_JAIL if state.jailed[state.turn_seat] else PHASE_ROLL
        else:
            phase = PHASE_ACT
        if phase != state.phase:
            draft.emit(_ENTERED[phase])
        return


def _ended(draft: Draft, reason: int) -> bool:
    """Finish the game if there is a reason to, and say whether there was one."""
    if reason:
        finish(draft, reason)
    return bool(reason)
