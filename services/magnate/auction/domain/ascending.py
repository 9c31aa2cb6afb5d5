"""Ascending auctions: anybody who is in may bid at any moment, or one after the other, always higher.

Closes a fixed time after the newest bid; at once when everybody but the leader has passed or is out, or when
nobody can bid. A seat whose limit is below the least next bid is passed automatically; what it has on hold in
other auctions counts, because it may be outbid there. The leader cannot take a bid back.

What the rule set chooses stands in `AuctionOpened`:

* by turn (case C023): only the seat whose turn it is may bid or pass. Before the first bid, passing lets the
  opening go by, which is no pass; when all have done so the auction is over. The clock is the turn's: whoever
  lets it run out passes.
* late bids (case C027): with `extend_ms` only a bid in the last so many milliseconds moves the end, to so
  many from then; `extensions_max` bounds how often, `cap_ms` how far. Each move is an event,
  `AuctionExtended`.
* calls: "going once" and "going twice" are said `calls_ms` apart before the hammer falls.
* limits (row 23, case C020): a bid may go beyond the money at hand where the rule set says so. What is there
  is held; the rules make a debt of the rest when the hammer falls.
* the leaver (`leaver`): if the leader leaves the game, its bid is void and bidding starts again, or the best
  earlier bid of another whose money is there leads again. Passes are forgotten either way, because they
  were made against a bid that no longer stands.
* ceilings (`proxies`; see `proxy`): bids are made for a seat as soon as it is outbid.

Refusals are checked in the order of `draft.refuse_acting` and of `bid` below; `docs/auction.md` has the list.
Sources: rules.md rows 19-24, 80; readings C1, C2, C23, C37.
"""

from magnate.auction.domain.draft import Draft
from magnate.auction.domain.kind import Kind
from magnate.auction.domain.proxy import challenge, refuse_ceiling
from magnate.rules.bidding import BID_MAX, LEAVER_PREVIOUS, NOBODY, Auction
from magnate.rules.bidding_fold import opened, passing
from magnate.rules.rejections import BID_EXCEEDS_FUNDS, BID_TOO_LOW, INVALID_AMOUNT, Rejection
from magnate.rules.vocabulary import (
    AuctionExtended,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    LeadRestored,
    OpenAuction,
    PassAuction,
    PlaceBid,
    ProxySet,
    SetProxyBid,
)


