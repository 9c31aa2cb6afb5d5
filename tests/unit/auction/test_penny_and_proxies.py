"""Penny auctions with a fee and with refunds, and bids that are made for others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain import penny
from magnate.rules.bidding import BID_MAX, MODE_OPEN, MODE_PENNY, REFUND_LOSERS
from magnate.rules.vocabulary import (
    AuctionClosed,
    BidderPassed,
    BidPlaced,
    BidsRefunded,
    OpenAuction,
    ProxySet,
    SetProxyBid,
)
from tests.support.sealed_room import CLOSE, LOT, Room, decided, refused

if TYPE_CHECKING:
    from magnate.auction.domain.decision import Decision
    from magnate.rules.rejections import Rejection


def ask(mode: int = MODE_PENNY, bidders: int = 3, fee: int = 0) -> OpenAuction:
    """Return the ask for an auction in which ceilings may be set."""
    opening = OpenAuction(1, LOT, list(range(bidders)), 1, 1, CLOSE)
    opening.mode, opening.fee, opening.proxies = mode, fee, True
    return opening


def room_of(opening: OpenAuction, *posted: int) -> Room:
    """Return a room with this auction."""
    room = Room(list(posted) or [500] * len(opening.bidders))
    room.open(opening)
    return room


def ceiling(room: Room, seat: int, amount: int) -> Decision | Rejection:
    """Set a ceiling."""
    return room.act(seat, SetProxyBid(LOT, amount))


def bids(decision: Decision) -> list[tuple[int, int]]:
    """Return the bids that were made, as (seat, amount)."""
    return [(one.seat, one.amount) for one in decision.events if isinstance(one, BidPlaced)]


def test_a_fee_is_what_is_paid_and_a_step_what_the_price_rises_by() -> None:
    """Neither more nor less than the next step may be bid, and the winner pays nothing at the close."""
    room = room_of(ask(fee=5), 500, 500, 7)
    assert refused(room.bid(0, 2)) == "INVALID_AMOUNT"
    decided(room.bid(0, 1))
    decided(room.bid(2, 2))
    assert refused(room.bid(0, 2)) == "BID_TOO_LOW"
    assert decided(room.bid(0, 3)).events[1:] == [BidderPassed(1, 2, True)]
    assert room.posted == [490, 500, 2]
    closed = room.time_up()
    assert closed.events == [AuctionClosed(1, LOT, 0, 3)]
    assert (closed.outcomes[0].held, closed.outcomes[0].paid, closed.payments) == (0, True, [])
    assert room.posted == [490, 500, 2]


def test_who_cannot_pay_the_fee_is_passed_at_the_opening() -> None:
    """The least bid may be within his money: the fee is not."""
    assert room_of(ask(fee=50), 500, 49, 50).state.running[1].active == [0, 2]


def test_losers_have_back_what_they_paid() -> None:
    """By that option, at the close, all of it; not the winner."""
    opening = ask()
    opening.refund = REFUND_LOSERS
    room = room_of(opening)
    for seat, amount in ((0, 10), (1, 20), (0, 30), (2, 40), (1, 50)):
        decided(room.bid(seat, amount))
    assert room.time_up().events == [
        BidsRefunded(1, 0, 40), BidsRefunded(1, 2, 40), AuctionClosed(1, LOT, 1, 50),
    ]  # fmt: skip
    assert room.posted == [500, 430, 500]


@pytest.mark.parametrize(("back", "left"), [(True, [500, 500, 500]), (False, [460, 480, 500])])
def test_when_it_is_called_off(back: bool, left: list[int]) -> None:
    """C028: all have back what they paid, or nobody."""
    opening = ask()
    opening.refund_on_cancel = back
    room = room_of(opening)
    for seat, amount in ((0, 10), (1, 20), (0, 30)):
        decided(room.bid(seat, amount))
    room.cancel()
    assert room.posted == left


def test_who_has_left_gets_nothing_back() -> None:
    """Neither at the close nor when the auction is called off."""
    opening = ask()
    opening.refund = REFUND_LOSERS
    room = room_of(opening)
    decided(room.bid(0, 10))
    decided(room.bid(1, 20))
    room.leave(0)
    assert room.time_up().events == [AuctionClosed(1, LOT, 1, 20)]


def test_a_ceiling_is_spent_bid_by_bid() -> None:
    """It bounds what the seat spends in all; two answer each other until one has spent what it would."""
    room = room_of(ask(fee=10))
    assert bids(decided(ceiling(room, 0, 30))) == [(0, 1)]
    assert bids(decided(ceiling(room, 1, 20))) == [(1, 2), (0, 3), (1, 4), (0, 5)]
    assert room.posted == [470, 480, 500]
    assert refused(ceiling(room, 1, 29)) == "BID_TOO_LOW"
    assert bids(decided(ceiling(room, 1, 30))) == [(1, 6)]


def test_a_commit_has_a_bounded_number_of_answers() -> None:
    """What is left to answer is answered when the time is up, by late bids like others."""
    room = room_of(ask(fee=1, bidders=2), 10_000, 10_000)
    decided(ceiling(room, 0, 10_000))
    assert len(bids(decided(ceiling(room, 1, 10_000)))) == penny.ANSWERS_MAX
    at = room.now
    rounds = [room.time_up() for _ in range(3)]
    assert all(len(bids(one)) == penny.ANSWERS_MAX for one in rounds)
    assert room.now == at + 3 * CLOSE, "never at once again"
    assert list(room.state.running) == [1]
    assert sum(room.posted) == 20_000 - 1 - 4 * penny.ANSWERS_MAX


@pytest.mark.parametrize("terms", [{"extensions_max": 2}, {"extend_ms": 4_000, "cap_ms": CLOSE + 8_000}])
def test_a_cap_ends_also_what_bids_by_itself(terms: dict[str, int]) -> None:
    """Two that would answer each other for ever move the end as often and as far as late bids may (C027)."""
    opening = ask(fee=1, bidders=2)
    for name, value in terms.items():
        setattr(opening, name, value)
    room = room_of(opening, 10_000, 10_000)
    decided(ceiling(room, 0, 10_000))
    decided(ceiling(room, 1, 10_000))
    begun = room.now
    while room.state.running:
        room.time_up()
    assert room.now <= begun + 3 * CLOSE
    assert sum(room.posted) >= 20_000 - 1 - 4 * penny.ANSWERS_MAX


def test_proxies_bid_the_least_that_beats_the_others() -> None:
    """One answer decides between two ceilings; who is outbid has his money back at once."""
    room = room_of(ask(MODE_OPEN))
    set_first = decided(ceiling(room, 0, 200))
    assert set_first.secret_events == [ProxySet(1, 0, 200)]
    assert bids(set_first) == [(0, 1)]
    assert bids(decided(room.bid(1, 50))) == [(1, 50), (0, 51)]
    assert bids(decided(ceiling(room, 2, 180))) == [(2, 180), (0, 181)]
    assert bids(decided(ceiling(room, 1, 250))) == [(1, 201)]
    assert room.available() == [500, 299, 500]
    raised = decided(ceiling(room, 1, 300))
    assert (raised.events, raised.secret_events) == ([], [ProxySet(1, 1, 300)])
    assert bids(decided(ceiling(room, 1, 0))) == []
    assert bids(decided(room.bid(0, 202))) == [(0, 202)]


def test_of_equal_ceilings_the_first_leads() -> None:
    """And a ceiling beyond one's money goes as far as the money."""
    room = room_of(ask(MODE_OPEN), 500, 500, 120)
    decided(ceiling(room, 0, 100))
    assert bids(decided(ceiling(room, 1, 100)))[-1] == (0, 100)
    assert bids(decided(ceiling(room, 2, 400))) == [(2, 101)]
    assert bids(decided(room.bid(0, 110))) == [(0, 110), (2, 111)]
    assert decided(room.bid(0, 121)).events[1:] == [BidderPassed(1, 2, True)]


