"""What an option of a rule set is, and how a written value becomes the int the rules compare with.

`options_table` lists all of them. A value outside an option's range is OPTION_INVALID; a value inside it
that this build does not play yet is OPTION_NOT_SUPPORTED, so that nobody ever plays a game whose rules are
silently others.
"""

from typing import Final, TypeAlias

from magnate.rules import rejections
from magnate.rules.rejections import Rejection

BOOL: Final = 1
INT: Final = 2
ENUM: Final = 3

_SHOWN_MAX: Final = 60
_DIGITS_MAX: Final = 18

Written: TypeAlias = bool | int | str
"""A value as files, logs and the API write it: true, 10 or a word."""


class Option:
    """One rule that a rule set may choose. `default`, `supported`: 0/1, number, place of the word."""

    __slots__ = (
        "attribute",
        "default",
        "help",
        "kind",
        "maximum",
        "minimum",
        "name",
        "rows",
        "supported",
        "values",
    )

    def __init__(
        self,
        name: str,
        kind: int,
        default: int,
        minimum: int,
        maximum: int,
        values: list[str],
        supported: list[int],
        rows: str,
        help_line: str,
    ) -> None:
        self.name = name
        self.attribute: str = name.replace(".", "_")
        self.kind = kind
        self.default = default
        self.minimum = minimum
        self.maximum = maximum
        self.values = values
        self.supported = supported  # empty: the whole range
        self.rows = rows  # of the rules table, and the contradiction (C…) it settles
        self.help = help_line

    def written(self, value: int) -> Written:
        """The value as files write it."""
        if self.kind == BOOL:
            return value == 1
        if self.kind == ENUM:
            return self.values[value]
        return value

    def text(self, value: int) -> str:
        """The value for people, as YAML spells it."""
        if self.kind == BOOL:
            return "true" if value == 1 else "false"
        return str(self.written(value))

    def range_text(self) -> str:
        """What may be written here, for people."""
        if self.kind == BOOL:
            return "true or false"
        if self.kind == ENUM:
            return "one of " + ", ".join(word for word in self.values if word)
        return f"a whole number from {self.minimum} to {self.maximum}"

    def supported_text(self) -> str:
        """What this build plays, for people."""
        if not self.supported:
            return self.range_text()
        return ", ".join(self.text(value) for value in self.supported)

    def supports(self, value: int) -> bool:
        """Whether this build plays the value."""
        return not self.supported or value in self.supported


def parse(option: Option, written: object) -> int | Rejection:
    """The int of a written value, or OPTION_INVALID. A bool is no number and a number is no bool."""
    if option.kind == BOOL:
        if isinstance(written, bool):
            return int(written)
    elif option.kind == ENUM:
        if isinstance(written, str) and written and written in option.values:
            return option.values.index(written)
    elif isinstance(written, int) and not isinstance(written, bool):  # noqa: SIM102 - one test of kind a branch
        if option.minimum <= written <= option.maximum:
            return written
    return Rejection(
        rejections.OPTION_INVALID, f"{option.name}: {_shown(written)} is not {option.range_text()}"
    )


def of_text(text: str) -> Written:
    """The value of a text as a rule set file would read it; for the command line and the API."""
    if text in {"true", "false"}:
        return text == "true"
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS_MAX:
        return int(text)
    return text


def _shown(written: object) -> str:
    text = repr(written)
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX] + "…"


def flag(name: str, default: bool, supported: list[bool], rows: str, help_line: str) -> Option:
    """A yes or no."""
    plays = [int(value) for value in supported]
    return Option(name, BOOL, int(default), 0, 1, [], plays, rows, help_line)


def number(
    name: str, default: int, minimum: int, maximum: int, supported: list[int], rows: str, help_line: str
) -> Option:
    """A whole number; its unit is the last word of its name."""
    return Option(name, INT, default, minimum, maximum, [], supported, rows, help_line)


def choice(name: str, values: list[str], supported: list[str], rows: str, help_line: str) -> Option:
    """One of some words; the first is the default, and an empty word is a place that cannot be chosen."""
    plays = [values.index(word) for word in supported]
    return Option(name, ENUM, 0, 0, len(values) - 1, values, plays, rows, help_line)
