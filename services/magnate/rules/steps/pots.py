"""Pots (rows 17, 41): what goes into them, and who takes what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.folds import nothing
from magnate.rules.vocabulary import TRANSFER_REASON_POT, PotTaken, SquareCharged

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds


def take_pot(draft: Draft, seat: int, pot: int) -> None:
    """Give the seat all that the pot (an account, -2 or less) holds; an empty pot gives nothing."""
    amount = draft.state.extras.pots[-2 - pot]
    if amount > 0:
        draft.emit(PotTaken(seat, pot, amount))
        draft.pay(pot, seat, amount, TRANSFER_REASON_POT)


FOLDS: Final[Folds] = {PotTaken: nothing, SquareCharged: nothing}
