"""Whether own rule set and board files are right: as strictly judged as those of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.cli.output import OK, USAGE, result, say
from magnate.rules.files.reading import DataError
from magnate.rules.loader import check_file, open_library

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet


def run_check(files: list[Path], *, json_mode: bool) -> int:
    """Check files, and folders with `boards` and `rulesets`; name every fault of every file."""
    faults: list[DataError] = []
    right: list[Path] = []
    for path in files:
        try:
            if path.is_dir():
                found: list[Board | RuleSet] = open_library(path).load_own()
            else:
                found = [check_file(path)]
        except DataError as error:
            faults += sorted(error.every(), key=lambda one: (one.file, one.line))
            continue
        right.append(path)
        for one in found:
            say(f"{path}: {_described(one)}", json_mode=json_mode)
    for fault in faults:
        say(f"magnate: {fault}", json_mode=True)
    if json_mode:
        values = {
            "ok": not faults,
            "right": [str(path) for path in right],
            "faults": [
                {"file": one.file, "line": one.line, "key": one.key, "reason": one.reason} for one in faults
            ],
        }
        result(values, json_mode=True)
    return USAGE if faults else OK


def _described(one: Board | RuleSet) -> str:
    kind = "board" if hasattr(one, "squares") else "rule set"
    return f"{kind} {one.id} ({one.title}) is right"
