"""Auctions of a simulated game: held bid by bid with bots that choose at random, without a log or a clock.

What the auction service decides with all its refusals is done here as far as the money goes, and quickly.
Nobody sets ceilings here, and nobody comes too late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import purse
from magnate.rules.bidding import (
    LEAVER_PREVIOUS,
    MODE_DUTCH,
    MODE_OPEN,
    MODE_PENNY,
    MODE_VICKREY,
    NOBODY,
    REFUND_LOSERS,
    Auction,
)
from magnate.rules.bidding_fold import fold, lead, let_go, opened
from magnate.rules.decision import BANK
from magnate.rules.steps.auction import bid_most
from magnate.rules.vocabulary import (
    Ask,
    AuctionOutcome,
    BidderDropped,
    BidSealed,
    CancelAuction,
    DropBidder,
    LeadRestored,
    OpenAuction,
    SealedBid,
)

if TYPE_CHECKING:
    from magnate.rules.chance import RandomChance
    from magnate.rules.referee import Referee
    from magnate.rules.state import State

_TAKES_ONE_IN: Final = 4
"""How often somebody takes the lot of a Dutch auction before its price falls again."""


class AuctionHouse:
    """The running auctions of one game, by number."""

    __slots__ = ("random", "referee", "running", "state")

    def __init__(self, state: State, random: RandomChance) -> None:
        self.state = state
        self.random = random
        self.referee: Referee | None = None
        self.running: dict[int, Auction] = {}

    def answer(self, ask: Ask) -> None:
        """Do what the rules ask; `over` says what has ended by it."""
        if isinstance(ask, OpenAuction):
            auction = Auction(opened(ask))
            if ask.mode == MODE_DUTCH:
                auction.asking = ask.dutch_start
            self.running[ask.auction] = auction
        elif isinstance(ask, DropBidder):
            auction = self.running[ask.auction]
            if ask.seat in auction.bidders:
                self._drop(auction, ask.seat)
        elif isinstance(ask, CancelAuction):
            self._cancel(self.running.pop(ask.auction), ask.gone)

    def over(self) -> AuctionOutcome | None:
        """How the first auction ended in which nobody is left to bid, if there is one."""
        for auction in self.running.values():
            if auction.over or auction.next_bidder() == NOBODY:
                return self._hammer(auction)
        return None

    def step(self) -> AuctionOutcome | None:
        """The next bid or pass in some auction; how it ended, if it did."""
        running = list(self.running.values())
        auction = running[0] if len(running) == 1 else running[self.random.below(len(running))]
        seat = auction.next_bidder()
        if seat < 0:
            return self._hammer(auction)
        if auction.opened.mode == MODE_DUTCH:
            return self._fall(auction)
        board = self.state.board
        more = self.random.below(board.price[auction.lot] if auction.lot >= 0 else board.start_money // 4 + 1)
        amount = auction.least_bid + more - more % auction.step
        if auction.fee:
            amount = auction.least_bid
        if amount > bid_most(self.state, seat, auction, self.running) or self.random.below(2) == 0:
            amount = 0
        return self.bid(auction, seat, amount)

    def bid(self, auction: Auction, seat: int, amount: int) -> AuctionOutcome | None:
        """A bidder bids so much, or (0) passes; how the auction ended, if it did."""
        if amount == 0:
            let_go(auction, seat)
        elif auction.opened.mode in (MODE_OPEN, MODE_PENNY):
            self._release(auction)
            lead(auction, seat, amount, 0 if auction.paid else self._hold(seat, amount))
            if auction.paid:
                self._pay(seat, auction.fee or amount)
        elif auction.opened.mode == MODE_DUTCH:
            price = auction.least_bid
            lead(auction, seat, price, self._hold(seat, price))
            return self._hammer(auction)
        else:
            held = self._hold(seat, amount)
            fold(auction, SealedBid(auction.auction, seat, amount, "", held))
            fold(auction, BidSealed(auction.auction, seat))
        if self.referee is not None:
            self.referee.judge(self.state)
        if auction.over or auction.next_bidder() == NOBODY:
            return self._hammer(auction)
        return None

    def _fall(self, auction: Auction) -> AuctionOutcome | None:
        """Somebody takes the lot at the price of now, or it falls; at the minimum the others pass."""
        seat = auction.active[self.random.below(len(auction.active))]
        price = auction.least_bid
        if self.random.below(_TAKES_ONE_IN) == 0 and price <= bid_most(
            self.state, seat, auction, self.running
        ):
            return self.bid(auction, seat, price)
        if price == auction.opened.minimum:
            return self.bid(auction, seat, 0)
        auction.asking = max(auction.opened.minimum, price - auction.opened.dutch_step)
        return None

    def _hammer(self, auction: Auction) -> AuctionOutcome:
        """Close the auction: whoever leads, or has the best sealed bid, has it."""
        del self.running[auction.auction]
        won = AuctionOutcome(auction.auction, auction.lot, auction.leader, auction.price, "")
        won.held = auction.held
        won.paid = auction.paid
        won.barred = auction.opened.barred
        if auction.sealed:
            self._open_bids(auction, won)
        if auction.paid and auction.opened.refund == REFUND_LOSERS:
            self._refund(auction, [auction.leader])
        if self.referee is not None and won.winner >= 0:
            self.referee.captured(won.winner, won.held, won.released)
        return won

    def _open_bids(self, auction: Auction, won: AuctionOutcome) -> None:
        """The highest sealed bid wins, the first of equal ones; the others have their money back."""
        bids = sorted(auction.sealed.values(), key=lambda bid: -bid.amount)
        best = bids[0]
        won.winner = best.seat
        won.price = best.amount
        if auction.opened.mode == MODE_VICKREY:
            won.price = bids[1].amount if len(bids) > 1 else auction.minimum
        for bid in bids[1:]:
            self._give_back(bid.seat, bid.held or 0)
        on_hold = best.held or 0
        won.held = min(on_hold, won.price)
        won.released = on_hold - won.held

    def _drop(self, auction: Auction, seat: int) -> None:
        """A seat left the game; an earlier bid may lead again."""
        led = seat == auction.leader
        self._release(auction if led else None)
        if seat in auction.sealed:
            self._give_back(seat, auction.sealed[seat].held or 0)
        fold(auction, BidderDropped(auction.auction, seat))
        if not led or auction.opened.leaver != LEAVER_PREVIOUS:
            return
        for other, amount in reversed(auction.bids.copy()):
            if auction.paid or amount <= bid_most(self.state, other, auction, self.running):
                held = 0 if auction.paid else self._hold(other, amount)
                fold(auction, LeadRestored(auction.auction, other, amount, "", held))
                return

    def _cancel(self, auction: Auction, gone: list[int]) -> None:
        """The game is over: all money goes back, but for what was paid for bids unless that may be."""
        self._release(auction)
        for bid in auction.sealed.values():
            self._give_back(bid.seat, bid.held or 0)
        if auction.paid and auction.opened.refund_on_cancel:
            self._refund(auction, gone)

    def _refund(self, auction: Auction, without: list[int]) -> None:
        for seat, amount in auction.spent.items():
            if seat not in without:
                self._pay(seat, -amount)

    def _pay(self, seat: int, amount: int) -> None:
        """A bid is paid to the bank, or (less than 0) given back."""
        if amount > 0:
            purse.moved(self.state, seat, BANK, amount)
        else:
            purse.moved(self.state, BANK, seat, -amount)
        if self.referee is not None:
            self.referee.paid(seat, amount)

    def _hold(self, seat: int, amount: int) -> int:
        """Put on hold what there is of a bid; how much that was."""
        held = min(amount, self.state.available(seat))
        if held > 0:
            purse.hold_placed(self.state, seat, held)
            if self.referee is not None:
                self.referee.held(seat, held)
        return held

    def _release(self, auction: Auction | None) -> None:
        """Give the leader's money back."""
        if auction is not None and auction.held > 0:
            self._give_back(auction.leader, auction.held)

    def _give_back(self, seat: int, held: int) -> None:
        if held > 0:
            purse.hold_released(self.state, seat, held)
            if self.referee is not None:
                self.referee.held(seat, -held)
