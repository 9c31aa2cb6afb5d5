"""Open offers: which of them stop holding when something they promise changes; and what may be promised.

An offer goes stale when a lot or card it names changes hands or state, and is closed in the same command.
Money is not promised by an offer: whether it is there is seen at the acceptance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.choices import SCOPE_GROUP
from magnate.rules.vocabulary import OFFER_END_SEAT_OUT, OFFER_END_STALE, OfferClosed

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.state import State
    from magnate.rules.vocabulary import OfferMade, OpenDebt

OFFERS_OPEN_MAX: Final = 8
"""Open offers that one seat may have made."""

STALE_REMEMBERED_MAX: Final = 32
"""So many of the latest stale offers still answer OFFER_STALE; older ones are unknown."""

ITEMS_MAX: Final = 64
"""Lots, or cards, on one side of an offer."""

VISITS_MAX: Final = 1000
"""Free visits of a lot in one deal."""

VISITS_TOTAL_MAX: Final = 1_000_000
"""Free visits that a seat may have of one lot; more are not counted."""

LOANS_OPEN_MAX: Final = 32
"""Loans that one seat may owe at a time."""

CASH_MAX: Final = 1 << 53
"""Every client language counts exactly up to here."""


def void_lots(draft: Draft, lots: int) -> None:
    """Close the open offers that name one of these lots (bits)."""
    for offer in list(draft.state.offers.values()):
        if lots_named(offer) & lots:
            draft.emit(OfferClosed(offer.offer, OFFER_END_STALE))


def void_card(draft: Draft, deck: int, card: int) -> None:
    """Close the open offers that name this kept card."""
    for offer in list(draft.state.offers.values()):
        for named in offer.terms.give_cards + offer.terms.take_cards:
            if named.deck == deck and named.card == card:
                draft.emit(OfferClosed(offer.offer, OFFER_END_STALE))
                break


def void_seat(draft: Draft, seat: int) -> None:
    """Close the open offers of a seat that leaves the game."""
    for offer in list(draft.state.offers.values()):
        if seat in (offer.from_seat, offer.to_seat):
            draft.emit(OfferClosed(offer.offer, OFFER_END_SEAT_OUT))


def lots_named(offer: OfferMade) -> int:
    """The lots of both sides as bits, also those of which visits shall be free."""
    lots = 0
    for lot in offer.terms.give_lots:
        lots |= 1 << lot
    for lot in offer.terms.take_lots:
        lots |= 1 << lot
    for one in offer.terms.give_immunity:
        lots |= 1 << one.lot
    for one in offer.terms.take_immunity:
        lots |= 1 << one.lot
    return lots


def older_than_debt(state: State, offer: OfferMade) -> bool:
    """Whether one of the two came into a debt after the offer was made, and still owes it."""
    for debt in state.debts:
        seat = debt.debtor
        if seat in (offer.from_seat, offer.to_seat) and offer.offer <= state.debt_mark[seat]:
            return True
    return False


def open_offers_of(state: State, seat: int) -> int:
    """How many open offers the seat has made."""
    number = 0
    for offer in state.offers.values():
        if offer.from_seat == seat:
            number += 1
    return number


def loans_owed(state: State, seat: int) -> int:
    """How many loans the seat has to pay back."""
    number = 0
    for loan in state.extras.loans:
        if loan.debtor == seat:
            number += 1
    return number


def debt_in_kind(state: State, one: int, other: int, reason: int) -> OpenDebt | None:
    """The oldest debt for `reason` that one of the two owes the other."""
    for debt in state.debts:
        if debt.reason == reason and (
            (debt.debtor == one and debt.creditor == other) or (debt.debtor == other and debt.creditor == one)
        ):
            return debt
    return None


def refuse_lot_traded(state: State, owner: int, lot: int) -> str:
    """Why the lot cannot go from this owner to somebody else, or empty."""
    if state.owner[lot] != owner:
        return rejections.NOT_OWNER
    if state.rules.trade_clear == SCOPE_GROUP:
        if state.group_buildings[state.board.group[lot]] > 0:
            return rejections.GROUP_BUILT
    elif state.level[lot] > 0:
        return rejections.GROUP_BUILT
    if state.mortgaged[lot] and not state.rules.trade_mortgaged_allowed:
        return rejections.MORTGAGED
    return ""
