"""What the scenarios prove: `python -m tests.scenario.coverage` writes the page, `--gaps` gaps.yaml.

Three things are counted, so that none can be claimed:

* cells: a row of the rules table in a rule set. A scenario counts for the rows it names in the rule set it
  plays, unless it changes an option: it then plays other rules. Only a nearer end of the game changes none.
* options: each value that can be played. A scenario counts where it plays the value and names a row of the
  option; one of them must come out differently when the option has another value.
* rejections: each name that the rules can give, by the steps that must be refused with it.

What has nothing to prove stands in `not_applicable.yaml`, what a test of a service proves in
`elsewhere.yaml`, what nobody has written yet in `gaps.yaml`; a test keeps all three exact.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import yaml

from magnate.cli.scenario.read import read_scenarios
from magnate.rules.loader import load_ruleset, ruleset_ids
from magnate.rules.options import INT
from magnate.rules.options_table import BY_NAME, OPTIONS
from tests.support.refusals import given_by, named_in
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Scenario
    from magnate.rules.options import Option

FOLDER: Final = Path(__file__).parent
PAGE: Final = ROOT / "docs" / "rules" / "coverage.md"
GAPS: Final = FOLDER / "gaps.yaml"
RULESETS: Final = (
    "classic", "computer", "e-banking", "short", "timed", "ultimate-banking", "online", "millionaire",
)  # fmt: skip
ROWS: Final = range(1, 90)
OTHER: Final = "another"
"""Stands for any value of a number that no rule set has."""
NOT_YET: Final = "not written yet"
GAPS_HEAD: Final = """# What nothing proves yet: `python -m tests.scenario.coverage --gaps` writes it.
# A test fails when something that is missing is not named here, and when something that is proved is.
"""

ENDS: Final = {"end.turns_max", "end.rounds_max", "end.minutes", "table.abandon_days"}
"""Options that only say when a game is over: what happens before that is as the rule set says."""

Cell: TypeAlias = tuple[str, int]
Value: TypeAlias = tuple[str, str]


@dataclass
class Coverage:
    """Which scenarios prove what; a list may be empty, and every cell, value and name has one."""

    cells: dict[Cell, list[Scenario]] = field(default_factory=dict)
    options: dict[Value, list[Scenario]] = field(default_factory=dict)
    rejections: dict[str, list[Scenario]] = field(default_factory=dict)


@dataclass
class Lists:
    """One of the three YAML files: what it says of cells, of option values and of rejections."""

    cells: dict[Cell, str]
    options: dict[Value, str]
    rejections: dict[str, str]


@cache
def scenarios() -> list[Scenario]:
    """Every scenario of the repository, one for each rule set it runs on."""
    return [scenario for file in sorted(FOLDER.rglob("*/*.yaml")) for scenario in read_scenarios(file)]


@cache
def measured() -> Coverage:
    """Count everything."""
    coverage = Coverage(
        {(ruleset, row): [] for ruleset in RULESETS for row in ROWS},
        {(option.name, value): [] for option in OPTIONS for value in values_of(option)},
        {name: [] for name in names_given()},
    )
    for scenario in scenarios():
        _count_cells(scenario, coverage)
        _count_options(scenario, coverage)
        for name in {step.rejected for step in scenario.steps if step.rejected}:
            coverage.rejections.setdefault(name, []).append(scenario)
    return coverage


def _count_cells(scenario: Scenario, coverage: Coverage) -> None:
    changed = set(scenario.table.rules.house_rules)
    if changed <= ENDS:
        for row in set(scenario.rows) - {row for name in changed for row in rows_of(BY_NAME[name])}:
            coverage.cells[scenario.table.ruleset, row].append(scenario)


def _count_options(scenario: Scenario, coverage: Coverage) -> None:
    for option, value in zip(OPTIONS, scenario.table.rules.values, strict=True):
        if not rows_of(option) & set(scenario.rows):
            continue
        text = option.text(value)
        coverage.options[option.name, text if (option.name, text) in coverage.options else OTHER].append(
            scenario
        )


def rows_of(option: Option) -> set[int]:
    """The rows of the rules table that an option is about."""
    return {int(word) for word in option.rows.split() if word.isdecimal()}


def values_of(option: Option) -> list[str]:
    """The values that must be tried: words, truths, a number's values in rule sets and another one."""
    place = OPTIONS.index(option)
    if option.kind != INT:
        played = range(option.minimum, option.maximum + 1)
        return [option.text(value) for value in played if option.supports(value) and option.text(value)]
    named = sorted({load_ruleset(one).values[place] for one in ruleset_ids()})
    texts = [option.text(value) for value in named]
    others = not option.supported or bool(set(option.supported) - set(named))
    return [*texts, OTHER] if others else texts


