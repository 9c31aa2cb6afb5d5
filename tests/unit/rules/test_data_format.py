"""The option table of docs/rules/data-format.md is what the code says.

Run as a program to write it anew: `python -m tests.unit.rules.test_data_format`.
"""

from __future__ import annotations

import re

from magnate.rules.files.board_file import KEYS, KINDS, NOTES, TOP
from magnate.rules.files.effect_file import EFFECTS
from magnate.rules.files.extras_file import CONFIDENCE, EXTRAS
from magnate.rules.options import BOOL, INT, Option
from magnate.rules.options_table import OPTIONS
from tests.support.sources import ROOT

PAGE = ROOT / "docs/rules/data-format.md"
BEGIN = "which fails when this table is out of date -->\n"
END = "<!-- end of options -->"


def values_of(option: Option) -> str:
    """What may be written, the default first, what is not played yet in italics."""
    if option.kind == INT:
        span = f"{option.minimum} … {option.maximum}"
        return f"{option.default} (*{span}*)" if option.supported else f"{option.default} ({span})"
    known = [value for value in range(option.maximum + 1) if option.kind == BOOL or option.values[value]]
    known.sort(key=lambda value: (value != option.default, value))
    shown = [
        f"`{option.text(value)}`" if option.supports(value) else f"*{option.text(value)}*" for value in known
    ]
    return ", ".join(shown)


def table() -> str:
    """The whole table in Markdown."""
    lines = ["", "| option | values (default first) | what it decides | rows |", "| --- | --- | --- | --- |"]
    lines += [
        f"| `{option.name}` | {values_of(option)} | {option.help} | {option.rows} |" for option in OPTIONS
    ]
    return "\n".join([*lines, "", ""])


def test_the_option_table_is_current() -> None:
    """Whoever adds an option or plays another value of one sees it in the documentation."""
    page = PAGE.read_text(encoding="utf-8")
    written = page[page.index(BEGIN) + len(BEGIN) : page.index(END)]
    assert written == table(), "run `python -m tests.unit.rules.test_data_format`"


def rows_between(begin: str, end: str) -> list[list[str]]:
    """The cells of the table rows between two lines of the page, without head and rule."""
    page = PAGE.read_text(encoding="utf-8")
    part = page[page.index(begin) : page.index(end)]
    lines = [line for line in part.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def words_of(cell: str) -> set[str]:
    """What stands in backticks in a cell, word by word."""
    return {word for code in re.findall("`([^`]*)`", cell) for word in re.findall("[a-z_]+", code)}


def test_every_effect_is_documented_with_its_keys() -> None:
    """A word that is added, or another key of one, fails here until the page says it."""
    documented: dict[str, set[str]] = {}
    for words, keys, _ in rows_between("<!-- effects:", "<!-- end of effects"):
        for word in words_of(words):
            documented.setdefault(word, set()).update(words_of(keys))
    assert documented.keys() == EFFECTS.keys()
    for word, entry in EFFECTS.items():
        assert documented[word] >= {*entry.required, *entry.optional}, word


def test_every_type_of_square_is_documented_with_its_keys() -> None:
    """As for effects."""
    documented: dict[str, set[str]] = {}
    for words, keys, _ in rows_between("### Squares", "### What only some boards have"):
        for word in words_of(words):
            documented.setdefault(word, set()).update(words_of(keys))
    assert documented.keys() == KINDS.keys()
    for word, kind in KINDS.items():
        required, optional = KEYS.get(kind, (set(), set()))
        assert documented[word] == required | optional, word


def test_every_key_of_a_board_and_every_word_of_confidence_is_documented() -> None:
    """They stand in an example or in backticks."""
    page = PAGE.read_text(encoding="utf-8")
    for key in sorted(TOP | EXTRAS | NOTES | {"base"}):
        assert re.search(f"(^|`){key}[:`]", page, re.MULTILINE), key
    for word in CONFIDENCE:
        assert f"`{word}`" in page


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    PAGE.write_text(page[:start] + table() + page[end:], encoding="utf-8")
