"""Positions with what only some rule sets have: what stands as given, and what could not have come about."""

from __future__ import annotations

from typing import Any

import pytest

from magnate.rules.decide import given
from magnate.rules.loader import find_ruleset, load_board
from magnate.rules.rejections import Rejection
from magnate.rules.replaying import apply
from magnate.rules.ruleset import RuleSet
from magnate.rules.state import State
from magnate.rules.vocabulary import (
    PHASE_CHOICE,
    PHASE_ROLL,
    QUESTION_STAKE,
    QUESTION_TAX,
    Card,
    HeldCard,
    LotPass,
    OpenLoan,
    PositionGiven,
)

A, B, BANK = 0, 1, -1


def fresh(ruleset: str, **options: bool) -> State:
    """Return a table of two that has not begun."""
    rules = find_ruleset(ruleset, {name.replace("__", "."): value for name, value in options.items()})
    assert isinstance(rules, RuleSet), rules
    return State(load_board(rules.board), rules, 2)


def position(state: State, lots: dict[int, int] | None = None, **changes: Any) -> PositionGiven:
    """Return the position at the start, with owners of lots and other changes."""
    size = state.board.size
    made = PositionGiven(
        A, PHASE_ROLL, 1, 0, [0, 0], [0, 0], [0, 0], [0, 0], [BANK] * size, [0] * size, [0] * size,
        state.houses_left, state.hotels_left, [], [], BANK,
    )  # fmt: skip
    for lot, owner in (lots or {}).items():
        made.owner[lot] = owner
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def by_square(state: State, **values: int) -> list[int]:
    """Return a list by square: `s31=2` is a 2 on square 31."""
    found = [0] * state.board.size
    for name, value in values.items():
        found[int(name[1:])] = value
    return found


def begun(state: State, made: PositionGiven) -> State:
    """Return the table in this position."""
    decision = given(state, made, [1000, 1000])
    assert not isinstance(decision, Rejection), decision
    apply(state, decision)
    return state


def fault(state: State, made: PositionGiven) -> str:
    """Return what is wrong with a position."""
    answer = given(state, made, [1000, 1000])
    assert isinstance(answer, Rejection), "the position was accepted"
    assert answer.name == "INVALID_POSITION"
    return answer.detail


def test_everything_stands_as_given() -> None:
    """Pots, lost turns, a reversed move, loans and free visits."""
    state = fresh("classic", trade__loans=True, trade__immunity=True)
    made = position(
        state,
        {31: B},
        pots=[1, 2, 3],
        skip_turns=[2, 0],
        reverse=[0, 1],
        loans=[OpenLoan(A, B, 5, 9)],
        passes=[LotPass(31, B, A, 2)],
    )
    extras = begun(state, made).extras
    assert extras.pots == [1, 2, 3]
    assert (extras.skip, extras.reverse) == ([2, 0], [0, 1])
    assert (extras.loans, extras.passes) == ([OpenLoan(A, B, 5, 9)], [LotPass(31, B, A, 2)])


def test_levels_are_the_first_where_nothing_is_said() -> None:
    """An owned lot of a board with rent levels has one, whoever sends the position."""
    state = fresh("ultimate-banking")
    assert begun(state, position(state, {1: A})).extras.rent_level[1] == 1
    again = fresh("ultimate-banking")
    given_levels = position(again, {1: A}, rent_level=by_square(again, s1=4))
    assert begun(again, given_levels).extras.rent_level[1] == 4


def test_a_mortgage_knows_how_long_it_lasts() -> None:
    """What remains of the rounds that the rule set gives."""
    state = fresh("online")
    made = position(state, {1: A, 3: A}, mortgaged=by_square(state, s1=1, s3=1), round=20)
    made.mortgaged_rounds = by_square(state, s3=4)
    last = begun(state, made).extras.last_round
    assert last[1] - last[3] == 4
    assert last[3] > 20


