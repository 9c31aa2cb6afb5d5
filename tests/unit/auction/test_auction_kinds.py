"""What a rule set may choose about auctions: turns, limits, late bids, steps, penny bids, buildings."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from magnate.auction.domain.auctions import State, decide, evolve
from magnate.auction.domain.decision import (
    BidPaid,
    DeadlineDue,
    DeadlineSet,
    Decision,
    End,
    Facts,
    HoldPlaced,
)
from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.state import GameState
from magnate.game.snapshot import _auction, _read_auction
from magnate.rules.bidding import (
    BID_MAX,
    LIMIT_CASH,
    LIMIT_LIQUIDATION,
    LIMIT_NONE,
    MODE_OPEN,
    MODE_PENNY,
    MODE_SEALED,
    NOBODY,
    Auction,
)
from magnate.rules.bidding_fold import fold, opened, passing
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    BUILDING_HOUSE,
    AuctionClosed,
    AuctionExtended,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    DropBidder,
    OpenAuction,
    OpeningDeclined,
    PassAuction,
    PlaceBid,
)

if TYPE_CHECKING:
    from magnate.rules.vocabulary import AuctionEvent

LOT = 24
CLOSE = 10_000


class Room:
    """An auction with everybody's money; `ask` says on what terms it is opened."""

    def __init__(self, available: list[int], ask: OpenAuction, limits: list[int] | None = None) -> None:
        self.state = State()
        self.available = available
        self.limits = limits
        self.held: dict[str, tuple[int, int]] = {}
        self.due_ms = 0
        self.deadline_id = ""
        self.now = 1_000_000
        self.bank = 0
        self.opening = self.act(-1, ask)

    def act(self, seat: int, command: object) -> Decision | Rejection:
        """Decide, fold, and move the money."""
        limits = None
        if self.limits is not None:
            limits = [one + spare for one, spare in zip(self.available, self.limits, strict=True)]
        ends = {1: End(self.due_ms)}
        facts = Facts(self.now, self.now, list(self.available), ends, limits)
        answer = decide(self.state, seat, command, facts)
        if isinstance(answer, Decision):
            for event in answer.events:
                evolve(self.state, event)
            for hold in answer.holds:
                if isinstance(hold, HoldPlaced):
                    self.held[hold.hold_id] = (hold.seat, hold.amount)
                    self.available[hold.seat] -= hold.amount
                else:
                    who, amount = self.held.pop(hold.hold_id)
                    self.available[who] += amount
            for paid in answer.payments:
                self.available[paid.seat] -= paid.amount
                self.bank += paid.amount
            for change in answer.deadlines:
                if isinstance(change, DeadlineSet):
                    self.deadline_id, self.due_ms = change.deadline_id, change.due_ms
            assert min(self.available) >= 0
        return answer

    def bid(self, seat: int, amount: int) -> Decision | Rejection:
        """Bid."""
        return self.act(seat, PlaceBid(0, amount))

    def skip(self, seat: int) -> Decision | Rejection:
        """Pass."""
        return self.act(seat, PassAuction(0))

    def time_out(self) -> Decision | Rejection:
        """Let the deadline come."""
        self.now = self.due_ms
        return self.act(-1, DeadlineDue(self.deadline_id))

    @property
    def running(self) -> Auction:
        """The auction, which must be running."""
        (running,) = self.state.running.values()
        return running


def asked(seats: int = 3, **terms: int) -> OpenAuction:
    """Return terms: bids from 1 on by 1, ten seconds, and what else is said."""
    ask = OpenAuction(1, LOT, list(range(seats)), 1, 1, CLOSE)
    for name, value in terms.items():
        setattr(ask, name, bool(value) if name in {"by_turn", "fixed_step"} else value)
    return ask


def events(answer: Decision | Rejection) -> list[AuctionEvent]:
    """Return what was decided."""
    assert isinstance(answer, Decision), answer
    return answer.events


def refused(answer: Decision | Rejection) -> str:
    """Return the name of the refusal."""
    assert isinstance(answer, Rejection), answer
    return answer.name


