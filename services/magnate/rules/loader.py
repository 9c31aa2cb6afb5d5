"""The boards and rule sets that come with the package, and any others, read from files and checked.

`find_…` answers a request and returns a rejection for an id nobody has; `load_…` is for callers who know
the id exists. What was loaded stays loaded: the package's files do not change while a process runs.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from magnate.rules import rejections
from magnate.rules.board import Board
from magnate.rules.files.board_file import read_board
from magnate.rules.files.reading import DataError, Reader, read_file
from magnate.rules.options import Written, parse
from magnate.rules.options_table import BY_NAME
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import Layer, RuleSet, build_ruleset, with_house_rules

DATA: Final = Path(__file__).parent / "data"
BOARDS: Final = DATA / "boards"
RULESETS: Final = DATA / "rulesets"

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_BASES_MAX: Final = 8


@cache
def board_ids() -> list[str]:
    """The boards of the package, sorted."""
    return _ids(BOARDS)


@cache
def ruleset_ids() -> list[str]:
    """The rule sets of the package, sorted."""
    return _ids(RULESETS)


@cache
def load_board(board_id: str) -> Board:
    """The board of this id; DataError if there is none or its file is wrong."""
    if board_id not in board_ids():
        raise DataError("boards", 0, board_id, f"there is no such board; known: {', '.join(board_ids())}")
    return load_board_file(BOARDS / f"{board_id}.yaml")


@cache
def load_ruleset(ruleset_id: str) -> RuleSet:
    """The rule set of this id; DataError if there is none or its file is wrong."""
    if ruleset_id not in ruleset_ids():
        known = ", ".join(ruleset_ids())
        raise DataError("rulesets", 0, ruleset_id, f"there is no such rule set; known: {known}")
    return load_ruleset_file(RULESETS / f"{ruleset_id}.yaml")


def find_board(board_id: str) -> Board | Rejection:
    """The board a request names, or UNKNOWN_BOARD."""
    if board_id not in board_ids():
        detail = f"there is no board {board_id[:40]!r}; known: {', '.join(board_ids())}"
        return Rejection(rejections.UNKNOWN_BOARD, detail)
    return load_board(board_id)


def find_ruleset(ruleset_id: str, house: dict[str, Written] | None = None) -> RuleSet | Rejection:
    """The rule set a request names, with its house rules; or UNKNOWN_RULESET, OPTION_…."""
    if ruleset_id not in ruleset_ids():
        detail = f"there is no rule set {ruleset_id[:40]!r}; known: {', '.join(ruleset_ids())}"
        return Rejection(rejections.UNKNOWN_RULESET, detail)
    base = load_ruleset(ruleset_id)
    return with_house_rules(base, house) if house else base


def load_board_file(path: Path) -> Board:
    """The board of any file; its id must be the name of the file."""
    root = read_file(path)
    board = read_board(root)
    _check_id(root, path, board.id)
    if board.ruleset not in ruleset_ids():
        raise root.entries()["ruleset"].error(f"there is no rule set {board.ruleset!r}")
    return board


def load_ruleset_file(path: Path) -> RuleSet:
    """The rule set of any file, with the bases beside it."""
    layers: list[Layer] = []
    root = read_file(path)
    top = _ruleset_fields(root)
    _check_id(root, path, top["id"].text())
    seen = [path.stem]
    node = top
    while True:
        layers.insert(0, Layer(node["id"].text(), _read_options(node["options"])))
        base = node["base"].text()
        if base == "none":
            break
        if base in seen:
            raise node["base"].error(f"leads back to {base}: {' -> '.join([*seen, base])}")
        if len(seen) > _BASES_MAX:
            raise node["base"].error(f"is more than {_BASES_MAX} bases deep")
        if not _ID.fullmatch(base) or not (path.parent / f"{base}.yaml").is_file():
            raise node["base"].error(f"there is no rule set {base!r}")
        seen.append(base)
        node = _ruleset_fields(read_file(path.parent / f"{base}.yaml"))
    version, title = top["version"].whole(1, 10**6), top["title"].text()
    board = top["board"].text()
    if board not in board_ids():
        raise top["board"].error(f"there is no board {board!r}")
    built = build_ruleset(path.stem, version, title, board, layers)
    if isinstance(built, Rejection):
        raise top["options"].error(f"{built.name}: {built.detail}")
    return built


def _ruleset_fields(root: Reader) -> dict[str, Reader]:
    return root.fields({"id", "version", "title", "base", "board", "options"})


def _read_options(root: Reader) -> dict[str, Written]:
    """The options of one file, each checked where it stands, so that a fault names its own line."""
    values: dict[str, Written] = {}
    for name, node in root.entries().items():
        option = BY_NAME.get(name)
        if option is None:
            raise node.error("OPTION_UNKNOWN: there is no option of this name")
        written = node.scalar()
        value = parse(option, written)
        if isinstance(value, Rejection):
            raise node.error(f"{value.name}: {value.detail}")
        if not option.supports(value):
            played = option.supported_text()
            raise node.error(
                f"OPTION_NOT_SUPPORTED: {option.text(value)} is not played yet; supported: {played}"
            )
        values[name] = written
    return values


def _ids(directory: Path) -> list[str]:
    return sorted(path.stem for path in directory.glob("*.yaml"))


def _check_id(root: Reader, path: Path, written: str) -> None:
    if not _ID.fullmatch(written):
        raise root.entries()["id"].error("must be small letters, digits and -, at most 40")
    if written != path.stem:
        raise root.entries()["id"].error(f"must be {path.stem}, the name of the file")
