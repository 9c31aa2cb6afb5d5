"""Benches and load tests run, verify what they played, and say so; how fast they are is not tested."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from magnate.rules.loader import ruleset_ids

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


def last_line(*arguments: str) -> dict[str, Any]:
    """Run a module to its end and return its last line's object."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def test_the_rules_are_measured() -> None:
    """The figures that the documentation names are there."""
    values = last_line("magnate.cli", "bench", "rules", "--seconds", "0.5", "--json")
    assert values.keys() >= {"turns_per_second", "events_per_second", "commands_per_second", "compiled"}
    assert values["turns_per_second"] > 0
    assert values["compiled"] in (True, False)
    assert set(values["rulesets"]) == set(ruleset_ids())
    assert values["slowest_ratio"] == pytest.approx(
        values["rulesets"][values["slowest_ruleset"]] / values["rulesets"]["classic"], abs=0.01
    )


def test_the_ledger_is_measured() -> None:
    """Deciding and folding, in batches and one by one."""
    values = last_line("magnate.cli", "bench", "ledger", "--seconds", "0.5", "--json")
    assert values["transfers_per_second"] > values["single_per_second"] > 0
    assert values["compiled"] in (True, False)


@pytest.mark.nats
def test_transfers_are_measured_and_every_one_found_again() -> None:
    """64 ledgers, single transfers and batches, and each acknowledged one is there once."""
    values = last_line("magnate.cli", "bench", "transfers", "--seconds", "0.5", "--json")
    assert values["verified"] is True
    assert values["batched_per_second"] > values["single_per_second"] > 0
    assert values["transfers"] >= 64


@pytest.mark.nats
def test_the_host_is_measured_and_every_game_verified() -> None:
    """64 games over streams and single calls, and all of them hold."""
    values = last_line("magnate.cli", "bench", "host", "--seconds", "0.5", "--json")
    assert values["verified"] is True
    assert values["games"] >= 64
    figures = ("streams_per_second", "unary_per_second", "lone_p50_ms")
    for name in (*figures, *(f"yardstick_{name}" for name in figures)):
        assert values[name] > 0, name


@pytest.mark.nats
def test_bids_are_measured_and_every_one_answered() -> None:
    """A hundred bidders on one lot: each bid is accepted or refused by name, and the log verifies."""
    values = last_line("magnate.cli", "bench", "bids", "--seconds", "0.5", "--json")
    assert values["answered"] is True
    assert values["verified"] is True
    assert values["offered"] == 150 == values["accepted"] + sum(values["refused"].values())
    assert values["accepted"] > 0
    assert set(values["refused"]) <= {"BID_TOO_LOW", "ALREADY_LEADING"}
    assert values["p99_ms"] > 0 < values["bids_per_second"]


@pytest.mark.nats
def test_an_open_loop_keeps_its_rate(tmp_path: Path) -> None:
    """What was planned was sent, and the report is stored."""
    arguments = ["--games", "4", "--seconds", "1", "--warm-up", "0", "--rate", "40", "--seats", "2"]
    values = last_line("loadtests", *arguments, "--json", "--report", str(tmp_path))
    assert values["commands"] == 40
    assert values["verified"] is True
    assert json.loads((tmp_path / "report.json").read_text())["commands"] == 40
