"""Kept cards that do not open the jail (rows 39, 40): a rent spared, a building at a discount."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.rejections import NO_JAIL_CARD, Rejection
from magnate.rules.state import CARDS_PER_DECK_MAX
from magnate.rules.vocabulary import CardPlayed, DiscountSet, PlayCard

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def play_card(draft: Draft, seat: int, command: PlayCard) -> Rejection | None:
    """Use a kept card."""
    if command.deck * CARDS_PER_DECK_MAX + command.card not in draft.state.cards[seat]:
        return Rejection(NO_JAIL_CARD)
    raise NotImplementedError


def _card_played(state: State, event: CardPlayed) -> None:
    state.cards[event.seat].remove(event.deck * CARDS_PER_DECK_MAX + event.card)
    state.seen[event.deck].append(event.card)


def _discount_set(state: State, event: DiscountSet) -> None:
    state.extras.discount[event.seat] = event.percent


FOLDS: Final[Folds] = {CardPlayed: _card_played, DiscountSet: _discount_set}
