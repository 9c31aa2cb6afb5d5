"""The open ascending auction: every rule, every refusal, and the order of the refusals."""

from __future__ import annotations

import pytest

from magnate.auction.domain.auctions import State, decide
from magnate.auction.domain.decision import (
    DeadlineCleared,
    DeadlineDue,
    DeadlineSet,
    Facts,
    HoldPlaced,
    HoldReleased,
)
from magnate.rules.bidding import BID_MAX
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
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
from tests.support.ascending_room import CLOSE, LOT, NOW, Room, decided, refused


def test_opening_sets_the_first_deadline() -> None:
    """Opening names the bidders and starts the time without a bid."""
    room = Room([100, 100, 100])
    opening = decided(room.opening)
    assert opening.events == [AuctionOpened(1, LOT, [0, 1, 2], 1, 1, CLOSE)]
    assert [repr(one) for one in opening.deadlines] == [repr(DeadlineSet("a1-1", NOW + CLOSE))]
    assert opening.outcomes == []


def test_who_cannot_pay_the_minimum_is_passed_at_the_opening() -> None:
    """A seat without the money for the least first bid is passed automatically."""
    room = Room([100, 4, 100], minimum=5)
    assert decided(room.opening).events[1:] == [BidderPassed(1, 1, True)]


def test_nobody_can_bid_closes_unsold_at_once() -> None:
    """An auction in which nobody can bid ends in the commit that opens it, without a deadline."""
    room = Room([0, 0])
    opening = decided(room.opening)
    assert opening.events[-1] == AuctionClosed(1, LOT, -1, 0)
    assert opening.outcomes == [AuctionOutcome(1, LOT, -1, 0, "")]
    assert opening.deadlines == []
    assert room.state.running == {}


def test_an_auction_without_bidders_closes_at_once() -> None:
    """No bidders at all is the same as nobody who can bid."""
    assert decided(Room([5, 5], bidders=[]).opening).outcomes == [AuctionOutcome(1, LOT, -1, 0, "")]


def test_an_auction_cannot_open_twice() -> None:
    """The rules never ask for it, so it is a fault and not a refusal."""
    room = Room([10, 10])
    with pytest.raises(ValueError, match="is running"):
        room.act(-1, OpenAuction(1, LOT, [0, 1], 1, 1, CLOSE))


def test_a_bid_holds_its_money_and_moves_the_deadline() -> None:
    """The first bid places a hold, and the time without a bid starts anew under another id."""
    room = Room([100, 100])
    room.now += 4_000
    bid = decided(room.bid(0, 30))
    assert bid.events == [BidPlaced(1, 0, 30, "a1-0-2")]
    assert [repr(one) for one in bid.holds] == [repr(HoldPlaced("a1-0-2", 0, 30))]
    assert [repr(one) for one in bid.deadlines] == [
        repr(DeadlineCleared("a1-1")),
        repr(DeadlineSet("a1-2", NOW + 4_000 + CLOSE)),
    ]
    assert room.available == [70, 100]


def test_an_outbid_gives_the_money_back_in_the_same_decision() -> None:
    """The release stands before the hold it makes room for."""
    room = Room([100, 100])
    room.bid(0, 30)
    better = decided(room.bid(1, 31))
    assert [type(one) for one in better.holds] == [HoldReleased, HoldPlaced]
    assert room.available == [100, 69]
    assert room.holds == {"a1-1-3": (1, 31)}


def test_hold_and_deadline_ids_are_never_reused() -> None:
    """Whatever happens in an auction, no id comes twice."""
    room = Room([1000, 1000, 1000])
    held: list[str] = []
    due: list[str] = []
    for step, seat in enumerate([0, 1, 0, 2, 1, 0]):
        answer = decided(room.bid(seat, 10 + step))
        held += [one.hold_id for one in answer.holds if isinstance(one, HoldPlaced)]
        due += [one.deadline_id for one in answer.deadlines if isinstance(one, DeadlineSet)]
    dropped = decided(room.act(-1, DropBidder(1, 0)))
    due += [one.deadline_id for one in dropped.deadlines if isinstance(one, DeadlineSet)]
    held += [one.hold_id for one in decided(room.bid(1, 5)).holds if isinstance(one, HoldPlaced)]
    assert len(set(held)) == len(held) == 7
    assert len(set(due)) == len(due) == 7


