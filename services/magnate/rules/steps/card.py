"""Cards (rows 14, 38, 39): drawing the top one and doing at once what it says.

A deck is shuffled lazily: the next of the unseen cards is drawn as needed, each as likely as the others.
A card that was seen goes under its deck, so when all were seen the order is known and repeats, unless the
rule set has a used-up deck shuffled again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import TOKENS_BY_HAND
from magnate.rules.decision import BANK
from magnate.rules.effects import (
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
from magnate.rules.steps.card_effects import charge_for_card, gain, obey_more
from magnate.rules.steps.jail import arrest
from magnate.rules.steps.move import back, forward, to_square
from magnate.rules.steps.pots import bank_or_pot
from magnate.rules.vocabulary import (
    JAIL_CAUSE_CARD,
    MOVE_CAUSE_CARD,
    QUESTION_DRAW,
    TRANSFER_REASON_CARD,
    AmountDrawn,
    CardCharged,
    CardDrawn,
    CardKept,
    CardReturned,
    QuestionAsked,
    RepairsCharged,
    SquareDrawn,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def draw_card(draft: Draft, seat: int, deck: int) -> Effect | None:
    """Draw the top card and obey it; the effect that moved the token is returned, the caller lands it."""
    state = draft.state
    if state.rules.table_tokens == TOKENS_BY_HAND:  # whoever has the real deck says what comes
        draft.emit(QuestionAsked(seat, QUESTION_DRAW, state.at[seat], 0))
        return None
    unseen = drawable(state, deck)
    if unseen:
        draw = state.draws + 1
        card = draft.chance.card(draw, deck, unseen)
    elif state.seen[deck]:
        draw = 0
        card = state.seen[deck][0]
    else:  # every card of the deck is in somebody's hand
        return None
    return drawn(draft, seat, deck, card, draw)


def drawn(draft: Draft, seat: int, deck: int, card: int, draw: int) -> Effect | None:
    """Obey a card; the effect that moved the token is returned, the caller lands it."""
    draft.emit(CardDrawn(seat, deck, card, draw))
    moved: Effect | None = None
    for effect in draft.state.board.decks[deck].cards[card].effects:
        last = obey(draft, seat, deck, card, effect)
        if last is not None:
            moved = last
    return moved


def drawable(state: State, deck: int) -> list[int]:
    """The cards of which chance draws the next one; empty where the order is known already."""
    if state.unseen[deck] or not state.rules.cards_reshuffled:
        return state.unseen[deck]
    return sorted(state.seen[deck])


def obey(draft: Draft, seat: int, deck: int, card: int, effect: Effect) -> Effect | None:
    """Do one effect of a card; the effect that moved the token, if one did."""
    kind = effect.kind
    if kind == EFFECT_GAIN:
        gain(draft, seat, effect.amount)
    elif kind == EFFECT_PAY:
        payee = bank_or_pot(draft.state) if effect.pot == BANK else effect.pot
        charge_for_card(draft, seat, payee, effect.amount)
    elif kind in (EFFECT_MOVE_TO, EFFECT_MOVE_BY, EFFECT_MOVE_NEAREST):
        _move(draft, seat, effect)
        return effect
    elif kind == EFFECT_PAY_EACH:
        for other in others_in_order(draft.state, seat):
            charge_for_card(draft, seat, other, effect.amount)
    elif kind == EFFECT_COLLECT_EACH:
        for other in others_in_order(draft.state, seat):
            charge_for_card(draft, other, seat, effect.amount)
    elif kind == EFFECT_GO_TO_JAIL:
        arrest(draft, seat, JAIL_CAUSE_CARD)
    elif kind == EFFECT_JAIL_FREE:
        draft.emit(CardKept(seat, deck, card))
    elif kind == EFFECT_REPAIRS:
        _repairs(draft, seat, effect)
    elif kind == EFFECT_DRAW:
        return draw_card(draft, seat, effect.deck)
    else:
        return obey_more(draft, seat, deck, card, effect)
    return None


def others_in_order(state: State, seat: int) -> list[int]:
    """The other seats still in the game, in turn order from the one after `seat`."""
    order = state.order
    place = order.index(seat)
    return [other for other in order[place + 1 :] + order[:place] if not state.out[other]]


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
        to_square(draft, seat, _nearest(state.board, at, effect), effect.salary)
    elif effect.forward:
        to_square(draft, seat, effect.square, effect.salary)
    else:
        back(draft, seat, (at - effect.square) % size)


def _nearest(board: Board, at: int, effect: Effect) -> int:
    """The next square of the kind, and of the deck if one is named; the one stood on is the last."""
    for steps in range(1, board.size):
        square = (at + steps) % board.size
        if board.kind[square] == effect.lot_kind and effect.deck in (-1, board.deck[square]):
            return square
    return at


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
    draft.charge(seat, bank_or_pot(state), amount, TRANSFER_REASON_CARD, -1)


def _card_drawn(state: State, event: CardDrawn) -> None:
    if event.draw > 0:
        state.draws = event.draw
        if not state.unseen[event.deck]:  # the deck was used up, and is shuffled again
            state.unseen[event.deck] = sorted(state.seen[event.deck])
            state.seen[event.deck] = []
        state.unseen[event.deck].remove(event.card)
    elif event.card in state.seen[event.deck]:
        state.seen[event.deck].remove(event.card)
    else:  # drawn by hand
        state.unseen[event.deck].remove(event.card)
    state.seen[event.deck].append(event.card)


def _card_kept(state: State, event: CardKept) -> None:
    state.seen[event.deck].remove(event.card)
    state.cards[event.seat].append(event.deck * CARDS_PER_DECK_MAX + event.card)


def _card_returned(state: State, event: CardReturned) -> None:
    code = event.deck * CARDS_PER_DECK_MAX + event.card
    state.cards[event.seat].remove(code)
    state.seen[event.deck].append(event.card)
    if state.extras.cards_used:
        state.extras.cards_used = [used for used in state.extras.cards_used if used != code + 1]


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
}
