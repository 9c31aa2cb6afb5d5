"""The draft of a decision about one auction, and what all kinds of auction have in common.

Events are folded as they come, so each step sees what the last one did. Ids: the deadline of an auction is
`a<auction>-<end>`, its calls `a<auction>-<end>-<call>`, the holds of its bids `a<auction>-<seat>-<clock>`;
as the clock only grows, no id comes twice.
"""

from typing import Final

from magnate.auction.domain.decision import (
    KIND_CALL,
    NO_END,
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
    LIMIT_LIQUIDATION,
    LIMIT_NONE,
    NOBODY,
    Auction,
    promised_elsewhere,
)
from magnate.rules.bidding_fold import fold
from magnate.rules.rejections import (
    ALREADY_LEADING,
    ALREADY_PASSED,
    AUCTION_CLOSED,
    DECLINER_MAY_NOT_BID,
    GAME_PAUSED,
    NOT_A_BIDDER,
    NOT_YOUR_TURN,
    Rejection,
)
from magnate.rules.vocabulary import (
    AuctionCalled,
    AuctionClosed,
    AuctionEvent,
    AuctionOutcome,
)

CALLS: Final = 2
"""Going once, going twice."""


def deadline_id(auction: Auction) -> str:
    """The id of the deadline at which this auction closes; another one whenever the end is moved."""
    return f"a{auction.auction}-{auction.end}"


def auction_of(id_of_deadline: str) -> int:
    """The number of the auction that a deadline belongs to; 0 if it is of none."""
    number = id_of_deadline.partition("-")[0][1:]
    return int(number) if id_of_deadline.startswith("a") and number.isdecimal() else 0


def hold_id(auction: Auction, seat: int) -> str:
    """The id of the hold behind the next bid of this seat."""
    return f"a{auction.auction}-{seat}-{auction.clock + 1}"