@pytest.mark.parametrize(
    ("amount", "name"),
    [(0, "NO_PROXY_BID"), (-1, "INVALID_AMOUNT"), (BID_MAX + 1, "INVALID_AMOUNT"), (10, "BID_TOO_LOW")],
)
def test_ceilings_that_are_refused(amount: int, name: str) -> None:
    """Nothing to take back, no amount, too low for a bid; and where nobody bids for others."""
    room = room_of(ask(MODE_OPEN))
    decided(room.bid(1, 10))
    assert refused(ceiling(room, 0, amount)) == name
    opening = ask(MODE_OPEN)
    opening.proxies = False
    assert refused(ceiling(room_of(opening), 0, 50)) == "PROXY_NOT_ALLOWED"


def test_who_has_passed_or_left_has_no_ceiling() -> None:
    """Nothing is bid for him any more."""
    room = room_of(ask(MODE_OPEN))
    decided(ceiling(room, 0, 200))
    decided(ceiling(room, 1, 300))
    decided(room.skip(0))
    assert refused(ceiling(room, 0, 400)) == "ALREADY_PASSED"
    assert room.state.running[1].ceilings == {1: 300}
    room.leave(1)
    assert 1 not in room.state.running or room.state.running[1].ceilings == {}


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(1, 400)), min_size=2, max_size=12),
    st.integers(1, 9),
)
def test_whoever_has_the_highest_ceiling_leads(set_by: list[tuple[int, int]], step: int) -> None:
    """However they come: no bid is above its ceiling, and no ceiling is left that could still beat it."""
    opening = ask(MODE_OPEN, bidders=4)
    opening.increment = step
    room = Room([300, 350, 400, 1_000])
    room.open(opening)
    for seat, amount in set_by:
        if 1 not in room.state.running:
            break
        ceiling(room, seat, amount)
    auction = room.state.running.get(1)
    if auction is None:
        return
    if auction.leader >= 0:
        assert auction.price <= min(auction.ceilings[auction.leader], room.posted[auction.leader])
        assert room.holds == {auction.hold_id: (auction.leader, auction.price, False)}
    for seat, most in auction.ceilings.items():
        if seat != auction.leader:
            assert min(most, room.posted[seat]) < auction.least_bid
