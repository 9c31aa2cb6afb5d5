"""Writes docs/rules/coverage.md: what `coverage` counted, for people who want to see what a rule rests on."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from magnate.rules.options_table import OPTIONS
from tests.scenario.coverage import (
    FOLDER,
    ROWS,
    RULESETS,
    measured,
    names_tested,
    read_lists,
    scenarios,
    values_of,
)
from tests.scenario.mutation import proof_of
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnate.cli.scenario.model import Scenario
    from magnate.rules.options import Option

HEAD: Final = """# What proves the rules

`python -m tests.scenario.coverage` writes this page from the scenarios in `tests/scenario/`; a test compares
the two.

## Rows

How many scenarios prove a row in a rule set. A scenario counts in the rule set it plays for the rows it
names, unless it changes an option (but for when the game ends). [classic.md](classic.md) explains the rows, a
page for each other rule set what it plays differently. *n/a*: there is nothing to prove, for the reason below
the table. *test*: another test proves it.
"""
OPTIONS_HEAD: Final = """## Options

How many scenarios play a value and name a row of the option, and one of them that comes out differently when
the option has another value. For a number these are the values that rule sets have, and any other one.
Values that this build does not play are left out.
"""
REJECTIONS_HEAD: Final = """## Rejections

How many scenarios have a step that must be refused with a name that the rules can give.
"""
BY_ROW_HEAD: Final = """## Scenarios by row

The file and the name of each scenario, and the rule sets it runs on, with a star where it changes an option.
"""


def page() -> str:
    """The whole page."""
    parts = [
        HEAD,
        *_cells(),
        "### Nothing to prove\n",
        *_reasons(),
        OPTIONS_HEAD,
        *_options(),
        REJECTIONS_HEAD,
        *_rejections(),
        BY_ROW_HEAD,
        *_by_row(),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def points() -> dict[int, str]:
    """What each row is about, in the words of the page of the classic rules."""
    text = (ROOT / "docs" / "rules" / "classic.md").read_text(encoding="utf-8")
    return {int(row): point for row, point in re.findall(r"^\| (\d+)\*? \| ([^|]+) \|", text, re.MULTILINE)}


def _table(head: list[str], lines: Iterator[list[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for line in lines:
        yield "| " + " | ".join(line) + " |"
    yield ""


def _cells() -> Iterator[str]:
    coverage, reasons, elsewhere = measured(), read_lists("not_applicable"), read_lists("elsewhere")

    def shown(ruleset: str, row: int) -> str:
        cell = ruleset, row
        if cell in reasons.cells:
            return "n/a"
        return "test" if cell in elsewhere.cells else str(len(coverage.cells[cell]))

    named = points()
    return _table(
        ["row", "point", *RULESETS],
        ([str(row), named[row], *(shown(ruleset, row) for ruleset in RULESETS)] for row in ROWS),
    )


def _reasons() -> Iterator[str]:
    by_row: dict[tuple[int, str], list[str]] = defaultdict(list)
    for (ruleset, row), why in read_lists("not_applicable").cells.items():
        by_row[row, why].append(ruleset)
    for (row, why), rulesets in sorted(by_row.items(), key=lambda item: item[0][0]):
        yield f"- row {row}, {', '.join(rulesets)}: {why}"
    for (ruleset, row), test in read_lists("elsewhere").cells.items():
        yield f"- row {row}, {ruleset}: `{test}`"
    yield ""


def _options() -> Iterator[str]:
    reasons, elsewhere = read_lists("not_applicable").options, read_lists("elsewhere").options

    def shown(option: Option, value: str) -> list[str]:
        proof = proof_of(option, value)
        why = "nothing yet" if proof is None else _name_of(proof)
        if (option.name, value) in reasons:
            why = f"n/a: {reasons[option.name, value]}"
        elif (option.name, value) in elsewhere:
            why = f"`{elsewhere[option.name, value]}`"
        return [
            f"`{option.name}`",
            option.rows,
            value,
            str(len(measured().options[option.name, value])),
            why,
        ]

    return _table(
        ["option", "rows", "value", "scenarios", "shown by"],
        (shown(option, value) for option in OPTIONS for value in values_of(option)),
    )


def _rejections() -> Iterator[str]:
    reasons = read_lists("not_applicable").rejections

    def shown(name: str, proofs: list[Scenario]) -> str:
        if proofs:
            return str(len(proofs))
        return reasons.get(name, "tests" if name in names_tested() else "0")

    found = sorted(measured().rejections.items())
    return _table(["name", "scenarios"], ([name, shown(name, proofs)] for name, proofs in found))


def _by_row() -> Iterator[str]:
    by_row: dict[int, dict[str, list[str]]] = {row: defaultdict(list) for row in ROWS}
    for scenario in scenarios():
        star = "*" if scenario.table.rules.house_rules else ""
        for row in scenario.rows:
            by_row[row][_name_of(scenario)].append(scenario.table.ruleset + star)
    named = points()
    for row, found in by_row.items():
        yield f"**{row}** {named[row]}\n"
        yield from (f"- {name} ({', '.join(rulesets)})" for name, rulesets in found.items())
        yield ""


def _name_of(scenario: Scenario) -> str:
    """The file and the name of a scenario, without the rule set."""
    file = scenario.file.removeprefix(f"{FOLDER}/").removesuffix(".yaml")
    name = re.sub(r" \[[a-z-]+\]$", "", scenario.name)
    return f"{file}: {name}"
