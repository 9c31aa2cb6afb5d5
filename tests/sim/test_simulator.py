"""The simulator keeps its own word, finds faults that are put in, and finds none where there are none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sim import __main__ as command_line
from tests.sim.__main__ import main
from tests.sim.plan import FAULTS, draw
from tests.sim.plants import PLANTS
from tests.sim.races import BOTH_EXPIRE, RACES, Coverage
from tests.sim.run import run_number, run_seed
from tests.sim.shrink import shrink

ROOT = Path(__file__).resolve().parents[2]
SEEDS = 500
PARTS = 4
PLANT_SEEDS_MAX = 120
BROKE = (1386, 2404, 6770, 19112)
SEEDS_TWICE = (*range(1, 9), 26, 31, 44, 67)
"""Games, a ledger, card tables."""
DIGESTS = f"from tests.sim.run import run_number as run; print([run(one).digest for one in {SEEDS_TWICE!r}])"


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_seed_breaks_a_promise(part: int) -> None:
    """Whatever the network, the log, the clocks and crashes do: what ARCHITECTURE promises holds.

    And every race that is known to be dangerous has been run.
    """
    coverage = Coverage()
    for seed in range(1 + part, SEEDS + 1, PARTS):
        result = run_number(seed)
        assert not result.broken, f"{result.promise}: {result.detail}\npython -m tests.sim --seed {seed}"
        coverage.add(result.met)
    assert coverage.missed() == []


@pytest.mark.parametrize("seed", BROKE)
def test_a_seed_that_broke_a_promise_keeps_it(seed: int) -> None:
    """Beyond those that are run above: what has been mended stays so."""
    result = run_number(seed)
    assert not result.broken, f"{result.promise}: {result.detail}"


@pytest.mark.parametrize("name", PLANTS)
def test_a_fault_that_is_put_in_is_found(name: str) -> None:
    """A check that cannot fail is worth nothing: each fault is found within some seeds, by its promise."""
    plant, promise = PLANTS[name]
    with plant():
        results = (run_number(seed) for seed in range(1, PLANT_SEEDS_MAX + 1))
        found = next((result for result in results if result.broken), None)
    assert found is not None, f"{name}: nothing was found within {PLANT_SEEDS_MAX} seeds"
    assert found.promise == (promise or found.promise)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_seed_is_always_the_same() -> None:
    """What is not repeatable cannot be mended: nothing hangs on what ran before, or on the order of sets."""
    said = []
    for hash_seed in ("1", "2"):
        done = subprocess.run(
            (sys.executable, "-c", DIGESTS),
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": "services:."},
            capture_output=True,
            text=True,
            check=True,
            timeout=240,
        )
        said.append(done.stdout.strip())
    assert said[0] == said[1] == str([run_number(seed).digest for seed in reversed(SEEDS_TWICE)][::-1])


def test_a_failing_seed_is_made_smaller_and_repeated_by_one_command() -> None:
    """Whoever mends it wants few commands, and no fault that has nothing to do with it."""
    plant, promise = PLANTS["a fold forgets a release"]
    with plant():
        result = next(one for one in map(run_number, range(1, PLANT_SEEDS_MAX)) if one.broken)
        small = shrink(result, result.plan.commands, frozenset())
        again = run_seed(draw(result.plan.seed, small.commands, small.without))
    assert small.commands <= result.plan.commands
    assert len(small.result.plan.faults) < len(result.plan.faults)
    assert again.digest == small.result.digest
    assert again.promise == promise
    assert small.command.startswith(f"python -m tests.sim --seed {result.plan.seed} --commands ")


def test_the_command_line_says_how_to_repeat_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    """Its last lines are all that somebody needs who meets it in a log."""
    plant, promise = PLANTS["a fold forgets a release"]
    with plant():
        assert main(["--seeds", "20"]) == 1
        said = capsys.readouterr().out
        again = re.search(r"again: python -m tests.sim (.+)", said)
        assert f"broken promise: {promise}" in said
        assert again is not None
        assert main(again[1].split()) == 1
    assert main(again[1].split()) == 0


@pytest.mark.parametrize("wrong", [("--without", "gremlins"), ("--seeds", "0"), ("--jobs", "-1")])
def test_what_cannot_be_run_is_said(wrong: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything runs, by its name."""
    with pytest.raises(SystemExit):
        main([*wrong])
    assert wrong[1] in capsys.readouterr().err.splitlines()[-1]


def test_the_command_line_tells_how_far_it_is_and_which_races_were_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of hours says how far it is, and no race counts as won that was not run."""
    monkeypatch.setattr(command_line, "PROGRESS_SECONDS", 0.0)
    assert main(["--seeds", "4", "--coverage"]) == 0
    said = capsys.readouterr()
    assert [line.partition(",")[0] for line in said.err.splitlines()] == [
        f"{done} of 4 seeds" for done in range(1, 5)
    ]
    lines = {line[19:]: line[:18].split() for line in said.out.splitlines()}
    assert lines.keys() >= set(RACES)
    times, seeds = map(int, lines[BOTH_EXPIRE])
    assert times >= seeds > 0


def test_leaving_out_a_fault_leaves_everything_else_of_the_plan() -> None:
    """A plan without crashes is the same plan without crashes."""
    whole, less = draw(5), draw(5, without=frozenset({"crashes", "skew"}))
    assert less.faults == whole.faults - {"crashes", "skew"}
    assert (less.ruleset, less.options, less.seats) == (whole.ruleset, whole.options, whole.seats)
    assert whole.faults <= FAULTS.keys()
