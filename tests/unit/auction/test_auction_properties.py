"""Whatever the seats do: what is legal is accepted and nothing else, money is held once, auctions end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain.decision import DeadlineDue, Decision
from magnate.rules.bidding import BID_MAX
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    CancelAuction,
    DropBidder,
    PassAuction,
    PlaceBid,
)
from tests.support.ascending_room import CLOSE, LOT, Room, decided

ACTS = st.lists(
    st.tuples(
        st.sampled_from(["bid", "bid", "bid", "pass", "drop", "spend", "wait", "cancel"]),
        st.integers(0, 4),
        st.integers(-2, 130),
    ),
    max_size=60,
)


@given(cash=st.lists(st.integers(0, 120), min_size=1, max_size=5), minimum=st.integers(1, 40), acts=ACTS)
def test_any_sequence(cash: list[int], minimum: int, acts: list[tuple[str, int, int]]) -> None:
    """Bids and passes are accepted exactly when `may_act` and the range say so; holds never exceed money."""
    room = Room(list(cash), minimum=minimum)
    total = sum(cash)
    for kind, number, amount in acts:
        running = next(iter(room.state.running.values()), None)
        if running is None:
            break
        seat = number % len(cash)
        may = running.may_act(seat) and bool(room.deadlines) and room.now < min(room.deadlines.values())
        if kind == "bid":
            legal = may and running.least_bid <= amount <= room.available[seat]
            assert isinstance(room.act(seat, PlaceBid(LOT, amount)), Decision) == legal
        elif kind == "pass":
            assert isinstance(room.act(seat, PassAuction(LOT)), Decision) == may
        elif kind == "drop":
            decided(room.act(-1, DropBidder(1, seat)))
        elif kind == "cancel" and amount > 120:
            decided(room.act(-1, CancelAuction(1)))
        elif kind == "spend":
            spent = min(max(amount, 0), room.available[seat])
            room.available[seat] -= spent
            total -= spent
        elif kind == "wait":
            room.now += max(amount, 0) * 10
        check(room, total)
    finish(room)
    check(room, total)


def check(room: Room, total: int) -> None:
    """Check that money is where it should be, and that the auction waits for something."""
    running = next(iter(room.state.running.values()), None)
    assert sum(room.available) + sum(amount for _, amount in room.holds.values()) == total
    assert len(room.holds) <= 1
    if running is None:
        assert room.deadlines == {}
        return
    assert len(room.deadlines) == 1
    assert set(running.active) <= set(running.bidders)
    if running.leader >= 0:
        assert room.holds == {running.hold_id: (running.leader, running.price)}
    assert [seat for seat in running.active if seat != running.leader]


def finish(room: Room) -> None:
    """Let the time run out: whatever is running closes, and its outcome names the leader."""
    running = next(iter(room.state.running.values()), None)
    if running is None:
        return
    leader, price = running.leader, running.price
    room.now += CLOSE * 10
    ((deadline_id, _),) = room.deadlines.items()
    closing = decided(room.act(-1, DeadlineDue(deadline_id)))
    assert [type(event) for event in closing.events] == [AuctionClosed]
    assert (closing.outcomes[0].winner, closing.outcomes[0].price) == (leader, price)


@given(amount=st.one_of(st.integers(-(2**62), 0), st.integers(BID_MAX + 1, 2**62)))
def test_no_amount_is_a_fault(amount: int) -> None:
    """However odd, an amount is refused by name."""
    answer = Room([100, 100]).act(0, PlaceBid(LOT, amount))
    assert isinstance(answer, Rejection)
    assert answer.name == "INVALID_AMOUNT"


def test_cancelled_means_no_outcome() -> None:
    """A cancelled auction tells the rules nothing."""
    room = Room([5, 5])
    assert decided(room.act(-1, CancelAuction(1))).events == [AuctionCancelled(1)]
