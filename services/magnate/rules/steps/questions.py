"""What the seat on turn is asked in phase CHOICE, and which answers are legal: for the step and for `legal`.

A drawn card may ask (its effect says for what), or a square. Whether a card asks at all is seen here too: one
to which there is no answer has no effect (row 40).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import SCOPE_GROUP
from magnate.rules.deeds import lowest
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

ALL: Final = 1 << 30
"""More answers than there can be."""


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


def answers(state: State, most: int = ALL) -> list[int]:
    """What `ChooseOption` may say now: numbers of options, seats, squares or cards, as the question says.

    Who only wants to know whether there are `most` of them need not look for more.
    """
    seat = state.turn_seat
    effect = asking_effect(state)
    if effect is not None:
        return answers_to(state, seat, effect, most)
    asked = state.extras.question
    if asked == QUESTION_LOCATION:
        return state.board.lots if state.available(seat) >= state.board.location_fee else []
    if asked == QUESTION_TAX:
        return list(range(TAX_ANSWERS))
    if asked == QUESTION_DRAW:
        return tellable(state, state.board.deck[state.extras.question_square])
    if asked == QUESTION_SWAP:
        given = state.extras.question_square
        return swappable(state, seat, own=False, most=most) if may_swap(state, seat, given) else []
    return []


def is_answer(state: State, answer: int) -> bool:
    """Whether `ChooseOption` may say this now."""
    effect = asking_effect(state)
    if effect is None or not _CHANGES_LEVELS >> effect.kind & 1:
        return answer in answers(state)
    if not 0 <= answer < state.board.size or state.extras.rent_level[answer] == 0:
        return False
    return _in_scope(state, state.turn_seat, effect) >> answer & 1 == 1


def answers_to(state: State, seat: int, effect: Effect, most: int = ALL) -> list[int]:
    """What the seat may choose when a card with this effect asks it; `most` as in `answers`."""
    kind = effect.kind
    if kind == EFFECT_CHOOSE_ONE:
        return list(range(len(effect.options)))
    if kind in (EFFECT_PAY_PLAYER, EFFECT_BOTH_GAIN):
        return [other for other in range(state.seats) if other != seat and not state.out[other]]
    if kind == EFFECT_SEND_TO_JAIL:
        return [
            other
            for other in range(state.seats)
            if other != seat and not state.out[other] and not state.jailed[other]
        ]
    if kind == EFFECT_GOTO_ANY_PROPERTY:
        return state.board.lots if state.available(seat) >= effect.amount else []
    if kind == EFFECT_SWAP_PROPERTY:
        if not swappable(state, seat, own=False, most=1):
            return []
        return swappable(state, seat, own=True, most=most)
    found: list[int] = []
    lots = _in_scope(state, seat, effect)
    while lots and len(found) < most:
        lot = lowest(lots)
        lots &= lots - 1
        if state.extras.rent_level[lot]:
            found.append(lot)
    return found


def tellable(state: State, deck: int) -> list[int]:
    """The cards of a deck that may have been drawn by hand: those that nobody keeps."""
    return sorted(state.unseen[deck] + state.seen[deck])


def _in_scope(state: State, seat: int, effect: Effect) -> int:
    """The lots (bits) of which the seat may choose one for an effect on rent levels."""
    lots = state.owned[seat]
    if effect.scope == SCOPE_ANY_OWNED:
        for owned in state.owned:
            lots |= owned
    return lots


def swappable(state: State, seat: int, *, own: bool, most: int = ALL) -> list[int]:
    """The lots of the seat, or of all others, that a card may swap; `most` as in `answers`."""
    found: list[int] = []
    lots = state.owned[seat]
    if not own:
        lots = 0
        for other in range(state.seats):
            if other != seat:
                lots |= state.owned[other]
    while lots and len(found) < most:
        lot = lowest(lots)
        lots &= lots - 1
        if may_swap(state, state.owner[lot], lot):
            found.append(lot)
    return found


def may_swap(state: State, owner: int, lot: int) -> bool:
    """Whether the owner's lot may change hands by a card: not mortgaged, and bare as for a deal (row 65)."""
    if state.owner[lot] != owner or state.mortgaged[lot]:
        return False
    if state.rules.trade_clear == SCOPE_GROUP:
        return state.group_buildings[state.board.group[lot]] == 0
    return state.level[lot] == 0


def may_skip(state: State) -> bool:
    """Whether the question may be left alone."""
    return state.choice_deck < 0 and _SKIPPED >> state.extras.question & 1 == 1


def unanswerable(state: State) -> bool:
    """Whether something is asked that nobody can answer any more: a seat left, a lot changed hands."""
    return not may_skip(state) and not answers(state, 1)
