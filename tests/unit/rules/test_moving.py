"""Throwing, moving, GO, and what squares ask (rows 9 to 18; cases C005, C007, C010)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.chance import ScriptedChance
from magnate.rules.decision import Decision
from magnate.rules.draft import Draft
from magnate.rules.loader import load_ruleset, open_library
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.state import State
from magnate.rules.steps.move import back, forward
from magnate.rules.vocabulary import (
    MOVE_CAUSE_DICE,
    PHASE_ACT,
    PHASE_BUY,
    PHASE_ROLL,
    BuyLot,
    DiceThrown,
    EndTurn,
    JailEntered,
    Roll,
    SalaryEarned,
    TaxCharged,
    TokenMoved,
)
from tests.support.classic import BANK, A, B, begin, paid, position, reasons, said
from tests.support.own_files import own_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_throw_moves_the_sum_and_offers_a_free_lot() -> None:
    """The first throw of a position leads to a lot of the bank, which is offered at its price."""
    table = begin(position(), (1, 2))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 3
    assert (table.state.phase, table.state.offered_lot) == (PHASE_BUY, 3)
    assert table.act(A, BuyLot()) is None
    assert paid(table) == [(A, BANK, 60)]
    assert table.state.owner[3] == A
    assert table.state.phase == PHASE_ACT


@pytest.mark.parametrize(("start", "dice", "target"), [(38, (1, 3), 2), (38, (1, 1), 0), (39, (6, 5), 10)])
def test_go_pays_when_reached_or_passed(start: int, dice: tuple[int, int], target: int) -> None:
    """200 once for each time GO is reached or passed (row 12)."""
    made = position()
    made.at[A] = start
    table = begin(made, dice, chest=("cc02",))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == target
    assert paid(table)[0] == (BANK, A, 200)
    assert said(table, SalaryEarned) == ["SalaryEarned"]


def test_landing_on_go_pays_nothing_where_the_option_says_so() -> None:
    """`go.landing_pays: false`: GO has to be passed."""
    made = position(go__landing_pays=False)
    made.at[A] = 38
    table = begin(made, (1, 1))
    assert table.act(A, Roll()) is None
    assert paid(table) == []


def test_salary_twice_in_one_turn() -> None:
    """C005: passing GO by dice, then 'advance to GO' by a card: two postings of 200, two reasons said."""
    made = position()
    made.at[A] = 38
    table = begin(made, (1, 3), chest=("cc01",))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 0
    assert paid(table) == [(BANK, A, 200), (BANK, A, 200)]
    assert reasons(table) == ["SALARY", "SALARY"]


def test_a_double_throws_again_and_the_third_goes_to_jail_without_moving() -> None:
    """C007: no move, no salary, no purchase; the turn is over at once (row 11)."""
    made = position()
    made.at[A] = 35
    made.doubles = 2
    table = begin(made, (4, 4))
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], table.state.jailed[A]) == (10, 1)
    assert paid(table) == []
    assert said(table, TokenMoved, JailEntered) == ["JailEntered"]
    assert table.state.turn_seat == B
    assert table.state.phase == PHASE_ROLL


def test_an_extra_throw_comes_after_the_square_is_dealt_with() -> None:
    """Row 10: act on the square, then throw again; it cannot be waived."""
    table = begin(position(), (2, 2), (1, 2), chance=("ch08",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, BANK, 200)]  # income tax on square 4
    assert table.state.phase == PHASE_ROLL
    assert table.refused(A, EndTurn()) == "MUST_ROLL"
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 7


def test_jail_by_card_after_a_double_takes_the_extra_throw() -> None:
    """C010: the turn ends on arrest; out of jail by a double there is no extra throw either."""
    made = position(seats=2)
    made.at[A] = 32
    table = begin(made, (2, 2), (1, 2), (5, 5), chance=("ch11",))
    assert table.act(A, Roll()) is None
    assert (table.state.jailed[A], table.state.turn_seat, table.state.doubles) == (1, B, 0)
    assert table.act(B, Roll()) is None
    assert table.act(B, BuyLot()) is None
    assert table.act(B, EndTurn()) is None
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], table.state.jailed[A], table.state.phase) == (20, 0, PHASE_ACT)


def test_the_go_to_jail_square_pays_no_salary() -> None:
    """Rows 15, 42: straight to jail, the turn ends."""
    made = position()
    made.at[A] = 25
    table = begin(made, (2, 3))
    assert table.act(A, Roll()) is None
    assert (table.state.at[A], table.state.jailed[A], table.state.turn_seat) == (10, 1, B)
    assert paid(table) == []


def test_visiting_the_jail_square_costs_nothing() -> None:
    """Row 49: just visiting; `jail.landing_detains` arrests instead."""
    made = position()
    made.at[A] = 5
    table = begin(made, (2, 3))
    assert table.act(A, Roll()) is None
    assert (table.state.jailed[A], table.state.phase) == (0, PHASE_ACT)
    made = position(jail__landing_detains=True)
    made.at[A] = 5
    table = begin(made, (2, 3))
    assert table.act(A, Roll()) is None
    assert (table.state.jailed[A], table.state.turn_seat) == (1, B)


def test_tax_and_free_parking() -> None:
    """Rows 16, 17: tax squares ask their sum, free parking nothing."""
    made = position()
    made.at[A] = 35
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, BANK, 100)]
    assert said(table, TaxCharged) == ["TaxCharged"]
    made = position()
    made.at[A] = 17
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == []
    assert table.state.phase == PHASE_ACT


def test_only_the_seat_on_turn_throws_and_only_when_it_is_time() -> None:
    """The order of refusals: not one's turn, then the wrong phase."""
    table = begin(position(), (1, 2))
    assert table.refused(B, Roll()) == "NOT_YOUR_TURN"
    assert table.refused(7, Roll()) == "UNKNOWN_SEAT"
    assert table.refused(A, BuyLot()) == "WRONG_PHASE"
    assert table.act(A, Roll()) is None
    assert table.refused(A, Roll()) == "WRONG_PHASE"
    assert table.refused(A, EndTurn()) == "WRONG_PHASE"


