"""Whole games of legal commands: they end, fold to the same state, and keep every invariant all the way."""

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
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import PHASE_OVER
from tests.support.playing import Table
from tests.support.random_play import choose, inside, outside, play

SLOW = settings(max_examples=max(1, settings().max_examples // 5))  # of the profile: a game takes its time


def rules_with(**house: int | str) -> RuleSet:
    """Return the classic rules with some options changed (`a__b` is `a.b`)."""
    changed = with_house_rules(
        load_ruleset("classic"), {name.replace("__", "."): value for name, value in house.items()}
    )
    assert isinstance(changed, RuleSet), changed
    return changed


def table_of(seed: int, seats: int, turns_max: int, *, check_all: bool = True, **house: int | str) -> Table:
    """Begin a game that ends after some turns."""
    rules = rules_with(end__turns_max=turns_max, **house)
    table = Table(load_board("classic-us"), rules, seats, RandomChance(seed), check_all=check_all)
    table.start()
    return table


@SLOW
@given(seed=st.integers(0, 2**32), seats=st.integers(2, 8))
def test_any_legal_play_ends_by_the_cap_and_keeps_every_promise(seed: int, seats: int) -> None:
    """Random legal commands: fold = live, invariants after each event, an end with a ranking."""
    table = table_of(seed, seats, turns_max=60)
    play(table, Random(seed))
    state = table.state
    assert state.phase == PHASE_OVER
    assert sorted(state.ranking) == list(range(seats))
    assert state.turn <= 60


@pytest.mark.parametrize("seed", range(4))
def test_long_games_end(seed: int) -> None:
    """Games long enough for hotels, shortages and bankruptcies; the end is verified as a whole."""
    table = table_of(seed, 3 + seed % 2, turns_max=600, check_all=False)
    play(table, Random(seed))
    table.verify()


@SLOW
@given(seed=st.integers(0, 2**32))
def test_options_can_be_combined_freely(seed: int) -> None:
    """Other moments and other clearances play by the same steps."""
    rng = Random(seed)
    table = table_of(
        seed,
        3,
        turns_max=60,
        build__when=rng.choice(["any_time", "own_turn", "own_turn_before_roll"]),
        trade__when=rng.choice(["any_time", "own_turn", "never"]),
        mortgage__when=rng.choice(["any_time", "own_turn_or_in_debt"]),
        mortgage__clear=rng.choice(["group", "lot"]),
        build__even=rng.choice([True, False]),
        build__sell_percent=rng.choice([50, 100]),
        auction__enabled=True,
        auction__decliner_may_bid=rng.choice([True, False]),
        rent__claim=rng.choice(["automatic", "owner_before_next_player_rolls"]),
        debt__payment=rng.choice(["automatic", "asked"]),
        rent__owner_in_jail=rng.choice([True, False]),
    )
    play(table, rng)
    table.verify()


@SLOW
@given(seed=st.integers(0, 2**32))
def test_rent_on_demand_and_asked_payments_are_listed_exactly(seed: int) -> None:
    """What may be claimed and what may be paid is listed, whoever is on turn."""
    claim = "owner_before_next_player_rolls"
    table = table_of(seed, 3, turns_max=80, check_all=False, rent__claim=claim, debt__payment="asked")
    rng = Random(seed)
    for step in range(2_000):
        if table.state.phase == PHASE_OVER:
            break
        if step % 7 == 0:
            probe(table, rng)
        seat, action = choose(table, rng)
        assert table.act(seat, inside(table, rng, seat, action)) is None


@SLOW
@given(seed=st.integers(0, 2**32))
def test_what_is_listed_is_accepted_and_what_is_not_is_refused(seed: int) -> None:
    """At every few steps of a game: each listed kind has an accepted command, each outside one is refused."""
    table = table_of(seed, 3, turns_max=80, check_all=False)
    rng = Random(seed)
    state = table.state
    step = 0
    while state.phase != PHASE_OVER:
        step += 1
        if step % 7 == 0:
            probe(table, rng)
        seat, action = choose(table, rng)
        assert table.act(seat, inside(table, rng, seat, action)) is None


def probe(table: Table, rng: Random) -> None:
    """Try one command of every listed kind, and every command just outside, without keeping the result."""
    state = table.state
    for seat in range(state.seats):
        listed = table.legal(seat)
        kinds = names_of(legal_kinds(state, seat, table.auctions))
        assert sorted({action.kind for action in listed}) == sorted(kinds)
        for action in listed:
            if action.kind not in ("place_bid", "pass_auction", "set_proxy_bid"):
                command = inside(table, rng, seat, action)
                answer = decide(state, seat, command, RandomChance(1))
                assert not isinstance(answer, Rejection), (seat, action, command, answer)
        for command in outside(table, seat):
            assert isinstance(decide(state, seat, command, RandomChance(1)), Rejection), (seat, command)
        for kind in (
            "roll",
            "build",
            "sell_buildings",
            "mortgage_lots",
            "redeem_lots",
            "offer_trade",
            "end_turn",
            "claim_rent",
        ):
            assert (refusal(state, seat, kind, table.auctions) == "") == (kind in kinds)
