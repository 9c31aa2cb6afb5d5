"""A debtor can always raise what he is said to be able to raise, whatever the options (rows 65, 74, 78)."""

from __future__ import annotations

from magnate.rules.invariants import check_waiting
from magnate.rules.vocabulary import (
    PHASE_DEBT,
    PHASE_ROLL,
    TRANSFER_REASON_CARD,
    DeclareBankruptcy,
    LotLevel,
    MortgageLots,
    OpenDebt,
    Roll,
    SellBuildings,
)
from tests.support.classic import BANK, A, B, C, begin, paid, position


def test_a_debtor_mortgages_in_the_turn_of_another() -> None:
    """Where mortgaging is for one's own turn, a birthday in another's leaves nobody stuck (row 74)."""
    made = position(mortgage__when="own_turn").own(B, 5, 15)
    made.cash[B] = 4
    table = begin(made, (1, 1), chest=("cc09",))
    assert table.refused(B, MortgageLots([5])) == "NOT_YOUR_TURN"
    assert table.may(B, "mortgage_lots") is None
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_DEBT
    assert table.refused(B, DeclareBankruptcy()) == "CAN_STILL_PAY"
    assert table.may(B, "mortgage_lots") is not None
    assert table.act(B, MortgageLots([5])) is None
    assert paid(table) == [(BANK, B, 100), (B, A, 10)]
    assert table.state.phase == PHASE_ROLL


def test_a_bare_lot_in_the_built_group_of_another_raises_nothing() -> None:
    """A bare lot that left a built group may not be mortgaged, so it keeps nobody from bankruptcy."""
    made = position(trade__clear="lot").own(B, 37, level=1).own(A, 39)
    made.cash[A] = 0
    made.phase = PHASE_DEBT
    made.debts = [OpenDebt(A, BANK, 15, TRANSFER_REASON_CARD, -1)]
    table = begin(made)
    assert table.refused(A, MortgageLots([39])) == "GROUP_BUILT"
    assert check_waiting(table.state) == []
    assert table.act(A, DeclareBankruptcy()) is None
    assert table.state.out[A] == 1


def test_what_is_sold_together_is_rounded_once() -> None:
    """Three houses of 50 at 33 percent bring 49 in one command, so a debt of 49 can still be paid."""
    made = position(build__sell_percent=33).own(A, 6, 8, 9, level=1).own(C, 5)
    made.cash[A] = 0
    made.phase = PHASE_DEBT
    mortgages = 50 + 50 + 60
    made.debts = [OpenDebt(A, C, 49 + mortgages, TRANSFER_REASON_CARD, -1)]
    table = begin(made)
    assert table.refused(A, DeclareBankruptcy()) == "CAN_STILL_PAY"
    assert table.act(A, SellBuildings([LotLevel(6, 0), LotLevel(8, 0), LotLevel(9, 0)])) is None
    assert table.act(A, MortgageLots([6, 8, 9])) is None
    assert paid(table) == [(BANK, A, mortgages), (A, C, 49 + mortgages)]
