"""What the rules have to do with auctions (rows 19 to 23; cases C022, C024, C029)."""

from __future__ import annotations

from magnate.rules import plain
from magnate.rules.chance import RandomChance
from magnate.rules.decide import settle
from magnate.rules.decision import Decision
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_BUY,
    PHASE_ROLL,
    AuctionOutcome,
    BuyLot,
    DeclineLot,
    LotPutUp,
    LotUnsold,
    OpenAuction,
    PassAuction,
    PlaceBid,
    Roll,
)
from tests.support.classic import A, B, C, begin, position, said
from tests.support.playing import Table


def declined(dice: tuple[int, int] = (1, 2), **house: int | str) -> Table:
    """Return a table where seat A has just declined the lot on square 3."""
    table = begin(position(3, "classic-us", **house), dice, (1, 2))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_BUY
    assert table.act(A, DeclineLot()) is None
    return table


def test_a_declined_lot_is_put_up_for_everybody() -> None:
    """Rows 19 to 21: at once, any bid from 1, the decliner among the bidders."""
    table = declined()
    assert said(table, LotPutUp) == ["LotPutUp"]
    assert table.decision.asks == [OpenAuction(1, 3, [A, B, C], 1, 1, 10_000)]
    assert (table.state.phase, table.state.auction, table.state.auction_lot) == (PHASE_AUCTION, 1, 3)
    assert table.refused(A, BuyLot()) == "WRONG_PHASE"


def test_the_decliner_may_win() -> None:
    """C024: 21 as the only bidder."""
    table = declined()
    assert table.act(A, PlaceBid(3, 21)) is None
    assert table.act(B, PassAuction(3)) is None
    assert table.act(C, PassAuction(3)) is None
    assert (table.state.owner[3], table.state.cash[A], table.state.phase) == (A, 1479, PHASE_ACT)


def test_a_least_first_bid_that_cannot_be_is_told_by_what_may_be() -> None:
    """Row 21, C2: from 1 to the list price where the decliner sets it, and nothing elsewhere."""
    for opening, why in (
        ("decliner_sets_minimum", "the least first bid is from 1 to 60, not {}"),
        ("any", "the least first bid is not the decliner's to set"),
    ):
        table = begin(position(3, "classic-us", auction__opening=opening), (1, 2), (1, 2))
        assert table.act(A, Roll()) is None
        for minimum in (-1, 0, 61):
            refused = table.act(A, DeclineLot(minimum))
            assert refused is not None
            assert (refused.name, refused.detail) == ("INVALID_AMOUNT", why.format(minimum))


def test_a_barred_decliner() -> None:
    """C1: `auction.decliner_may_bid: false` leaves him out."""
    table = declined(auction__decliner_may_bid=False)
    ask = table.decision.asks[0]
    assert isinstance(ask, OpenAuction)
    assert ask.bidders == [B, C]


def test_nobody_bids() -> None:
    """C022: the lot stays with the bank and the turn goes on, extra throw and all."""
    made = position()
    made.at[A] = 4
    table = begin(made, (2, 2), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, DeclineLot()) is None
    for seat in (A, B, C):
        assert table.act(seat, PassAuction(8)) is None
    assert said(table, LotUnsold) == ["LotUnsold"]
    assert (table.state.owner[8], table.state.phase, table.state.auction) == (-1, PHASE_ROLL, 0)


def test_no_auction_where_the_rules_have_none() -> None:
    """`auction.enabled: false`: a declined lot stays free."""
    table = declined(auction__enabled=False, bankrupt__to_bank="free", build__shortage="first_come")
    assert (table.state.phase, table.state.owner[3], table.decision.asks) == (PHASE_ACT, -1, [])


def test_who_bid_all_he_has_gets_the_lot() -> None:
    """C029: the hold is the payment."""
    table = declined()
    assert table.act(B, PlaceBid(3, 1500)) is None  # nobody can bid more: the hammer falls at once
    assert (table.state.owner[3], table.state.cash[B], table.state.held[B]) == (B, 0, 0)


def test_an_outcome_of_another_auction_is_refused() -> None:
    """Number and lot must be those of the auction that runs; nothing changes."""
    table = declined()
    before = plain.digest(table.state)
    for outcome in (AuctionOutcome(2, 3, A, 5, ""), AuctionOutcome(1, 5, A, 5, "")):
        refused = settle(table.state, outcome, RandomChance(1), Decision())
        assert isinstance(refused, Rejection)
        assert refused.name == "NO_AUCTION"
    assert plain.digest(table.state) == before


def test_a_bid_and_the_hammer_in_one_commit() -> None:
    """The hold need not have been seen: the price is taken all the same."""
    table = declined()
    state = table.state.copy()
    assert settle(state, AuctionOutcome(1, 3, B, 70, "h"), RandomChance(1), Decision()) is None
    assert (state.cash[B], state.held[B], state.owner[3]) == (1430, 0, B)


def test_bids_are_not_for_the_rules_to_judge() -> None:
    """A bid that comes here was sent the wrong way."""
    table = declined()
    assert Table.refused(table, A, PlaceBid(3, 5)) == "INVALID_TARGET"
    table = begin(position(), (1, 2))
    assert Table.refused(table, A, PassAuction(3)) == "NO_AUCTION"
