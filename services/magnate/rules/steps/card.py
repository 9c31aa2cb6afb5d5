"""Cards (rows 14, 38, 39): drawing the top one and doing at once what it says.

A deck is shuffled lazily: the next of the unseen cards is drawn as needed, each as likely as the others.
A card that was seen goes under its deck, so when all were seen the order is known and repeats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import BANK
from magnate.rules.effects import (
    EFFECT_CHOOSE_ONE,
    EFFECT_COLLECT_EACH,
    EFFECT_DRAW,
    EFFECT_GAIN,
    EFFECT_GO_TO_JAIL,
    EFFECT_JAIL_FREE,
    EFFECT_MOVE_BY,
    EFFECT_MOVE_NEAREST,
    EFFECT_MOVE_TO,
    EFFECT_PAY,
    EFFECT_PAY_EACH,
    EFFECT_REPAIRS,
    Effect,
)
from magnate.rules.folds import nothing
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.steps.jail import arrest
from magnate.rules.steps.move import back, forward, to_square
from magnate.rules.vocabulary import (
    JAIL_CAUSE_CARD,
    MOVE_CAUSE_CARD,
    TRANSFER_REASON_CARD,
    AmountDrawn,
    CardCharged,
    CardDrawn,
    CardKept,
    CardReturned,
    ChoiceOffered,
    RepairsCharged,
    SquareDrawn,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def draw_card(draft: Draft, seat: int, deck: int) -> Effect | None:
    """Draw the top card and obey it; the effect that moved the token is returned, the caller lands it."""
    state = draft.state
    unseen = state.unseen[deck]
    if unseen:
        draw = state.draws + 1
        card = draft.chance.card(draw, deck, unseen)
    elif state.seen[deck]:
        draw = 0
        card = state.seen[deck][0]
    else:  # every card of the deck is in somebody's hand
        return None
    draft.emit(CardDrawn(seat, deck, card, draw))
    moved: Effect | None = None
    for effect in state.board.decks[deck].cards[card].effects:
        last = obey(draft, seat, deck, card, effect)
        if last is not None:
            moved = last
    return moved


def obey(draft: Draft, seat: int, deck: int, card: int, effect: Effect) -> Effect | None:
    """Do one effect of a card; the effect that moved the token, if one did."""
    kind = effect.kind
    if kind == EFFECT_GAIN:
        draft.emit(CardCharged(BANK, seat, effect.amount))
        draft.pay(BANK, seat, effect.amount, TRANSFER_REASON_CARD)
    elif kind == EFFECT_PAY:
        _charge(draft, seat, BANK, effect.amount)
    elif kind in (EFFECT_MOVE_TO, EFFECT_MOVE_BY, EFFECT_MOVE_NEAREST):
        _move(draft, seat, effect)
        return effect
    elif kind == EFFECT_PAY_EACH:
        for other in others_in_order(draft.state, seat):
            _charge(draft, seat, other, effect.amount)
    elif kind == EFFECT_COLLECT_EACH:
        for other in others_in_order(draft.state, seat):
            _charge(draft, other, seat, effect.amount)
    elif kind == EFFECT_GO_TO_JAIL:
        arrest(draft, seat, JAIL_CAUSE_CARD)
    elif kind == EFFECT_JAIL_FREE:
        draft.emit(CardKept(seat, deck, card))
    elif kind == EFFECT_REPAIRS:
        _repairs(draft, seat, effect)
    elif kind == EFFECT_CHOOSE_ONE:
        draft.emit(ChoiceOffered(seat, deck, card))
    elif kind == EFFECT_DRAW:
        return draw_card(draft, seat, effect.deck)
    return None


def others_in_order(state: State, seat: int) -> list[int]:
    """The other seats still in the game, in turn order from the one after `seat`."""
    order = state.order
    place = order.index(seat)
    return [other for other in order[place + 1 :] + order[:place] if not state.out[other]]


def _charge(draft: Draft, payer: int, payee: int, amount: int) -> None:
    draft.emit(CardCharged(payer, payee, amount))
    draft.charge(payer, payee, amount, TRANSFER_REASON_CARD, -1)


def _move(draft: Draft, seat: int, effect: Effect) -> None:
    state = draft.state
    at = state.at[seat]
    size = state.board.size
    if effect.kind == EFFECT_MOVE_BY:
        if effect.steps < 0:
            back(draft, seat, -effect.steps)
        else:
            forward(draft, seat, effect.steps, MOVE_CAUSE_CARD, effect.salary)
    elif effect.kind == EFFECT_MOVE_NEAREST:
        square = (at + 1) % size
        while state.board.kind[square] != effect.lot_kind:
            square = (square + 1) % size
        to_square(draft, seat, square, effect.salary)
    elif effect.forward:
        to_square(draft, seat, effect.square, effect.salary)
    else:
        back(draft, seat, (at - effect.square) % size)


def _repairs(draft: Draft, seat: int, effect: Effect) -> None:
    """A hotel counts as a hotel, never as houses too."""
    state = draft.state
    houses = 0
    hotels = 0
    if state.built[seat]:
        for lot in state.board.streets:
            if state.owner[lot] == seat and state.level[lot]:
                if state.level[lot] == state.hotel_level:
                    hotels += 1
                else:
                    houses += state.level[lot]
    amount = houses * effect.per_house + hotels * effect.per_hotel
    draft.emit(RepairsCharged(seat, houses, hotels, amount))
    draft.charge(seat, BANK, amount, TRANSFER_REASON_CARD, -1)


def _card_drawn(state: State, event: CardDrawn) -> None:
    if event.draw > 0:
        state.draws = event.draw
        state.unseen[event.deck].remove(event.card)
    else:
        state.seen[event.deck].remove(event.card)
    state.seen[event.deck].append(event.card)


def _card_kept(state: State, event: CardKept) -> None:
    state.seen[event.deck].remove(event.card)
    state.cards[event.seat].append(event.deck * CARDS_PER_DECK_MAX + event.card)


def _card_returned(state: State, event: CardReturned) -> None:
    state.cards[event.seat].remove(event.deck * CARDS_PER_DECK_MAX + event.card)
    state.seen[event.deck].append(event.card)


def _choice_offered(state: State, event: ChoiceOffered) -> None:
    state.choice_deck = event.deck
    state.choice_card = event.card


def _drawn(state: State, event: AmountDrawn | SquareDrawn) -> None:
    state.draws = event.draw


FOLDS: Final[Folds] = {
    AmountDrawn: _drawn,
    SquareDrawn: _drawn,
    CardDrawn: _card_drawn,
    CardKept: _card_kept,
    CardReturned: _card_returned,
    CardCharged: nothing,
    RepairsCharged: nothing,
    ChoiceOffered: _choice_offered,
}