def test_a_card_that_asks_was_drawn() -> None:
    """It lies under its deck, and its question waits."""
    state = fresh("ultimate-banking")
    begun(state, position(state, phase=PHASE_CHOICE, asking_cards=[Card(0, 5)]))
    assert (state.choice_deck, state.choice_card) == (0, 5)
    assert (5 in state.unseen[0], state.seen[0]) == (False, [5])


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"pots": [1, 2]}, "pots: 2 values"),
        ({"pots": [0, -1, 0]}, "pots: -1 is no amount"),
        ({"skip_turns": [1]}, "skip_turns: 1 values for 2 seats"),
        ({"skip_turns": [0, 101]}, "skip_turns: seat 1 has 101"),
        ({"reverse": [0, 2]}, "reverse: seat 1 has 2"),
        ({"elapsed_ms": -1}, "elapsed_ms"),
        ({"rent_level": [0]}, "40 values"),
        ({"mortgaged_rounds": [1] + [0] * 39}, "square 0 is not mortgaged"),
        ({"loans": [OpenLoan(A, BANK, 5, 0)]}, "nobody lends"),
        ({"loans": [OpenLoan(A, B, 5, 0)]}, "nobody lends"),
        ({"loans": [OpenLoan(2, B, 5, 0)]}, "2 is no seat"),
        ({"loans": [OpenLoan(A, 2, 5, 0)]}, "2 is no seat"),
        ({"loans": [OpenLoan(A, A, 5, 0)]}, "owes itself"),
        ({"loans": [OpenLoan(A, BANK, 0, 0)]}, "0 is no amount"),
        ({"loans": [OpenLoan(A, BANK, 5, -1)]}, "round -1"),
        ({"passes": [LotPass(31, B, A, 1)]}, "does not belong to 1"),
        ({"passes": [LotPass(31, BANK, A, 1)]}, "does not belong to -1"),
        ({"question": QUESTION_TAX}, "nothing is asked in this phase"),
        ({"phase": PHASE_CHOICE}, "one thing is asked"),
        ({"phase": PHASE_CHOICE, "question": QUESTION_STAKE}, "does not ask that"),
        ({"phase": PHASE_CHOICE, "asking_cards": [Card(0, 1), Card(0, 2)]}, "one thing is asked"),
        ({"phase": PHASE_CHOICE, "asking_cards": [Card(7, 0)]}, "no deck 7"),
        ({"phase": PHASE_CHOICE, "asking_cards": [Card(0, 99)]}, "no card 99"),
        (
            {"phase": PHASE_CHOICE, "asking_cards": [Card(1, 4)], "cards": [HeldCard(A, 1, 4)]},
            "somebody holds that card",
        ),
    ],
)
def test_what_could_not_have_come_about_in_a_classic_game(changes: dict[str, Any], says: str) -> None:
    """The detail names the field and what is wrong with it."""
    state = fresh("classic")
    assert says in fault(state, position(state, **changes))


def test_free_visits_are_of_lots_of_others() -> None:
    """Nobody visits himself, and visits are counted from one."""
    state = fresh("classic", trade__immunity=True)
    assert "cannot visit" in fault(state, position(state, {31: B}, passes=[LotPass(31, B, B, 1)]))
    assert "0 visits" in fault(state, position(state, {31: B}, passes=[LotPass(31, B, A, 0)]))
    plain = fresh("classic")
    assert "no immunity" in fault(plain, position(plain, {31: B}, passes=[LotPass(31, B, A, 1)]))


def test_levels_are_within_what_the_board_has() -> None:
    """Lots of the bank have none, owned ones from the first to the last."""
    state = fresh("ultimate-banking")
    for lots, levels in (({1: A}, {"s1": 6}), ({1: A}, {"s3": 1}), ({1: A}, {"s3": 0})):
        assert "rent_level" in fault(state, position(state, lots, rent_level=by_square(state, **levels)))


def test_a_lot_that_was_lost_is_nobodys_mortgage() -> None:
    """More rounds than the rule set gives cannot have passed."""
    state = fresh("online")
    made = position(state, {1: A}, mortgaged=by_square(state, s1=1), round=30)
    made.mortgaged_rounds = by_square(state, s1=16)
    assert "lost after 15 rounds" in fault(state, made)


def test_who_is_out_loses_no_turns() -> None:
    """He has none."""
    rules = find_ruleset("classic", {})
    assert isinstance(rules, RuleSet)
    state = State(load_board("classic-us"), rules, 3)
    made = position(state, at=[0] * 3, jailed=[0] * 3, jail_tries=[0] * 3, out=[0, 0, 1])
    made.skip_turns = [0, 0, 1]
    answer = given(state, made, [10, 10, 0])
    assert isinstance(answer, Rejection)
    assert "seat 2 is out" in answer.detail
