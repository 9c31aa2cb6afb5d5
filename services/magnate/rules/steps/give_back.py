"""Lots given back to the bank for a debt (rows 37, 78): each counts its price, its level is reset."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.deeds import set_mortgaged, set_owner
from magnate.rules.rejections import NOT_IN_DEBT, Rejection
from magnate.rules.vocabulary import LotReturned, ReturnLots

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def return_lots(draft: Draft, seat: int, command: ReturnLots) -> Rejection | None:  # noqa: ARG001
    """Give lots back for what one owes."""
    if not draft.state.in_debt(seat):
        return Rejection(NOT_IN_DEBT)
    raise NotImplementedError


def _lot_returned(state: State, event: LotReturned) -> None:
    set_mortgaged(state, event.lot, 0)
    set_owner(state, event.lot, -1)
    state.extras.rent_level[event.lot] = 0


FOLDS: Final[Folds] = {LotReturned: _lot_returned}
