"""Plays scenarios by other rules than theirs: what comes out as before has proved nothing about the rule."""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import TYPE_CHECKING, Final

from magnate.cli.scenario import run_local
from magnate.rules.options import INT
from magnate.rules.options_table import OPTIONS
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import with_house_rules
from tests.scenario.coverage import measured

if TYPE_CHECKING:
    from collections.abc import Iterator

    from magnate.cli.scenario.model import Scenario
    from magnate.rules.options import Option

NO_POSITION: Final = ("the position", "given.")
"""How failures begin that are about where it begins and not about what was played."""


@cache
def proof_of(option: Option, value: str) -> Scenario | None:
    """Return a scenario that plays the value and comes out differently with another one, if there is any."""
    found = measured().options[option.name, value]
    # First those that are about the option: they name it, or few rows beside its own.
    for scenario in sorted(found, key=lambda one: (option.name not in one.table.options, len(one.rows))):
        if any(_differs(scenario, option, other) for other in _others(scenario, option)):
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


def _differs(scenario: Scenario, option: Option, value: int) -> bool:
    """Whether the scenario fails with another value of an option; a position that cannot be is none."""
    options = {**scenario.table.options, option.name: option.written(value)}
    rules = with_house_rules(scenario.table.rules, {option.name: option.written(value)})
    if isinstance(rules, Rejection):
        return False
    table = dataclasses.replace(scenario.table, options=options, rules=rules)
    failures = run_local(dataclasses.replace(scenario, table=table))
    return bool(failures) and not failures[0].startswith(NO_POSITION)
