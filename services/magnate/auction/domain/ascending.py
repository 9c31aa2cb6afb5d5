"""Ascending auctions: anybody who is in may bid at any moment, or one after the other, always higher.

Closes a fixed time after the newest bid; at once when everybody but the leader has passed or is out, or when
nobody can bid. A seat whose limit is below the least next bid is passed automatically. The leader cannot take
a bid back. If the leader leaves the game, its bid is void and bidding starts again among those who are left:
passes are forgotten, because they were made against a bid that no longer stands.

What the rule set chooses stands in `AuctionOpened`:

* by turn (case C023): only the seat whose turn it is may bid or pass. Before the first bid, passing lets the
  opening go by, which is no pass; when all have done so the auction is over. The clock is the turn's: whoever
  lets it run out passes.
* late bids (case C027): with `extend_ms` only a bid in the last so many milliseconds moves the end, to so
  many from then; `extensions_max` bounds how often. Each move is an event, `AuctionExtended`.
* penny auctions (row 24, C37): every bid is paid at once and not given back, and the winner pays no more.
* limits (row 23, case C020): a bid may go beyond the money at hand where the rule set says so. What is there
  is held; the rules make a debt of the rest when the hammer falls.

Refusals are checked in the order of `place_bid` and `pass_auction` below; `docs/auction.md` has the list.
Sources: rules.md rows 19-24, 80; readings C1, C2, C23, C37.
"""

from magnate.auction.domain.decision import (
    BidPaid,
    CloseAuction,
    DeadlineCleared,
    DeadlineSet,
    Decision,
    Facts,
    HoldPlaced,
    HoldReleased,
)
from magnate.rules.bidding import (
    BID_MAX,
    LIMIT_CASH,
    LIMIT_NONE,
    Auction,
)
from magnate.rules.bidding_fold import fold, opened, passing
from magnate.rules.rejections import (
    ALREADY_LEADING,
    ALREADY_PASSED,
    AUCTION_CLOSED,
    BID_EXCEEDS_FUNDS,
    BID_TOO_LOW,
    DECLINER_MAY_NOT_BID,
    GAME_PAUSED,
    INVALID_AMOUNT,
    NO_AUCTION,
    NOT_A_BIDDER,
    NOT_YET,
    NOT_YOUR_TURN,
    UNKNOWN_DEADLINE,
    Rejection,
)
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionEvent,
    AuctionExtended,
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
    """The id of the deadline at which this auction closes; another one whenever the end is moved."""
    return f"a{auction.auction}-{auction.end}"


def hold_id(auction: Auction, seat: int) -> str:
    """The id of the hold behind the next bid of this seat."""
    return f"a{auction.auction}-{seat}-{auction.clock + 1}"


class Draft:
    """A decision in the making: events are folded as they come, so each step sees what the last one did."""

    __slots__ = ("_deadline_before", "available", "close_ms", "decision", "facts", "running")

    def __init__(self, running: Auction | None, facts: Facts) -> None:
        self.running = None if running is None else running.copy()
        self.facts = facts
        self.available: list[int] = list(facts.available)
        self.close_ms = 0 if running is None else running.close_ms
        self.decision = Decision()
        self._deadline_before = "" if running is None else deadline_id(running)

    def emit(self, event: AuctionEvent) -> None:
        """Add an event and fold it."""
        self.decision.events.append(event)
        self.running = fold(self.running, event)

    def release(self, auction: Auction) -> None:
        """Give back the money of the leading bid, if any of it is on hold."""
        if auction.hold_id:
            self.decision.holds.append(HoldReleased(auction.hold_id))
            self.available[auction.leader] += auction.held

    def funds(self, seat: int) -> int:
        """What a seat may spend at this point of the decision."""
        return self.available[seat] if seat < len(self.available) else 0

    def limit(self, auction: Auction, seat: int) -> int:
        """What a seat may bid at this point of the decision."""
        if auction.opened.bid_limit == LIMIT_CASH or seat >= len(self.available):
            return self.funds(seat)
        if auction.opened.bid_limit == LIMIT_NONE:
            return BID_MAX
        return self.facts.limits[seat] + self.available[seat] - self.facts.available[seat]

    def proceed(self) -> Decision:
        """Pass those who cannot bid any more, close if nobody is left to bid, and move the deadline."""
        auction = self.running
        if auction is not None:
            for seat in list(auction.active):
                if seat != auction.leader and self.limit(auction, seat) < auction.least_bid:
                    self.emit(BidderPassed(auction.auction, seat, True))
            if auction.over:
                self.close(auction)
        before = self._deadline_before
        after = "" if self.running is None else deadline_id(self.running)
        if before != after:
            if before:
                self.decision.deadlines.append(DeadlineCleared(before))
            if self.running is not None:
                self.decision.deadlines.append(DeadlineSet(after, self.facts.time_ms + self.close_ms))
        return self.decision

    def close(self, auction: Auction) -> None:
        """Let the hammer fall."""
        won = AuctionOutcome(auction.auction, auction.lot, auction.leader, auction.price, auction.hold_id)
        if auction.held != auction.price:
            won.held = auction.held
        won.paid = auction.paid
        won.barred = auction.opened.barred
        self.decision.outcomes.append(won)
        self.emit(AuctionClosed(auction.auction, auction.lot, auction.leader, auction.price))


