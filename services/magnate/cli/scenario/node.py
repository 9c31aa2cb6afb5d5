"""Strict reading of scenario files: whatever is wrong is named with file, line, scenario and key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import yaml
from yaml.nodes import MappingNode, ScalarNode, SequenceNode

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from yaml.nodes import Node as YamlNode

# Three times as fast where PyYAML was built with libyaml; the nodes are the same.
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILE_BYTES_MAX: Final = 4_000_000
TEXT_CHARS_MAX: Final = 300
_WHOLE: Final = re.compile(r"0|-?[1-9][0-9]{0,17}")
_DURATION: Final = re.compile(r"([0-9]{1,9})(ms|s|m|h|d)")
_UNIT_MS: Final = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SHOWN_MAX: Final = 12


class ScenarioError(ValueError):
    """A scenario file is wrong, or asks for what this build does not play."""

    def __init__(self, file: str, line: int, scenario: str, key: str, reason: str) -> None:
        self.file = file
        self.line = line
        self.scenario = scenario
        self.key = key
        self.reason = reason
        where = f"{file}:{line}" if line else file
        named = f": scenario {scenario!r}" if scenario else ""
        super().__init__(f"{where}{named}: {key}: {reason}" if key else f"{where}{named}: {reason}")


class Node:
    """A place in a file, read as what the caller expects there, or refused with a ScenarioError."""

    def __init__(self, file: str, node: YamlNode, scenario: str = "", key: str = "") -> None:
        self.file = file
        self.scenario = scenario
        self.key = key
        self._node = node

    @property
    def line(self) -> int:
        """The line where this place begins, from 1."""
        return int(self._node.start_mark.line) + 1

    def error(self, reason: str, at: str = "") -> ScenarioError:
        """Return the fault at this place, or at a key below it."""
        key = f"{self.key}.{at}" if self.key and at else self.key or at
        return ScenarioError(self.file, self.line, self.scenario, key, reason)

    def unplayed(self, what: str) -> ScenarioError:
        """Return the fault of a scenario that is well formed and needs rules that are not built."""
        return self.error(f"this build does not play {what}")

    def entries(self) -> dict[str, Node]:
        """Return a mapping, in the order of the file; keys may be written as words or numbers."""
        if not isinstance(self._node, MappingNode):
            raise self.error(f"must be a mapping, is {self.found()}")
        found: dict[str, Node] = {}
        for key_node, value_node in self._node.value:
            if not isinstance(key_node, ScalarNode):
                raise self.error("has a key that is not a word")
            name = str(key_node.value)
            path = f"{self.key}.{name}" if self.key else name
            if name in found:
                line = int(key_node.start_mark.line) + 1
                raise ScenarioError(self.file, line, self.scenario, path, "stands twice")
            found[name] = Node(self.file, value_node, self.scenario, path)
        return found

    def fields(self, required: Collection[str], optional: Collection[str] = ()) -> dict[str, Node]:
        """Return a mapping that has all the required keys and none but these."""
        found = self.entries()
        for name, value in found.items():
            if name not in required and name not in optional:
                raise value.error(f"unknown key; known here: {listed([*required, *optional])}")
        for name in required:
            if name not in found:
                raise self.error("is missing", name)
        return found

    def items(self) -> list[Node]:
        """Return a list."""
        if not isinstance(self._node, SequenceNode):
            raise self.error(f"must be a list, is {self.found()}")
        key = self.key
        return [
            Node(self.file, node, self.scenario, f"{key}[{place}]")
            for place, node in enumerate(self._node.value)
        ]

    def one_or_many(self) -> list[Node]:
        """Return the items of a list, or a single value as the only one."""
        return self.items() if self.is_list else [self]

    @property
    def is_list(self) -> bool:
        """Whether a list stands here."""
        return isinstance(self._node, SequenceNode)

    @property
    def is_mapping(self) -> bool:
        """Whether a mapping stands here."""
        return isinstance(self._node, MappingNode)

    @property
    def is_null(self) -> bool:
        """Whether null stands here."""
        return isinstance(self._node, ScalarNode) and self._node.tag.endswith(":null")

    def word(self) -> str:
        """Return a word as it is written, even where YAML would take it for a number or a truth."""
        if not isinstance(self._node, ScalarNode) or self.is_null:
            raise self.error(f"must be a word, is {self.found()}")
        value = str(self._node.value)
        if not value.strip() or len(value) > TEXT_CHARS_MAX or not value.isprintable():
            raise self.error(f"must be 1 to {TEXT_CHARS_MAX} printable characters")
        return value

    def one_of(self, words: Collection[str]) -> str:
        """Return one of these words."""
        value = self.word()
        if value not in words:
            raise self.error(f"{value!r} is unknown; known: {listed(words)}")
        return value

    def whole(self, low: int, high: int) -> int:
        """Return a whole number in plain digits within bounds."""
        if not isinstance(self._node, ScalarNode) or not _WHOLE.fullmatch(str(self._node.value)):
            raise self.error(f"must be a whole number, is {self.found()}")
        number = int(self._node.value)
        if not low <= number <= high:
            raise self.error(f"must be from {low} to {high}, is {number}")
        return number

    def truth(self) -> bool:
        """Return true or false, spelt so."""
        if isinstance(self._node, ScalarNode) and self._node.value in {"true", "false"}:
            return bool(self._node.value == "true")
        raise self.error(f"must be true or false, is {self.found()}")

    def scalar(self) -> bool | int | str:
        """Return a truth, a whole number or a word, by how it is written."""
        value = self.word()
        if value in {"true", "false"}:
            return value == "true"
        return int(value) if _WHOLE.fullmatch(value) else value

    def duration_ms(self) -> int:
        """Return a time such as 90s, 500ms, 2m, 1h or 3d in milliseconds."""
        match = _DURATION.fullmatch(self.word())
        if match is None:
            raise self.error(f"must be a time such as 90s, 500ms, 2m, 1h or 3d, is {self.found()}")
        return int(match[1]) * _UNIT_MS[match[2]]

    def found(self) -> str:
        """Return what stands here, for a complaint."""
        if isinstance(self._node, MappingNode):
            return "a mapping"
        if isinstance(self._node, SequenceNode):
            return "a list"
        return repr(str(self._node.value)) if str(self._node.value) else "empty"


def listed(words: Collection[str]) -> str:
    """Return words for a complaint, not too many of them."""
    known = sorted(words)
    rest = len(known) - _SHOWN_MAX
    return ", ".join(known) if rest <= 0 else f"{', '.join(known[:_SHOWN_MAX])} and {rest} more"


def read_documents(path: Path) -> list[Node]:
    """Return the documents of a YAML file."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ScenarioError(str(path), 0, "", "", f"cannot be read: {error.strerror}") from error
    if len(raw) > FILE_BYTES_MAX:
        raise ScenarioError(str(path), 0, "", "", f"is larger than {FILE_BYTES_MAX} bytes")
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ScenarioError(str(path), line, "", "", "is not UTF-8") from error
    return documents(str(path), text)


def documents(file: str, text: str) -> list[Node]:
    """Return the documents of a YAML text; `file` is what complaints call it."""
    try:
        nodes = [node for node in yaml.compose_all(text, Loader=_LOADER) if node is not None]
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 0
        raise ScenarioError(file, line, "", "", f"is not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise ScenarioError(file, 0, "", "", f"is not YAML: {error}") from error
    found = [Node(file, node) for node in nodes if not Node(file, node).is_null]
    if not found:
        raise ScenarioError(file, 0, "", "", "holds no scenario")
    return found
