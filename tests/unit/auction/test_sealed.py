"""Sealed auctions at the first and at the second price: who wins, what he pays, and what everybody sees."""

from __future__ import annotations

import pytest

from magnate.auction.domain.decision import HoldReleased, HoldRevealed
from magnate.rules.bidding import (
    BID_MAX,
    LIMIT_NONE,
    MODE_SEALED,
    MODE_VICKREY,
    NOBODY,
    TIES_EARLIEST,
    TIES_TURN_ORDER,
)
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionOpened,
    BidderPassed,
    BidSealed,
    BidsRevealed,
    OpenAuction,
    SealedBid,
)
from tests.support.sealed_room import CLOSE, LOT, NOW, Room, decided, refused

KINDS = pytest.mark.parametrize("mode", [MODE_SEALED, MODE_VICKREY])


def ask(
    mode: int, seats: int = 3, *, number: int = 1, minimum: int = 10, ties: int = TIES_EARLIEST
) -> OpenAuction:
    """Return what the rules ask for."""
    return OpenAuction(number, LOT + number - 1, list(range(seats)), minimum, 1, CLOSE, mode=mode, ties=ties)


def room(mode: int, posted: list[int], **terms: int) -> Room:
    """Return a room with an auction."""
    made = Room(posted)
    made.open(ask(mode, len(posted), **terms))
    return made


@KINDS
def test_a_bid_is_told_without_its_amount(mode: int) -> None:
    """Everybody sees who has bid; the amount and the hold are secret events."""
    hall = room(mode, [500, 500, 500])
    bid = decided(hall.bid(1, 120))
    assert bid.events == [BidSealed(1, 1)]
    assert bid.secret_events == [SealedBid(1, 1, 120, "a1-1-2")]
    assert hall.holds == {"a1-1-2": (1, 120, True)}
    assert bid.deadlines == [], "a sealed bid moves no clock"
    seen = hall.state.running[1].seen(NOBODY)
    assert (seen.sealed_seats, seen.sealed) == ([1], {})
    assert list(hall.state.running[1].seen(1).sealed) == [1]
    assert hall.state.running[1].seen(0).sealed == {}


@KINDS
@pytest.mark.parametrize(("second", "price"), [(90, 90), (120, 120), (None, 10)])
def test_the_highest_wins_and_all_is_settled_at_once(mode: int, second: int | None, price: int) -> None:
    """When the last has bid or passed: bids revealed, the loser's hold given back, the winner's captured."""
    hall = room(mode, [500, 500, 500])
    decided(hall.bid(1, 120))
    decided(hall.bid(0, second) if second else hall.skip(0))
    end = decided(hall.skip(2))
    (won,) = hall.outcomes
    assert (won.winner, won.price) == (1, 120 if mode == MODE_SEALED else price)
    ranked = [1, 0] if second else [1]
    (revealed,) = [one for one in end.events if isinstance(one, BidsRevealed)]
    assert [bid.seat for bid in revealed.bids] == ranked
    assert end.events[-1] == AuctionClosed(1, LOT, 1, won.price)
    assert [type(one) for one in end.holds] == [HoldRevealed] * len(ranked) + [HoldReleased] * (
        len(ranked) - 1
    )
    assert hall.holds == {}
    assert hall.posted == [500, 500 - won.price, 500]
    assert hall.deadlines == {}


def test_vickrey_captures_a_hold_in_part() -> None:
    """What the winner held beyond the price is given back."""
    hall = room(MODE_VICKREY, [500, 500])
    decided(hall.bid(0, 400))
    decided(hall.bid(1, 150))
    (won,) = hall.outcomes
    assert (won.winner, won.price, won.held, won.released) == (0, 150, None, 250)


@KINDS
def test_the_deadline_opens_what_is_there(mode: int) -> None:
    """Who has neither bid nor passed at the end has not bid."""
    hall = room(mode, [500, 500, 500])
    decided(hall.bid(2, 77))
    hall.time_up()
    (won,) = hall.outcomes
    assert (won.winner, won.price) == (2, 77 if mode == MODE_SEALED else 10)
    assert hall.now == NOW + CLOSE


@KINDS
def test_without_a_bid_it_is_unsold(mode: int) -> None:
    """All pass, or nobody does anything: no winner, and nothing to reveal."""
    hall = room(mode, [500, 500])
    decided(hall.skip(0))
    end = decided(hall.skip(1))
    assert end.events == [BidderPassed(1, 1, False), AuctionClosed(1, LOT, NOBODY, 0)]
    hall = room(mode, [500, 500])
    end = hall.time_up()
    assert end.events == [AuctionClosed(1, LOT, NOBODY, 0)]
    assert [won.winner for won in hall.outcomes] == [NOBODY]


@KINDS
@pytest.mark.parametrize(("ties", "winner"), [(TIES_EARLIEST, 2), (TIES_TURN_ORDER, 0)])
def test_ties_go_by_rule(mode: int, ties: int, winner: int) -> None:
    """The earlier of equal bids wins, or the one of the seat that comes first among the bidders."""
    hall = room(mode, [500, 500, 500], ties=ties)
    for seat in (2, 0, 1):
        decided(hall.bid(seat, 200))
    (won,) = hall.outcomes
    assert (won.winner, won.price) == (winner, 200)


