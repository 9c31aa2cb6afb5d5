"""Auctions against ledger: what bids, hammers and refunds say is paid is what moved.

In a game the rules say what the hammer leads to (`deeds`), and auctions only what bids cost. At a table of
the bank nobody but the auction says who pays what for a lot, and to whom.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from magnate.bank.domain.records import AccountClosed
from magnate.peers.accounts import BANK_ACCOUNT, REASONS, seat_account
from magnate.rules.bidding import MODE_PENNY, NOBODY
from magnate.rules.vocabulary import (
    TRANSFER_REASON_AUCTION,
    AuctionCancelled,
    AuctionClosed,
    AuctionOpened,
    BidPlaced,
    BidsRefunded,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TypeAlias

    from magnate.bank.domain.records import Record
    from magnate.rules.vocabulary import AuctionEvent

    Payments: TypeAlias = Counter[tuple[str, str, str]]

REASON: Final = REASONS[TRANSFER_REASON_AUCTION]


class Sales:
    """Follows the auctions of one log, commit by commit."""

    def __init__(self) -> None:
        self._opened: dict[int, AuctionOpened] = {}
        self._closed_accounts: set[str] = set()

    def is_penny(self, auction: int) -> bool:
        """Say whether bids in an auction that was opened are paid when they are made."""
        opened = self._opened.get(auction)
        return opened is not None and opened.mode == MODE_PENNY

    def payments(self, events: Sequence[AuctionEvent], *, in_game: bool) -> Payments:
        """Return who pays whom, and how much, by what happened to auctions in a commit."""
        due: Payments = Counter()
        for event in events:
            if isinstance(event, AuctionOpened):
                self._opened[event.auction] = event
            elif isinstance(event, BidPlaced):
                if self.is_penny(event.auction):
                    cost = self._opened[event.auction].fee or event.amount
                    due[seat_account(event.seat), self._payee(event.auction), REASON] += cost
            elif isinstance(event, BidsRefunded):
                back = seat_account(event.seat)
                if back not in self._closed_accounts:
                    due[BANK_ACCOUNT, back, REASON] += event.amount
            elif isinstance(event, AuctionClosed) and not in_game and self._takes_price(event):
                due[seat_account(event.winner), self._payee(event.auction), REASON] += event.price
        return due

    def follow(self, events: Sequence[AuctionEvent], records: Iterable[Record]) -> None:
        """Take in what a commit ends: accounts, which get nothing any more."""
        for record in records:
            if isinstance(record, AccountClosed):
                self._closed_accounts.add(record.account)
        for event in events:
            if isinstance(event, AuctionCancelled):
                self._opened.pop(event.auction, None)

    def _takes_price(self, event: AuctionClosed) -> bool:
        return event.winner != NOBODY and not self.is_penny(event.auction)

    def _payee(self, auction: int) -> str:
        payee = self._opened[auction].payee or BANK_ACCOUNT
        return BANK_ACCOUNT if payee in self._closed_accounts else payee
