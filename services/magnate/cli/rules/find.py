"""Rule sets by what people call them: an id, or the path of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from magnate.cli.output import USAGE, fail
from magnate.rules.files.reading import DataError
from magnate.rules.loader import OURS, library_around, open_library

if TYPE_CHECKING:
    from magnate.rules.loader import Library
    from magnate.rules.ruleset import RuleSet


def library_of(folder: Path | None) -> Library:
    """Return our rule sets and boards, with those of a folder; ends with exit code 2 if one is wrong."""
    if folder is None:
        return OURS
    try:
        return open_library(folder)
    except DataError as error:
        return fail(faults_text(error), USAGE)


def ruleset_of(name: str, library: Library) -> RuleSet:
    """Return the rule set that is called so; ends with exit code 2 if there is none, or it is wrong."""
    try:
        if name in library.ruleset_ids():
            return library.load_ruleset(name)
        path = Path(name)
        if path.suffix == ".yaml":
            return library_around(path).load_ruleset_file(path, name)
    except DataError as error:
        return fail(faults_text(error), USAGE)
    known = ", ".join(library.ruleset_ids())
    return fail(f"there is no rule set {name!r}; known: {known}, or a .yaml file", USAGE)


def house_rules_of(settings: list[str]) -> dict[str, str]:
    """Return the values of `--option NAME=VALUE …`; ends with exit code 2 if one is none, or is set twice."""
    house: dict[str, str] = {}
    for one in settings:
        name, equals, value = (part.strip() for part in one.partition("="))
        if not equals:
            fail(f"--option {one}: must be NAME=VALUE", USAGE)
        if name in house:
            fail(f"--option {one}: {name} is set twice", USAGE)
        house[name] = value
    return house


def faults_text(error: DataError) -> str:
    """Return all faults, a line each, as `fail` prints them."""
    return "\nmagnate: ".join(str(one) for one in error.every())