def test_by_turn_only_the_seat_whose_turn_it_is_acts() -> None:
    """The turn goes round in the order of the bidders; a bid or a pass hands it on (case C023)."""
    room = Room([100] * 3, asked(by_turn=1))
    assert refused(room.bid(1, 5)) == "NOT_YOUR_TURN"
    assert refused(room.skip(2)) == "NOT_YOUR_TURN"
    assert events(room.bid(0, 5)) == [BidPlaced(1, 0, 5, "a1-0-2")]
    assert refused(room.bid(0, 9)) == "ALREADY_LEADING"
    assert events(room.skip(1)) == [BidderPassed(1, 1, forced=False)]
    assert events(room.bid(2, 6)) == [BidPlaced(1, 2, 6, "a1-2-4")]
    assert events(room.skip(0)) == [BidderPassed(1, 0, forced=False), AuctionClosed(1, LOT, 2, 6)]


def test_by_turn_letting_the_opening_go_by_is_no_pass() -> None:
    """Who declines to open may bid later; when all have, the auction is over (case C023)."""
    room = Room([100] * 2, asked(2, by_turn=1))
    assert events(room.skip(0)) == [OpeningDeclined(1, 0)]
    assert events(room.bid(1, 5)) == [BidPlaced(1, 1, 5, "a1-1-3")]
    assert room.running.declined == []
    assert events(room.bid(0, 6)) == [BidPlaced(1, 0, 6, "a1-0-4")]
    other = Room([100] * 2, asked(2, by_turn=1))
    assert events(other.skip(0)) == [OpeningDeclined(1, 0)]
    assert events(other.skip(1)) == [OpeningDeclined(1, 1), AuctionClosed(1, LOT, NOBODY, 0)]


def test_by_turn_time_passes_the_turn_on() -> None:
    """Every turn has its own time; a timed-out leader's rival is passed, and the last one wins."""
    room = Room([100] * 3, asked(by_turn=1))
    assert events(room.time_out()) == [OpeningDeclined(1, 0)]
    assert room.due_ms == room.now + CLOSE
    events(room.bid(1, 5))
    assert events(room.time_out()) == [BidderPassed(1, 2, forced=True)]
    assert events(room.time_out()) == [BidderPassed(1, 0, forced=True), AuctionClosed(1, LOT, 1, 5)]


def test_by_turn_a_seat_without_money_is_passed_and_the_turn_goes_on() -> None:
    """A forced pass of the seat whose turn it is hands the turn on as well."""
    room = Room([100, 4, 100], asked(by_turn=1))
    assert events(room.bid(0, 5)) == [BidPlaced(1, 0, 5, "a1-0-2"), BidderPassed(1, 1, forced=True)]
    assert room.running.turn == 2


def test_by_turn_leaving_hands_the_turn_on() -> None:
    """A seat that leaves has no turn; when the leader leaves, the next one opens anew."""
    room = Room([100] * 4, asked(4, by_turn=1))
    events(room.bid(0, 5))
    assert events(room.act(-1, DropBidder(1, 1))) == [BidderDropped(1, 1)]
    assert room.running.turn == 2
    events(room.skip(2))
    assert events(room.act(-1, DropBidder(1, 0))) == [BidderDropped(1, 0)]
    assert (room.running.turn, room.running.active, room.running.leader) == (2, [2, 3], NOBODY)
    assert room.available == [100] * 4


def test_who_declined_is_barred_by_name() -> None:
    """DECLINER_MAY_NOT_BID for who declined, NOT_A_BIDDER for who takes no part for other reasons."""
    ask = asked(2)
    ask.barred = 2
    room = Room([100] * 4, ask)
    assert refused(room.bid(2, 5)) == refused(room.skip(2)) == "DECLINER_MAY_NOT_BID"
    assert refused(room.bid(3, 5)) == "NOT_A_BIDDER"
    events(room.skip(0))
    closed = room.skip(1)
    assert isinstance(closed, Decision)
    assert closed.outcomes[0].barred == 2


def test_bids_go_up_by_fixed_steps() -> None:
    """Nothing between the presses of the unit (row 21): the first bid is a step, each next one or more."""
    room = Room([500] * 2, asked(2, minimum=20, increment=20, fixed_step=1))
    assert refused(room.bid(0, 19)) == "BID_TOO_LOW"
    assert refused(room.bid(0, 30)) == "INVALID_AMOUNT"
    events(room.bid(0, 60))
    assert refused(room.bid(1, 60)) == "BID_TOO_LOW"
    assert refused(room.bid(1, 90)) == "INVALID_AMOUNT"
    events(room.bid(1, 80))


