"""Sealed auctions under any sequence of bids, passes, leavers and time: money, secrecy and the outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain.decision import Decision, HoldRevealed
from magnate.rules.bidding import (
    LIMIT_CASH,
    LIMIT_NONE,
    MODE_SEALED,
    MODE_VICKREY,
    NOBODY,
    TIES_EARLIEST,
    TIES_TURN_ORDER,
)
from magnate.rules.vocabulary import AuctionClosed, BidSealed, BidsRevealed, OpenAuction
from tests.support.sealed_room import CLOSE, LOT, Room

if TYPE_CHECKING:
    from magnate.rules.rejections import Rejection

SEATS = 4
MONEY = [300, 200, 100, 50]
MINIMUM = 20

moves = st.lists(
    st.one_of(
        st.tuples(st.just("bid"), st.integers(0, SEATS), st.integers(-1, 400)),
        st.tuples(st.just("pass"), st.integers(0, SEATS), st.just(0)),
        st.tuples(st.just("leave"), st.integers(0, SEATS - 1), st.just(0)),
        st.tuples(st.just("wait"), st.just(0), st.integers(1, CLOSE)),
    ),
    max_size=14,
)


def naive(bids: list[tuple[int, int]], mode: int, ties: int) -> tuple[int, int]:
    """Return winner and price of these bids, in the order in which they were made, as one would by hand."""
    if not bids:
        return NOBODY, 0
    best = max(amount for _, amount in bids)
    leaders = [seat for seat, amount in bids if amount == best]
    winner = leaders[0] if ties == TIES_EARLIEST else min(leaders)
    others = [amount for seat, amount in bids if seat != winner]
    if mode == MODE_SEALED:
        return winner, best
    return winner, max(others, default=MINIMUM)


@given(
    moves,
    st.sampled_from([MODE_SEALED, MODE_VICKREY]),
    st.sampled_from([TIES_EARLIEST, TIES_TURN_ORDER]),
    st.sampled_from([LIMIT_CASH, LIMIT_NONE]),
)
def test_any_sealed_auction(played: list[tuple[str, int, int]], mode: int, ties: int, limit: int) -> None:
    """No amount is told before the close; the outcome is the one by hand; nobody pays what he has not got."""
    room = Room(MONEY)
    room.open(
        OpenAuction(1, LOT, list(range(SEATS)), MINIMUM, 1, CLOSE, mode=mode, ties=ties, bid_limit=limit)
    )
    bids: list[tuple[int, int]] = []
    gone: set[int] = set()
    for what, seat, amount in played:
        if not room.state.running:
            break
        answer: Decision | Rejection | None = None
        if what == "bid":
            answer = room.bid(seat, amount)
            if isinstance(answer, Decision):
                bids.append((seat, amount))
        elif what == "pass":
            answer = room.skip(seat)
        elif what == "leave" and seat not in gone:
            gone.add(seat)
            bids = [one for one in bids if one[0] != seat]
            (answer,) = room.leave(seat)
        elif what == "wait":
            room.now += amount
            if room.now >= next(iter(room.deadlines.values())):
                answer = room.time_up()
        if isinstance(answer, Decision):
            _nothing_told(answer, open_still=bool(room.state.running))
    if room.state.running:
        room.time_up()
    (won,) = room.outcomes
    assert (won.winner, won.price) == naive(bids, mode, ties)
    assert room.holds == {}
    assert room.deadlines == {}
    paid = [before - after for before, after in zip(MONEY, room.posted, strict=True)]
    captured = min(won.price, MONEY[won.winner]) if won.winner >= 0 else 0
    assert paid == [captured if seat == won.winner else 0 for seat in range(SEATS)]


def _nothing_told(decision: Decision, *, open_still: bool) -> None:
    """What is public of a decision has no amounts as long as the auction runs."""
    told = [event for event in decision.events if isinstance(event, BidsRevealed | AuctionClosed)]
    shown = [hold for hold in decision.holds if isinstance(hold, HoldRevealed)]
    if open_still:
        assert (told, shown) == ([], [])
        for event in decision.events:
            assert not isinstance(event, BidSealed) or set(event.FIELDS) == {"auction", "seat"}
