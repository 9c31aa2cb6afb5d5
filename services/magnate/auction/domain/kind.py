"""What every kind of auction can do. Each kind is a file of its own; `auctions.KINDS` lists them by mode.

A kind has no state: it acts on the draft of a decision, which has the auction, and folds what it emits.
What all kinds refuse alike (`draft.refuse_acting`) has been checked when `bid`, `pass_` or `set_proxy` is
called; they return a rejection before they have changed anything, or None. What follows in each case (the
deadlines) the draft works out by itself.
"""

from magnate.auction.domain.draft import Draft
from magnate.rules.bidding import Auction
from magnate.rules.rejections import PROXY_NOT_ALLOWED, Rejection
from magnate.rules.vocabulary import (
    AuctionCancelled,
    BidderDropped,
    OpenAuction,
    PassAuction,
    PlaceBid,
    SetProxyBid,
)


class Kind:
    """A kind of auction; what it does not say otherwise is as here."""

    def open(self, draft: Draft, ask: OpenAuction) -> None:
        """Open the auction; it closes at once, unsold, when nobody can bid."""
        raise NotImplementedError

    def bid(self, draft: Draft, auction: Auction, seat: int, bid: PlaceBid) -> Rejection | None:
        """Bid."""
        raise NotImplementedError

    def pass_(self, draft: Draft, auction: Auction, seat: int, command: PassAuction) -> Rejection | None:
        """Take no further part."""
        raise NotImplementedError

    def set_proxy(self, draft: Draft, auction: Auction, seat: int, command: SetProxyBid) -> Rejection | None:
        """Have bids made for the seat, or no longer."""
        del draft, auction, seat, command
        return Rejection(PROXY_NOT_ALLOWED, "nobody bids for others in this auction")

    def auto_pass(self, draft: Draft) -> None:
        """Go on with the money there is, some of which was freed or taken elsewhere."""

    def due(self, draft: Draft, auction: Auction) -> None:
        """The time is up: let the hammer fall, or what comes in its place."""
        raise NotImplementedError

    def drop(self, draft: Draft, auction: Auction, seat: int) -> None:
        """Take out a seat that left the game; it is one of the bidders."""
        draft.release(auction, seat)
        draft.emit(BidderDropped(auction.auction, seat))

    def cancel(self, draft: Draft, auction: Auction, gone: list[int]) -> None:
        """End the auction without a decision; all that is on hold is given back.

        Who is `gone` has left the game in the same commit.
        """
        del gone
        for seat in auction.bidders:
            draft.release(auction, seat)
        draft.emit(AuctionCancelled(auction.auction))

    def leader_may_act(self) -> bool:
        """Whether who leads, or has handed in a bid, may bid again or pass."""
        return False
