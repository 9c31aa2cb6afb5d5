"""Jail (rows 42 to 50): how one comes in, and the four ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import ATTEMPTS_SAME_TURN, TOKENS_BY_HAND
from magnate.rules.effects import EFFECT_JAIL_FREE
from magnate.rules.folds import nothing
from magnate.rules.gates import nothing_pending, on_turn
from magnate.rules.offers import void_card
from magnate.rules.rejections import INSUFFICIENT_FUNDS, NO_JAIL_CARD, NOT_JAILED, NOT_YOUR_TURN, Rejection
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.end import take_turn
from magnate.rules.steps.kept import first_of
from magnate.rules.steps.pots import bank_or_pot
from magnate.rules.vocabulary import (
    DICE_PURPOSE_JAIL,
    JAIL_EXIT_CARD,
    JAIL_EXIT_DOUBLE,
    JAIL_EXIT_FINE,
    JAIL_EXIT_LAST_TRY,
    PHASE_JAIL,
    TRANSFER_REASON_JAIL_FINE,
    CardReturned,
    DiceThrown,
    ExtraRollGranted,
    FineCharged,
    JailEntered,
    JailLeft,
    JailThrowFailed,
    MovePending,
    PayFine,
    UseJailCard,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def arrest(draft: Draft, seat: int, cause: int) -> None:
    """Send a seat to jail: no salary; if it is on turn, no extra throw either, and the turn is over."""
    draft.emit(JailEntered(seat, cause))


def try_double(draft: Draft, seat: int) -> None:
    """Throw for a double (rows 46 to 48): it moves, and gives no other throw unless an option says so.

    The last failure costs the fine, and then the throw moves if the rule set says so; `flow` makes the move
    that is pending: at once, or when the fine, become a debt, is paid.
    """
    state = draft.state
    rules = state.rules
    draw = state.draws + 1
    first, second = draft.chance.throw(draw)
    draft.emit(DiceThrown(seat, first, second, DICE_PURPOSE_JAIL, draw))
    if first == second:
        draft.emit(JailLeft(seat, JAIL_EXIT_DOUBLE))
        if rules.jail_double_rolls_again:
            draft.emit(ExtraRollGranted(seat))
    else:
        draft.emit(JailThrowFailed(seat, state.jail_tries[seat] + 1))
        if state.jail_tries[seat] < rules.jail_attempts_max:
            if rules.jail_attempts == ATTEMPTS_SAME_TURN:
                draft.emit(ExtraRollGranted(seat))
            return
        draft.emit(JailLeft(seat, JAIL_EXIT_LAST_TRY))
        fine = state.board.jail_fine
        draft.emit(FineCharged(seat, fine))
        draft.charge(seat, bank_or_pot(state), fine, TRANSFER_REASON_JAIL_FINE, -1)
        if not rules.jail_last_try_moves:
            return
    draft.emit(MovePending(seat, first + second))


def pay_fine(draft: Draft, seat: int, _command: PayFine) -> Rejection | None:
    """Pay before throwing: NOT_YOUR_TURN, NOT_JAILED, MUST_PAY_FIRST, WRONG_PHASE, INSUFFICIENT_FUNDS."""
    state = draft.state
    refused = _in_jail(state, seat)
    if refused is not None:
        return refused
    fine = state.board.jail_fine
    if state.available(seat) < fine:
        return Rejection(INSUFFICIENT_FUNDS, f"{fine} is needed, {state.available(seat)} is there")
    if not take_turn(draft, seat):
        return None
    draft.emit(JailLeft(seat, JAIL_EXIT_FINE))
    draft.emit(FineCharged(seat, fine))
    draft.pay(seat, bank_or_pot(state), fine, TRANSFER_REASON_JAIL_FINE)
    return None


def use_jail_card(draft: Draft, seat: int, _command: UseJailCard) -> Rejection | None:
    """Use a kept card: NOT_YOUR_TURN, NOT_JAILED, MUST_PAY_FIRST, WRONG_PHASE, NO_JAIL_CARD."""
    state = draft.state
    refused = _in_jail(state, seat)
    if refused is not None:
        return refused
    code = first_of(state, seat, EFFECT_JAIL_FREE)
    if code < 0:
        return Rejection(NO_JAIL_CARD)
    if not take_turn(draft, seat):
        return None
    deck = code // CARDS_PER_DECK_MAX
    card = code % CARDS_PER_DECK_MAX
    draft.emit(CardReturned(seat, deck, card))
    draft.emit(JailLeft(seat, JAIL_EXIT_CARD))
    if state.offers:
        void_card(draft, deck, card)
    return None


def _in_jail(state: State, seat: int) -> Rejection | None:
    if state.rules.table_tokens == TOKENS_BY_HAND:
        refused = nothing_pending(state, seat)
        return Rejection(NOT_JAILED) if refused is None and not state.jailed[seat] else refused
    if seat != state.turn_seat:
        return Rejection(NOT_YOUR_TURN, f"seat {state.turn_seat} is on turn")
    if not state.jailed[seat]:
        return Rejection(NOT_JAILED)
    return on_turn(state, seat, PHASE_JAIL)


def _jail_entered(state: State, event: JailEntered) -> None:
    state.at[event.seat] = state.board.jail_square
    state.jailed[event.seat] = 1
    state.jail_tries[event.seat] = 0
    if event.seat == state.turn_seat:  # another seat's card may have sent it
        state.to_roll = 0
        state.turn_over = 1


def _jail_throw_failed(state: State, event: JailThrowFailed) -> None:
    state.jail_tries[event.seat] = event.tries


def _jail_left(state: State, event: JailLeft) -> None:
    state.jailed[event.seat] = 0
    state.jail_tries[event.seat] = 0


FOLDS: Final[Folds] = {
    JailEntered: _jail_entered,
    JailThrowFailed: _jail_throw_failed,
    JailLeft: _jail_left,
    FineCharged: nothing,
}
