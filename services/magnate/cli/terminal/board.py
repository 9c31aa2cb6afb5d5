"""The board of the touch unit: deeds by number, other squares by a symbol; names stand on the real board."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from magnate.rules.board import CARD, FREE_PARKING, GO, GO_TO_JAIL, JAIL, LOCATION
from magnate.rules.loader import Library

if TYPE_CHECKING:
    from magnate.cli.terminal.texts import Texts
    from magnate.rules.board import Board

BOARD: Final = "ultimate-banking"
_KINDS: Final = {
    GO: "go",
    JAIL: "jail",
    FREE_PARKING: "free_parking",
    GO_TO_JAIL: "go_to_jail",
    LOCATION: "location",
    CARD: "card",
}


@cache
def touch_board() -> Board:
    """Return the board that the touch unit belongs to."""
    return Library().load_board(BOARD)


@cache
def plain_squares() -> tuple[tuple[int, str], ...]:
    """Return the squares without a deed, each with the word for its kind."""
    board = touch_board()
    return tuple((square, _KINDS[kind]) for square, kind in enumerate(board.kind) if kind in _KINDS)


def square_name(square: int, t: Texts) -> str:
    """Return what a square is called; empty for none."""
    lots = touch_board().lots
    if square in lots:
        return t("touch.number", number=lots.index(square) + 1)
    kind = dict(plain_squares()).get(square, "")
    return t(f"square.{kind}") if kind else ""