@KINDS
def test_refusals(mode: int) -> None:
    """Each wrong bid has its name, tells nobody anything, and changes nothing."""
    hall = room(mode, [500, 500, 500])
    assert refused(hall.bid(0, 0)) == "INVALID_AMOUNT"
    assert refused(hall.bid(0, BID_MAX + 1)) == "INVALID_AMOUNT"
    assert refused(hall.bid(0, 9)) == "BID_TOO_LOW"
    assert refused(hall.bid(0, 501)) == "BID_EXCEEDS_FUNDS"
    assert refused(hall.bid(7, 50)) == "NOT_A_BIDDER"
    assert refused(hall.bid(0, 50, at_ms=NOW + CLOSE)) == "AUCTION_CLOSED"
    decided(hall.bid(0, 50))
    assert refused(hall.bid(0, 60)) == "ALREADY_BID"
    assert refused(hall.skip(0)) == "ALREADY_BID"
    decided(hall.skip(1))
    assert refused(hall.bid(1, 60)) == "ALREADY_PASSED"
    hall.pause()
    assert refused(hall.bid(2, 60)) == "GAME_PAUSED"
    assert hall.holds == {"a1-0-2": (0, 50, True)}


@KINDS
def test_fixed_steps_hold_for_sealed_bids_too(mode: int) -> None:
    """Where bids go up by steps, a sealed one is the minimum and a whole number of them."""
    hall = Room([500, 500])
    hall.open(OpenAuction(1, LOT, [0, 1], 100, 20, CLOSE, mode=mode, fixed_step=True))
    assert refused(hall.bid(0, 110)) == "INVALID_AMOUNT"
    decided(hall.bid(0, 140))


@KINDS
def test_who_leaves_takes_his_bid_with_him(mode: int) -> None:
    """The bid is void, its money free at once and in secret; at the close it is told as withdrawn."""
    hall = room(mode, [500, 500, 500])
    decided(hall.bid(0, 400))
    decided(hall.bid(1, 100))
    (dropped,) = hall.leave(0)
    assert [type(one) for one in dropped.holds] == [HoldReleased], "never revealed"
    assert hall.available()[0] == 500
    decided(hall.bid(2, 50))
    (won,) = hall.outcomes
    assert (won.winner, won.price) == (1, 100 if mode == MODE_SEALED else 50)


@KINDS
def test_the_last_one_missing_leaves(mode: int) -> None:
    """Then all who are in have bid, so the bids are opened, the withdrawn one among them."""
    hall = room(mode, [500, 500, 500])
    decided(hall.bid(0, 400))
    decided(hall.bid(1, 100))
    hall.leave(0)
    (end,) = hall.leave(2)
    (revealed,) = [one for one in end.events if isinstance(one, BidsRevealed)]
    assert [bid.seat for bid in revealed.bids] == [1]
    assert [(bid.seat, bid.amount) for bid in revealed.withdrawn] == [(0, 400)]
    assert hall.outcomes[0].winner == 1


@KINDS
def test_a_cancel_reveals_nothing(mode: int) -> None:
    """The money is given back, concealed as it was; no bid is told."""
    hall = room(mode, [500, 500, 500])
    decided(hall.bid(0, 400))
    (end,) = hall.cancel()
    assert end.events == [AuctionCancelled(1)]
    assert [type(one) for one in end.holds] == [HoldReleased]
    assert (hall.holds, hall.outcomes, hall.deadlines) == ({}, [], {})


@KINDS
def test_who_cannot_pay_the_minimum_is_passed_at_the_opening_only(mode: int) -> None:
    """Later money that comes or goes says nothing; nobody is passed for a bid elsewhere."""
    hall = Room([9, 500, 500])
    opened = hall.open(ask(mode))
    assert opened.events[1:] == [BidderPassed(1, 0, True)]
    decided(hall.bid(1, 500))
    opened = hall.open(ask(mode, number=2))
    assert opened.events[1:] == [BidderPassed(2, 0, True)], "seat 1 has nothing left, and nobody is told"
    assert refused(hall.bid(1, 10, auction=2)) == "BID_EXCEEDS_FUNDS"


@KINDS
def test_nobody_can_pay_the_minimum(mode: int) -> None:
    """Then it is unsold at once."""
    hall = Room([9, 9])
    opened = hall.open(ask(mode, 2))
    assert isinstance(opened.events[0], AuctionOpened)
    assert opened.events[-1] == AuctionClosed(1, LOT, NOBODY, 0)
    assert hall.deadlines == {}


@KINDS
def test_holds_of_several_auctions_add_up(mode: int) -> None:
    """One's money is spent once, in whichever auction it was bid."""
    hall = room(mode, [500, 500])
    hall.open(ask(mode, 2, number=2))
    assert refused(hall.bid(0, 100)) == "WHICH_LOT"
    decided(hall.bid(0, 300, auction=1))
    assert refused(hall.bid(0, 201, auction=2)) == "BID_EXCEEDS_FUNDS"
    decided(hall.bid(0, 200, auction=2))


@KINDS
def test_a_bid_beyond_the_money_holds_what_there_is(mode: int) -> None:
    """Where bids may be as high, the rules collect the rest; the second price may need none of it."""
    hall = Room([300, 500])
    hall.open(OpenAuction(1, LOT, [0, 1], 10, 1, CLOSE, mode=mode, bid_limit=LIMIT_NONE))
    decided(hall.bid(0, 800))
    decided(hall.bid(1, 200))
    (won,) = hall.outcomes
    if mode == MODE_SEALED:
        assert (won.price, won.held, won.released) == (800, 300, 0)
    else:
        assert (won.price, won.held, won.released) == (200, None, 100)
