"""Open ascending auctions, free for all: anybody who is in may bid at any moment, always higher.

Closes a fixed time after the newest bid; at once when everybody but the leader has passed or is out, or when
nobody can bid. A seat that cannot pay the least next bid is passed automatically. The leader cannot take a
bid back. If the leader leaves the game, its bid is void and bidding starts again among those who are left:
passes are forgotten, because they were made against a bid that no longer stands.

Refusals are checked in the order of `place_bid` and `pass_auction` below; `docs/auction.md` has the list.
Sources: rules.md rows 19-23, 80; readings C2, C23.
"""

from magnate.auction.domain.decision import (
    AMOUNT_MAX,
    CloseAuction,
    DeadlineCleared,
    DeadlineSet,
    Decision,
    Facts,
    HoldPlaced,
    HoldReleased,
)
from magnate.rules.bidding import NOBODY, Auction, fold
from magnate.rules.rejections import (
    ALREADY_LEADING,
    ALREADY_PASSED,
    AUCTION_CLOSED,
    BID_EXCEEDS_FUNDS,
    BID_TOO_LOW,
    GAME_PAUSED,
    INVALID_AMOUNT,
    NO_AUCTION,
    NOT_A_BIDDER,
    NOT_YET,
    UNKNOWN_DEADLINE,
    Rejection,
)
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionEvent,
    AuctionOpened,
    AuctionOutcome,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    CancelAuction,
    DropBidder,
    OpenAuction,
    PassAuction,
    PlaceBid,
)


def deadline_id(auction: Auction) -> str:
    """The id of the deadline at which this auction closes; another one after each bid."""
    return f"a{auction.auction}-{auction.clock}"


def hold_id(auction: Auction, seat: int) -> str:
    """The id of the hold behind the next bid of this seat."""
    return f"a{auction.auction}-{seat}-{auction.clock + 1}"


class Draft:
    """A decision in the making: events are folded as they come, so each step sees what the last one did."""

    __slots__ = ("_deadline_before", "available", "decision", "facts", "running")

    def __init__(self, running: Auction | None, facts: Facts) -> None:
        self.running = None if running is None else running.copy()
        self.facts = facts
        self.available: list[int] = list(facts.available)
        self.decision = Decision()
        self._deadline_before = "" if running is None else deadline_id(running)

    def emit(self, event: AuctionEvent) -> None:
        """Add an event and fold it."""
        self.decision.events.append(event)
        self.running = fold(self.running, event)

    def release(self, auction: Auction) -> None:
        """Give back the money of the leading bid, if there is one."""
        if auction.hold_id:
            self.decision.holds.append(HoldReleased(auction.hold_id))
            self.available[auction.leader] += auction.price

    def funds(self, seat: int) -> int:
        """What a seat may spend at this point of the decision."""
        return self.available[seat] if seat < len(self.available) else 0

    def proceed(self) -> Decision:
        """Pass those who cannot bid any more, close if nobody is left to bid, and move the deadline."""
        auction = self.running
        if auction is not None:
            for seat in list(auction.active):
                if seat != auction.leader and self.funds(seat) < auction.least_bid:
                    self.emit(BidderPassed(auction.auction, seat, True))
            rivals = len(auction.active) - (0 if auction.leader == NOBODY else 1)
            if rivals == 0:
                self.close(auction)
        before = self._deadline_before
        after = "" if self.running is None else deadline_id(self.running)
        if before != after:
            if before:
                self.decision.deadlines.append(DeadlineCleared(before))
            if self.running is not None:
                due_ms = self.facts.time_ms + self.running.close_ms
                self.decision.deadlines.append(DeadlineSet(after, due_ms))
        return self.decision

    def close(self, auction: Auction) -> None:
        """Let the hammer fall."""
        self.decision.outcomes.append(
            AuctionOutcome(auction.auction, auction.lot, auction.leader, auction.price, auction.hold_id)
        )
        self.emit(AuctionClosed(auction.auction, auction.lot, auction.leader, auction.price))


