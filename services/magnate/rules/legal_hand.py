"""What may be told where tokens are moved by hand, for `legal_actions` (`table.tokens`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.kinds import DRAWN_CARD, PASS_GO, PLACE_TOKEN
from magnate.rules.steps.hand import decks_told, places
from magnate.rules.steps.move import at_go
from magnate.rules.steps.questions import tellable
from magnate.rules.vocabulary import Card

if TYPE_CHECKING:
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.state import State

HAND_KINDS: Final = PLACE_TOKEN | PASS_GO | DRAWN_CARD
"""The kinds whose parameters `fill_by_hand` knows."""


def fill_by_hand(state: State, seat: int, kind: int, action: LegalAction) -> None:
    """Fill in what a command of one of these kinds may say."""
    if kind == PLACE_TOKEN:
        action.answers = places(state, seat)
    elif kind == PASS_GO:
        salary, bonus = at_go(state, state.at[seat])
        action.amount_min = action.amount_max = salary + bonus
    else:
        action.cards = [
            Card(deck, card) for deck in decks_told(state, seat) for card in tellable(state, deck)
        ]
