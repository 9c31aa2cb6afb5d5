"""Verifies sealed auctions from exported records. Pure: bytes in, verdict out; the server is not believed.

    report = verify_sealed(records)          # those of GameService.ExportGame, from the first one on

Each bid was committed to when it was handed in: the digest of the commit's secret part is in the hash
chain from then on. After the close the records have the secret parts themselves. So of every auction
that was closed it can be seen that

* each bid that was revealed is the one that was handed in, with the same amount, and its money was on hold;
* none that was handed in is missing, and none was added;
* the highest one won, and the price is what the kind of auction says.

Bids of auctions that are running, or were cancelled, cannot be seen; they are counted. That the records
follow each other, hash by hash, is looked at elsewhere (`magnate verify` does both).
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from magnate.game.v1 import game_pb2
    from magnate.rules.v1 import vocabulary_pb2

SEALED: Final = 2
VICKREY: Final = 3
"""Modes of auctions with sealed bids."""
TIES_TURN_ORDER: Final = 1
NOBODY: Final = -1


class SealedReport:
    """What was found: bids that were checked, bids that are still secret, and what is wrong."""

    def __init__(self) -> None:
        self.checked = 0
        self.secret = 0
        self.faults: list[str] = []


class _Auction:
    """A sealed auction: how it was opened, and who handed in a bid with which commit."""

    def __init__(self, opened: vocabulary_pb2.AuctionOpened) -> None:
        self.opened = opened
        self.handed_in: dict[int, int] = {}
        self.revealed: vocabulary_pb2.BidsRevealed | None = None


def verify_sealed(records: Sequence[game_pb2.ExportGameResponse]) -> SealedReport:
    """Return what there is to say about the sealed auctions of a game."""
    report = SealedReport()
    secrets: dict[int, log_pb2.SecretPart] = {}
    running: dict[int, _Auction] = {}
    for record in records:
        public = log_pb2.PublicPart.FromString(record.public)
        if record.opened_secret:
            if sha256(record.opened_secret).digest() != record.secret_digest:
                report.faults.append(f"version {public.version}: the secret part is not the committed one")
                continue
            try:
                secrets[public.version] = log_pb2.SecretPart.FromString(record.opened_secret)
            except DecodeError:
                report.faults.append(f"version {public.version}: the secret part cannot be read")
        for event in _events(public.sections):
            _follow(report, running, secrets, public.version, event)
    report.secret += sum(len(auction.handed_in) for auction in running.values())
    return report


def _follow(
    report: SealedReport,
    running: dict[int, _Auction],
    secrets: dict[int, log_pb2.SecretPart],
    version: int,
    event: vocabulary_pb2.AuctionEvent,
) -> None:
    kind = event.WhichOneof("kind")
    if kind == "auction_opened" and event.auction_opened.mode in (SEALED, VICKREY):
        running[event.auction_opened.auction] = _Auction(event.auction_opened)
    elif kind == "bid_sealed":
        running[event.bid_sealed.auction].handed_in[event.bid_sealed.seat] = version
    elif kind == "bids_revealed":
        running[event.bids_revealed.auction].revealed = event.bids_revealed
    elif kind == "auction_cancelled":
        cancelled = running.pop(event.auction_cancelled.auction, None)
        report.secret += 0 if cancelled is None else len(cancelled.handed_in)
    elif kind == "auction_closed":
        auction = running.pop(event.auction_closed.auction, None)
        if auction is not None:
            _check(report, auction, secrets, event.auction_closed)


def _check(
    report: SealedReport,
    auction: _Auction,
    secrets: dict[int, log_pb2.SecretPart],
    closed: vocabulary_pb2.AuctionClosed,
) -> None:
    """Compare what was revealed with what was handed in, and the outcome with both."""
    name = f"auction {closed.auction}"
    revealed = auction.revealed
    bids = [] if revealed is None else list(revealed.bids)
    told = [] if revealed is None else [*revealed.bids, *revealed.withdrawn]
    if sorted(bid.seat for bid in told) != sorted(auction.handed_in):
        seats = sorted(bid.seat for bid in told)
        report.faults.append(
            f"{name}: bids of seats {seats} were revealed, of {sorted(auction.handed_in)} sealed"
        )
        return
    for bid in told:
        fault = _not_committed(bid, secrets.get(auction.handed_in[bid.seat]))
        if fault:
            report.faults.append(f"{name}: the bid of seat {bid.seat} {fault}")
        else:
            report.checked += 1
    winner, price = _outcome(auction, bids)
    if (closed.winner, closed.price) != (winner, price):
        what = f"seat {closed.winner} for {closed.price}, by the bids seat {winner} for {price}"
        report.faults.append(f"{name}: won by {what}")


def _not_committed(bid: vocabulary_pb2.SealedBid, secret: log_pb2.SecretPart | None) -> str:
    """Say what keeps a revealed bid from being the one that was handed in; empty if nothing does."""
    if secret is None:
        return "cannot be compared: its commit was not opened"
    if not any(
        event.HasField("sealed_bid") and event.sealed_bid == bid for event in _events(secret.sections)
    ):
        return "is not the one that was handed in"
    if not bid.hold_id:
        return ""
    held = bid.held if bid.HasField("held") else bid.amount
    for section in secret.sections:
        if section.kind == log_pb2.SECTION_KIND_LEDGER:
            for record in bank_pb2.LedgerSection.FromString(section.body).records:
                placed = record.hold_placed
                if (placed.hold_id, placed.account, placed.amount) == (bid.hold_id, f"seat-{bid.seat}", held):
                    return ""
    return "has not been on hold"


def _outcome(auction: _Auction, bids: Sequence[vocabulary_pb2.SealedBid]) -> tuple[int, int]:
    """Return who has won, and what he pays, by the bids as they were handed in."""
    if not bids:
        return NOBODY, 0
    opened = auction.opened
    order = list(opened.bidders)

    def rank(bid: vocabulary_pb2.SealedBid) -> tuple[int, int]:
        first = order.index(bid.seat) if opened.ties == TIES_TURN_ORDER else auction.handed_in[bid.seat]
        return -bid.amount, first

    ranked = sorted(bids, key=rank)
    if opened.mode == SEALED:
        return ranked[0].seat, ranked[0].amount
    return ranked[0].seat, ranked[1].amount if len(ranked) > 1 else opened.minimum


def _events(sections: Iterable[log_pb2.Section]) -> list[vocabulary_pb2.AuctionEvent]:
    return [
        event
        for section in sections
        if section.kind == log_pb2.SECTION_KIND_AUCTION
        for event in auction_pb2.AuctionSection.FromString(section.body).events
    ]
