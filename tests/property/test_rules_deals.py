"""Deals, mortgages and loans under all their options: what is listed is accepted, the rest is refused."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.kinds import names_of
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.legal_refusal import refusal
from magnate.rules.loader import find_ruleset, load_board
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet
from magnate.rules.vocabulary import PHASE_OVER
from tests.support.playing import Table
from tests.support.random_play import choose, inside, outside

SLOW = settings(max_examples=max(1, settings().max_examples // 5))  # of the profile: a game takes its time
TALK = ("offer_trade", "counter_offer", "accept_offer", "reject_offer", "withdraw_offer")
KINDS = (*TALK, "mortgage_lots", "redeem_lots", "take_loan", "repay_loan")
BOARDS = {"classic": "classic-us", "online": "online", "millionaire": "millionaire-classic"}


def table_of(seed: int, ruleset: str, house: dict[str, bool | int | str]) -> Table:
    """Begin a game of some rule set and house rules that ends after 60 turns."""
    rules = find_ruleset(ruleset, {"end.turns_max": 60, **house})
    assert isinstance(rules, RuleSet), rules
    table = Table(load_board(BOARDS[ruleset]), rules, 3, RandomChance(seed), check_all=False)
    table.start()
    return table


def drawn(rng: Random) -> dict[str, bool | int | str]:
    """Draw house rules about deals."""
    house: dict[str, bool | int | str] = {
        "trade.when": rng.choice(["any_time", "own_turn", "own_turn_before_roll"]),
        "trade.max_imbalance_percent": rng.choice([0, 25, 50, 100]),
        "trade.immunity": rng.choice([True, False]),
        "trade.loans": rng.choice([True, False]),
        "trade.loan_rounds": rng.choice([0, 1, 3]),
        "trade.clear": rng.choice(["group", "lot"]),
        "debt.pay_in_kind": rng.choice([True, False]),
        "loan.enabled": rng.choice([True, False]),
        "loan.rounds": rng.choice([1, 4]),
        "loan.pause_rounds": rng.choice([0, 2]),
        "mortgage.rounds_max": rng.choice([0, 2]),
        "mortgage.redeem_when": rng.choice(["any_time", "own_turn", "own_turn_before_roll"]),
        "mortgage.rounding": rng.choice(["up", "down", "nearest"]),
        "mortgage.redeem": rng.choice(
            ["mortgage_plus_10", "price_plus_10", "half_plus_10_of_price", "factor"]
        ),
    }
    if rng.random() < 0.5:
        house |= {"mortgage.transfer": "taken_over"}
    return house


@pytest.mark.parametrize("ruleset", list(BOARDS))
@SLOW
@given(seed=st.integers(0, 2**32))
def test_deals_and_loans_are_listed_exactly(ruleset: str, seed: int) -> None:
    """Random games under random house rules, probed every few steps; all invariants hold at the end."""
    rng = Random(seed)
    house = drawn(rng)
    if ruleset == "millionaire":  # mortgages never change hands there
        house["mortgage.transfer"] = "forbidden"
    table = table_of(seed, ruleset, house)
    for step in range(1_500):
        if table.state.phase == PHASE_OVER:
            break
        if step % 7 == 0:
            probe(table, rng)
        seat, action = choose(table, rng)
        command = inside(table, rng, seat, action)
        assert table.act(seat, command) is None, (house, action, command)
    table.verify()


def probe(table: Table, rng: Random) -> None:
    """Try one command of every listed kind, and what is not listed, without keeping the result."""
    state = table.state
    for seat in range(state.seats):
        listed = table.legal(seat)
        kinds = names_of(legal_kinds(state, seat, table.auctions))
        assert sorted({action.kind for action in listed}) == sorted(kinds)
        for action in listed:
            if action.kind in KINDS:
                command = inside(table, rng, seat, action)
                answer = decide(state, seat, command, RandomChance(1))
                assert not isinstance(answer, Rejection), (seat, action, command, answer)
        for command in outside(table, seat):
            assert isinstance(decide(state, seat, command, RandomChance(1)), Rejection), (seat, command)
        for kind in KINDS:
            assert (refusal(state, seat, kind, table.auctions) == "") == (kind in kinds), (seat, kind)
