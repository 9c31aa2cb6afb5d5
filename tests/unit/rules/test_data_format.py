"""The option table of docs/rules/data-format.md is what the code says.

Run as a program to write it anew: `python -m tests.unit.rules.test_data_format`.
"""

from __future__ import annotations

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


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    start, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    PAGE.write_text(page[:start] + table() + page[end:], encoding="utf-8")
