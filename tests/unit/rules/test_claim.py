"""Rent that its owner must ask for, and payments that wait to be made (row 25; case C014)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_DEBT,
    BuyLot,
    ClaimRent,
    DeclareBankruptcy,
    DeclineLot,
    EndTurn,
    MortgageLots,
    PayDebt,
    Resign,
    Roll,
)
from tests.support.classic import A, B, C, begin, paid, position, said

if TYPE_CHECKING:
    from tests.support.playing import Position

DEMAND = "owner_before_next_player_rolls"


def on_demand() -> Position:
    """Seat A on square 28, B owns square 31; rent has to be claimed."""
    made = position(rent__claim=DEMAND)
    made.at[A] = 28
    return made.own(B, 31)


def test_rent_is_paid_when_the_owner_asks() -> None:
    """Landing pays nothing; the claim does, once."""
    table = begin(on_demand(), (1, 2))
    assert table.act(A, Roll()) is None
    assert said(table)[-2:] == ["RentClaimable", "PhaseEntered"]
    assert paid(table) == []
    assert [(one.lot, one.amount) for one in table.legal(B)[-1].lots] == [(31, 26)]
    assert table.may(A, "claim_rent") is None
    assert table.act(B, ClaimRent(31)) is None
    assert paid(table) == [(A, B, 26)]
    assert table.refused(B, ClaimRent(31)) == "NOTHING_DUE"


def test_a_claim_lapses_when_the_next_player_throws() -> None:
    """Said as an event before the throw; a late claim has a name of its own."""
    table = begin(on_demand(), (1, 2), (1, 2), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, EndTurn()) is None
    assert table.may(B, "claim_rent") is not None
    assert table.act(B, Roll()) is None
    assert said(table)[:2] == ["RentLapsed", "DiceThrown"]
    assert table.refused(B, ClaimRent(31)) == "RENT_LAPSED"
    assert table.refused(B, ClaimRent(1)) == "NOTHING_DUE"
    assert table.refused(A, ClaimRent(31)) == "NOTHING_DUE"


def test_the_payers_own_extra_throw_does_not_end_the_claim() -> None:
    """The seed says "before the player following you rolls"."""
    made = on_demand()
    made.at[A] = 27
    table = begin(made, (2, 2), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, Roll()) is None
    assert table.act(B, ClaimRent(31)) is None
    assert paid(table) == [(A, B, 26)]


def test_a_claim_against_somebody_who_cannot_pay_is_a_debt_whatever_the_game_waits_for() -> None:
    """Even while a lot is under the hammer: the payment is waited for first, then bidding goes on."""
    made = on_demand().own(A, 1)
    made.at[A] = 27
    made.cash[A] = 10
    table = begin(made, (2, 2), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, Roll()) is None
    assert table.act(A, DeclineLot()) is None
    assert table.state.phase == PHASE_AUCTION
    assert table.act(B, ClaimRent(31)) is None
    assert table.state.phase == PHASE_DEBT
    assert table.act(A, MortgageLots([1])) is None
    assert paid(table)[-1] == (A, B, 26)
    assert table.state.phase == PHASE_AUCTION


def test_bankrupt_by_a_claim_during_an_auction() -> None:
    """The bankrupt bids no more, the auction goes on without him."""
    made = on_demand()
    made.at[A] = 27
    made.cash[A] = 10
    table = begin(made, (2, 2), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, Roll()) is None
    assert table.act(A, DeclineLot()) is None
    assert table.act(B, ClaimRent(31)) is None
    assert table.act(A, DeclareBankruptcy()) is None
    assert paid(table) == [(A, B, 10)]
    assert table.auction is not None
    assert A not in table.auction.active
    assert table.state.phase == PHASE_AUCTION


def test_a_claim_ends_with_its_owner_or_its_payer() -> None:
    """Who has left neither pays nor asks."""
    for leaver in (A, B):
        table = begin(on_demand(), (1, 2))
        assert table.act(A, Roll()) is None
        assert table.act(leaver, Resign()) is None
        assert table.state.extras.claims == []


def test_asked_payments_wait_for_the_payer() -> None:
    """Money enough or not: nothing is paid before the seat says so."""
    made = position(debt__payment="asked").own(B, 31)
    made.at[A] = 28
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_DEBT
    assert paid(table) == []
    assert table.refused(A, EndTurn()) == "MUST_PAY_FIRST"
    assert table.refused(B, PayDebt()) == "NOT_IN_DEBT"
    assert table.may(A, "pay_debt") is not None
    assert table.may(A, "declare_bankruptcy") is None
    assert table.act(A, PayDebt()) is None
    assert paid(table) == [(A, B, 26)]
    assert table.state.phase == PHASE_ACT


def test_who_collects_from_several_is_paid_by_each_in_his_time() -> None:
    """A birthday: two debtors at once, in any order."""
    made = position(debt__payment="asked")
    made.at[A] = 14
    table = begin(made, (1, 2), chest=("cc09",))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_DEBT
    assert table.act(C, PayDebt()) is None
    assert paid(table) == [(C, A, 10)]
    assert table.state.phase == PHASE_DEBT
    assert table.act(B, PayDebt()) is None
    assert table.state.phase == PHASE_ACT


def test_a_purchase_is_nothing_that_is_asked_for() -> None:
    """Who buys pays at once."""
    made = position(debt__payment="asked")
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, BuyLot()) is None
    assert len(paid(table)) == 1
