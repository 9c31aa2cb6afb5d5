"""Mortgages with a term (row 75): a lot that is not redeemed in so many rounds is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.deeds import set_mortgaged, set_owner
from magnate.rules.vocabulary import LotForfeited, MortgageTermSet

if TYPE_CHECKING:
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def _mortgage_term_set(state: State, event: MortgageTermSet) -> None:
    state.extras.last_round[event.lot] = event.last_round


def _lot_forfeited(state: State, event: LotForfeited) -> None:
    set_mortgaged(state, event.lot, 0)
    set_owner(state, event.lot, -1)
    state.extras.last_round[event.lot] = 0


FOLDS: Final[Folds] = {MortgageTermSet: _mortgage_term_set, LotForfeited: _lot_forfeited}
