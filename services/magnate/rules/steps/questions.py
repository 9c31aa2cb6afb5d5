"""What the seat on turn is asked in phase CHOICE, and which answers are legal: for the step and for `legal`.

A drawn card may ask (its effect says for what), or a square. Whether a card asks at all is seen here too: one
to which there is no answer has no effect (row 40). Answers are small numbers, and a set of them is one int of
bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import mask_of
from magnate.rules.deeds import unencumbered
from magnate.rules.effects import (
    EFFECT_BOTH_GAIN,
    EFFECT_CHANGE_LEVEL,
    EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS,
    EFFECT_CHOOSE_ONE,
    EFFECT_GOTO_ANY_PROPERTY,
    EFFECT_PAY_PLAYER,
    EFFECT_SEND_TO_JAIL,
    EFFECT_SET_LEVEL,
    EFFECT_SWAP_PROPERTY,
    SCOPE_ANY_OWNED,
    Effect,
)
from magnate.rules.vocabulary import (
    QUESTION_CARD,
    QUESTION_DRAW,
    QUESTION_LOCATION,
    QUESTION_RENT,
    QUESTION_STAKE,
    QUESTION_SWAP,
    QUESTION_TAX,
)

if TYPE_CHECKING:
    from magnate.rules.state import State

_CHANGES_LEVELS: Final = (
    1 << EFFECT_SET_LEVEL | 1 << EFFECT_CHANGE_LEVEL | 1 << EFFECT_CHANGE_LEVEL_AND_NEIGHBOURS
)
_ASKING: Final = (
    1 << EFFECT_CHOOSE_ONE
    | 1 << EFFECT_PAY_PLAYER
    | 1 << EFFECT_BOTH_GAIN
    | 1 << EFFECT_SEND_TO_JAIL
    | 1 << EFFECT_GOTO_ANY_PROPERTY
    | 1 << EFFECT_SWAP_PROPERTY
    | _CHANGES_LEVELS
)
_SKIPPED: Final = 1 << QUESTION_LOCATION | 1 << QUESTION_STAKE | 1 << QUESTION_RENT
"""Questions that may be answered with `Skip`."""

TAX_ANSWERS: Final = 2


def asks(effect: Effect) -> bool:
    """Whether an effect needs an answer."""
    return _ASKING >> effect.kind & 1 == 1


def question(state: State) -> int:
    """What is asked (QUESTION_…), 0 if nothing."""
    return QUESTION_CARD if state.choice_deck >= 0 else state.extras.question


def asking_effect(state: State) -> Effect | None:
    """The effect of the drawn card that asks; None when no card asks."""
    if state.choice_deck < 0:
        return None
    for effect in state.board.decks[state.choice_deck].cards[state.choice_card].effects:
        if asks(effect):
            return effect
    return None


def options_asked(state: State) -> list[Effect]:
    """What the card that asks offers to choose from, in its order; empty when it asks for something else."""
    effect = asking_effect(state)
    return [] if effect is None else effect.options


def answers(state: State) -> int:
    """What `ChooseOption` may say now: numbers of options, seats, squares or cards, as the question says."""
    seat = state.turn_seat
    effect = asking_effect(state)
    if effect is not None:
        return answers_to(state, seat, effect)
    asked = state.extras.question
    if asked == QUESTION_LOCATION:
        return state.board.lots_mask if state.available(seat) >= state.board.location_fee else 0
    if asked == QUESTION_TAX:
        return (1 << TAX_ANSWERS) - 1
    if asked == QUESTION_DRAW:
        return mask_of(tellable(state, state.board.deck[state.extras.question_square]))
    if asked == QUESTION_SWAP and unencumbered(state, state.owned[seat]) >> state.extras.question_square & 1:
        return unencumbered(state, _lots_of_others(state, seat))
    return 0


def answers_to(state: State, seat: int, effect: Effect) -> int:
    """What the seat may choose when a card with this effect asks it."""
    kind = effect.kind
    if _CHANGES_LEVELS >> kind & 1:
        lots = state.owned[seat]
        if effect.scope == SCOPE_ANY_OWNED:
            lots |= _lots_of_others(state, seat)
        return lots & state.board.levelled_mask
    if kind == EFFECT_GOTO_ANY_PROPERTY:
        return state.board.lots_mask if state.available(seat) >= effect.amount else 0
    if kind == EFFECT_SWAP_PROPERTY:
        taken = unencumbered(state, _lots_of_others(state, seat))
        return unencumbered(state, state.owned[seat]) if taken else 0
    if kind == EFFECT_CHOOSE_ONE:
        return (1 << len(effect.options)) - 1
    found = 0
    spared = state.jailed if kind == EFFECT_SEND_TO_JAIL else state.out
    for other in range(state.seats):
        if other != seat and not state.out[other] and not spared[other]:
            found |= 1 << other
    return found


def tellable(state: State, deck: int) -> list[int]:
    """The cards of a deck that may have been drawn by hand: those that nobody keeps."""
    return sorted(state.unseen[deck] + state.seen[deck])


def _lots_of_others(state: State, seat: int) -> int:
    lots = 0
    for other in range(state.seats):
        if other != seat:
            lots |= state.owned[other]
    return lots


def may_skip(state: State) -> bool:
    """Whether the question may be left alone."""
    return state.choice_deck < 0 and _SKIPPED >> state.extras.question & 1 == 1


def unanswerable(state: State) -> bool:
    """Whether something is asked that nobody can answer any more: a seat left, a lot changed hands."""
    return not may_skip(state) and answers(state) == 0
