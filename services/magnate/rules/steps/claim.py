"""Rent on demand (row 25, case C014): it may be claimed until the next player throws, then it lapses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.rejections import NOTHING_DUE, Rejection
from magnate.rules.vocabulary import ClaimRent, RentClaimable, RentLapsed

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def claim_rent(draft: Draft, seat: int, command: ClaimRent) -> Rejection | None:
    """Ask for the rent of a lot: NOTHING_DUE, RENT_LAPSED."""
    if not any(one.owner == seat and one.lot == command.lot for one in draft.state.extras.claims):
        return Rejection(NOTHING_DUE, f"square {command.lot}")
    raise NotImplementedError


def _rent_claimable(state: State, event: RentClaimable) -> None:
    state.extras.claims.append(event.claim)


def _rent_lapsed(state: State, event: RentLapsed) -> None:
    state.extras.claims = [
        one
        for one in state.extras.claims
        if (one.payer, one.owner, one.lot) != (event.payer, event.owner, event.lot)
    ]


FOLDS: Final[Folds] = {RentClaimable: _rent_claimable, RentLapsed: _rent_lapsed}