def open_auction(running: Auction | None, ask: OpenAuction, facts: Facts) -> Decision:
    """Open an auction; it closes at once, unsold, when nobody can pay the minimum."""
    if running is not None:
        raise ValueError(f"auction {ask.auction} asked for while {running!r} is running")
    draft = Draft(None, facts)
    draft.close_ms = ask.close_ms
    draft.emit(opened(ask))
    return draft.proceed()


def place_bid(running: Auction | None, seat: int, bid: PlaceBid, facts: Facts) -> Decision | Rejection:
    """Bid: the money is held, the bid before it gets its own back."""
    refusal = _may_act(running, seat, bid.lot, facts)
    if refusal is not None:
        return refusal
    assert running is not None
    if not 0 < bid.amount <= BID_MAX:
        return Rejection(INVALID_AMOUNT, f"a bid is from 1 to {BID_MAX}, not {bid.amount}")
    if bid.amount < running.least_bid:
        return Rejection(BID_TOO_LOW, f"the least bid now is {running.least_bid}")
    if (bid.amount - running.least_bid) % running.step:
        return Rejection(
            INVALID_AMOUNT, f"from {running.least_bid} on a bid goes up by steps of {running.step}"
        )
    draft = Draft(running, facts)
    limit = draft.limit(running, seat)
    if bid.amount > limit:
        return Rejection(BID_EXCEEDS_FUNDS, f"seat {seat} has {limit} to bid with")
    draft.release(running)
    placed = BidPlaced(running.auction, seat, bid.amount, "")
    if running.paid:
        draft.decision.payments.append(BidPaid(seat, bid.amount))
        placed.held = 0
        draft.available[seat] -= bid.amount
    else:
        _hold(draft, running, placed)
    opening = running.opened
    late = not running.by_turn and (opening.extend_ms > 0 or opening.extensions_max > 0)
    placed.keeps_end = late
    draft.emit(placed)
    if late:
        _extend(draft)
    return draft.proceed()


def _hold(draft: Draft, running: Auction, placed: BidPlaced) -> None:
    """Reserve what there is of the bid; the rest, where bids may be as high, becomes a debt at the close."""
    seat = placed.seat
    held = min(placed.amount, draft.funds(seat))
    if held < placed.amount:
        placed.held = held
    if held > 0:
        placed.hold_id = hold_id(running, seat)
        draft.decision.holds.append(HoldPlaced(placed.hold_id, seat, held))
        draft.available[seat] -= held


def _extend(draft: Draft) -> None:
    """Move the end for a bid that came late, as often as that may be."""
    auction = draft.running
    assert auction is not None
    opening = auction.opened
    if 0 < opening.extensions_max <= auction.extensions:
        return
    if opening.extend_ms > 0 and draft.facts.due_ms - draft.facts.time_ms >= opening.extend_ms:
        return
    draft.close_ms = opening.extend_ms or opening.close_ms
    draft.emit(AuctionExtended(auction.auction, auction.extensions + 1, draft.close_ms))


def pass_auction(
    running: Auction | None, seat: int, command: PassAuction, facts: Facts
) -> Decision | Rejection:
    """Take no further part."""
    refusal = _may_act(running, seat, command.lot, facts)
    if refusal is not None:
        return refusal
    assert running is not None
    draft = Draft(running, facts)
    draft.emit(passing(running, seat, forced=False))
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
    """Let the hammer fall if that deadline is the one that counts, and due; by turn, pass the turn on."""
    if running is None or deadline_id(running) != command.deadline_id or facts.paused:
        return Rejection(UNKNOWN_DEADLINE, f"deadline {command.deadline_id} is not pending")
    if facts.time_ms < facts.due_ms:
        return Rejection(NOT_YET, f"due in {facts.due_ms - facts.time_ms} ms")
    draft = Draft(running, facts)
    assert draft.running is not None
    if running.by_turn:
        draft.emit(passing(running, running.turn, forced=True))
    else:
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
    """What bids and passes have in common. Lot 0 (no lot at all) means what is under the hammer."""
    if running is None or lot not in (0, running.lot):
        return Rejection(NO_AUCTION, "this lot is not under the hammer" if lot else "")
    if facts.paused:
        return Rejection(GAME_PAUSED)
    if facts.received_at_ms >= facts.due_ms:
        return Rejection(AUCTION_CLOSED, f"it came {facts.received_at_ms - facts.due_ms} ms after the close")
    if seat == running.barred:
        return Rejection(DECLINER_MAY_NOT_BID)
    if seat not in running.bidders:
        return Rejection(NOT_A_BIDDER)
    if seat not in running.active:
        return Rejection(ALREADY_PASSED)
    if seat == running.leader:
        return Rejection(ALREADY_LEADING)
    if running.by_turn and seat != running.turn:
        return Rejection(NOT_YOUR_TURN, f"it is the turn of seat {running.turn} to bid")
    return None
