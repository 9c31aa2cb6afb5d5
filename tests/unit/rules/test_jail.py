"""Jail in all its ways (rows 42 to 50; cases C008, C009)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_BUY,
    PHASE_DEBT,
    PHASE_JAIL,
    PHASE_ROLL,
    DeclareBankruptcy,
    EndTurn,
    JailLeft,
    JailThrowFailed,
    MortgageLots,
    PayFine,
    Roll,
    TokenMoved,
    UseJailCard,
)
from tests.support.classic import BANK, A, B, begin, paid, position, said

if TYPE_CHECKING:
    from tests.support.playing import Position


def jailed(cash: int = 1500, tries: int = 0) -> Position:
    """Return a position with seat A in jail and on turn."""
    made = position(seats=2)
    made.at[A], made.jailed[A], made.jail_tries[A] = 10, 1, tries
    made.cash[A] = cash
    made.phase = PHASE_JAIL
    return made


def test_a_double_opens_and_moves_without_another_throw() -> None:
    """C008, row 47: [3, 3] leads to 16, and that is all."""
    table = begin(jailed(), (3, 3))
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], table.state.phase, table.state.doubles) == (16, PHASE_BUY, 0)
    assert table.state.to_roll == 0
    assert paid(table) == []


def test_three_failures_cost_the_fine_and_move() -> None:
    """C009, rows 46, 48: after [1, 2], [2, 3] and [4, 6] 50 are paid and the last throw moves to 20."""
    made = jailed(cash=500)
    made.at[B] = 17
    table = begin(made, (1, 2), (1, 2), (2, 3), (4, 6), (4, 6))
    assert table.act(A, Roll()) is None
    assert said(table, JailThrowFailed) == ["JailThrowFailed"]
    assert (table.state.phase, table.state.at[A], table.state.jail_tries[A]) == (PHASE_ACT, 10, 1)
    assert table.refused(A, Roll()) == "WRONG_PHASE"
    assert table.refused(A, PayFine()) == "WRONG_PHASE"
    assert table.act(A, EndTurn()) is None
    assert table.act(B, Roll()) is None  # to free parking
    assert table.act(B, EndTurn()) is None
    assert table.act(A, Roll()) is None
    assert table.state.jail_tries[A] == 2
    assert table.act(A, EndTurn()) is None
    assert table.act(B, Roll()) is None  # to the square that jails, so the turn ends by itself
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], table.state.phase) == (20, PHASE_ACT)
    assert paid(table) == [(A, BANK, 50)]
    assert said(table, JailThrowFailed, JailLeft, TokenMoved) == ["JailThrowFailed", "JailLeft", "TokenMoved"]


def test_the_last_failure_of_a_poor_seat() -> None:
    """Row 48: the fine becomes a debt; the throw moves when it is paid."""
    made = jailed(cash=20, tries=2).own(A, 39)
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert (table.state.phase, table.state.at[A], table.state.pending_move) == (PHASE_DEBT, 10, 3)
    assert table.act(A, MortgageLots([39])) is None
    assert paid(table) == [(BANK, A, 200), (A, BANK, 50)]
    assert (table.state.at[A], table.state.phase, table.state.offered_lot) == (13, PHASE_BUY, 13)


def test_the_last_failure_of_a_seat_that_has_nothing() -> None:
    """Who cannot pay the fine is bankrupt to the bank, and does not move."""
    table = begin(jailed(cash=20, tries=2), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, DeclareBankruptcy()) is None
    assert paid(table) == [(A, BANK, 20)]
    assert table.state.ranking == [B, A]


def test_paying_before_the_throw() -> None:
    """C009, row 44: 50, then an ordinary throw, a double throws again."""
    table = begin(jailed(), (5, 5))
    assert table.refused(B, PayFine()) == "NOT_YOUR_TURN"
    assert table.act(A, PayFine()) is None
    assert paid(table) == [(A, BANK, 50)]
    assert table.state.phase == PHASE_ROLL
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], table.state.phase, table.state.doubles) == (20, PHASE_ROLL, 1)


def test_the_fine_has_to_be_there() -> None:
    """Refusals in their order: not in jail, not enough, no card."""
    table = begin(jailed(cash=49), (1, 2))
    assert table.refused(A, PayFine()) == "INSUFFICIENT_FUNDS"
    assert table.refused(A, UseJailCard()) == "NO_JAIL_CARD"
    assert table.refused(A, EndTurn()) == "MUST_ROLL"
    table = begin(position(), (1, 2))
    assert table.refused(A, PayFine()) == "NOT_JAILED"
    assert table.refused(A, UseJailCard()) == "NOT_JAILED"


def test_one_try_only() -> None:
    """`jail.attempts_max: 1`: the first failure costs the fine."""
    made = position(seats=2, jail__attempts_max=1)
    made.at[A], made.jailed[A], made.phase = 10, 1, PHASE_JAIL
    table = begin(made, (4, 6))
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], paid(table)) == (20, [(A, BANK, 50)])
