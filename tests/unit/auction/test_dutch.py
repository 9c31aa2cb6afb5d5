"""Dutch auctions: the price falls by the clock, the first taker wins, and a pause stops it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain.dutch import price_at
from magnate.rules.bidding import MODE_DUTCH, NOBODY, dutch_price
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import AuctionClosed, AuctionOpened, BidderPassed, BidPlaced, OpenAuction
from tests.support.sealed_room import LOT, NOW, Room, decided, refused

START, STEP, TICK, MINIMUM, CLOSE = 200, 15, 1000, 50, 20_000


def room(posted: list[int]) -> Room:
    """Return a room in which the price falls from 200 to 50, by 15 a second."""
    hall = Room(posted)
    hall.open(
        OpenAuction(
            1, LOT, list(range(len(posted))), MINIMUM, 1, CLOSE, mode=MODE_DUTCH,
            dutch_start=START, dutch_step=STEP, dutch_tick_ms=TICK,
        )
    )  # fmt: skip
    return hall


def test_the_price_is_a_function_of_the_time() -> None:
    """It falls a step a tick down to the minimum, and is written nowhere while it falls."""
    opened = AuctionOpened(
        1,
        LOT,
        [0],
        MINIMUM,
        1,
        CLOSE,
        mode=MODE_DUTCH,
        dutch_start=START,
        dutch_step=STEP,
        dutch_tick_ms=TICK,
    )
    prices = [dutch_price(opened, at_ms) for at_ms in (-5, 0, 999, 1000, 9999, 10_000, 10_001, 19_999)]
    assert prices == [200, 200, 200, 185, 65, 50, 50, 50]


@pytest.mark.parametrize(("after_ms", "price"), [(0, 200), (3500, 155), (10_000, 50), (19_999, 50)])
def test_the_first_taker_pays_the_price_of_the_moment(after_ms: int, price: int) -> None:
    """His amount is the most he pays; the hammer falls in the same commit."""
    hall = room([500, 500])
    hall.now += after_ms
    taken = decided(hall.bid(1, 300))
    assert taken.events == [BidPlaced(1, 1, price, "a1-1-2"), AuctionClosed(1, LOT, 1, price)]
    assert hall.posted == [500, 500 - price]
    assert (hall.holds, hall.deadlines) == ({}, {})
    assert [event for event in taken.events if "300" in repr(event)] == [], (
        "what he would have paid is secret"
    )


def test_a_bid_is_judged_by_when_it_was_received() -> None:
    """One that comes to its turn late pays the price of when it came."""
    hall = room([500, 500])
    hall.now += 5000
    decided(hall.bid(0, 200, at_ms=NOW + 1000))
    assert hall.outcomes[0].price == 185


def test_refusals() -> None:
    """Too low a bid is told the price; what is above one's money is refused too."""
    hall = room([500, 160])
    hall.now += 1000
    low = hall.bid(0, 184)
    assert isinstance(low, Rejection)
    assert (low.name, low.detail) == ("BID_TOO_LOW", "the price was 185 then")
    assert refused(hall.bid(1, 185)) == "BID_EXCEEDS_FUNDS"
    assert refused(hall.bid(1, 0)) == "INVALID_AMOUNT"
    assert refused(hall.bid(0, 200, at_ms=NOW + CLOSE)) == "AUCTION_CLOSED"
    hall.now += 2000
    decided(hall.bid(1, 185))
    assert hall.outcomes[0].price == 155


def test_a_pause_stops_the_price() -> None:
    """What had fallen stays fallen, and the pause counts for nothing."""
    hall = room([500, 500])
    hall.now += 2500
    hall.pause()
    hall.now += 60_000
    assert refused(hall.bid(0, 500)) == "GAME_PAUSED"
    hall.resume()
    decided(hall.bid(0, 500))
    assert hall.outcomes[0].price == 170


def test_nobody_takes_it() -> None:
    """At the end, or when all have passed or left, it is not sold."""
    hall = room([500, 500])
    assert hall.time_up().events == [AuctionClosed(1, LOT, NOBODY, 0)]
    hall = room([500, 500])
    decided(hall.skip(0))
    end = decided(hall.skip(1))
    assert end.events == [BidderPassed(1, 1, False), AuctionClosed(1, LOT, NOBODY, 0)]
    hall = room([500, 500])
    decided(hall.skip(0))
    (end,) = hall.leave(1)
    assert end.events[-1] == AuctionClosed(1, LOT, NOBODY, 0)
    assert [won.winner for won in hall.outcomes] == [NOBODY]


def test_who_cannot_pay_the_minimum_is_passed() -> None:
    """At the opening; with nobody left it is over at once."""
    assert room([49, 500]).state.running[1].active == [1]
    assert room([49, 49]).state.running == {}


@given(st.integers(0, CLOSE - 1), st.integers(0, CLOSE - 1))
def test_the_price_never_rises(first: int, second: int) -> None:
    """Later is never dearer, and it stays between the start and the minimum."""
    auction = room([500]).state.running[1]
    early, late = (price_at(auction, NOW + CLOSE, NOW + at) for at in sorted((first, second)))
    assert START >= early >= late >= MINIMUM