class Draft:
    """A decision in the making. `auction` is None before the auction is opened, and when it has ended.

    Attributes:
        running: all auctions of the game as they were before, by number.
        auction: the one that is decided on.
        facts: what is known beside.
        available: by seat, what it may spend at this point of the decision.
        close_ms: how long from now the auction lasts if its end is moved.
        end: when it ends, before the decision.
        decision: what has been decided so far.
    """

    def __init__(self, running: dict[int, Auction], auction: Auction | None, facts: Facts) -> None:
        self.running = running
        self.auction: Auction | None = None if auction is None else auction.copy()
        self.facts = facts
        self.end = NO_END if auction is None else facts.ends.get(auction.auction, NO_END)
        self.available: list[int] = list(facts.available)
        self.close_ms = 0 if auction is None else auction.close_ms
        self.decision = Decision()
        self._call_id = self.end.call_id
        self._deadline_before = "" if auction is None else deadline_id(auction)

    def emit(self, event: AuctionEvent) -> None:
        """Say that something happened, and fold it."""
        self.decision.events.append(event)
        self.auction = fold(self.auction, event)

    def emit_secret(self, event: AuctionEvent) -> None:
        """The same for what only the bidder may know."""
        self.decision.secret_events.append(event)
        self.auction = fold(self.auction, event)

    def funds(self, seat: int) -> int:
        """What a seat may spend at this point of the decision."""
        return self.available[seat] if seat < len(self.available) else 0

    def limit(self, auction: Auction, seat: int) -> int:
        """What a seat may bid at this point of the decision."""
        if auction.opened.bid_limit == LIMIT_CASH or seat >= len(self.available):
            return self.funds(seat)
        if auction.opened.bid_limit == LIMIT_NONE:
            return BID_MAX
        return max(0, self._raisable(seat) - promised_elsewhere(self.running, auction, seat))

    def reach(self, auction: Auction, seat: int) -> int:
        """What a seat might yet bid: with what it has bid in other auctions, where it may be outbid.

        What is on hold for a sealed bid nobody may know, so nobody is passed for want of that money.
        """
        could_raise = auction.opened.bid_limit == LIMIT_LIQUIDATION and seat < len(self.available)
        reach = self._raisable(seat) if could_raise else self.limit(auction, seat)
        for other in self.running.values():
            if other.auction == auction.auction:
                continue
            if other.leader == seat:
                reach += other.held
            sealed = other.sealed.get(seat)
            if sealed is not None:
                reach += sealed.amount if sealed.held is None else sealed.held
        return reach

    def _raisable(self, seat: int) -> int:
        return self.facts.limits[seat] + self.available[seat] - self.facts.available[seat]

    def hold(self, auction: Auction, seat: int, amount: int, *, concealed: bool = False) -> tuple[str, int]:
        """Reserve what there is of a bid: the id of the hold, empty if there is none, and its amount."""
        held = min(amount, self.funds(seat))
        if held <= 0:
            return "", 0
        name = hold_id(auction, seat)
        self.decision.holds.append(HoldPlaced(name, seat, held, concealed=concealed))
        self.available[seat] -= held
        return name, held

    def release(self, auction: Auction, seat: int) -> None:
        """Give back what is on hold for a seat's bid, if anything is."""
        if seat == auction.leader and auction.hold_id:
            self.decision.holds.append(HoldReleased(auction.hold_id))
            self.available[seat] += auction.held

    def close(self, auction: Auction) -> None:
        """Let the hammer fall: whoever leads has it at the price."""
        won = AuctionOutcome(auction.auction, auction.lot, auction.leader, auction.price, auction.hold_id)
        if auction.held != auction.price:
            won.held = auction.held
        won.paid = auction.paid
        won.barred = auction.opened.barred
        self.settle(won)

    def settle(self, won: AuctionOutcome) -> None:
        """The auction has ended like this."""
        self.decision.outcomes.append(won)
        self.emit(AuctionClosed(won.auction, won.lot, won.winner, won.price))

    def call(self, count: int) -> None:
        """Say "going once", "going twice"."""
        auction = self.auction
        assert auction is not None
        self._clear_call()
        self.emit(AuctionCalled(auction.auction, count))
        self._set_call(auction, self.end.due_ms, count + 1)

    def finish(self) -> Decision:
        """Set and clear the deadlines as the auction now asks."""
        auction = self.auction
        before = self._deadline_before
        after = "" if auction is None else deadline_id(auction)
        if before != after:
            self._clear_call()
            if before:
                self.decision.deadlines.append(DeadlineCleared(before))
            if auction is not None:
                due_ms = self.facts.time_ms + self.close_ms
                self.decision.deadlines.append(DeadlineSet(after, due_ms))
                self._set_call(auction, due_ms, 1)
        return self.decision

    def _set_call(self, auction: Auction, due_ms: int, count: int) -> None:
        """Set the deadline of this call, or of the next one that is not past."""
        every_ms = auction.opened.calls_ms
        while every_ms and count <= CALLS:
            at_ms = due_ms - (CALLS + 1 - count) * every_ms
            if at_ms > self.facts.time_ms:
                self._call_id = f"{deadline_id(auction)}-{count}"
                self.decision.deadlines.append(DeadlineSet(self._call_id, at_ms, KIND_CALL))
                return
            count += 1

    def _clear_call(self) -> None:
        if self._call_id:
            self.decision.deadlines.append(DeadlineCleared(self._call_id))
            self._call_id = ""


def refuse_acting(draft: Draft, seat: int, *, leader_may: bool) -> Rejection | None:
    """Why a seat cannot bid or pass, in the order in which it is checked; alike in all kinds of auction."""
    auction = draft.auction
    assert auction is not None
    facts = draft.facts
    if draft.end.paused:
        return Rejection(GAME_PAUSED)
    if facts.received_at_ms >= draft.end.due_ms:
        late_ms = facts.received_at_ms - draft.end.due_ms
        return Rejection(AUCTION_CLOSED, f"it came {late_ms} ms after the close")
    if seat == auction.barred and seat != NOBODY:
        return Rejection(DECLINER_MAY_NOT_BID)
    if seat not in auction.bidders:
        return Rejection(NOT_A_BIDDER)
    if seat not in auction.active:
        return Rejection(ALREADY_PASSED)
    if seat == auction.leader and not leader_may:
        return Rejection(ALREADY_LEADING)
    if auction.by_turn and seat != auction.turn:
        return Rejection(NOT_YOUR_TURN, f"it is the turn of seat {auction.turn} to bid")
    return None
