"""Penny auctions (row 24, C37): every bid is paid at once, won or not, and a late one rolls the clock back.

An ascending auction but for the money:

* a bid costs what it says, or a fixed `fee`; then the price goes up by one step, neither more nor less.
* the winner pays nothing more at the close: what he has paid for his bids was all. The price only says
  where the bidding has come to.
* what the losers have paid is gone, or given back at the close (`refund`); if the auction is cancelled,
  everybody has back what he paid where `refund_on_cancel` says so. Who left the game has nothing back.
* a ceiling bounds what a seat spends in this auction in all. Those who have one answer each other in turn, at
  most `ANSWERS_MAX` times in one commit. When the time is up, as many more bids are made for them; those are
  late bids, and move the end as often and as far as any may. Then, or if there are none, the hammer falls.
"""

from typing import Final

from magnate.auction.domain.ascending import Ascending, keeps_end
from magnate.auction.domain.decision import BidPaid
from magnate.auction.domain.draft import Draft
from magnate.rules.bidding import NOBODY, REFUND_LOSERS, Auction
from magnate.rules.rejections import BID_EXCEEDS_FUNDS, INVALID_AMOUNT, Rejection
from magnate.rules.vocabulary import BidPlaced, BidsRefunded, LeadRestored

ANSWERS_MAX: Final = 64
"""Bids made for others in one commit: each is a payment, and a commit is bounded."""


class Penny(Ascending):
    """The penny, or Scandinavian, auction."""

    def refuse_amount(self, draft: Draft, auction: Auction, seat: int, amount: int) -> Rejection | None:
        """Why a bid that is high enough cannot be made."""
        if auction.fee and amount != auction.least_bid:
            return Rejection(INVALID_AMOUNT, f"the next bid is {auction.least_bid}, and costs {auction.fee}")
        if cost(auction, amount) > draft.funds(seat):
            return Rejection(BID_EXCEEDS_FUNDS, f"seat {seat} has {draft.funds(seat)} to pay for a bid")
        return None

    def can_go_on(self, draft: Draft, auction: Auction, seat: int) -> bool:
        """Whether a seat might yet pay for the next bid."""
        return draft.reach(auction, seat) >= cost(auction, auction.least_bid)

    def take_bid(
        self, draft: Draft, auction: Auction, seat: int, amount: int, *, by_proxy: bool = False
    ) -> None:
        """The bid leads, and is paid."""
        price = cost(auction, amount)
        draft.decision.payments.append(BidPaid(auction.auction, seat, price))
        draft.available[seat] -= price
        placed = BidPlaced(auction.auction, seat, amount, "", 0, keeps_end(auction), by_proxy)
        draft.emit(placed)

    def answer(self, draft: Draft, auction: Auction) -> None:
        """Make the next bid for whoever comes after the leader and has not spent all it would."""
        for _ in range(ANSWERS_MAX):
            seat = self._next(draft, auction)
            if seat == NOBODY:
                return
            self.take_bid(draft, auction, seat, auction.least_bid, by_proxy=True)

    def auto_pass(self, draft: Draft) -> None:
        """Pass those who cannot bid any more; what ceilings have left they bid in answer, or at the end."""
        self.go_on(draft)

    def hammer(self, draft: Draft, auction: Auction) -> None:
        """The hammer falls; the losers have back what they paid, where that is the rule."""
        if auction.opened.refund == REFUND_LOSERS:
            self._refund(draft, auction, [auction.leader])
        draft.close(auction)

    def cancel(self, draft: Draft, auction: Auction, gone: list[int]) -> None:
        """End without a decision; all have back what they paid, where that is the rule."""
        if auction.opened.refund_on_cancel:
            self._refund(draft, auction, gone)
        super().cancel(draft, auction, gone)

    def hold_again(self, draft: Draft, auction: Auction, restored: LeadRestored) -> bool:
        """Nothing is on hold: the bid was paid when it was made."""
        del draft, auction
        restored.held = 0
        return True

    def _next(self, draft: Draft, auction: Auction) -> int:
        """For whom the next bid is made, in turn from the leader on, or nobody."""
        if not auction.ceilings:
            return NOBODY
        place = auction.bidders.index(auction.leader) + 1 if auction.leader != NOBODY else 0
        price = cost(auction, auction.least_bid)
        for seat in auction.bidders[place:] + auction.bidders[:place]:
            ceiling = auction.ceilings.get(seat, 0)
            would = seat != auction.leader and auction.spent.get(seat, 0) + price <= ceiling
            if would and price <= draft.funds(seat):
                return seat
        return NOBODY

    def _refund(self, draft: Draft, auction: Auction, without: list[int]) -> None:
        for seat, amount in list(auction.spent.items()):
            if seat not in without and seat not in draft.facts.gone:
                draft.decision.payments.append(BidPaid(auction.auction, seat, -amount))
                draft.available[seat] += amount
                draft.emit(BidsRefunded(auction.auction, seat, amount))


def cost(auction: Auction, amount: int) -> int:
    """What a bid of this amount costs."""
    return auction.fee or amount
