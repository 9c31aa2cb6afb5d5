"""Rent on demand (row 25, case C014): it may be claimed until the next player throws, then it lapses.

"Before the player following you rolls": the payer's own extra throw does not end the claim. Who owned the lot
at the landing keeps it although he may sell or mortgage the lot meanwhile; it ends when one of the two
leaves. While bids are sealed nobody claims, for whether it is paid would tell what the payer has on hold; the
claim stands until after the close.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board import SQUARES_MAX
from magnate.rules.moments import bids_are_sealed
from magnate.rules.rejections import NOTHING_DUE, RENT_LAPSED, WRONG_PHASE, Rejection
from magnate.rules.steps.rent import collect_rent
from magnate.rules.vocabulary import ClaimRent, OpenClaim, RentCharged, RentClaimable, RentLapsed

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

LAPSED_REMEMBERED_MAX: Final = 32
"""So many of the latest lapsed claims still answer RENT_LAPSED; older ones are forgotten."""


def claim_rent(draft: Draft, seat: int, command: ClaimRent) -> Rejection | None:
    """Ask for the rent of a lot, the oldest first: WRONG_PHASE (sealed bids), RENT_LAPSED, NOTHING_DUE."""
    state = draft.state
    for claim in state.extras.claims:
        if claim.owner == seat and claim.lot == command.lot:
            if bids_are_sealed(state):
                return Rejection(WRONG_PHASE, "nothing is claimed while bids are sealed")
            collect_rent(draft, claim.payer, seat, claim.lot, claim.amount)
            return None
    if _code(seat, command.lot) in state.extras.lapsed:
        return Rejection(RENT_LAPSED, f"square {command.lot}")
    return Rejection(NOTHING_DUE, f"square {command.lot}")


def claims_of(state: State, seat: int) -> list[OpenClaim]:
    """The rents the seat may claim now, oldest first, one a lot."""
    found: list[OpenClaim] = []
    if bids_are_sealed(state):
        return found
    lots = 0
    for claim in state.extras.claims:
        if claim.owner == seat and not lots >> claim.lot & 1:
            lots |= 1 << claim.lot
            found.append(claim)
    return found


def lapse_claims(draft: Draft, seat: int) -> None:
    """The seat is about to throw: what others than itself were to pay, and nobody asked for, lapses."""
    for claim in draft.state.extras.claims.copy():
        if claim.payer != seat:
            draft.emit(RentLapsed(claim.payer, claim.owner, claim.lot))


def end_claims(state: State, seat: int) -> None:
    """The seat leaves the game: for folds."""
    claims = state.extras.claims
    if claims:
        state.extras.claims = [one for one in claims if seat not in (one.payer, one.owner)]


def _code(owner: int, lot: int) -> int:
    """An owner and a lot as one number above 0."""
    return (owner + 1) * SQUARES_MAX + lot


def _rent_claimable(state: State, event: RentClaimable) -> None:
    state.extras.touched = 1
    state.extras.claims.append(event.claim)


def _rent_charged(state: State, event: RentCharged) -> None:
    """A rent that had to be claimed is due no longer; others only explain the payment."""
    claims = state.extras.claims
    if not claims:  # nearly always
        return
    for place, one in enumerate(claims):
        if (one.payer, one.owner, one.lot) == (event.payer, event.owner, event.lot):
            del claims[place]
            return


def _rent_lapsed(state: State, event: RentLapsed) -> None:
    extras = state.extras
    for place, one in enumerate(extras.claims):
        if (one.payer, one.owner, one.lot) == (event.payer, event.owner, event.lot):
            del extras.claims[place]
            break
    extras.lapsed.append(_code(event.owner, event.lot))
    if len(extras.lapsed) > LAPSED_REMEMBERED_MAX:
        extras.lapsed.pop(0)


FOLDS: Final[Folds] = {
    RentCharged: _rent_charged,
    RentClaimable: _rent_claimable,
    RentLapsed: _rent_lapsed,
}
