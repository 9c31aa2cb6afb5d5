"""Some games of every rule set with every invariant on; `make simulate` plays many more of them.

A game that fails here is played again, step by step, by the command that the failure names.
"""

from __future__ import annotations

import pytest

from magnate.cli.simulate import again
from magnate.cli.simulate.play import BOTS, Setup, play_games
from magnate.rules.loader import load_ruleset, ruleset_ids
from magnate.rules.vocabulary import END_REASON_ABANDONED

GAMES = 30
SEED = 3


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_any_house_rules_go_together(ruleset: str) -> None:
    """Options that are drawn at random for each game, and contradict nothing, are played to the end."""
    setup = Setup(ruleset, seed=SEED, mixed=True)
    played = play_games(setup, 0, GAMES)
    assert not played.failures, "\n".join(f"{one.text}\n{again(setup, one)}" for one in played.failures)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("bots", BOTS)
@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_game_ends_and_nothing_illegal_comes_up(ruleset: str, bots: str) -> None:
    """Bots that choose at random, with and without deals, for every number of players."""
    setup = Setup(ruleset, bots=bots, seed=SEED)
    games = GAMES if bots == BOTS[0] else GAMES // 3
    played = play_games(setup, 0, games)
    assert not played.failures, "\n".join(f"{one.text}\n{again(setup, one)}" for one in played.failures)
    assert sum(played.numbers["ends"]) == games
    assert played.numbers["ends"][END_REASON_ABANDONED] == 0
    assert max(played.numbers["turns"]) <= load_ruleset(ruleset).end_turns_max
