"""`magnate demo` as a newcomer runs it: everything started, a whole game, its last line in full."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240)]

FIELDS = {
    "game_id": str,
    "ruleset": str,
    "board": str,
    "players": int,
    "turns": int,
    "commits": int,
    "events": int,
    "winner": str,
    "replay_identical": bool,
    "chain_ok": bool,
    "ledger_sum": int,
    "fairness_ok": bool,
    "seconds": float,
}


def magnate(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "magnate.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_a_demo_plays_a_whole_game_and_verifies_it() -> None:
    """The game ends with a winner, is rebuilt identically, balances, and its chance is proved fair."""
    done = magnate("demo", "--json", "--players", "3", "--seed", "5")
    assert done.returncode == 0, done.stderr
    last: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    assert list(last) == list(FIELDS)
    for name, kind in FIELDS.items():
        assert type(last[name]) is kind, name
    assert last["ruleset"] == "classic"
    assert last["board"] == "classic-us"
    assert last["players"] == 3
    assert last["turns"] > 10
    assert last["events"] > last["commits"] > last["turns"]
    assert last["winner"]
    assert (last["replay_identical"], last["chain_ok"], last["fairness_ok"]) == (True, True, True)
    assert last["ledger_sum"] == 0


def test_a_demo_by_unknown_rules_says_so() -> None:
    """The server's refusal is passed on, with the exit code of bad input."""
    done = magnate("demo", "--ruleset", "nonsense")
    assert done.returncode == 2
    assert "UNKNOWN_RULESET" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("rule", ["debt.payment=by_card", "table.tokens=by_hand"])
def test_a_demo_by_rules_for_people_is_refused(rule: str) -> None:
    """Bots would wait for each other for ever."""
    done = magnate("demo", "--option", rule)
    assert done.returncode == 2, done.stderr
    assert rule in done.stderr
    assert done.stdout == ""


def test_a_demo_on_a_server_that_is_not_there_says_so() -> None:
    """Nothing is started when an address is given."""
    done = magnate("demo", "--addr", "127.0.0.1:1")
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
