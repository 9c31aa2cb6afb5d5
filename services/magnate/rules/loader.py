"""The boards and rule sets that come with the package, and own ones, read from files and checked.

`find_…` answers a request and returns a rejection for an id nobody has; `load_…` is for callers who know
the id exists. What was loaded stays loaded: the files do not change while a process runs.
"""

import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from magnate.rules import rejections
from magnate.rules.board import Board
from magnate.rules.files.board_file import read_board
from magnate.rules.files.reading import DataError, Faults, Reader, read_file, read_text
from magnate.rules.fit import misfit
from magnate.rules.options import Written, parse
from magnate.rules.options_table import BY_NAME
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import Layer, RuleSet, build_ruleset, with_house_rules

DATA: Final = Path(__file__).parent / "data"
BOARDS: Final = DATA / "boards"
RULESETS: Final = DATA / "rulesets"

_ID: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_BASES_MAX: Final = 8

T = TypeVar("T")


class Library:
    """Boards and rule sets by id: ours, and beside them those of a folder of own files.

    Files are found at once, and read when they are first asked for; `check_own` reads all own ones. An own
    file never takes the place of one of ours.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._board_files = _files(BOARDS)
        self._ruleset_files = _files(RULESETS)
        self._own: list[tuple[Path, bool]] = []  # and whether it is a board
        self._boards: dict[str, Board] = {}
        self._rulesets: dict[str, RuleSet] = {}
        if folder is not None:
            self._add(self._board_files, folder / "boards", is_board=True)
            self._add(self._ruleset_files, folder / "rulesets", is_board=False)

    def __str__(self) -> str:
        """The folder of own files, or nothing."""
        return str(self.folder or "")

    def board_ids(self) -> list[str]:
        """All boards, sorted."""
        return sorted(self._board_files)

    def ruleset_ids(self) -> list[str]:
        """All rule sets, sorted."""
        return sorted(self._ruleset_files)

    def load_board(self, board_id: str) -> Board:
        """The board of this id; DataError if there is none or its file is wrong."""
        board = self._boards.get(board_id)
        if board is None:
            path = self._board_files.get(board_id)
            if path is None:
                known = ", ".join(self.board_ids())
                raise DataError("boards", 0, board_id, f"there is no such board; known: {known}")
            board = self._boards[board_id] = self.load_board_file(path, self._shown(path))
        return board

    def load_ruleset(self, ruleset_id: str) -> RuleSet:
        """The rule set of this id; DataError if there is none or its file is wrong."""
        ruleset = self._rulesets.get(ruleset_id)
        if ruleset is None:
            path = self._ruleset_files.get(ruleset_id)
            if path is None:
                known = ", ".join(self.ruleset_ids())
                raise DataError("rulesets", 0, ruleset_id, f"there is no such rule set; known: {known}")
            ruleset = self._rulesets[ruleset_id] = self.load_ruleset_file(path, self._shown(path))
        return ruleset

    def find_board(self, board_id: str) -> Board | Rejection:
        """The board a request names, or UNKNOWN_BOARD."""
        if board_id not in self._board_files:
            detail = f"there is no board {board_id[:40]!r}; known: {', '.join(self.board_ids())}"
            return Rejection(rejections.UNKNOWN_BOARD, detail)
        return self.load_board(board_id)

    def find_ruleset(self, ruleset_id: str, house: dict[str, Written] | None = None) -> RuleSet | Rejection:
        """The rule set a request names, with its house rules; or UNKNOWN_RULESET, OPTION_…."""
        if ruleset_id not in self._ruleset_files:
            detail = f"there is no rule set {ruleset_id[:40]!r}; known: {', '.join(self.ruleset_ids())}"
            return Rejection(rejections.UNKNOWN_RULESET, detail)
        base = self.load_ruleset(ruleset_id)
        return with_house_rules(base, house) if house else base

    def load_board_file(self, path: Path, shown: str = "") -> Board:
        """The board of any file; its id must be the name of the file. `shown` is what faults call it."""
        root = read_file(path, shown)
        faults = Faults()
        board = faults.read(lambda: read_board(root, partial(self._read_base, path)))
        named = root.entries()
        if "id" in named:
            faults.read(lambda: self._check_id(named["id"], path, self._board_files))
        if "ruleset" in named:
            faults.read(lambda: _check_known(named["ruleset"], self._ruleset_files, "rule set"))
        faults.done()
        assert board is not None
        return board

    def load_ruleset_file(self, path: Path, shown: str = "") -> RuleSet:
        """The rule set of any file; its bases are those of the library, or lie beside it."""
        root = read_file(path, shown)
        faults = Faults()
        top = faults.read(lambda: _ruleset_fields(root)) or root.entries()
        _read_field(faults, top, "id", lambda node: self._check_id(node, path, self._ruleset_files))
        version = _read_field(faults, top, "version", lambda node: node.whole(1, 10**6)) or 0
        title = _read_field(faults, top, "title", Reader.text) or ""
        board = _read_field(faults, top, "board", lambda node: _check_known(node, self._board_files, "board"))
        own = _read_field(faults, top, "options", _read_options) or {}
        bases = _read_field(faults, top, "base", lambda node: self._read_bases(path, node)) or []
        faults.done()
        built = build_ruleset(path.stem, version, title, board or "", [*bases, Layer(path.stem, own)])
        if isinstance(built, Rejection):
            raise top["options"].error(f"{built.name}: {built.detail}")
        return built

    def variant(self, board_id: str, text: str) -> Board:
        """A board like another one but for what a text in the format of board files says."""
        root = read_text(f"{board_id} (variant)", f"id: {board_id}\nbase: {board_id}\n{text}")
        return read_board(root, lambda _: read_file(self._board_files[board_id]))

    def check_own(self) -> None:
        """Read every own file; DataError with all that is wrong in any of them."""
        assert self.folder is not None
        faults = Faults()
        faults.read(lambda: _check_folder(self.folder))
        for path, is_board in self._own:
            if is_board:
                faults.read(partial(self.load_board_file, path, str(path)))
            else:
                faults.read(partial(self.load_ruleset_file, path, str(path)))
        faults.done()
        for (path, _), found in zip(self._own, self.load_own(), strict=True):
            faults.read(partial(self.check_fit, path, found))
        faults.done()

    def check_fit(self, path: Path, found: Board | RuleSet) -> None:
        """Refuse a board that does not fit the rule set it names, or the other way round."""
        if isinstance(found, Board):
            key, reason = "ruleset", misfit(found, self.load_ruleset(found.ruleset))
        else:
            key, reason = "board", misfit(self.load_board(found.board), found)
        if reason:
            root = read_file(path, str(path))
            node = root.entries().get(key)  # a variant may leave it to its base
            raise root.error(reason, key) if node is None else node.error(reason)

    def load_own(self) -> list[Board | RuleSet]:
        """All own ones, which `check_own` has found to be right."""
        boards = [self.load_board(path.stem) for path, is_board in self._own if is_board]
        return [*boards, *(self.load_ruleset(path.stem) for path, is_board in self._own if not is_board)]

    def add_beside(self, path: Path) -> None:
        """Also know the boards and rule sets that lie in one folder with a file."""
        for other in sorted(path.parent.glob("*.yaml")):
            try:
                files = self._board_files if is_board_file(other) else self._ruleset_files
            except DataError:
                continue  # it is judged where it is needed
            files.setdefault(other.stem, other)

    def _read_base(self, path: Path, node: Reader) -> Reader:
        """The file of the board that a variant in `path` names as its base."""
        base = node.text()
        found = self._board_files.get(base, path.parent / f"{base}.yaml")
        if not _ID.fullmatch(base) or base == path.stem or not found.is_file():
            raise node.error(f"there is no other board {base!r}")
        return read_file(found, self._shown(found))

    def _read_bases(self, path: Path, node: Reader) -> list[Layer]:
        """What the bases say, the deepest first; `node` names the first of them."""
        layers: list[Layer] = []
        seen = [path.stem]
        while (base := node.text()) != "none":
            if base in seen:
                raise node.error(f"leads back to {base}: {' -> '.join([*seen, base])}")
            if len(seen) > _BASES_MAX:
                raise node.error(f"is more than {_BASES_MAX} bases deep")
            found = self._ruleset_files.get(base, path.parent / f"{base}.yaml")
            if not _ID.fullmatch(base) or not found.is_file():
                raise node.error(f"there is no rule set {base!r}")
            seen.append(base)
            fields = _ruleset_fields(read_file(found, self._shown(found)))
            layers.insert(0, Layer(fields["id"].text(), _read_options(fields["options"])))
            node = fields["base"]
        return layers

    def _add(self, files: dict[str, Path], folder: Path, *, is_board: bool) -> None:
        for path in sorted(folder.glob("*.yaml")):
            self._own.append((path, is_board))
            files.setdefault(path.stem, path)

    def _check_id(self, node: Reader, path: Path, files: dict[str, Path]) -> None:
        written = node.text()
        if not _ID.fullmatch(written):
            raise node.error("must be small letters, digits and -, at most 40")
        if written != path.stem:
            raise node.error(f"must be {path.stem}, the name of the file")
        if written in files and not files[written].samefile(path):
            raise node.error(f"{written} is the id of one of ours; own files need ids of their own")

    def _shown(self, path: Path) -> str:
        """Own files by the path they were given with, ours by their name."""
        return str(path) if self.folder is not None and self.folder in path.parents else ""


def open_library(folder: Path) -> Library:
    """Our files and those of a folder, all own ones read and as strictly checked as ours.

    The folder holds `boards/*.yaml` and `rulesets/*.yaml`. DataError names every fault of every file.
    """
    if not folder.is_dir():
        raise DataError(str(folder), 0, "", "is no folder")
    library = Library(folder)
    library.check_own()
    return library


def library_around(path: Path) -> Library:
    """Our files, and what a file may refer to: its folder of own files, or whatever lies beside it."""
    folder = path.resolve().parent.parent
    if path.resolve().parent.name not in ("boards", "rulesets"):
        library = Library()
        library.add_beside(path)
        return library
    return OURS if folder == DATA.resolve() else Library(path.parent.parent)


def check_file(path: Path) -> Board | RuleSet:
    """Read a file of either kind as strictly as ours; DataError says all that is wrong with it."""
    library = library_around(path)
    found: Board | RuleSet = (
        library.load_board_file(path, str(path))
        if is_board_file(path)
        else library.load_ruleset_file(path, str(path))
    )
    library.check_fit(path, found)
    return found


def is_board_file(path: Path) -> bool:
    """Whether a file is of a board, by its keys; DataError if it is neither that nor of a rule set."""
    root = read_file(path, str(path))
    keys = set(root.entries())
    if "options" in keys or "version" in keys:
        return False
    if keys & {"squares", "decks", "groups", "board_size", "base"}:
        return True
    raise root.error("is neither a rule set (it has options) nor a board (it has squares, or decks)")


def _ruleset_fields(root: Reader) -> dict[str, Reader]:
    return root.fields({"id", "version", "title", "base", "board", "options"})


def _read_field(
    faults: Faults, fields: dict[str, Reader], name: str, reading: Callable[[Reader], T]
) -> T | None:
    """What a field reads as; None if it is wrong, or not there (which `fields` has said)."""
    node = fields.get(name)
    return None if node is None else faults.read(lambda: reading(node))


def _read_options(root: Reader) -> dict[str, Written]:
    """The options of one file, each checked where it stands, so that a fault names its own line."""
    faults = Faults()
    values: dict[str, Written] = {}
    for name, node in root.entries().items():
        written = faults.read(partial(_read_option, name, node))
        if written is not None:
            values[name] = written
    faults.done()
    return values


def _read_option(name: str, node: Reader) -> Written:
    option = BY_NAME.get(name)
    if option is None:
        near = ", ".join(get_close_matches(name, BY_NAME)) or "`magnate rules show classic` lists all"
        raise node.error(f"OPTION_UNKNOWN: there is no option of this name; known: {near}")
    written = node.scalar()
    value = parse(option, written)
    if isinstance(value, Rejection):
        raise node.error(f"{value.name}: {value.detail}")
    if not option.supports(value):
        played = option.supported_text()
        raise node.error(f"OPTION_NOT_SUPPORTED: {option.text(value)} is not played yet; supported: {played}")
    return written


def _check_known(node: Reader, files: dict[str, Path], what: str) -> str:
    name = node.text()
    if name not in files:
        raise node.error(f"there is no {what} {name!r}; known: {', '.join(sorted(files))}")
    return name


def _check_folder(folder: Path | None) -> None:
    """Refuse what looks like a board or a rule set and would not be read."""
    assert folder is not None
    faults = Faults()
    places = (folder / "boards", folder / "rulesets")
    if not any(place.is_dir() for place in places):
        faults.found.append(DataError(str(folder), 0, "", "has neither boards/ nor rulesets/"))
    for path in sorted([*folder.rglob("*.yaml"), *folder.rglob("*.yml")]):
        if path.suffix == ".yml":
            faults.found.append(DataError(str(path), 0, "", "must be named .yaml, else it is not read"))
        elif path.parent not in places:
            faults.found.append(DataError(str(path), 0, "", "is neither in boards/ nor in rulesets/"))
    faults.done()


def _files(directory: Path) -> dict[str, Path]:
    return {path.stem: path for path in directory.glob("*.yaml")}


OURS: Final = Library()
"""What comes with the package."""

board_ids: Final = OURS.board_ids
ruleset_ids: Final = OURS.ruleset_ids
load_board: Final = OURS.load_board
load_ruleset: Final = OURS.load_ruleset
find_board: Final = OURS.find_board
find_ruleset: Final = OURS.find_ruleset
load_board_file: Final = OURS.load_board_file
load_ruleset_file: Final = OURS.load_ruleset_file