@cache
def names_given() -> list[str]:
    """The rejections that some module of the rules, or of the auction's domain, names."""
    return sorted(given_by("rules/**/*.py", "auction/domain/*.py"))


@cache
def names_tested() -> set[str]:
    """The rejections that some test in Python names."""
    tests = [path for path in (ROOT / "tests").rglob("*.py") if not path.is_relative_to(FOLDER)]
    return {name for path in tests for name in named_in(path)}


def read_lists(name: str) -> Lists:
    """Read `not_applicable`, `elsewhere` or `gaps`."""
    written = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")) or {}
    cells = {
        (ruleset, row): str(why)
        for ruleset, rows in (written.get("cells") or {}).items()
        for row, why in rows.items()
    }
    options = {
        (option, value): str(why)
        for option, values in (written.get("options") or {}).items()
        for value, why in values.items()
    }
    return Lists(cells, options, written.get("rejections") or {})


def gaps() -> Lists:
    """What has neither a scenario, nor a test elsewhere, nor a reason."""
    from tests.scenario.mutation import proof_of

    coverage, reasons, elsewhere = measured(), read_lists("not_applicable"), read_lists("elsewhere")
    known = read_lists("gaps") if GAPS.exists() else Lists({}, {}, {})
    tested = names_tested()
    return Lists(
        {
            cell: known.cells.get(cell, NOT_YET)
            for cell, proofs in coverage.cells.items()
            if not proofs and cell not in reasons.cells and cell not in elsewhere.cells
        },
        {
            value: known.options.get(value, NOT_YET)
            for value in coverage.options
            if value not in reasons.options
            and value not in elsewhere.options
            and proof_of(BY_NAME[value[0]], value[1]) is None
        },
        {
            name: known.rejections.get(name, NOT_YET)
            for name, proofs in coverage.rejections.items()
            if not proofs and name not in reasons.rejections and name not in tested
        },
    )


def gaps_text(found: Lists) -> str:
    """The text of gaps.yaml."""
    cells: dict[str, dict[int, str]] = defaultdict(dict)
    for (ruleset, row), why in found.cells.items():
        cells[ruleset][row] = why
    options: dict[str, dict[str, str]] = defaultdict(dict)
    for (option, value), why in found.options.items():
        options[option][value] = why
    parts = {"cells": dict(cells), "options": dict(options), "rejections": found.rejections}
    return GAPS_HEAD + yaml.safe_dump(parts, sort_keys=False, width=110)


def main(arguments: list[str]) -> int:
    """Write the page, or with `--gaps` the list of what is missing."""
    if arguments == ["--gaps"]:
        found = gaps()
        GAPS.write_text(gaps_text(found), encoding="utf-8")
        sys.stdout.write(
            f"{len(found.cells)} cells, {len(found.options)} values of options and "
            f"{len(found.rejections)} rejections have no proof\n"
        )
        return 0
    if arguments:
        sys.stderr.write("python -m tests.scenario.coverage [--gaps]\n")
        return 2
    from tests.scenario.coverage_page import page

    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
