"""Calls before the hammer, bounds on late bids, what becomes of a leaver's bid, several auctions at once."""

from __future__ import annotations

import pytest

from magnate.rules.bidding import LEAVER_PREVIOUS
from magnate.rules.vocabulary import (
    AuctionCalled,
    AuctionClosed,
    AuctionExtended,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    LeadRestored,
    OpenAuction,
    PlaceBid,
)
from tests.support.sealed_room import CLOSE, LOT, NOW, Room, decided, refused


def ask(number: int = 1, bidders: int = 3, lot: int = LOT) -> OpenAuction:
    """Return the ask for an ascending auction."""
    return OpenAuction(number, lot, list(range(bidders)), 1, 1, CLOSE)


def room_of(opening: OpenAuction, *posted: int) -> Room:
    """Return a room with one auction."""
    room = Room(list(posted) or [500] * len(opening.bidders))
    room.open(opening)
    return room


def test_going_once_twice_gone() -> None:
    """Two calls, so far apart, then the hammer; each at its moment, none after a bid that moved the end."""
    opening = ask()
    opening.calls_ms = 2_000
    room = room_of(opening)
    assert room.deadlines == {"a1-1": NOW + CLOSE, "a1-1-1": NOW + CLOSE - 4_000}
    assert room.time_up().events == [AuctionCalled(1, 1)]
    assert room.now == NOW + CLOSE - 4_000
    assert room.deadlines == {"a1-1": NOW + CLOSE, "a1-1-2": NOW + CLOSE - 2_000}
    assert room.time_up().events == [AuctionCalled(1, 2)]
    assert room.deadlines == {"a1-1": NOW + CLOSE}
    decided(room.bid(0, 10))
    assert room.state.running[1].calls == 0
    assert room.deadlines == {"a1-2": room.now + CLOSE, "a1-2-1": room.now + CLOSE - 4_000}
    assert [type(one) for _ in range(3) for one in room.time_up().events] == [
        AuctionCalled, AuctionCalled, AuctionClosed,
    ]  # fmt: skip
    assert room.deadlines == {}


def test_a_call_that_would_be_past_is_not_made() -> None:
    """Where there is no time for both, only the second one is made; where there is for none, none."""
    opening = ask()
    opening.calls_ms = 6_000
    room = room_of(opening)
    assert room.deadlines == {"a1-1": NOW + CLOSE, "a1-1-2": NOW + 4_000}
    assert room.time_up().events == [AuctionCalled(1, 2)]
    opening.calls_ms = CLOSE
    assert list(room_of(opening).deadlines) == ["a1-1"]


def test_what_was_called_is_void_when_the_auction_ends() -> None:
    """A close clears the call that is pending."""
    opening = ask(bidders=2)
    opening.calls_ms = 2_000
    room = room_of(opening)
    decided(room.bid(0, 1))
    decided(room.skip(1))
    assert room.deadlines == {}


def test_late_bids_do_not_go_beyond_the_cap() -> None:
    """Each moves the end to so long from then, but not beyond the time there is in all, without pauses."""
    opening = ask()
    opening.extend_ms, opening.cap_ms = 4_000, 15_000
    room = room_of(opening)
    room.now = NOW + 8_000
    assert decided(room.bid(0, 1)).events[-1] == AuctionExtended(1, 1, 4_000, 12_000)
    room.pause()
    room.now += 60_000
    room.resume()
    room.now += 3_000
    assert decided(room.bid(1, 2)).events[-1] == AuctionExtended(1, 2, 4_000, 15_000)
    room.now += 3_000
    assert [type(one) for one in decided(room.bid(0, 3)).events] == [BidPlaced]
    assert list(room.deadlines.values()) == [room.now + 1_000]


def test_a_cap_alone_lets_each_bid_move_the_end_so_far() -> None:
    """Without a window each bid gives the whole time again, up to the cap."""
    opening = ask()
    opening.cap_ms = 12_000
    room = room_of(opening)
    room.now += 1_000
    assert decided(room.bid(0, 1)).events[-1] == AuctionExtended(1, 1, CLOSE, 11_000)
    room.now += 5_000
    assert decided(room.bid(1, 2)).events[-1] == AuctionExtended(1, 2, 6_000, 12_000)
    room.now += 1_000
    assert len(decided(room.bid(0, 3)).events) == 1


