"""CSV (RFC 4180): one line a record, for spreadsheets and scripts.

A spreadsheet takes a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break for a formula. What
others chose (ids, reasons) is written with an apostrophe in front then, and one that begins with one gets
another, so that taking one apostrophe off gives back exactly what was stored.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from magnate.bank.export.document import iso_time, record_id
from magnate.bank.export.rows import KINDS, fields_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.statement import Section
    from magnate.bank.export.document import Closing, Heading

COLUMNS: Final = (
    "id", "version", "time", "record", "debit", "credit", "account", "amount", "released", "commodity",
    "reason", "transfer_id", "hold_id", "expire_time", "at_most", "reverses", "note", "private", "command_id",
    "actor", "placed_version",
)  # fmt: skip
"""The first line. Names may be added at the end, never changed."""
TEXTS: Final = frozenset({"reason", "transfer_id", "hold_id", "reverses", "note", "command_id", "actor"})
"""The columns whose content others chose."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "'")


def safe(cell: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA) else cell


class SheetWriter:
    """Writes CSV."""

    def __init__(self) -> None:
        self._scale = 0
        self._commodity = ""

    def begin(self, heading: Heading) -> str:
        """Return the line of column names."""
        self._scale = heading.scale
        self._commodity = heading.commodity
        return _lines([COLUMNS])

    def section(self, section: Section) -> str:
        """Return a line for each record."""
        rows = []
        for index, record in enumerate(section.records):
            row = {
                "id": record_id(section, index),
                "version": str(section.version),
                "time": iso_time(section.time_ms),
                "record": KINDS[type(record)],
                **fields_of(record, self._scale),
                "command_id": section.command_id,
                "actor": section.actor,
            }
            if "amount" in row or "released" in row:
                row["commodity"] = self._commodity
            cells = {name: safe(value) if name in TEXTS else value for name, value in row.items()}
            rows.append([cells.get(name, "") for name in COLUMNS])
        return _lines(rows)

    def end(self, closings: Sequence[Closing]) -> str:
        """Return nothing: a sheet has lines of one kind only."""
        del closings
        return ""


def _lines(rows: Sequence[Sequence[str]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()
