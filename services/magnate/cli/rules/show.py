"""What rule sets and boards there are, and what a rule set says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.cli.output import OK, result, say
from magnate.cli.rules.find import library_of, ruleset_of
from magnate.rules.options import ENUM
from magnate.rules.options_table import OPTIONS

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.options import Option
    from magnate.rules.ruleset import RuleSet


def run_list(folder: Path | None, *, json_mode: bool) -> int:
    """List the rule sets and the boards."""
    library = library_of(folder)
    rulesets = [library.load_ruleset(one) for one in library.ruleset_ids()]
    boards = [library.load_board(one) for one in library.board_ids()]
    if json_mode:
        values = {
            "rulesets": [{"id": one.id, "title": one.title, "board": one.board} for one in rulesets],
            "boards": [{"id": one.id, "title": one.title, "ruleset": one.ruleset} for one in boards],
        }
        result(values, json_mode=True)
        return OK
    width = max(len(one) for one in [*library.ruleset_ids(), *library.board_ids()])
    say("rule sets (magnate rules show ID explains every option):")
    for ruleset in rulesets:
        say(f"  {ruleset.id:<{width}}  {ruleset.title} (board {ruleset.board})")
    say("boards:")
    for board in boards:
        say(f"  {board.id:<{width}}  {board.title} (rule set {board.ruleset})")
    return OK


def run_show(name: str, folder: Path | None, *, json_mode: bool) -> int:
    """Show one rule set: every option with its value, whether that is the default, and the words it takes."""
    rules = ruleset_of(name, library_of(folder))
    if json_mode:
        result(_values(rules), json_mode=True)
        return OK
    changed = sum(value != option.default for option, value in zip(OPTIONS, rules.values, strict=True))
    say(f"{rules.id}, version {rules.version}: {rules.title}; played on {rules.board}")
    say(
        f"(* differs from the default: {changed} of {len(OPTIONS)} options; then the rows of the rules table)"
    )
    width = max(len(option.name) for option in OPTIONS)
    wide = max(len(option.text(value)) for option, value in zip(OPTIONS, rules.values, strict=True))
    rows = max(len(option.rows) for option in OPTIONS)
    for option, value in zip(OPTIONS, rules.values, strict=True):
        mark = " " if value == option.default else "*"
        left = f"{mark} {option.name:<{width}}  {option.text(value):<{wide}}"
        words = f" ({', '.join(word for word in option.values if word)})" if option.kind == ENUM else ""
        say(f"{left}  {option.rows:<{rows}}  {option.help}{words}")
    return OK


def _values(rules: RuleSet) -> dict[str, object]:
    return {
        "id": rules.id,
        "version": rules.version,
        "title": rules.title,
        "board": rules.board,
        "content_hash": rules.content_hash,
        "options": rules.written(),
        "explained": [_explained(option, value) for option, value in zip(OPTIONS, rules.values, strict=True)],
    }


def _explained(option: Option, value: int) -> dict[str, object]:
    return {
        "option": option.name,
        "value": option.written(value),
        "default": option.written(option.default),
        "is_default": value == option.default,
        "values": option.range_text(),
        "rows": option.rows.split(),
        "help": option.help,
    }
