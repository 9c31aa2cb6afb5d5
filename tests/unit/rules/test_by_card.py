"""Payments that wait for the payer's card on the bank's terminal (row 25, debt.payment: by_card)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.chance import RandomChance
from magnate.rules.decision import Decision
from magnate.rules.expiry import time_out
from magnate.rules.invariants import check_waiting
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.simulate import Game
from magnate.rules.steps.debt import awaits_card
from magnate.rules.vocabulary import PHASE_ACT, PHASE_DEBT, MortgageLots, PayDebt, Roll
from tests.support.classic import A, B, begin, paid, position

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from tests.support.playing import Table

COMMANDS_MAX = 20_000


def charged(cash: int = 1500, **house: str) -> Table:
    """Begin where A, who owns square 5, throws and comes to a lot of B's that costs 26."""
    made = position(2, debt__payment="by_card", **house)
    made.at[A] = 25
    made.cash[A] = cash
    table = begin(made.own(B, 31).own(A, 5), (2, 4))
    assert table.act(A, Roll()) is None
    assert table.state.phase == PHASE_DEBT
    return table


def test_only_the_card_pays() -> None:
    """The seat itself sees what it owes, and why it cannot pay; nobody else is asked."""
    table = charged()
    assert awaits_card(table.state, A)
    assert not awaits_card(table.state, B)
    assert table.may(A, "pay_debt") is None
    assert refusal(table.state, A, "pay_debt") == "CARD_REQUIRED"
    assert table.refused(A, PayDebt()) == "CARD_REQUIRED"
    assert table.refused(B, PayDebt()) == "NOT_IN_DEBT"
    assert table.refused(B, PayDebt(by_card=True)) == "NOT_IN_DEBT"
    assert check_waiting(table.state) == []
    assert table.act(A, PayDebt(by_card=True)) is None
    assert paid(table) == [(A, B, 26)]
    assert table.state.phase == PHASE_ACT


def test_who_has_not_enough_learns_that_first() -> None:
    """Money has to be raised before a card is of any use."""
    table = charged(cash=10)
    assert not awaits_card(table.state, A)
    assert refusal(table.state, A, "pay_debt") == "INSUFFICIENT_FUNDS"
    assert table.refused(A, PayDebt(by_card=True)) == "INSUFFICIENT_FUNDS"
    assert table.act(A, MortgageLots([5])) is None
    assert awaits_card(table.state, A)
    assert table.state.debts


def test_time_pays_without_the_card() -> None:
    """As where payments are asked for: the default is that the debtor pays."""
    table = charged(timers__expiry="default_action")
    decision = Decision()
    assert time_out(table.state, A, RandomChance(1), decision) is None
    assert [type(event).__name__ for event in decision.events][:2] == ["TimeExpired", "DebtPaid"]
    assert not table.state.debts


@pytest.mark.parametrize("payment", ["automatic", "asked"])
def test_a_card_is_taken_where_none_is_asked_for(payment: str) -> None:
    """How it is paid is the terminal's to say; whether it must be so is the rule set's."""
    made = position(2, debt__payment=payment)
    made.cash[A] = 10
    made.at[A] = 25
    table = begin(made.own(B, 31).own(A, 5), (2, 4))
    assert table.act(A, Roll()) is None
    assert table.act(A, MortgageLots([5])) is None
    expected = "NOT_IN_DEBT" if payment == "automatic" else ""
    assert table.refused(A, PayDebt(by_card=True)) == expected


@pytest.mark.parametrize("ruleset", ["classic", "e-banking", "ultimate-banking", "online", "millionaire"])
def test_random_games_end_where_every_payment_takes_a_card(ruleset: str) -> None:
    """The bot does what the terminal would, so nothing waits for ever."""
    rules = with_house_rules(load_ruleset(ruleset), {"debt.payment": "by_card", "end.turns_max": 300})
    assert isinstance(rules, RuleSet), rules
    board: Board = load_board(rules.board)
    by_card = 0
    for seed in range(5):
        game = Game(board, rules, 3, seed, record=True, bold=True)
        game.start()
        while not game.over:
            assert len(game.moves) < COMMANDS_MAX
            game.step()
            assert not (bad := check_waiting(game.state)), bad
        payments = [move.command for move in game.moves if isinstance(move.command, PayDebt)]
        assert all(command.by_card for command in payments)
        by_card += len(payments)
    assert by_card
