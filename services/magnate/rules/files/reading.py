"""Typed reading of YAML where every fault names file, line, key and reason; nothing unknown is ever skipped.

Whole numbers are written in plain digits, truths as true and false: what YAML would also take for them
(1_000, 0x10, 1:30, yes, 1.0) is refused, because a reader of the file would not see what it means.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

FILE_BYTES_MAX: Final = 1_000_000
_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_TAG: Final = "tag:yaml.org,2002:"

T = TypeVar("T")


class DataError(ValueError):
    """A data file is wrong: `file`, `line` (from 1; 0 if the whole file is meant), `key`, `reason`.

    `others` are further faults that were found on the same occasion.
    """

    def __init__(self, file: str, line: int, key: str, reason: str) -> None:
        self.others: list[DataError] = []
        self.file = file
        self.line = line
        self.key = key
        self.reason = reason
        place = f"{file}:{line}" if line else file
        super().__init__(f"{place}: {key}: {reason}" if key else f"{place}: {reason}")

    def every(self) -> "list[DataError]":
        """This fault and the others."""
        return [self, *self.others]


class Faults:
    """Collects the faults of parts that can be read one by one, so that one reading names them all."""

    def __init__(self) -> None:
        self.found: list[DataError] = []

    def read(self, reading: Callable[[], T]) -> T | None:
        """What this part reads as; None if it is wrong."""
        try:
            return reading()
        except DataError as error:
            self.found += error.every()
            return None

    def done(self) -> None:
        """Raise the first fault with the others, if there is any."""
        if self.found:
            first = self.found[0]
            first.others = self.found[1:]
            raise first


class Reader:
    """A YAML node with the path that led to it; reads it as what the caller expects, or raises DataError."""

    def __init__(self, file: str, node: Node, key: str = "") -> None:
        self.file = file
        self.key = key
        self._node = node

    @property
    def line(self) -> int:
        """The line where the node starts, from 1."""
        return int(self._node.start_mark.line) + 1

    def error(self, reason: str, at: str = "") -> DataError:
        """The fault at this place, or at a key below it."""
        key = f"{self.key}.{at}" if self.key and at else self.key or at
        return DataError(self.file, self.line, key, reason)

    def fields(self, required: set[str], optional: set[str] | None = None) -> "dict[str, Reader]":
        """A mapping that has all the required keys and none but these."""
        found = self.entries()
        known = required | (optional or set())
        faults = Faults()
        for name, value in found.items():
            if name not in known:
                faults.found.append(value.error(f"unknown key; known here: {', '.join(sorted(known))}"))
        for name in sorted(required):
            if name not in found:
                faults.found.append(self.error("is missing", name))
        faults.done()
        return found

    def entries(self) -> "dict[str, Reader]":
        """A mapping with text keys, in the order of the file."""
        if not isinstance(self._node, MappingNode):
            raise self.error(f"must be a mapping, is {self._found()}")
        found: dict[str, Reader] = {}
        for key_node, value_node in self._node.value:
            name = Reader(self.file, key_node, self.key).text()
            path = f"{self.key}.{name}" if self.key else name
            if name in found:
                raise DataError(self.file, key_node.start_mark.line + 1, path, "stands twice")
            found[name] = Reader(self.file, value_node, path)
        return found

    def items(self) -> "list[Reader]":
        """A list."""
        if not isinstance(self._node, SequenceNode):
            raise self.error(f"must be a list, is {self._found()}")
        return [Reader(self.file, node, f"{self.key}[{i}]") for i, node in enumerate(self._node.value)]

    def text(self, length_max: int = 100) -> str:
        """A text that is not empty."""
        value = self._scalar("str", "a text")
        if not value.strip():
            raise self.error("must not be empty")
        if len(value) > length_max:
            raise self.error(f"has {len(value)} characters, {length_max} are allowed")
        if not value.isprintable():
            raise self.error("has characters that cannot be printed")
        return value

    def word(self, words: "dict[str, int]") -> int:
        """One of some words, as the number it stands for."""
        value = self.text()
        if value not in words:
            raise self.error(f"{value!r} is unknown; known: {', '.join(words)}")
        return words[value]

    def whole(self, minimum: int, maximum: int) -> int:
        """A whole number in plain digits within bounds."""
        value = self._scalar("int", "a whole number")
        if not _WHOLE.fullmatch(value):
            raise self.error(f"must be a whole number in plain digits, is {value}")
        number = int(value)
        if not minimum <= number <= maximum:
            raise self.error(f"must be from {minimum} to {maximum}, is {number}")
        return number

    def truth(self) -> bool:
        """True or false, spelled so."""
        value = self._scalar("bool", "true or false")
        if value not in {"true", "false"}:
            raise self.error(f"must be true or false, is {value}")
        return value == "true"

    @property
    def is_mapping(self) -> bool:
        """Whether a mapping stands here."""
        return isinstance(self._node, MappingNode)

    @property
    def is_list(self) -> bool:
        """Whether a list stands here."""
        return isinstance(self._node, SequenceNode)

    def is_null(self) -> bool:
        """Whether null is written here."""
        return isinstance(self._node, ScalarNode) and self._node.tag == _TAG + "null"

    def scalar(self) -> bool | int | str:
        """A truth, a whole number or a text, by how it is written."""
        if self._node.tag == _TAG + "bool":
            return self.truth()
        if self._node.tag == _TAG + "int":
            return self.whole(-(10**15), 10**15)
        return self._scalar("str", "true, false, a whole number or a word")

    def _scalar(self, tag: str, expected: str) -> str:
        if not isinstance(self._node, ScalarNode) or self._node.tag != _TAG + tag:
            raise self.error(f"must be {expected}, is {self._found()}")
        return str(self._node.value)

    def _found(self) -> str:
        if isinstance(self._node, MappingNode):
            return "a mapping"
        if isinstance(self._node, SequenceNode):
            return "a list"
        return str(self._node.value) or "empty"


def read_file(path: Path, shown: str = "") -> Reader:
    """The one document of a YAML file in UTF-8; faults call the file `shown`, or by its bare name."""
    name = shown or path.name
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(str(path), 0, "", f"cannot be read: {error.strerror}") from error
    if len(raw) > FILE_BYTES_MAX:
        raise DataError(name, 0, "", f"has {len(raw)} bytes, {FILE_BYTES_MAX} are allowed")
    try:
        return read_text(name, raw.decode())
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(name, line, "", "is not UTF-8") from error


def read_text(file: str, text: str) -> Reader:
    """The one document of a YAML text; `file` is what faults call it."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DataError(
            file, mark.line + 1 if mark else 0, "", str(error.problem or error.context)
        ) from error
    except yaml.YAMLError as error:
        raise DataError(file, 0, "", f"is not YAML: {error}") from error
    except RecursionError as error:
        raise DataError(file, 0, "", "is nested too deeply") from error
    if node is None:
        raise DataError(file, 0, "", "is empty")
    return Reader(file, node)
