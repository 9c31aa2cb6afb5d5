"""Mortgaging and redeeming, row by row (71 to 77)."""

from __future__ import annotations

import pytest

from magnate.rules.chance import RandomChance
from magnate.rules.decision import BANK, Transfer
from magnate.rules.loader import find_ruleset, load_board, load_ruleset
from magnate.rules.ruleset import RuleSet
from magnate.rules.vocabulary import (
    PHASE_DEBT,
    TRANSFER_REASON_MORTGAGE,
    TRANSFER_REASON_REDEMPTION,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_TAX,
    Build,
    DeclareBankruptcy,
    EndTurn,
    LotLevel,
    MortgageLots,
    OpenDebt,
    RedeemLots,
    Roll,
)
from tests.support.playing import Position, Table

BOARD = load_board("classic-us")
RULES = load_ruleset("classic")
BROWN = (1, 3)


def play(position: Position) -> Table:
    """Begin the game there."""
    return position.table(RandomChance(1))


def test_mortgage_redeem_mortgage_again() -> None:
    """Thirty in, thirty-three out, thirty in; the deed stays where it is and nothing is built on it."""
    table = play(Position(BOARD, RULES).own(0, *BROWN))
    assert table.act(0, MortgageLots([1])) is None
    assert table.decision.transfers == [Transfer(BANK, 0, 30, TRANSFER_REASON_MORTGAGE)]
    assert table.act(0, RedeemLots([1])) is None
    assert table.decision.transfers == [Transfer(0, BANK, 33, TRANSFER_REASON_REDEMPTION)]
    assert table.act(0, MortgageLots([1])) is None
    assert table.refused(0, Build([LotLevel(3, 1)])) == "GROUP_MORTGAGED"
    assert table.refused(0, MortgageLots([1])) == "ALREADY_MORTGAGED"
    assert table.state.cash[0] == 1527
    assert [lot for lot in BOARD.lots if table.state.owner[lot] == 0] == [1, 3]


def test_several_lots_in_one_command_are_one_payment() -> None:
    """All or nothing, and one transfer."""
    table = play(Position(BOARD, RULES).own(0, 5, 15, 39))
    assert table.act(0, MortgageLots([5, 39])) is None
    assert table.decision.transfers == [Transfer(BANK, 0, 300, TRANSFER_REASON_MORTGAGE)]
    assert table.refused(0, MortgageLots([15, 5])) == "ALREADY_MORTGAGED"
    assert table.state.mortgaged[15] == 0
    assert table.act(0, RedeemLots([39, 5])) is None
    assert table.decision.transfers == [Transfer(0, BANK, 330, TRANSFER_REASON_REDEMPTION)]


@pytest.mark.parametrize(
    ("lots", "name"),
    [
        ([], "EMPTY_COMMAND"),
        ([0], "UNKNOWN_LOT"),
        ([99], "UNKNOWN_LOT"),
        ([1, 1], "DUPLICATE_LOT"),
        ([37], "NOT_OWNER"),
        ([39], "NOT_OWNER"),
        ([6], "ALREADY_MORTGAGED"),
        ([16], "GROUP_BUILT"),
        ([19], "GROUP_BUILT"),
    ],
)
def test_mortgaging_is_refused(lots: list[int], name: str) -> None:
    """One precondition, one name; a built group is cleared first (row 71, C8)."""
    position = Position(BOARD, RULES).own(0, *BROWN).own(1, 37).own(0, 6, mortgaged=1)
    table = play(position.own(0, 16, 18, level=1).own(0, 19))
    assert table.refused(0, MortgageLots(lots)) == name


@pytest.mark.parametrize(
    ("lots", "name"),
    [
        ([], "EMPTY_COMMAND"),
        ([10], "UNKNOWN_LOT"),
        ([6, 6], "DUPLICATE_LOT"),
        ([37], "NOT_OWNER"),
        ([1], "NOT_MORTGAGED"),
        ([6, 39], "INSUFFICIENT_FUNDS"),
    ],
)
def test_redeeming_is_refused(lots: list[int], name: str) -> None:
    """One precondition, one name; nobody redeems for another (row 75)."""
    position = Position(BOARD, RULES).own(0, 1).own(1, 37, mortgaged=1).own(0, 6, 39, mortgaged=1)
    position.cash[0] = 274  # 55 and 220 are needed
    assert play(position).refused(0, RedeemLots(lots)) == name


def test_a_debtor_mortgages_but_does_not_redeem() -> None:
    """Raising money is always possible, spending it on something else is not."""
    position = Position(BOARD, RULES).own(0, 1).own(0, 6, mortgaged=1)
    position.cash[0] = 60
    position.phase = PHASE_DEBT
    position.debts = [OpenDebt(0, BANK, 75, TRANSFER_REASON_TAX, -1)]
    table = play(position)
    assert table.refused(0, RedeemLots([6])) == "MUST_PAY_FIRST"
    assert table.act(0, MortgageLots([1])) is None
    assert table.state.debts == []
    assert table.state.cash[0] == 15


def test_only_the_lot_itself_has_to_be_bare_where_the_rule_set_says_so() -> None:
    """`mortgage.clear: lot` is the literal text (C8)."""
    rules = find_ruleset("classic", {"mortgage.clear": "lot"})
    assert isinstance(rules, RuleSet)
    table = Position(BOARD, rules).own(0, 16, 18, level=1).own(0, 19).table(RandomChance(1))
    assert table.refused(0, MortgageLots([16])) == "GROUP_BUILT"
    assert table.act(0, MortgageLots([19])) is None


def test_what_is_offered_to_an_heir_is_listed_at_its_price_until_a_throw_that_moves() -> None:
    """Row 82: `legal_actions` names the lower price, and only what may be redeemed now."""
    rules = find_ruleset("classic", {"mortgage.redeem_when": "own_turn_before_roll"})
    assert isinstance(rules, RuleSet)
    position = Position(BOARD, rules).own(0, 5, mortgaged=1).own(1, 39, mortgaged=1)
    position.cash[0] = 0
    position.phase = PHASE_DEBT
    position.turn_seat = 2
    position.debts = [OpenDebt(0, 1, 500, TRANSFER_REASON_RENT, 39)]
    table = play(position)
    assert table.act(0, DeclareBankruptcy()) is None
    offered = table.may(1, "redeem_lots")
    assert offered is not None
    assert [(one.lot, one.amount) for one in offered.lots] == [(5, 100)]
    assert table.refused(1, RedeemLots([39])) == "NOT_YOUR_TURN"
    assert table.act(2, EndTurn()) is None
    both = table.may(1, "redeem_lots")
    assert both is not None
    assert [(one.lot, one.amount) for one in both.lots] == [(5, 100), (39, 220)]
    assert table.act(1, Roll()) is None
    assert table.state.extras.redeem_offer == table.state.extras.redeem_price == []
    assert table.may(1, "redeem_lots") is None
