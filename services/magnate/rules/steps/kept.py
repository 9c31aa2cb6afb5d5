"""Kept cards (rows 39, 40): which of them open the jail, spare a rent, or make a building cheaper.

A card that spares a rent is asked about when one would be charged (QUESTION_RENT); one that makes a building
cheaper is played when building is allowed, and then holds for the next building. A used card goes under its
deck when nothing of it is left.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.effects import EFFECT_BUILD_DISCOUNT, EFFECT_JAIL_FREE, EFFECT_RENT_EXEMPTION, Effect
from magnate.rules.moments import refuse_moment
from magnate.rules.offers import void_card
from magnate.rules.rejections import (
    INVALID_TARGET,
    MUST_PAY_FIRST,
    NO_CHOICE_PENDING,
    NO_JAIL_CARD,
    NOT_YOUR_TURN,
    Rejection,
)
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.vocabulary import (
    PHASE_CHOICE,
    QUESTION_RENT,
    CardPlayed,
    DiscountSet,
    PlayCard,
    RentSpared,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

NONE: Final = -1


def play_card(draft: Draft, seat: int, command: PlayCard) -> Rejection | None:
    """Use a kept card: NO_JAIL_CARD, INVALID_TARGET (it opens the jail, or a discount waits already).

    When it is not its moment, for a rent NOT_YOUR_TURN and NO_CHOICE_PENDING; for a discount MUST_PAY_FIRST,
    and what building meets at this moment.
    """
    state = draft.state
    if not (0 <= command.deck < len(state.board.decks) and 0 <= command.card < CARDS_PER_DECK_MAX):
        return Rejection(NO_JAIL_CARD)
    code = command.deck * CARDS_PER_DECK_MAX + command.card
    if code not in state.cards[seat]:
        return Rejection(NO_JAIL_CARD)
    name = refuse_playing(state, seat, code)
    if name:
        return Rejection(name)
    effect = effect_of(state, code)
    lot = state.extras.question_square
    used = state.extras.cards_used.count(code + 1) + 1
    draft.emit(CardPlayed(seat, command.deck, command.card, effect.uses - used))
    if effect.kind == EFFECT_RENT_EXEMPTION:
        draft.emit(RentSpared(seat, state.owner[lot], lot))
    else:
        draft.emit(DiscountSet(seat, effect.percent))
    if state.offers:
        void_card(draft, command.deck, command.card)
    return None


def refuse_playing(state: State, seat: int, code: int) -> str:
    """Why the seat cannot use this card of its own at this moment, or empty."""
    kind = effect_of(state, code).kind
    if kind == EFFECT_RENT_EXEMPTION:
        if seat != state.turn_seat:
            return NOT_YOUR_TURN
        asked = state.phase == PHASE_CHOICE and state.extras.question == QUESTION_RENT
        return "" if asked else NO_CHOICE_PENDING
    if kind != EFFECT_BUILD_DISCOUNT:
        return INVALID_TARGET
    if state.debts and state.in_debt(seat):
        return MUST_PAY_FIRST
    if state.extras.discount[seat]:
        return INVALID_TARGET  # one at a time: the next building is cheaper already
    return refuse_moment(state, seat, state.rules.build_when)


def playable(state: State, seat: int) -> list[int]:
    """The kept cards of the seat that `PlayCard` may name now, as deck * 64 + card."""
    return [code for code in state.cards[seat] if not refuse_playing(state, seat, code)]


def spares_rent(state: State, seat: int) -> bool:
    """Whether the seat holds a card that spares a rent."""
    return first_of(state, seat, EFFECT_RENT_EXEMPTION) != NONE


def first_of(state: State, seat: int, kind: int) -> int:
    """The first kept card of the seat with this effect, as deck * 64 + card; -1 if there is none."""
    for code in state.cards[seat]:
        if effect_of(state, code).kind == kind:
            return code
    return NONE


def opens_jail(state: State, seat: int) -> bool:
    """Whether the seat holds a card that opens the jail."""
    return first_of(state, seat, EFFECT_JAIL_FREE) != NONE


def effect_of(state: State, code: int) -> Effect:
    """For what a kept card is kept."""
    effects = state.board.decks[code // CARDS_PER_DECK_MAX].cards[code % CARDS_PER_DECK_MAX].effects
    for effect in effects:
        if effect.kind in (EFFECT_JAIL_FREE, EFFECT_RENT_EXEMPTION, EFFECT_BUILD_DISCOUNT):
            return effect
    raise AssertionError("the card is none to keep")


def _card_played(state: State, event: CardPlayed) -> None:
    code = event.deck * CARDS_PER_DECK_MAX + event.card
    if effect_of(state, code).kind == EFFECT_RENT_EXEMPTION:  # the rent that was asked about is spared
        state.extras.question = 0
        state.extras.question_square = -1
        state.extras.question_amount = 0
    used = state.extras.cards_used
    if event.left > 0:
        used.append(code + 1)
        return
    state.cards[event.seat].remove(code)
    state.seen[event.deck].append(event.card)
    if used:
        state.extras.cards_used = [one for one in used if one != code + 1]


def _discount_set(state: State, event: DiscountSet) -> None:
    state.extras.discount[event.seat] = event.percent


FOLDS: Final[Folds] = {CardPlayed: _card_played, DiscountSet: _discount_set}
