"""Dutch auctions: the price falls until somebody takes it.

It begins at `dutch_start` and falls by `dutch_step` every `dutch_tick_ms`, down to the minimum, where it
stays until the end. The price of a moment follows from how long the auction has still to run
(`price_at`), so a pause stops it as it stops the deadline, and nothing is written while it falls. A
command is judged by when it was received.

A bid takes the lot at the price of that moment; its amount is the most that the bidder will pay. The
first one in the log wins. Nobody takes it until the end, or everybody has passed: it is not sold. What
the bidder would have paid stays secret.
"""

from magnate.auction.domain.draft import Draft
from magnate.auction.domain.kind import Kind
from magnate.auction.domain.sealed import pass_the_poor
from magnate.rules.bidding import BID_MAX, Auction, dutch_price
from magnate.rules.bidding_fold import opened
from magnate.rules.rejections import BID_EXCEEDS_FUNDS, BID_TOO_LOW, INVALID_AMOUNT, Rejection
from magnate.rules.vocabulary import (
    BidderDropped,
    BidderPassed,
    BidPlaced,
    OpenAuction,
    PassAuction,
    PlaceBid,
    SealedBid,
)


class Dutch(Kind):
    """The auction whose price falls."""

    def open(self, draft: Draft, ask: OpenAuction) -> None:
        """Open the auction; it closes at once, unsold, when nobody can pay the minimum."""
        draft.close_ms = ask.close_ms
        begun = opened(ask)
        begun.opened_at_ms = draft.facts.time_ms
        draft.emit(begun)
        pass_the_poor(draft)
        self.close_if_over(draft)

    def bid(self, draft: Draft, auction: Auction, seat: int, bid: PlaceBid) -> Rejection | None:
        """Take the lot at the price of the moment in which the bid was received."""
        if not 0 < bid.amount <= BID_MAX:
            return Rejection(INVALID_AMOUNT, f"a bid is from 1 to {BID_MAX}, not {bid.amount}")
        price = price_at(auction, draft.end.due_ms, draft.facts.received_at_ms)
        if bid.amount < price:
            return Rejection(BID_TOO_LOW, f"the price was {price} then")
        limit = draft.limit(auction, seat)
        if price > limit:
            return Rejection(BID_EXCEEDS_FUNDS, f"seat {seat} has {limit} to bid with, the price was {price}")
        placed = BidPlaced(auction.auction, seat, price, "")
        draft.emit_secret(SealedBid(auction.auction, seat, bid.amount, "", 0))
        placed.hold_id, held = draft.hold(auction, seat, price)
        if held != price:
            placed.held = held
        draft.emit(placed)
        draft.close(auction)
        return None

    def pass_(self, draft: Draft, auction: Auction, seat: int, command: PassAuction) -> Rejection | None:
        """Take no further part."""
        del command
        draft.emit(BidderPassed(auction.auction, seat, False))
        self.close_if_over(draft)
        return None

    def due(self, draft: Draft, auction: Auction) -> None:
        """Nobody has taken it: it is not sold."""
        draft.close(auction)

    def drop(self, draft: Draft, auction: Auction, seat: int) -> None:
        """Take out a seat that left the game."""
        draft.emit(BidderDropped(auction.auction, seat))
        self.close_if_over(draft)

    def close_if_over(self, draft: Draft) -> None:
        """It is over when nobody is left to take it."""
        auction = draft.auction
        assert auction is not None
        if not auction.active:
            draft.close(auction)


def price_at(auction: Auction, due_ms: int, at_ms: int) -> int:
    """What the lot costs at a time, in an auction that ends at `due_ms` if nobody takes it."""
    return dutch_price(auction.opened, auction.close_ms - (due_ms - at_ms))
