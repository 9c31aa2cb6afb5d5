"""Seats that leave in every way that options offer: nothing is left behind, and games go on."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from magnate.rules.chance import RandomChance
from magnate.rules.decision import Decision
from magnate.rules.expiry import time_out
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.ruleset import RuleSet, with_house_rules
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_OVER
from magnate.rules.waiting import waiting_seats
from tests.support.playing import Table
from tests.support.random_play import choose, inside

SLOW = settings(max_examples=max(1, settings().max_examples // 5))
COMMANDS_MAX = 3_000
OPTIONS: dict[str, list[str | bool]] = {
    "bankrupt.to_player": ["estate_to_creditor", "bank_pays_creditor", "free"],
    "bankrupt.buildings": ["sold_half", "to_bank", "reset"],
    "bankrupt.creditor_paid": ["in_full", "what_is_missing"],
    "bankrupt.to_bank": ["auction", "free"],
    "bankrupt.buildings_final": ["same", "transferred"],
    "bankrupt.early": [True, False],
    "resign.estate": ["as_bankrupt", "auction", "free", "split", "freeze"],
    "end": ["last_player", "first_bankruptcy", "second_bankruptcy", "agreed_time"],
    "end.time_finish": ["round", "at_once"],
    "score.method": ["full_count", "purchase_prices", "money_and_property"],
    "debt.payment": ["automatic", "asked", "by_card"],
    "timers.expiry": ["bankrupt", "default_action"],
    "trade.loans": [True, False],
    "trade.immunity": [True, False],
}


def table_of(rng: Random) -> Table:
    """Begin a game with some options, at which everybody soon runs out of money."""
    chosen = {name: rng.choice(values) for name, values in OPTIONS.items()}
    changed = {**chosen, "end.turns_max": 150, "end.minutes": 20}
    rules = with_house_rules(load_ruleset(rng.choice(["classic", "short"])), changed)
    assert isinstance(rules, RuleSet), rules
    table = Table(load_board("classic-us"), rules, rng.randint(2, 5), RandomChance(rng.getrandbits(32)))
    table.start()
    return table


@SLOW
@given(seed=st.integers(0, 2**32))
def test_whoever_leaves_however_leaves_nothing_behind(seed: int) -> None:
    """Invariants, books and fold after every command; clocks run out for anybody who is waited for."""
    rng = Random(seed)
    table = table_of(rng)
    for _ in range(COMMANDS_MAX):
        state = table.state
        if state.phase == PHASE_OVER:
            break
        table.elapsed_ms += 1_000
        if rng.random() < 0.03 and state.phase != PHASE_AUCTION and waiting_seats(state):
            _let_time_run_out(table, rng.choice(waiting_seats(state)))
            continue
        seat, action = choose(table, rng)
        command = inside(table, rng, seat, action)
        refused = table.act(seat, command)
        assert refused is None or refused.name == "DEADLINE_PASSED", (seat, action, command, refused)
        if refused is not None:
            return
    assert state.phase == PHASE_OVER
    assert sorted(state.ranking) == list(range(state.seats))


def _let_time_run_out(table: Table, seat: int) -> None:
    decision = Decision()
    assert time_out(table.state, seat, table.chance, decision, table.elapsed_ms) is None
    table._take(decision, live=True)
