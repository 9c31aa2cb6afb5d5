"""The JSON Schemas say what the reader says, as far as a schema can: of our own files, and of slips."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from magnate.rules.files.board_file import NOTES, TOP
from magnate.rules.files.extras_file import EXTRAS
from magnate.rules.files.reading import DataError
from magnate.rules.files.schema import board_schema, ruleset_schema
from magnate.rules.loader import BOARDS, RULESETS, load_board_file, load_ruleset_file
from magnate.rules.options_table import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BOARD = Draft202012Validator(board_schema())
RULESET = Draft202012Validator(ruleset_schema())
FILES = [*sorted(BOARDS.glob("*.yaml")), *sorted(RULESETS.glob("*.yaml"))]

# The first of these have nearly every type of square, figure and effect; the others follow.
SAMPLES = ("classic-us", "online", "millionaire-classic")
NAMED = {
    name
    for path in FILES
    for document in [yaml.safe_load(path.read_text())]
    for name in [*document.get("groups", {}), *document.get("decks", {})]
}
"""Names that a file gives to its groups and decks: places below them are all alike."""


def validator(path: Path) -> Draft202012Validator:
    """The schema for a file of ours."""
    return BOARD if path.parent == BOARDS else RULESET


def reads(path: Path, *, is_board: bool) -> str:
    """How the reader refuses the file, or nothing."""
    try:
        load_board_file(path) if is_board else load_ruleset_file(path)
    except DataError as error:
        return "\n".join(str(one) for one in error.every()) + "\n"
    return ""


@pytest.mark.parametrize("schema", [board_schema(), ruleset_schema()])
def test_the_schemas_are_schemas(schema: dict[str, Any]) -> None:
    """They hold to the dialect that they name."""
    Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_our_own_files_conform(path: Path) -> None:
    """Every board and rule set of the package."""
    errors = list(validator(path).iter_errors(yaml.safe_load(path.read_text())))
    assert not errors, [f"{one.json_path}: {one.message}" for one in errors]


def test_every_option_and_every_key_is_there() -> None:
    """What the tables of the reader know, an editor offers."""
    options = ruleset_schema()["properties"]["options"]["properties"]
    assert list(options) == [option.name for option in OPTIONS]
    for option in OPTIONS:
        assert option.help in options[option.name]["description"]
        assert options[option.name]["default"] == option.written(option.default)
        for value in range(option.minimum, min(option.maximum, option.minimum + 20) + 1):
            written = option.written(value)
            good = Draft202012Validator(options[option.name]).is_valid(written)
            assert good == (written != "" and option.supports(value)), (option.name, written)
    assert set(board_schema()["properties"]) == TOP | EXTRAS | NOTES | {"base"}


def nodes(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Every value in a document with the way to it."""
    yield path, value
    if isinstance(value, dict):
        for key, below in value.items():
            yield from nodes(below, (*path, key))
    elif isinstance(value, list):
        for place, below in enumerate(value):
            yield from nodes(below, (*path, place))


def at(document: Any, path: tuple[str | int, ...]) -> Any:
    """The value at the end of a way."""
    for step in path:
        document = document[step]
    return document


def others(value: Any) -> list[Any]:
    """Values that cannot stand where this one does."""
    if isinstance(value, dict | list | bool):
        return ["?!"]
    return [[[]], 10**13]


def slips(document: dict[str, Any], seen: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Documents with one thing wrong in each, once for every kind of place that was not seen before."""
    for path, value in nodes(document):
        if not path or "confidence" in path:
            continue
        above = at(document, path[:-1])
        kind = str(above.get("type", "")) if isinstance(above, dict) else ""
        place = ".".join("*" if isinstance(step, int) or step in NAMED else step for step in path) + kind
        if place in seen:
            continue
        seen.add(place)
        for other in others(value):
            made = copy.deepcopy(document)
            at(made, path[:-1])[path[-1]] = other
            yield f"{place}: {other!r}", made
        if isinstance(above, dict):
            made = copy.deepcopy(document)
            del at(made, path[:-1])[path[-1]]
            yield f"{place}: missing", made
        if isinstance(value, dict):
            made = copy.deepcopy(document)
            at(made, path)["surely_unknown"] = 1
            yield f"{place}: unknown key", made


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_schema_and_reader_judge_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the schema refuses the reader refuses; what is no key or is missing, both see."""
    monkeypatch.setattr(yaml, "SafeLoader", yaml.CSafeLoader)  # the same nodes, ten times as fast
    seen: set[str] = set()
    disagree: list[str] = []
    for source in sorted(FILES, key=lambda path: (path.stem not in SAMPLES, path.stem)):
        document = yaml.safe_load(source.read_text())
        document["id"] = "sample"
        path = tmp_path / "sample.yaml"
        for what, made in slips(document, seen):
            path.write_text(yaml.dump(made, Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False))
            refused = reads(path, is_board=source.parent == BOARDS)
            valid = validator(source).is_valid(made)
            form = any(
                word in refused for word in ("unknown key", "is missing\n", "must be a ", "must be true")
            )
            if (not valid and not refused) or (valid and form):
                said = f"schema {'takes' if valid else 'refuses'} it, reader: {refused[:150]!r}"
                disagree.append(f"{source.stem}: {what}: {said}")
    assert not disagree, "\n".join(disagree)