def test_who_can_no_longer_bid_is_passed_automatically() -> None:
    """A bid that another seat cannot better passes that seat in the same commit."""
    room = Room([100, 100, 40])
    bid = decided(room.bid(0, 40))
    assert bid.events[1:] == [BidderPassed(1, 2, True)]
    assert refused(room.bid(2, 41)) == "ALREADY_PASSED"


def test_the_one_outbid_is_judged_by_the_money_it_got_back() -> None:
    """The hold released by an outbid counts for the next bid: nobody is passed because of it."""
    room = Room([100, 100])
    room.bid(0, 60)
    assert [type(one) for one in decided(room.bid(1, 61)).events] == [BidPlaced]
    assert [type(one) for one in decided(room.bid(0, 100)).events] == [BidPlaced, BidderPassed, AuctionClosed]


def test_a_winner_who_bid_all_he_has_wins() -> None:
    """Solvency is never judged net of the winner's own hold (C029)."""
    room = Room([120, 50])
    bid = decided(room.bid(0, 120))
    assert bid.outcomes == [AuctionOutcome(1, LOT, 0, 120, "a1-0-2")]
    assert room.holds == {"a1-0-2": (0, 120)}


def test_passing_takes_a_seat_out() -> None:
    """A pass is final in this auction and does not move the deadline."""
    room = Room([100, 100, 100])
    passed = decided(room.skip(1))
    assert passed.events == [BidderPassed(1, 1, False)]
    assert passed.deadlines == []
    assert refused(room.bid(1, 10)) == "ALREADY_PASSED"
    assert refused(room.skip(1)) == "ALREADY_PASSED"


def test_the_hammer_falls_when_everybody_but_the_leader_has_passed() -> None:
    """The last rival's pass closes at once, and the deadline is cleared (C023)."""
    room = Room([100, 100, 100])
    room.bid(0, 20)
    room.skip(1)
    closing = decided(room.skip(2))
    assert closing.events == [BidderPassed(1, 2, False), AuctionClosed(1, LOT, 0, 20)]
    assert closing.outcomes == [AuctionOutcome(1, LOT, 0, 20, "a1-0-2")]
    assert [repr(one) for one in closing.deadlines] == [repr(DeadlineCleared("a1-2"))]
    assert closing.holds == []


def test_everybody_passes_without_a_bid() -> None:
    """The lot stays unsold when the last one passes and nobody has bid (C022)."""
    room = Room([100, 100])
    room.skip(0)
    assert decided(room.skip(1)).outcomes == [AuctionOutcome(1, LOT, -1, 0, "")]


def test_one_bidder_left_without_a_bid_may_still_bid() -> None:
    """The last bidder is not forced: the auction waits for a bid, a pass or the deadline."""
    room = Room([100, 100])
    assert decided(room.skip(0)).outcomes == []
    assert decided(room.bid(1, 1)).outcomes == [AuctionOutcome(1, LOT, 1, 1, "a1-1-2")]


def test_the_deadline_closes() -> None:
    """At its deadline an auction goes to the leader."""
    room = Room([100, 100])
    room.bid(1, 7)
    room.now += CLOSE
    closing = decided(room.act(-1, DeadlineDue("a1-2")))
    assert closing.events == [AuctionClosed(1, LOT, 1, 7)]
    assert closing.outcomes == [AuctionOutcome(1, LOT, 1, 7, "a1-1-2")]
    assert room.deadlines == {}


def test_the_deadline_closes_unsold_without_a_bid() -> None:
    """At its deadline an auction without a bid leaves the lot with the bank."""
    room = Room([100, 100])
    room.now += CLOSE
    assert decided(room.act(-1, DeadlineDue("a1-1"))).outcomes == [AuctionOutcome(1, LOT, -1, 0, "")]


def test_a_deadline_that_a_bid_moved_is_gone() -> None:
    """An old alarm has no effect."""
    room = Room([100, 100])
    room.bid(0, 7)
    room.now += CLOSE
    assert refused(room.act(-1, DeadlineDue("a1-1"))) == "UNKNOWN_DEADLINE"


def test_a_close_delivered_twice_has_one_effect() -> None:
    """The second delivery finds nothing pending."""
    room = Room([100, 100])
    room.now += CLOSE
    decided(room.act(-1, DeadlineDue("a1-1")))
    assert refused(room.act(-1, DeadlineDue("a1-1"))) == "UNKNOWN_DEADLINE"


