"""Pots (rows 16, 17, 41): what goes into them, and who takes what is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import BANK, POT_PARKING
from magnate.rules.folds import nothing
from magnate.rules.vocabulary import TRANSFER_REASON_POT, PotTaken, SquareCharged

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def bank_or_pot(state: State) -> int:
    """Where taxes, fines and payments by card go: to the bank, or into the pot that parking pays out."""
    return POT_PARKING if state.rules.parking_pot else BANK


def take_pot(draft: Draft, seat: int, pot: int) -> None:
    """Give the seat all that the pot (an account, -2 or less) holds; an empty pot gives nothing."""
    amount = draft.state.extras.pots[-2 - pot]
    if amount > 0:
        draft.emit(PotTaken(seat, pot, amount))
        draft.pay(pot, seat, amount, TRANSFER_REASON_POT)


FOLDS: Final[Folds] = {PotTaken: nothing, SquareCharged: nothing}
