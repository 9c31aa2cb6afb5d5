"""In which options two rule sets differ, or a table from a rule set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.output import OK, USAGE, fail, result, say
from magnate.cli.rules.find import library_of, ruleset_of
from magnate.rules.options_table import OPTIONS

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.rules.ruleset import RuleSet

STANDARD: Final = "classic"
BOARD: Final = "board"


async def run_diff(names: list[str], game: str, addr: str, folder: Path | None, *, json_mode: bool) -> int:
    """Compare two rule sets; one with classic; or a table, with the one that is named or with classic."""
    given = [name for name in names if name]
    if len(given) > (1 if game else 2) or not (given or game):
        fail("name one or two rule sets, or --game and at most one", USAGE)
    library = library_of(folder)
    sides = [(name, ruleset_of(name, library)) for name in given]
    if len(sides) + bool(game) < 2:
        sides.insert(0, (STANDARD, library.load_ruleset(STANDARD)))
    board = ""
    if game:
        rules, board = await _of_table(game, addr)
        sides.append((game, rules))
    (first_name, first), (second_name, second) = sides
    differences = compared(first, second, board)
    if json_mode:
        values = {"first": first_name, "second": second_name, "differences": differences}
        result(values, json_mode=True)
        return OK
    if not differences:
        say(f"{first_name} and {second_name} do not differ")
        return OK
    rows = [("", first_name, second_name, "")]
    rows += [
        (str(one["option"]), _text(one["first"]), _text(one["second"]), str(one["help"]))
        for one in differences
    ]
    widths = [max(len(row[place]) for row in rows) for place in range(3)]
    for row in rows:
        say("  ".join(f"{cell:<{width}}" for cell, width in zip(row, [*widths, 0], strict=True)).rstrip())
    return OK


def compared(first: RuleSet, second: RuleSet, board: str = "") -> list[dict[str, object]]:
    """Return the options that differ, with both values; first the board, where that is another one."""
    found: list[dict[str, object]] = []
    boards = (first.board, board or second.board)
    if boards[0] != boards[1]:
        found.append(
            {
                "option": BOARD,
                "first": boards[0],
                "second": boards[1],
                "rows": [],
                "help": "What it is played on.",
            }
        )
    for option, one, other in zip(OPTIONS, first.values, second.values, strict=True):
        if one != other:
            found.append(
                {
                    "option": option.name,
                    "first": option.written(one),
                    "second": option.written(other),
                    "rows": option.rows.split(),
                    "help": option.help,
                }
            )
    return found


async def _of_table(game: str, addr: str) -> tuple[RuleSet, str]:
    """Return the rules of a table, and the id of its board."""
    from magnate.cli.inspect import asking
    from magnate.game.setup_codec import decode_ruleset

    async with asking(addr, game) as session:
        view = await session.game(game)
        return decode_ruleset(view.ruleset), view.board.id
    raise AssertionError("either answered or ended")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