def test_a_deadline_that_is_not_due_is_not_yet() -> None:
    """An early alarm has no effect."""
    room = Room([100, 100])
    room.now += CLOSE - 1
    assert refused(room.act(-1, DeadlineDue("a1-1"))) == "NOT_YET"


def test_a_bid_is_judged_by_the_time_it_was_received() -> None:
    """Received a millisecond before the close counts; at the close or later does not (C026)."""
    room = Room([100, 100, 100])
    room.now += CLOSE + 50
    assert refused(room.act(1, PlaceBid(LOT, 9), NOW + CLOSE + 1)) == "AUCTION_CLOSED"
    assert refused(room.act(1, PlaceBid(LOT, 9), NOW + CLOSE)) == "AUCTION_CLOSED"
    assert refused(room.act(1, PassAuction(LOT), NOW + CLOSE)) == "AUCTION_CLOSED"
    decided(room.act(1, PlaceBid(LOT, 9), NOW + CLOSE - 1))


def test_while_paused_nothing_happens() -> None:
    """Bids and passes are refused, and the deadline is not pending."""
    room = Room([100, 100])
    room.paused = True
    room.now += CLOSE * 2
    assert refused(room.bid(0, 5)) == "GAME_PAUSED"
    assert refused(room.skip(0)) == "GAME_PAUSED"
    assert refused(room.act(-1, DeadlineDue("a1-1"))) == "UNKNOWN_DEADLINE"


def test_a_rival_that_leaves_may_end_the_auction() -> None:
    """When the last rival leaves the game the leader wins at once."""
    room = Room([100, 100])
    room.bid(0, 20)
    dropped = decided(room.act(-1, DropBidder(1, 1)))
    assert dropped.events == [BidderDropped(1, 1), AuctionClosed(1, LOT, 0, 20)]
    assert dropped.outcomes == [AuctionOutcome(1, LOT, 0, 20, "a1-0-2")]


def test_a_leader_that_leaves_starts_the_bidding_again() -> None:
    """Its hold is released, passes are forgotten, the minimum is the first one, the time starts anew."""
    room = Room([100, 100, 100])
    room.skip(1)
    room.bid(0, 90)
    room.now += 500
    dropped = decided(room.act(-1, DropBidder(1, 0)))
    assert dropped.events == [BidderDropped(1, 0)]
    assert [repr(one) for one in dropped.holds] == [repr(HoldReleased("a1-0-2"))]
    assert room.deadlines == {"a1-3": NOW + 500 + CLOSE}
    assert refused(room.bid(0, 95)) == "NOT_A_BIDDER"
    decided(room.bid(1, 1))
    decided(room.bid(2, 2))


def test_a_leader_that_leaves_alone_ends_the_auction_unsold() -> None:
    """Nobody is left to bid."""
    room = Room([100, 0])
    answer = room.bid(0, 90)
    assert decided(answer).outcomes  # the other one could not bid: sold at once
    room = Room([100, 100], bidders=[0])
    dropped = decided(room.act(-1, DropBidder(1, 0)))
    assert dropped.outcomes == [AuctionOutcome(1, LOT, -1, 0, "")]


def test_a_seat_that_had_no_part_may_leave_without_effect() -> None:
    """Dropping somebody who is not a bidder, or from another auction, decides nothing."""
    room = Room([100, 100, 100], bidders=[0, 1])
    assert decided(room.act(-1, DropBidder(1, 2))).events == []
    assert decided(room.act(-1, DropBidder(9, 0))).events == []


def test_cancelling_gives_the_money_back() -> None:
    """A cancelled auction has no outcome, no hold and no deadline (C028)."""
    room = Room([100, 100])
    room.bid(0, 40)
    cancelled = decided(room.act(-1, CancelAuction(1)))
    assert cancelled.events == [AuctionCancelled(1)]
    assert cancelled.outcomes == []
    assert room.holds == {}
    assert room.deadlines == {}
    assert room.available == [100, 100]