def open_auction(running: Auction | None, ask: OpenAuction, facts: Facts) -> Decision:
    """Open an auction; it closes at once, unsold, when nobody can pay the minimum."""
    if running is not None:
        raise ValueError(f"auction {ask.auction} asked for while {running!r} is running")
    draft = Draft(None, facts)
    draft.emit(
        AuctionOpened(ask.auction, ask.lot, list(ask.bidders), ask.minimum, ask.increment, ask.close_ms)
    )
    return draft.proceed()


def place_bid(running: Auction | None, seat: int, bid: PlaceBid, facts: Facts) -> Decision | Rejection:
    """Bid: the money is held, the bid before it gets its own back."""
    refusal = _may_act(running, seat, bid.lot, facts)
    if refusal is not None:
        return refusal
    assert running is not None
    if not 0 < bid.amount <= AMOUNT_MAX:
        return Rejection(INVALID_AMOUNT, f"a bid is from 1 to {AMOUNT_MAX}, not {bid.amount}")
    if bid.amount < running.least_bid:
        return Rejection(BID_TOO_LOW, f"the least bid now is {running.least_bid}")
    draft = Draft(running, facts)
    if bid.amount > draft.funds(seat):
        return Rejection(BID_EXCEEDS_FUNDS, f"seat {seat} has {draft.funds(seat)} to bid with")
    draft.release(running)
    held = hold_id(running, seat)
    draft.decision.holds.append(HoldPlaced(held, seat, bid.amount))
    draft.available[seat] -= bid.amount
    draft.emit(BidPlaced(running.auction, seat, bid.amount, held))
    return draft.proceed()


def pass_auction(
    running: Auction | None, seat: int, command: PassAuction, facts: Facts
) -> Decision | Rejection:
    """Take no further part."""
    refusal = _may_act(running, seat, command.lot, facts)
    if refusal is not None:
        return refusal
    assert running is not None
    draft = Draft(running, facts)
    draft.emit(BidderPassed(running.auction, seat, False))
    return draft.proceed()


def drop_bidder(running: Auction | None, ask: DropBidder, facts: Facts) -> Decision:
    """Take out a seat that left the game; nothing to do if it was not in this auction."""
    draft = Draft(running, facts)
    if running is not None and running.auction == ask.auction and ask.seat in running.bidders:
        if running.leader == ask.seat:
            draft.release(running)
        draft.emit(BidderDropped(ask.auction, ask.seat))
    return draft.proceed()


def close_auction(running: Auction | None, command: CloseAuction, facts: Facts) -> Decision | Rejection:
    """Let the hammer fall if that deadline is the one that counts, and due."""
    if running is None or deadline_id(running) != command.deadline_id or facts.paused:
        return Rejection(UNKNOWN_DEADLINE, f"deadline {command.deadline_id} is not pending")
    if facts.time_ms < facts.due_ms:
        return Rejection(NOT_YET, f"due in {facts.due_ms - facts.time_ms} ms")
    draft = Draft(running, facts)
    assert draft.running is not None
    draft.close(draft.running)
    return draft.proceed()


def cancel_auction(running: Auction | None, ask: CancelAuction, facts: Facts) -> Decision:
    """End the auction without a decision; the leading bid gets its money back."""
    draft = Draft(running, facts)
    if running is not None and running.auction == ask.auction:
        draft.release(running)
        draft.emit(AuctionCancelled(ask.auction))
    return draft.proceed()


def _may_act(running: Auction | None, seat: int, lot: int, facts: Facts) -> Rejection | None:
    """What bids and passes have in common. Lot 0 (no lot at all) means the one under the hammer."""
    if running is None or lot not in (0, running.lot):
        return Rejection(NO_AUCTION, "this lot is not under the hammer" if lot else "")
    if facts.paused:
        return Rejection(GAME_PAUSED)
    if facts.received_at_ms >= facts.due_ms:
        return Rejection(AUCTION_CLOSED, f"it came {facts.received_at_ms - facts.due_ms} ms after the close")
    if seat not in running.bidders:
        return Rejection(NOT_A_BIDDER)
    if seat not in running.active:
        return Rejection(ALREADY_PASSED)
    if seat == running.leader:
        return Rejection(ALREADY_LEADING)
    return None
