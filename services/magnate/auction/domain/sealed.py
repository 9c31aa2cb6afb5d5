"""Sealed bids: nobody sees what another bids, and all are opened when the auction closes.

Each bidder hands in one bid, which is final, or passes. The auction closes when everybody who is in has
done so, or at its deadline. That a seat has bid everybody sees (`BidSealed`); what it bids, and the hold
behind it, is secret (`SealedBid`, stored in the secret part of the commit) until `BidsRevealed`.

The highest bid wins and pays what it says; `vickrey.py` has the other price. Of equal ones the earlier
one in the log wins, or (`ties`) the one of the seat that comes first among the bidders. At the close all
holds are revealed; the winner's is captured, whole or in part, and the others are released, all in one
commit.

Nobody is passed for want of money but at the opening, and then by what everybody knows of his money: else
it would tell of his bid in another auction. Who leaves takes his bid with him: its hold is released in
secret, and at the close the bid is told among the withdrawn ones. If the auction is cancelled, nothing is
ever revealed.
"""

from magnate.auction.domain.decision import HoldReleased, HoldRevealed
from magnate.auction.domain.draft import Draft
from magnate.auction.domain.kind import Kind
from magnate.rules.bidding import BID_MAX, NOBODY, TIES_TURN_ORDER, Auction
from magnate.rules.bidding_fold import opened
from magnate.rules.rejections import (
    ALREADY_BID,
    BID_EXCEEDS_FUNDS,
    BID_TOO_LOW,
    INVALID_AMOUNT,
    Rejection,
)
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionOutcome,
    BidderDropped,
    BidderPassed,
    BidSealed,
    BidsRevealed,
    OpenAuction,
    PassAuction,
    PlaceBid,
    SealedBid,
)


class Sealed(Kind):
    """The sealed auction at the first price."""

    def open(self, draft: Draft, ask: OpenAuction) -> None:
        """Open the auction; it closes at once, unsold, when nobody can pay the minimum."""
        draft.close_ms = ask.close_ms
        draft.emit(opened(ask))
        pass_the_poor(draft)
        self.close_if_over(draft)

    def bid(self, draft: Draft, auction: Auction, seat: int, bid: PlaceBid) -> Rejection | None:
        """Hand in the bid; its money is held, and nobody but the seat sees that."""
        if seat in auction.sealed_seats:
            return Rejection(ALREADY_BID, "a sealed bid is final")
        if not 0 < bid.amount <= BID_MAX:
            return Rejection(INVALID_AMOUNT, f"a bid is from 1 to {BID_MAX}, not {bid.amount}")
        if bid.amount < auction.minimum:
            return Rejection(BID_TOO_LOW, f"the least bid is {auction.minimum}")
        if (bid.amount - auction.minimum) % auction.step:
            return Rejection(INVALID_AMOUNT, f"from {auction.minimum} on a bid goes up by {auction.step}")
        limit = draft.limit(auction, seat)
        if bid.amount > limit:
            return Rejection(BID_EXCEEDS_FUNDS, f"seat {seat} has {limit} to bid with")
        sealed = SealedBid(auction.auction, seat, bid.amount, "")
        sealed.hold_id, held = draft.hold(auction, seat, bid.amount, concealed=True)
        if held != bid.amount:
            sealed.held = held
        draft.emit_secret(sealed)
        draft.emit(BidSealed(auction.auction, seat))
        self.close_if_over(draft)
        return None

    def pass_(self, draft: Draft, auction: Auction, seat: int, command: PassAuction) -> Rejection | None:
        """Hand in no bid."""
        del command
        if seat in auction.sealed_seats:
            return Rejection(ALREADY_BID, "a sealed bid is final")
        draft.emit(BidderPassed(auction.auction, seat, False))
        self.close_if_over(draft)
        return None

    def due(self, draft: Draft, auction: Auction) -> None:
        """The time is up: open the bids that are there."""
        self.reveal(draft, auction)

    def drop(self, draft: Draft, auction: Auction, seat: int) -> None:
        """Take out a seat that left the game, and its bid with it."""
        release_sealed(draft, auction, seat)
        draft.emit(BidderDropped(auction.auction, seat))
        self.close_if_over(draft)

    def cancel(self, draft: Draft, auction: Auction, gone: list[int]) -> None:
        """End the auction without a decision: bids stay secret, their money is given back."""
        del gone
        for seat in list(auction.sealed):
            release_sealed(draft, auction, seat)
        draft.emit(AuctionCancelled(auction.auction))

    def close_if_over(self, draft: Draft) -> None:
        """Open the bids if everybody who is in has handed in his."""
        auction = draft.auction
        assert auction is not None
        for seat in auction.active:
            if seat not in auction.sealed_seats:
                return
        self.reveal(draft, auction)

    def reveal(self, draft: Draft, auction: Auction) -> None:
        """Open the bids; the first of them wins."""
        bids = ranked(auction)
        if bids or auction.withdrawn:
            draft.emit(BidsRevealed(auction.auction, bids, list(auction.withdrawn)))
        for bid in bids:
            if bid.hold_id:
                draft.decision.holds.append(HoldRevealed(bid.hold_id))
        for bid in bids[1:]:
            release_sealed(draft, auction, bid.seat)
        won = AuctionOutcome(auction.auction, auction.lot, NOBODY, 0, "")
        won.barred = auction.opened.barred
        if bids:
            best = bids[0]
            won.winner, won.price, won.hold_id = best.seat, self.price(auction, bids), best.hold_id
            held = held_for(best)
            captured = min(held, won.price)
            if captured != won.price:
                won.held = captured
            won.released = held - captured
        draft.settle(won)

    def price(self, auction: Auction, bids: list[SealedBid]) -> int:
        """What the winner pays, who has made the first of these bids."""
        del auction
        return bids[0].amount


def ranked(auction: Auction) -> list[SealedBid]:
    """The bids, the winning one first."""
    bids = list(auction.sealed.values())
    if auction.opened.ties == TIES_TURN_ORDER:
        order = auction.opened.bidders
        bids.sort(key=lambda bid: order.index(bid.seat))
    bids.sort(key=lambda bid: -bid.amount)  # stable: equal ones stay as they are
    return bids


def held_for(bid: SealedBid) -> int:
    """How much is on hold for a bid."""
    return bid.amount if bid.held is None else bid.held


def release_sealed(draft: Draft, auction: Auction, seat: int) -> None:
    """Give back what is on hold for a seat's sealed bid, if anything is."""
    bid = auction.sealed.get(seat)
    if bid is not None and bid.hold_id:
        draft.decision.holds.append(HoldReleased(bid.hold_id))
        draft.available[seat] += held_for(bid)


def pass_the_poor(draft: Draft) -> None:
    """Pass those who cannot make the least bid, by what everybody knows of their money."""
    auction = draft.auction
    assert auction is not None
    for seat in list(auction.active):
        if draft.reach(auction, seat) < auction.minimum:
            draft.emit(BidderPassed(auction.auction, seat, True))
