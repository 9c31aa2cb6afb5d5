"""What may be done about auctions at a table, and by whom. Pure.

Each function returns what is asked of auctions or the refusal, checked in the order that it documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from magnate.auction.domain.decision import NO_END, is_due
from magnate.auction.domain.draft import auction_of
from magnate.auction.tables.limits import AUCTIONS_EVER_MAX, AUCTIONS_MAX
from magnate.auction.tables.state import NO_SEAT, seat_account
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import CancelAuction

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from magnate.auction.domain.decision import End
    from magnate.auction.state import GameState
    from magnate.auction.tables.state import Table
    from magnate.auction.tables.terms import Asked
    from magnate.rules.bidding import Auction
    from magnate.rules.vocabulary import OpenAuction

BANKER = NO_SEAT
"""Who opens or cancels: the banker, or a card by its seat."""


@final
class AtTable:
    """What is asked depends on the newest state: returns the ask, or a refusal.

    `auction`: the one that it is about, or 0.
    """

    __slots__ = ("_ask", "auction")

    def __init__(self, ask: Callable[[GameState], object], auction: int = 0) -> None:
        self._ask = ask
        self.auction = auction

    def __call__(self, state: GameState) -> object:
        """Return what is asked of this state."""
        return self._ask(state)


def refuse_bidder(table: Table, seat: int) -> Rejection | None:
    """Refuse whose card cannot act: TABLE_CLOSED TABLE_PAUSED CARD_RETIRED CARD_LOCKED."""
    return refuse_stopped(table) or refuse_card(table, seat)


def opening(table: Table, running: int, seller: int, asked: Asked) -> OpenAuction | Rejection:
    """Open an auction; `running` run already.

    Refusals: NOT_THE_BANKER TABLE_CLOSED TABLE_PAUSED CARD_RETIRED CARD_LOCKED UNKNOWN_ACCOUNT ACCOUNT_CLOSED
    UNKNOWN_BIDDER NOT_ENOUGH_BIDDERS TOO_MANY_AUCTIONS.
    """
    refused = refuse_seller(table, seller, asked) or refuse_stopped(table) or refuse_card(table, seller)
    refused = refused or _refuse_payee(table, asked.payee)
    if refused is not None:
        return refused
    bidders = asked.bidders or sorted(table.seats - table.retired - {asked.payee})
    refused = _refuse_bidders(table, bidders)
    if refused is not None:
        return refused
    if running >= AUCTIONS_MAX:
        detail = f"{running} auctions run at this table; at most {AUCTIONS_MAX} do"
        return Rejection(names.TOO_MANY_AUCTIONS, detail)
    if table.opened >= AUCTIONS_EVER_MAX:
        return Rejection(names.TOO_MANY_AUCTIONS, f"{table.opened} auctions were opened at this table")
    return asked.opening(table.opened + 1, bidders)


def cancelling(
    table: Table,
    running: Mapping[int, Auction],
    ends: Mapping[int, End],
    seller: int,
    number: int,
    received_at_ms: int,
) -> CancelAuction | Rejection:
    """End an auction without a sale; a table that is paused is no reason against it.

    Refusals: TABLE_CLOSED CARD_RETIRED CARD_LOCKED NO_AUCTION NOT_THE_SELLER AUCTION_CLOSED (it has ended, or
    its time is up; where bids go by turn that ends a turn only).
    """
    if table.closed:
        return Rejection(names.TABLE_CLOSED, "the table is closed")
    refused = refuse_card(table, seller)
    if refused is not None:
        return refused
    auction = running.get(number)
    if auction is None and 0 < number <= table.opened:
        return Rejection(names.AUCTION_CLOSED, f"auction {number} has ended")
    if auction is None:
        return Rejection(names.NO_AUCTION, f"no auction {number} runs at this table")
    if seller != BANKER and table.sellers.get(number, BANKER) != seller:
        return Rejection(names.NOT_THE_SELLER, "only the banker, and who opened it, may cancel an auction")
    if is_due(ends.get(number, NO_END), received_at_ms) and not auction.by_turn:
        return Rejection(names.AUCTION_CLOSED, "its time was up: the hammer falls")
    return CancelAuction(number)


def calling_off(deadline_id: str, state: GameState) -> CancelAuction | Rejection:
    """End an auction whose time is up, but whose close would take an account out of 64 bits.

    Nothing is paid or given back by transfers, so nothing can keep it from ending; what is on hold is free.
    Refusal: UNKNOWN_DEADLINE.
    """
    auction = state.auctions.running.get(auction_of(deadline_id))
    if auction is None or deadline_id not in state.deadlines or state.deadlines[deadline_id].paused:
        return Rejection(names.UNKNOWN_DEADLINE, f"{deadline_id} is not pending")
    return CancelAuction(auction.auction, list(auction.bidders))


def refuse_stopped(table: Table) -> Rejection | None:
    """Say that the table is closed or paused, if it is."""
    if table.closed:
        return Rejection(names.TABLE_CLOSED, "the table is closed")
    if table.paused:
        return Rejection(names.TABLE_PAUSED, "the table is paused")
    return None


def refuse_card(table: Table, seat: int) -> Rejection | None:
    """Say that a card is retired or locked, if it is."""
    if seat in table.retired or seat in table.closed_seats:
        return Rejection(names.CARD_RETIRED, f"the card of seat {seat} is retired")
    if seat in table.locked:
        return Rejection(names.CARD_LOCKED, f"the card of seat {seat} is locked; the banker can unlock it")
    return None


def refuse_seller(table: Table, seller: int, asked: Asked) -> Rejection | None:
    """Say that a card may not sell this here: only where everybody works the unit, for itself or the bank."""
    if seller == BANKER:
        return None
    if not table.shared_unit:
        return Rejection(names.NOT_THE_BANKER, "at this table only the banker opens auctions")
    if asked.payee not in (seller, BANKER):
        return Rejection(names.NOT_THE_BANKER, "a card sells for itself or for the bank")
    return None


def _refuse_payee(table: Table, payee: int) -> Rejection | None:
    if payee == NO_SEAT:
        return None
    if payee in table.closed_seats:
        return Rejection(names.ACCOUNT_CLOSED, f"the account {seat_account(payee)} is closed")
    if payee not in table.seats:
        return Rejection(names.UNKNOWN_ACCOUNT, f"there is no account {seat_account(payee)}")
    return None


def _refuse_bidders(table: Table, bidders: list[int]) -> Rejection | None:
    for seat in bidders:
        if seat in table.retired or seat in table.closed_seats:
            return Rejection(names.CARD_RETIRED, f"the card of seat {seat} is retired")
        if seat not in table.seats:
            return Rejection(names.UNKNOWN_BIDDER, f"nobody at this table has seat {seat}")
    if not bidders:
        return Rejection(names.NOT_ENOUGH_BIDDERS, "nobody is there to bid")
    return None
