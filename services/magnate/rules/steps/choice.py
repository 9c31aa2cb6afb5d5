"""A card that asks: its reader chooses one of its options, which is then obeyed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.effects import EFFECT_CHOOSE_ONE, Effect
from magnate.rules.rejections import INVALID_TARGET, NO_CHOICE_PENDING, NOT_YOUR_TURN, Rejection
from magnate.rules.steps.card import obey
from magnate.rules.steps.land import land_by_card
from magnate.rules.vocabulary import PHASE_CHOICE, ChoiceMade, ChooseOption, QuestionAsked, Skip, Skipped

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def choose_option(draft: Draft, seat: int, command: ChooseOption) -> Rejection | None:
    """Choose: NOT_YOUR_TURN, NO_CHOICE_PENDING, INVALID_TARGET."""
    state = draft.state
    if seat != state.turn_seat:
        return Rejection(NOT_YOUR_TURN, f"seat {state.turn_seat} is on turn")
    if state.phase != PHASE_CHOICE:
        return Rejection(NO_CHOICE_PENDING)
    options = options_asked(state)
    if not 0 <= command.option < len(options):
        return Rejection(INVALID_TARGET, f"option {command.option}: there are {len(options)}")
    deck = state.choice_deck
    card = state.choice_card
    draft.emit(ChoiceMade(seat, command.option))
    moved = obey(draft, seat, deck, card, options[command.option])
    if moved is not None:
        land_by_card(draft, seat, moved)
    return None


def skip(draft: Draft, seat: int, _command: Skip) -> Rejection | None:
    """Do not do what is offered: NOT_YOUR_TURN, NO_CHOICE_PENDING."""
    state = draft.state
    if seat != state.turn_seat:
        return Rejection(NOT_YOUR_TURN, f"seat {state.turn_seat} is on turn")
    if state.phase != PHASE_CHOICE or state.extras.question == 0:
        return Rejection(NO_CHOICE_PENDING)
    draft.emit(Skipped(seat))
    return None


def options_asked(state: State) -> list[Effect]:
    """What the card that asks offers, in its order; empty when none asks."""
    if state.choice_deck < 0:
        return []
    for effect in state.board.decks[state.choice_deck].cards[state.choice_card].effects:
        if effect.kind == EFFECT_CHOOSE_ONE:
            return effect.options
    return []


def _choice_made(state: State, _event: ChoiceMade) -> None:
    state.choice_deck = -1
    state.choice_card = -1
    state.extras.question = 0
    state.extras.question_square = -1


def _question_asked(state: State, event: QuestionAsked) -> None:
    state.extras.question = event.question
    state.extras.question_square = event.square


def _skipped(state: State, _event: Skipped) -> None:
    state.extras.question = 0
    state.extras.question_square = -1


FOLDS: Final[Folds] = {ChoiceMade: _choice_made, QuestionAsked: _question_asked, Skipped: _skipped}
