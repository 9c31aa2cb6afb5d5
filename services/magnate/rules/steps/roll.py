"""Throwing the dice (rows 9 to 11): move and act on the square; a double throws again, the third is jail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import TOKENS_BY_HAND
from magnate.rules.gates import on_turn
from magnate.rules.rejections import DICE_BY_HAND, Rejection
from magnate.rules.steps.claim import lapse_claims
from magnate.rules.steps.jail import arrest, try_double
from magnate.rules.steps.land import land
from magnate.rules.steps.move import by_dice
from magnate.rules.vocabulary import (
    DICE_PURPOSE_JAIL,
    DICE_PURPOSE_MOVE,
    JAIL_CAUSE_DOUBLES,
    PHASE_JAIL,
    PHASE_ROLL,
    DiceThrown,
    ExtraRollGranted,
    Roll,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

DOUBLES_TO_JAIL: Final = 3


def roll(draft: Draft, seat: int, _command: Roll) -> Rejection | None:
    """Throw: DICE_BY_HAND, NOT_YOUR_TURN, MUST_PAY_FIRST, WRONG_PHASE. In jail it is a try for a double."""
    state = draft.state
    if state.rules.table_tokens == TOKENS_BY_HAND:
        return Rejection(DICE_BY_HAND)
    if seat != state.turn_seat or state.phase != PHASE_ROLL:
        return _roll_in_jail(draft, seat)
    if state.extras.claims:
        lapse_claims(draft, seat)
    draw = state.draws + 1
    first, second = draft.chance.throw(draw)
    draft.emit(DiceThrown(seat, first, second, DICE_PURPOSE_MOVE, draw))
    if first == second:
        if state.doubles >= DOUBLES_TO_JAIL:
            arrest(draft, seat, JAIL_CAUSE_DOUBLES)
            return None
        draft.emit(ExtraRollGranted(seat))
    by_dice(draft, seat, first + second)
    land(draft, seat)
    return None


def _roll_in_jail(draft: Draft, seat: int) -> Rejection | None:
    """The same where the seat is not to move by its throw, or not to throw at all."""
    state = draft.state
    if seat != state.turn_seat or state.phase != PHASE_JAIL:
        return on_turn(state, seat, PHASE_ROLL)
    if state.extras.claims:
        lapse_claims(draft, seat)
    try_double(draft, seat)
    return None


def _dice_thrown(state: State, event: DiceThrown) -> None:
    state.draws = event.draw
    if event.purpose == DICE_PURPOSE_MOVE:
        if event.first == event.second:
            state.doubles += 1
    elif event.purpose != DICE_PURPOSE_JAIL:
        return
    state.die1 = event.first
    state.die2 = event.second
    state.to_roll = 0
    if state.extras.redeem_offer:  # the step of the bankruptcy is over (row 82)
        state.extras.redeem_offer = []
        state.extras.redeem_price = []


def _extra_roll_granted(state: State, _event: ExtraRollGranted) -> None:
    state.to_roll = 1


FOLDS: Final[Folds] = {DiceThrown: _dice_thrown, ExtraRollGranted: _extra_roll_granted}
