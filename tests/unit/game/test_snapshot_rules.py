"""A snapshot brings back every field of the rules' state, the counters too."""

from __future__ import annotations

import json
from random import Random

import pytest

from magnate.game.domain.table import TableState
from magnate.game.snapshot import _read_rules, _rules
from magnate.rules import plain
from magnate.rules.chance import RandomChance
from magnate.rules.invariants import check
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.loader import load_board, load_ruleset
from tests.support.playing import Table
from tests.support.random_play import choose, inside


@pytest.mark.parametrize("seed", range(3))
def test_a_restored_state_is_the_same_and_allows_the_same(seed: int) -> None:
    """Equal digest, equal counters, equal legal kinds, at many points of a game."""
    board, rules = load_board("classic-us"), load_ruleset("classic")
    table = Table(board, rules, 4, RandomChance(seed), check_all=False)
    table.start()
    opened = TableState()
    opened.board, opened.ruleset, opened.names = board, rules, ["a", "b", "c", "d"]
    rng = Random(seed)
    for step in range(400):
        if table.state.phase == 8:
            break
        seat, action = choose(table, rng)
        table.act(seat, inside(table, rng, seat, action))
        if step % 20 == 0:
            twin = _read_rules(json.loads(json.dumps(_rules(table.state))), opened)
            assert plain.digest(twin) == plain.digest(table.state)
            assert check(twin) == []
            for other in range(4):
                assert legal_kinds(twin, other) == legal_kinds(table.state, other)