def test_draws_are_numbered() -> None:
    """Each throw names the draw of chance it used, counted from 1."""
    made = position()
    made.at[A] = 16  # free parking next, so both throws belong to one turn
    table = begin(made, (2, 2), (2, 3))
    assert table.act(A, Roll()) is None
    first = [event.draw for event in table.decision.events if isinstance(event, DiceThrown)]
    assert table.act(A, Roll()) is None
    second = [event.draw for event in table.decision.events if isinstance(event, DiceThrown)]
    assert (first, second) == ([1], [2])


@pytest.mark.parametrize(
    ("start", "steps", "target", "passes"),
    [(7, 3, 2, 1), (7, 10, 1, 2), (4, 12, 0, 2), (0, 7, 7, 0), (0, 8, 0, 1)],
)
def test_a_small_board_is_gone_round_more_than_once(
    tmp_path: Path, start: int, steps: int, target: int, passes: int
) -> None:
    """On eight squares one throw can pass GO twice: it pays each time, and stopping there is one of them."""
    board = open_library(own_folder(tmp_path)).load_board("village")
    draft = Draft(State(board, load_ruleset("classic"), 2), ScriptedChance([], [], []), Decision())
    draft.state.at[A] = start
    forward(draft, A, steps, MOVE_CAUSE_DICE)
    assert draft.state.at[A] == target
    assert [transfer.amount for transfer in draft.transfers] == [20] * passes


@pytest.mark.parametrize(
    ("start", "steps", "target", "passes"),
    [(3, 2, 1, 0), (3, 3, 0, 1), (3, 11, 0, 2), (0, 8, 0, 1), (0, 7, 1, 0)],
)
def test_the_way_back_round_a_small_board(
    tmp_path: Path, start: int, steps: int, target: int, passes: int
) -> None:
    """`go.backward_pays`: leaving GO backwards is not passing it, coming round to it is."""
    board = open_library(own_folder(tmp_path)).load_board("village")
    rules = with_house_rules(load_ruleset("classic"), {"go.backward_pays": True})
    assert isinstance(rules, RuleSet)
    draft = Draft(State(board, rules, 2), ScriptedChance([], [], []), Decision())
    draft.state.at[A] = start
    back(draft, A, steps)
    assert draft.state.at[A] == target
    assert [transfer.amount for transfer in draft.transfers] == [20] * passes