def test_only_a_late_bid_moves_the_end_and_only_so_often() -> None:
    """Inside the window the time left is the window; outside it stays; the cap ends it (case C027)."""
    room = Room([100] * 2, asked(2, close_ms=60_000, extend_ms=15_000, extensions_max=2))
    end = room.due_ms
    room.now += 40_000
    bid = room.bid(0, 5)
    assert events(bid) == [BidPlaced(1, 0, 5, "a1-0-2", keeps_end=True)]
    assert isinstance(bid, Decision)
    assert bid.deadlines == []
    room.now = end - 3_000
    placed = BidPlaced(1, 1, 6, "a1-1-3", keeps_end=True)
    assert events(room.bid(1, 6)) == [placed, AuctionExtended(1, 1, 15_000)]
    assert room.due_ms == room.now + 15_000
    room.now += 14_999
    assert events(room.bid(0, 7))[1:] == [AuctionExtended(1, 2, 15_000)]
    end = room.due_ms
    room.now = end - 1
    assert len(events(room.bid(1, 8))) == 1
    assert room.due_ms == end
    assert events(room.time_out()) == [AuctionClosed(1, LOT, 1, 8)]


def test_a_cap_alone_bounds_how_often_bids_move_the_end() -> None:
    """Without a window every bid moves the end to the whole time, but no more often than said."""
    room = Room([100] * 2, asked(2, extensions_max=1))
    room.now += 1_000
    assert events(room.bid(0, 5))[1:] == [AuctionExtended(1, 1, CLOSE)]
    end = room.due_ms
    room.now += 1_000
    assert len(events(room.bid(1, 6))) == 1
    assert room.due_ms == end
    events(room.act(-1, DropBidder(1, 1)))  # the leader left: the others have their whole time
    assert room.due_ms == 0 or room.due_ms == room.now + CLOSE


def test_a_penny_bid_is_paid_and_never_given_back() -> None:
    """Every bid goes to the bank, also the ones that lose; the outcome says that nothing is due (C37)."""
    room = Room([100, 100, 100], asked(mode=MODE_PENNY))
    first = room.bid(0, 30)
    assert isinstance(first, Decision)
    assert [repr(one) for one in first.payments] == [repr(BidPaid(1, 0, 30))]
    assert first.holds == []
    events(room.bid(1, 40))
    assert refused(room.bid(0, 71)) == "BID_EXCEEDS_FUNDS"
    events(room.act(-1, DropBidder(1, 1)))
    assert room.running.least_bid == 1
    events(room.bid(0, 70))
    closed = room.skip(2)
    assert isinstance(closed, Decision)
    won = closed.outcomes[0]
    assert (won.winner, won.price, won.hold_id, won.held, won.paid) == (0, 70, "", 0, True)
    assert (room.bank, room.available) == (140, [0, 60, 100])


@pytest.mark.parametrize(
    ("limit", "most"), [(LIMIT_CASH, 100), (LIMIT_LIQUIDATION, 350), (LIMIT_NONE, BID_MAX)]
)
def test_how_high_a_bid_may_be(limit: int, most: int) -> None:
    """Money, what could be raised, or anything; what is there is held, and the outcome says how much."""
    room = Room([100, 0], asked(2, bid_limit=limit), limits=[250, BID_MAX])
    if most < BID_MAX:
        assert refused(room.bid(0, most + 1)) == "BID_EXCEEDS_FUNDS"
    if limit == LIMIT_CASH:
        return  # the other one was passed at once
    events(room.bid(0, 300))
    assert room.available == [0, 0]
    assert events(room.bid(1, 301)) == [BidPlaced(1, 1, 301, "", held=0)]
    assert room.available == [100, 0]
    closed = room.skip(0)
    assert isinstance(closed, Decision)
    assert (closed.outcomes[0].hold_id, closed.outcomes[0].held) == ("", 0)