class Ascending(Kind):
    """The open ascending auction."""

    def open(self, draft: Draft, ask: OpenAuction) -> None:
        """Open the auction; it closes at once, unsold, when nobody can pay the minimum."""
        draft.close_ms = ask.close_ms
        draft.emit(opened(ask))
        self.go_on(draft)

    def bid(self, draft: Draft, auction: Auction, seat: int, bid: PlaceBid) -> Rejection | None:
        """Bid: the money is held, the bid before it gets its own back."""
        if not 0 < bid.amount <= BID_MAX:
            return Rejection(INVALID_AMOUNT, f"a bid is from 1 to {BID_MAX}, not {bid.amount}")
        if bid.amount < auction.least_bid:
            return Rejection(BID_TOO_LOW, f"the least bid now is {auction.least_bid}")
        if (bid.amount - auction.least_bid) % auction.step:
            return Rejection(
                INVALID_AMOUNT, f"from {auction.least_bid} on a bid goes up by steps of {auction.step}"
            )
        refused = self.refuse_amount(draft, auction, seat, bid.amount)
        if refused is not None:
            return refused
        self.take_bid(draft, auction, seat, bid.amount)
        self._answer(draft, auction)
        self.go_on(draft)
        return None

    def pass_(self, draft: Draft, auction: Auction, seat: int, command: PassAuction) -> Rejection | None:
        """Take no further part."""
        del command
        draft.emit(passing(auction, seat, forced=False))
        self.go_on(draft)
        return None

    def set_proxy(self, draft: Draft, auction: Auction, seat: int, command: SetProxyBid) -> Rejection | None:
        """Have bids made for the seat up to a ceiling; it bids at once if it does not lead."""
        refused = refuse_ceiling(auction, seat, command.ceiling, auction.least_ceiling(seat))
        if refused is not None:
            return refused
        draft.emit_secret(ProxySet(auction.auction, seat, command.ceiling))
        self._answer(draft, auction)
        self.go_on(draft)
        return None

    def due(self, draft: Draft, auction: Auction) -> None:
        """Let the hammer fall, unless bids were still to be made for somebody, and move the end.

        By turn, pass the turn on.
        """
        end = auction.end
        if auction.by_turn:
            draft.emit(passing(auction, auction.turn, forced=True))
        else:
            self._answer(draft, auction)
        if auction.end == end:
            self.hammer(draft, auction)
        else:
            self.go_on(draft)

    def auto_pass(self, draft: Draft) -> None:
        """Make bids for those who have the money now, pass those who cannot bid any more."""
        assert draft.auction is not None
        self._answer(draft, draft.auction)
        self.go_on(draft)

    def drop(self, draft: Draft, auction: Auction, seat: int) -> None:
        """Take out a seat that left the game; if it led, start again or go back to an earlier bid."""
        led = seat == auction.leader
        draft.release(auction, seat)
        draft.emit(BidderDropped(auction.auction, seat))
        if led:
            if auction.opened.leaver == LEAVER_PREVIOUS:
                self._restore(draft, auction)
            self.answer(draft, auction)
        self.go_on(draft)

    def refuse_amount(self, draft: Draft, auction: Auction, seat: int, amount: int) -> Rejection | None:
        """Why a bid that is high enough cannot be made."""
        limit = draft.limit(auction, seat)
        if amount > limit:
            return Rejection(BID_EXCEEDS_FUNDS, f"seat {seat} has {limit} to bid with")
        return None

    def can_go_on(self, draft: Draft, auction: Auction, seat: int) -> bool:
        """Whether a seat might yet make the least next bid."""
        return draft.reach(auction, seat) >= auction.least_bid

    def take_bid(
        self, draft: Draft, auction: Auction, seat: int, amount: int, *, by_proxy: bool = False
    ) -> None:
        """The bid leads: its money is on hold, the one before it has its own back."""
        draft.release(auction, auction.leader)
        placed = BidPlaced(auction.auction, seat, amount, "")
        placed.hold_id, held = draft.hold(auction, seat, amount)
        if held != amount:
            placed.held = held
        placed.keeps_end = keeps_end(auction)
        placed.by_proxy = by_proxy
        draft.emit(placed)

    def answer(self, draft: Draft, auction: Auction) -> None:
        """Make bids for those who do not lead, as long as a ceiling allows."""
        while auction.ceilings:
            one = challenge(draft, auction)
            if one.seat == NOBODY or one.amount < auction.least_bid:
                return
            self.take_bid(draft, auction, one.seat, one.amount, by_proxy=True)

    def go_on(self, draft: Draft) -> None:
        """Pass those who cannot bid any more, and close if nobody is left to bid."""
        auction = draft.auction
        assert auction is not None
        for seat in list(auction.active):
            if seat != auction.leader and not self.can_go_on(draft, auction, seat):
                draft.emit(BidderPassed(auction.auction, seat, True))
        if auction.over:
            self.hammer(draft, auction)

    def hammer(self, draft: Draft, auction: Auction) -> None:
        """The hammer falls."""
        draft.close(auction)

    def _answer(self, draft: Draft, auction: Auction) -> None:
        """Bids are made for those who were outbid; a late bid moves the end, once however many there were."""
        self.answer(draft, auction)
        for event in draft.decision.events:
            if isinstance(event, BidPlaced):
                if event.keeps_end:
                    extend(draft, auction)
                break

    def _restore(self, draft: Draft, auction: Auction) -> None:
        """The best earlier bid of another who is still in the game, and has the money, leads again."""
        for seat, amount in reversed(auction.bids.copy()):
            restored = LeadRestored(auction.auction, seat, amount, "")
            if self.hold_again(draft, auction, restored):
                draft.emit(restored)
                return

    def hold_again(self, draft: Draft, auction: Auction, restored: LeadRestored) -> bool:
        """Put the money of a bid that leads again on hold; False if it is not there any more."""
        if self.refuse_amount(draft, auction, restored.seat, restored.amount) is not None:
            return False
        restored.hold_id, held = draft.hold(auction, restored.seat, restored.amount)
        if held != restored.amount:
            restored.held = held
        return True


def keeps_end(auction: Auction) -> bool:
    """Whether a bid does not move the end by itself."""
    opening = auction.opened
    return not auction.by_turn and (opening.extend_ms > 0 or opening.extensions_max > 0 or opening.cap_ms > 0)


def extend(draft: Draft, auction: Auction) -> None:
    """Move the end for a bid that came late, as often and as far as that may be."""
    opening = auction.opened
    if 0 < opening.extensions_max <= auction.extensions:
        return
    left_ms = draft.end.due_ms - draft.facts.time_ms
    close_ms = opening.extend_ms or opening.close_ms
    passed_ms = auction.total_ms - left_ms
    if opening.cap_ms > 0:
        close_ms = min(close_ms, opening.cap_ms - passed_ms)
    if close_ms <= left_ms:
        return
    total_ms = passed_ms + close_ms if opening.cap_ms > 0 else 0
    draft.close_ms = close_ms
    draft.emit(AuctionExtended(auction.auction, auction.extensions + 1, close_ms, total_ms))
