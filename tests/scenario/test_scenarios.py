"""Runs every scenario file: each scenario is a test, on the four services in this process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario import run_local
from magnate.cli.scenario.read import read_scenarios, read_text
from magnate.rules.options_table import OPTIONS

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Scenario

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.yaml"))
SCENARIOS = [(file, scenario) for file in FILES for scenario in read_scenarios(file)]

# Rows of the rules table that no scenario of the classic rules can prove:
#   24  bids that are taken whether won or not        an option of the auction that is not played
#   35  rent levels that move                         other rule sets
#   36  rent tax                                      other rule sets
#   40  cards kept until they can be obeyed           other rule sets
#   41  squares of other rule sets
#   60  the auction of the last buildings             an option that is not played: first come, first served
#   84  out of time                                   other rule sets
#   87  how the bank's machine works                  no machine: `docs/bank.md`
#   88  who sees whose money                          everybody, until an option hides it
NOT_HERE = {24, 35, 36, 40, 41, 60, 84, 87, 88}
ROWS = set(range(1, 90))
# Cases that need two requests at once, or the same request twice, are tests of the services.
CASES = {f"C{number:03}" for number in range(1, 43)}


@pytest.mark.parametrize(
    "scenario",
    [scenario for _, scenario in SCENARIOS],
    ids=[f"{file.stem}: {scenario.name}" for file, scenario in SCENARIOS],
)
def test_scenario(scenario: Scenario) -> None:
    """Everything comes out as the file says, and the invariants hold after every step."""
    failures = run_local(scenario)
    assert not failures, f"{scenario.file}:{scenario.line}\n" + "\n".join(failures)


def test_the_example_on_the_page_runs() -> None:
    """What the documentation shows comes out as it says."""
    page = (FOLDER.parents[1] / "docs" / "scenarios.md").read_text(encoding="utf-8")
    examples = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert examples
    for example in examples:
        for scenario in read_text("docs/scenarios.md", example):
            assert not run_local(scenario)


def test_every_row_of_the_rules_is_proved() -> None:
    """Each row of the rules table that the classic rules have is named by a scenario, and no other."""
    proved = {row for _, scenario in SCENARIOS for row in scenario.rows}
    assert sorted(ROWS - proved) == sorted(NOT_HERE)


def test_the_page_of_rules_numbers_every_row_once() -> None:
    """Who meets a row's number finds it on the page, with a star if nothing proves it, and each C."""
    page = (FOLDER.parents[1] / "docs" / "rules" / "classic.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+)(\*?) \|", page, re.MULTILINE)
    assert [int(number) for number, _ in rows] == sorted(ROWS)
    assert {int(number) for number, star in rows if star} == NOT_HERE
    settled = {word for option in OPTIONS for word in option.rows.split() if word.startswith("C")}
    assert settled == set(re.findall(r"\bC\d{1,2}\b", page))


def test_every_known_way_to_be_wrong_is_tried() -> None:
    """Each numbered case that one table can show has a scenario that begins with its number."""
    named = {scenario.name.split()[0] for _, scenario in SCENARIOS}
    assert not CASES - named


def test_every_scenario_names_its_rows() -> None:
    """Who reads a rule finds what proves it."""
    assert not [f"{file.name}: {scenario.name}" for file, scenario in SCENARIOS if not scenario.rows]
