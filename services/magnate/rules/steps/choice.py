"""Answering what a card or a square asks (see `questions`), or leaving it alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import NOBODY
from magnate.rules.deeds import listed
from magnate.rules.effects import EFFECT_CHOOSE_ONE
from magnate.rules.rejections import (
    INSUFFICIENT_FUNDS,
    INVALID_TARGET,
    NO_CHOICE_PENDING,
    NOT_YOUR_TURN,
    Rejection,
)
from magnate.rules.steps.card import obey
from magnate.rules.steps.card_effects import answered, swap
from magnate.rules.steps.hand import obey_told
from magnate.rules.steps.land import land, pay_tax
from magnate.rules.steps.questions import answers, asking_effect, may_skip, unanswerable
from magnate.rules.steps.rent import due
from magnate.rules.steps.shortage import want_none
from magnate.rules.steps.squares import go_anywhere
from magnate.rules.vocabulary import (
    PHASE_CHOICE,
    QUESTION_CARD,
    QUESTION_DRAW,
    QUESTION_LOCATION,
    QUESTION_RENT,
    QUESTION_SWAP,
    QUESTION_TAX,
    ChoiceMade,
    ChooseOption,
    QuestionAsked,
    Skip,
    Skipped,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def choose_option(draft: Draft, seat: int, command: ChooseOption) -> Rejection | None:
    """Choose: NOT_YOUR_TURN, NO_CHOICE_PENDING, INSUFFICIENT_FUNDS (for a location), INVALID_TARGET."""
    state = draft.state
    refused = _refuse_answering(state, seat)
    if refused is not None:
        return refused
    answer = command.option
    legal = answers(state)
    if answer < 0 or legal >> answer & 1 == 0:
        if not legal and state.extras.question == QUESTION_LOCATION:
            return Rejection(INSUFFICIENT_FUNDS, f"{state.board.location_fee} is needed")
        return Rejection(INVALID_TARGET, f"{answer}: it may be one of {listed(legal)}")
    deck = state.choice_deck
    card = state.choice_card
    effect = asking_effect(state)
    asked = state.extras.question
    square = state.extras.question_square
    draft.emit(ChoiceMade(seat, answer))
    if effect is not None:
        if effect.kind == EFFECT_CHOOSE_ONE:
            moved = obey(draft, seat, deck, card, effect.options[answer])
        else:
            moved = answered(draft, seat, effect, answer)
        if moved is not None:
            land(draft, seat, moved)
    elif asked == QUESTION_LOCATION:
        go_anywhere(draft, seat, answer)
        land(draft, seat)
    elif asked == QUESTION_DRAW:
        obey_told(draft, seat, state.board.deck[square], answer)
    elif asked == QUESTION_SWAP:
        swap(draft, seat, square, answer)
    elif asked == QUESTION_TAX:
        pay_tax(draft, seat, square, share=answer == 1)
    return None


def skip(draft: Draft, seat: int, _command: Skip) -> Rejection | None:
    """Do not do what is offered: NOT_YOUR_TURN, NO_CHOICE_PENDING. A rent that is not spared is due.

    A seat that is asked whether it wants one of the last buildings answers that first (row 60).
    """
    state = draft.state
    if seat in state.extras.shortage_asked:
        want_none(draft, seat)
        return None
    refused = _refuse_answering(state, seat)
    if refused is not None:
        return refused
    if not may_skip(state):
        return Rejection(NO_CHOICE_PENDING, "an answer is needed")
    lot = state.extras.question_square
    amount = state.extras.question_amount
    rent_is_due = state.extras.question == QUESTION_RENT
    draft.emit(Skipped(seat))
    if rent_is_due and state.owner[lot] not in (NOBODY, seat):
        due(draft, seat, lot, amount)
    return None


def drop_unanswerable(draft: Draft) -> bool:
    """What nobody can answer any more (a seat left, a lot changed hands) has no effect (row 40)."""
    dropped = unanswerable(draft.state)
    if dropped:
        draft.emit(Skipped(draft.state.turn_seat))
    return dropped


def _refuse_answering(state: State, seat: int) -> Rejection | None:
    if seat != state.turn_seat:
        return Rejection(NOT_YOUR_TURN, f"seat {state.turn_seat} is on turn")
    return None if state.phase == PHASE_CHOICE else Rejection(NO_CHOICE_PENDING)


def _question_asked(state: State, event: QuestionAsked) -> None:
    if event.question == QUESTION_CARD:
        state.choice_deck = event.deck
        state.choice_card = event.card
        return
    state.extras.question = event.question
    state.extras.question_square = event.square
    state.extras.question_amount = event.amount


def _question_over(state: State, _event: ChoiceMade | Skipped) -> None:
    state.choice_deck = -1
    state.choice_card = -1
    state.extras.question = 0
    state.extras.question_square = -1
    state.extras.question_amount = 0


FOLDS: Final[Folds] = {ChoiceMade: _question_over, QuestionAsked: _question_asked, Skipped: _question_over}
