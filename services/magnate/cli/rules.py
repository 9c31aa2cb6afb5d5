"""`magnate rules`: what rule sets and boards there are, and what one of them says."""

from __future__ import annotations

from magnate.cli.output import OK, USAGE, fail, result, say
from magnate.rules.loader import board_ids, load_board, load_ruleset, ruleset_ids
from magnate.rules.options_table import OPTIONS


def run_rules(name: str, *, json_mode: bool) -> int:
    """List everything, or show one rule set option by option."""
    if not name:
        return _list(json_mode=json_mode)
    if name not in ruleset_ids():
        fail(f"there is no rule set {name!r}; known: {', '.join(ruleset_ids())}", USAGE)
    rules = load_ruleset(name)
    if json_mode:
        values = {
            "id": rules.id,
            "version": rules.version,
            "title": rules.title,
            "board": rules.board,
            "content_hash": rules.content_hash,
            "options": rules.written(),
        }
        result(values, json_mode=True)
        return OK
    say(f"{rules.id}, version {rules.version}: {rules.title}; played on {rules.board}")
    say("(* differs from the default)")
    width = max(len(option.name) for option in OPTIONS)
    for option, value in zip(OPTIONS, rules.values, strict=True):
        mark = " " if value == option.default else "*"
        say(f"{mark} {option.name:<{width}}  {option.text(value):<18}  {option.help}")
    return OK


def _list(*, json_mode: bool) -> int:
    rulesets = [load_ruleset(one) for one in ruleset_ids()]
    boards = [load_board(one) for one in board_ids()]
    if json_mode:
        values = {
            "rulesets": [{"id": one.id, "title": one.title, "board": one.board} for one in rulesets],
            "boards": [{"id": one.id, "title": one.title, "ruleset": one.ruleset} for one in boards],
        }
        result(values, json_mode=True)
        return OK
    say("rule sets (magnate rules ID shows every option):")
    for ruleset in rulesets:
        say(f"  {ruleset.id:<16} {ruleset.title} (board {ruleset.board})")
    say("boards:")
    for board in boards:
        say(f"  {board.id:<16} {board.title}")
    return OK
