"""Vickrey auctions: bids are sealed, the highest wins and pays the second highest.

Who bids alone pays the minimum. The winner's hold is for what he bid: the price is captured, the rest
given back. A bid that was withdrawn counts for nothing.
"""

from magnate.auction.domain.sealed import Sealed
from magnate.rules.bidding import Auction
from magnate.rules.vocabulary import SealedBid


class Vickrey(Sealed):
    """The sealed auction at the second price."""

    def price(self, auction: Auction, bids: list[SealedBid]) -> int:
        """The second highest bid, or the minimum."""
        return bids[1].amount if len(bids) > 1 else auction.minimum