def test_a_decision_leaves_the_state_as_it_is() -> None:
    """Deciding is pure: neither the state nor what it was told changes."""
    room = Room([100, 100])
    room.bid(0, 10)
    before, facts = room.state.copy(), room.facts()
    decided(decide(room.state, 1, PlaceBid(LOT, 50), facts))
    assert room.state.running == before.running
    assert facts.available == [90, 100]


REFUSALS = [
    ("NO_AUCTION", 0, PlaceBid(LOT + 1, 5)),
    ("GAME_PAUSED", 0, PlaceBid(LOT, 5)),
    ("AUCTION_CLOSED", 0, PlaceBid(LOT, 5)),
    ("NOT_A_BIDDER", 4, PlaceBid(LOT, 0)),
    ("NOT_A_BIDDER", -1, PlaceBid(LOT, 0)),
    ("ALREADY_PASSED", 2, PlaceBid(LOT, 0)),
    ("ALREADY_LEADING", 1, PlaceBid(LOT, 0)),
    ("INVALID_AMOUNT", 0, PlaceBid(LOT, 0)),
    ("INVALID_AMOUNT", 0, PlaceBid(LOT, -5)),
    ("INVALID_AMOUNT", 0, PlaceBid(LOT, BID_MAX + 1)),
    ("BID_TOO_LOW", 0, PlaceBid(LOT, 50)),
    ("BID_EXCEEDS_FUNDS", 0, PlaceBid(LOT, 101)),
]


@pytest.mark.parametrize(("name", "seat", "command"), REFUSALS)
def test_every_refusal_in_its_order(name: str, seat: int, command: PlaceBid) -> None:
    """Each row breaks its own rule and, where it can, all later ones: the first broken one is named."""
    room = Room([100, 100, 100, 100, 100], bidders=[0, 1, 2, 3])
    room.skip(2)
    room.bid(1, 50)
    room.paused = name in {"NO_AUCTION", "GAME_PAUSED"}
    late = name in {"NO_AUCTION", "GAME_PAUSED", "AUCTION_CLOSED"}
    before = room.state.copy()
    assert refused(room.act(seat, command, NOW + CLOSE if late else None)) == name
    assert room.state.running == before.running


def test_no_auction_at_all() -> None:
    """Bids and passes are refused when nothing is under the hammer."""
    facts = Facts(NOW, NOW, [100])
    assert refused(decide(State(), 0, PlaceBid(0, 5), facts)) == "NO_AUCTION"
    assert refused(decide(State(), 0, PassAuction(0), facts)) == "NO_AUCTION"
    assert refused(decide(State(), -1, DeadlineDue("a1-1"), facts)) == "UNKNOWN_DEADLINE"


@pytest.mark.parametrize("end", [DeadlineDue("a1-1"), CancelAuction(1)])
def test_too_late_for_a_lot_is_closed(end: object) -> None:
    """Who names the lot is told that it is over, like who names the auction, until it is sold again."""
    room = Room([100, 100])
    room.now += CLOSE
    decided(room.act(-1, end))
    for late in (PlaceBid(LOT, 5), PassAuction(LOT), PlaceBid(0, 5, 1), PlaceBid(LOT, 5, 1)):
        assert refused(room.act(0, late)) == "AUCTION_CLOSED"
    assert refused(room.act(0, PlaceBid(LOT + 1, 5))) == "NO_AUCTION"
    assert refused(room.act(0, PlaceBid(0, 5))) == "NO_AUCTION"
    assert room.state.copy().ended == {LOT: 1}
    decided(room.act(-1, OpenAuction(2, LOT, [0, 1], 1, 1, CLOSE)))
    assert room.state.copy().ended == {LOT: 1}
    assert refused(room.act(0, PlaceBid(LOT, 5, 1))) == "AUCTION_CLOSED"


def test_a_leader_cannot_pass() -> None:
    """A bid cannot be taken back."""
    room = Room([100, 100])
    room.bid(0, 10)
    assert refused(room.skip(0)) == "ALREADY_LEADING"


def test_a_bid_without_a_lot_is_for_the_one_under_the_hammer() -> None:
    """Lot 0 is no lot: it means whichever is being sold."""
    room = Room([100, 100])
    decided(room.act(0, PlaceBid(0, 10)))


def test_what_is_no_command_is_a_fault() -> None:
    """Only commands of auctions are decided."""
    with pytest.raises(TypeError, match="not a command"):
        decide(State(), 0, object(), Facts(NOW, NOW, []))