def test_the_bid_before_leads_again() -> None:
    """By that option the leaver's bid gives way to the best one of another, with a hold; passes are void."""
    opening = ask(bidders=4)
    opening.leaver = LEAVER_PREVIOUS
    room = room_of(opening)
    for seat, amount in ((0, 10), (1, 20), (0, 30), (2, 40)):
        decided(room.bid(seat, amount))
    decided(room.skip(3))
    (left,) = room.leave(2)
    assert left.events[:2] == [BidderDropped(1, 2), LeadRestored(1, 0, 30, "a1-0-7")]
    auction = room.state.running[1]
    assert (auction.leader, auction.price, auction.active, auction.bids) == (
        0,
        30,
        [0, 1, 3],
        [(1, 20), (0, 30)],
    )
    assert room.holds == {"a1-0-7": (0, 30, False)}
    (left,) = room.leave(0)
    assert left.events == [BidderDropped(1, 0), LeadRestored(1, 1, 20, "a1-1-9")]
    assert room.leave(1)[0].events[0] == BidderDropped(1, 1)


def test_an_earlier_bid_whose_money_is_gone_does_not_lead_again() -> None:
    """It goes on to the next best; with none left, bidding starts again."""
    opening = ask(bidders=4)
    opening.leaver = LEAVER_PREVIOUS
    room = room_of(opening, 100, 100, 500, 100)
    decided(room.bid(0, 40))
    decided(room.bid(1, 90))
    decided(room.bid(2, 95))
    room.posted[1] = 80
    (left,) = room.leave(2)
    assert left.events[1] == LeadRestored(1, 0, 40, "a1-0-6")
    room.posted[1] = 100
    assert room.leave(0)[0].events == [BidderDropped(1, 0)], "the bid that was passed over is forgotten"


def test_without_that_option_bidding_starts_again() -> None:
    """Nobody's earlier bid is remembered."""
    room = room_of(ask())
    decided(room.bid(0, 10))
    decided(room.bid(1, 20))
    assert room.leave(1)[0].events == [BidderDropped(1, 1)]
    assert (room.state.running[1].leader, room.state.running[1].least_bid, room.holds) == (-1, 1, {})


def test_bids_in_several_auctions_add_up() -> None:
    """C020: what is on hold in one is not there for the other; being outbid gives it back."""
    room = Room([180, 500, 500])
    room.open(ask(1, lot=1))
    room.open(ask(2, lot=3))
    decided(room.bid(0, 100, auction=1))
    assert refused(room.bid(0, 90, auction=2)) == "BID_EXCEEDS_FUNDS"
    decided(room.bid(0, 80, auction=2))
    decided(room.bid(1, 101, auction=1))
    assert room.available() == [100, 399, 500]
    assert room.deadlines.keys() == {"a1-3", "a2-2"}


def test_being_passed_is_a_matter_of_one_auction() -> None:
    """C025: who cannot bid here may do so there; and what he has on hold there may come back to him."""
    room = Room([60, 500, 500])
    room.open(ask(1, lot=1))
    room.open(ask(2, lot=3))
    assert decided(room.bid(1, 60, auction=1)).events[1:] == [BidderPassed(1, 0, True)]
    decided(room.bid(0, 60, auction=2))
    assert room.state.running[2].active == [0, 1, 2]
    room.open(ask(3, lot=6))
    assert room.state.running[3].active == [0, 1, 2], "the 60 may be outbid yet"
    assert refused(room.bid(0, 1, auction=3)) == "BID_EXCEEDS_FUNDS"
    assert decided(room.bid(1, 60, auction=3)).events[1:] == [BidderPassed(3, 0, True)]


@pytest.mark.parametrize(
    ("lot", "number", "name"),
    [
        (0, 0, "WHICH_LOT"),
        (-1, 0, "WHICH_LOT"),
        (7, 0, "NO_AUCTION"),
        (0, 9, "NO_AUCTION"),
        (1, 2, "NO_AUCTION"),
    ],
)
def test_a_bid_says_for_which(lot: int, number: int, name: str) -> None:
    """By the lot, or by the number, as buildings have no lot; both have to fit."""
    room = Room([500, 500])
    room.open(ask(1, 2, lot=1))
    for building in (2, 3):
        opening = ask(building, 2, lot=-1)
        opening.building = 1
        room.open(opening)
    assert refused(room.act(0, PlaceBid(lot, 5, number))) == name
    decided(room.act(0, PlaceBid(1, 5)))
    decided(room.act(0, PlaceBid(0, 5, 2)))
    decided(room.act(1, PlaceBid(-1, 5, 3)))
