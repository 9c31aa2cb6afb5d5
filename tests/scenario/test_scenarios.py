"""Runs every scenario file: each scenario is a test, on the four services in this process."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from magnate.cli.scenario import run_local
from magnate.cli.scenario.read import read_scenarios, read_text
from magnate.rules.options_table import OPTIONS
from tests.scenario.coverage import ROWS, read_lists

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Scenario

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*/*.yaml"))
SCENARIOS = [(file, scenario) for file in FILES for scenario in read_scenarios(file)]

# Cases that need two requests at once, a device or a wire are tests of the services.
RULES_CASES = {*range(1, 48), 51, 52, 54, 55, *range(58, 63)}
CASES = {f"C{number:03}" for number in RULES_CASES}


@pytest.mark.parametrize(
    "scenario",
    [scenario for _, scenario in SCENARIOS],
    ids=[f"{file.parent.name}/{file.stem}: {scenario.name}" for file, scenario in SCENARIOS],
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


def test_the_page_of_rules_numbers_every_row_once() -> None:
    """Who meets a row's number finds it on the page, with a star if nothing proves it, and each C."""
    page = (FOLDER.parents[1] / "docs" / "rules" / "classic.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+)(\*?) \|", page, re.MULTILINE)
    unproved = [*read_lists("not_applicable").cells, *read_lists("gaps").cells]
    nothing = {row for ruleset, row in unproved if ruleset == "classic"}
    assert [int(number) for number, _ in rows] == list(ROWS)
    assert {int(number) for number, star in rows if star} == nothing
    settled = {word for option in OPTIONS for word in option.rows.split() if word.startswith("C")}
    assert settled == set(re.findall(r"\bC\d{1,2}\b", page))


def test_every_known_way_to_be_wrong_is_tried() -> None:
    """Each numbered case that one table can show has a scenario that begins with its number."""
    named = {scenario.name.split()[0] for _, scenario in SCENARIOS}
    assert not CASES - named


def test_every_scenario_names_its_rows() -> None:
    """Who reads a rule finds what proves it."""
    assert not [f"{file.name}: {scenario.name}" for file, scenario in SCENARIOS if not scenario.rows]