def test_a_leader_may_raise_what_it_has_on_hold_again() -> None:
    """After it was outbid, what it could raise is as much as before."""
    room = Room([100, 500], asked(2, bid_limit=LIMIT_LIQUIDATION), limits=[50, 0])
    events(room.bid(0, 140))
    events(room.bid(1, 141))
    assert refused(room.bid(0, 151)) == "BID_EXCEEDS_FUNDS"
    assert events(room.bid(0, 150)) == [BidPlaced(1, 0, 150, "a1-0-4", held=100)]


def test_a_building_has_no_lot() -> None:
    """Bids on a building name no lot, or -1."""
    room = Room([500] * 2, asked(2, lot=-1, building=BUILDING_HOUSE))
    assert refused(room.act(0, PlaceBid(LOT, 5))) == "NO_AUCTION"
    events(room.act(0, PlaceBid(-1, 5)))
    events(room.act(1, PlaceBid(0, 6)))
    closed = room.act(0, PassAuction(-1))
    assert isinstance(closed, Decision)
    assert closed.outcomes[0].lot == -1


@pytest.mark.parametrize("seed", range(12))
def test_any_auction_is_the_same_copied_stored_and_read_back(seed: int) -> None:
    """Snapshots of both services bring back every field, at any point of any kind of auction."""
    rng = Random(seed)
    for auction in any_auction(rng):
        assert auction.copy() == auction
        assert _read_auction(_auction(auction)) == auction
        state = GameState()
        state.auctions.running = {auction.auction: auction}
        assert AuctionSnapshots().decode(AuctionSnapshots().encode(state)).auctions.running == {
            auction.auction: auction
        }


def any_auction(rng: Random) -> list[Auction]:
    """Return an auction of some kind after each of some events."""
    ask = asked(4, by_turn=rng.randrange(2), mode=rng.randrange(2), building=rng.randrange(3))
    ask.barred = rng.choice((None, 5))
    found = [Auction(opened(ask))]
    for _ in range(12):
        auction = found[-1].copy()
        may = [seat for seat in auction.active if auction.may_act(seat)]
        seat = rng.choice(may)
        choice = rng.random()
        if choice < 0.5:
            placed = BidPlaced(1, seat, auction.least_bid, f"a1-{seat}", rng.choice((None, 0)), choice < 0.2)
            fold(auction, placed)
            if placed.keeps_end:
                fold(auction, AuctionExtended(1, auction.extensions + 1, 5))
        elif choice < 0.8:
            fold(auction, passing(auction, seat, forced=False))
        else:
            fold(auction, BidderDropped(1, seat))
        if auction.over:
            break
        found.append(auction)
    return found


@pytest.mark.parametrize("mode", [MODE_OPEN, MODE_SEALED])
def test_nobody_bids_what_it_could_raise_twice(mode: int) -> None:
    """What a bid elsewhere goes beyond the money on hold is to be raised as well (case C020)."""
    state, available, holds = State(), [100, 0, 0], dict[str, int]()

    def act(seat: int, command: object) -> Decision | Rejection:
        limits = [available[0] + 300, 500, 500]
        ends = dict.fromkeys((1, 2), End(2_000_000))
        answer = decide(state, seat, command, Facts(1_000_000, 1_000_000, list(available), ends, limits))
        if isinstance(answer, Decision):
            for event in (*answer.secret_events, *answer.events):
                evolve(state, event)
            for hold in answer.holds:
                if isinstance(hold, HoldPlaced):
                    holds[hold.hold_id] = hold.amount
                    available[hold.seat] -= hold.amount
                else:
                    available[0] += holds.pop(hold.hold_id)
        return answer

    for number in (1, 2):
        ask = OpenAuction(number, LOT + number, [0, 1, 2], 1, 1, CLOSE)
        ask.mode, ask.bid_limit = mode, LIMIT_LIQUIDATION
        events(act(-1, ask))
    events(act(0, PlaceBid(0, 350, 1)))
    assert refused(act(0, PlaceBid(0, 51, 2))) == "BID_EXCEEDS_FUNDS"
    if mode == MODE_OPEN:  # outbid, it may bid all of it in the other one
        events(act(1, PlaceBid(0, 351, 1)))
        assert refused(act(0, PlaceBid(0, 401, 2))) == "BID_EXCEEDS_FUNDS"
        events(act(0, PlaceBid(0, 400, 2)))
    else:
        events(act(0, PlaceBid(0, 50, 2)))
