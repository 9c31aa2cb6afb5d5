"""Every card of every board is drawn once and does what it says.

What must come out is computed here by the plainest means from the card's own words, one function a word, in
one simple position: three seats with plenty of money, A about to land on a square of the deck.
"""

from __future__ import annotations

import pytest

from magnate.rules.loader import OURS, load_board
from tests.unit.rules.card_checks import CHECKS, A, Drawn

ALL = [
    (board, deck, card)
    for board in OURS.board_ids()
    for deck, pile in enumerate(load_board(board).decks)
    for card in range(len(pile.cards))
]


@pytest.mark.parametrize(("board_id", "deck", "card"), ALL)
def test_the_card_does_what_it_says(board_id: str, deck: int, card: int) -> None:
    """One card of one board."""
    drawn = Drawn(load_board(board_id), deck, card)
    CHECKS[drawn.effect.kind](drawn, drawn.effect)
    assert drawn.table.state.seen[deck] or drawn.table.state.cards[A]
