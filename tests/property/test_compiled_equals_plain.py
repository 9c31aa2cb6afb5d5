"""The rules compiled by mypyc and the same source run by Python play the very same games."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from magnate import compiled
from magnate.rules import vocabulary

GAMES = 40

_PLAY = """
import hashlib, sys
from magnate import compiled
from magnate.rules import plain, vocabulary
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.simulate import Game

for number in range(int(sys.argv[1])):
    board = ("classic-us", "classic-uk", "classic-ru")[number % 3]
    game = Game(load_board(board), load_ruleset("classic"), 2 + number % 5, number, True)
    game.play()
    log = repr(game.log)
    print(board, hashlib.sha256(log.encode()).hexdigest(), plain.digest(game.state))
print("compiled" if compiled.is_compiled(vocabulary) else "plain")
"""


def _play(*, pure: bool) -> list[str]:
    """Play the games in another process; return a line of hashes for each, and which code it was."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "MAGNATE_PURE": "1" if pure else ""}
    done = subprocess.run(
        [sys.executable, "-c", _PLAY, str(GAMES)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=110,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_compiled_and_plain_rules_play_the_same_games() -> None:
    """Equal seeds give equal events and equal states, whichever way the rules run."""
    if not compiled.is_compiled(vocabulary):
        pytest.skip("the rules are not compiled here (no C compiler, or MAGNATE_PURE=1)")
    *plain, plain_kind = _play(pure=True)
    *fast, fast_kind = _play(pure=False)
    assert (plain_kind, fast_kind) == ("plain", "compiled")
    assert len(plain) == GAMES
    assert len(set(plain)) == GAMES
    assert fast == plain
