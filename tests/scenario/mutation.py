"""Plays scenarios by other rules than theirs: what comes out as before has proved nothing about the rule."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from magnate.cli.scenario import run_local
from magnate.cli.scenario.node import ScenarioError, read_documents
from magnate.cli.scenario.read import read_one
from magnate.rules.options import INT
from magnate.rules.options_table import OPTIONS
from tests.scenario.coverage import measured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnate.cli.scenario.model import Scenario
    from magnate.cli.scenario.node import Node
    from magnate.rules.options import Option

NO_POSITION: Final = ("the position", "given.")
"""How failures begin that are about where it begins and not about what was played."""


@cache
def proof_of(option: Option, value: str) -> Scenario | None:
    """Return a scenario that plays the value and comes out differently with another one, if there is any."""
    found = measured().options[option.name, value]
    # First those that are about the option: they name it, or few rows beside its own.
    for scenario in sorted(found, key=lambda one: (option.name not in one.table.options, len(one.rows))):
        if any(differs(scenario, option, other) for other in _others(scenario, option)):
            return scenario
    return None


def _others(scenario: Scenario, option: Option) -> Iterator[int]:
    """Values that the option does not have in a scenario."""
    own = scenario.table.rules.values[OPTIONS.index(option)]
    if option.kind == INT:
        near = [option.default, option.minimum, own - 1, own + 1, option.maximum]
        values = [one for one in dict.fromkeys(near) if option.minimum <= one <= option.maximum]
    else:
        values = [one for one in range(option.minimum, option.maximum + 1) if option.text(one)]
    return (value for value in values if value != own and option.supports(value))


def differs(scenario: Scenario, option: Option, value: int) -> bool:
    """Whether the scenario fails with another value of an option; what cannot be played so is no failure."""
    options = {**scenario.table.options, option.name: option.written(value)}
    try:
        other = read_one(_documents(scenario.file)[scenario.line], scenario.table.ruleset, options)
    except ScenarioError as error:
        return error.key == "players"  # more seats than these rules have: that is a difference
    try:
        failures = run_local(other)
    except Exception as error:
        error.add_note(f"{scenario.file}: {scenario.name} with {option.name}: {option.text(value)}")
        raise
    return bool(failures) and not failures[0].startswith(NO_POSITION)


@cache
def _documents(file: str) -> dict[int, Node]:
    """The scenarios of a file by the lines they begin in, to be read again."""
    return {node.line: node for node in read_documents(Path(file))}
