"""A journal that beancount loads: one transaction a commit, accounts opened and closed, balances asserted.

Holds move no money; they stand as `custom "hold"` directives, which scripts can read and reports pass over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    BalancesDisclosed,
    HoldExpired,
    HoldPlaced,
    HoldReleased,
    HoldRevealed,
)
from magnate.bank.export.document import iso_date, iso_time, record_id
from magnate.bank.export.journal import account_name, postings, summary
from magnate.bank.export.rows import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.records import Record
    from magnate.bank.domain.statement import Section
    from magnate.bank.export.document import Closing, Heading


class BeancountWriter:
    """Writes for beancount, versions 2 and 3."""

    def __init__(self) -> None:
        self._commodity = ""
        self._scale = 0
        self._end = ""

    def begin(self, heading: Heading) -> str:
        """Return title and commodity."""
        self._commodity = heading.commodity
        self._scale = heading.scale
        # An assertion holds at the beginning of its day.
        self._end = iso_date(heading.time_ms, days=1)
        return (
            f'option "title" {quoted(heading.title)}\n'
            f'option "operating_currency" {quoted(heading.commodity)}\n'
        )

    def section(self, section: Section) -> str:
        """Return one commit's directives: what is opened, the transaction, holds, what is closed."""
        day = iso_date(section.time_ms)
        lines = [
            f"{day} open {account_name(record.account)} {self._commodity}"
            for record in section.records
            if isinstance(record, AccountOpened)
        ]
        lines += self._transaction(day, section)
        for index, record in enumerate(section.records):
            lines += self._other(day, record_id(section, index), record)
        return "\n" + "\n".join(lines) + "\n"

    def end(self, closings: Sequence[Closing]) -> str:
        """Return an assertion of every balance that may be seen; a closed account takes none."""
        lines = [
            f"{self._end} balance {account_name(one.account)} {self._amount(one.posted, ' ~ 0')}"
            for one in closings
            if not one.closed
        ]
        return "\n" + "\n".join(lines) + "\n" if lines else ""

    def _transaction(self, day: str, section: Section) -> list[str]:
        sides = postings(section)
        if not sides:
            return []
        lines = [
            f"{day} * {quoted(section.actor)} {quoted(summary(sides))}",
            f"  version: {section.version}",
            f"  time: {quoted(iso_time(section.time_ms))}",
            f"  command: {quoted(section.command_id)}",
        ]
        for side in sides:
            lines.append(f"  {account_name(side.account)}  {self._amount(side.amount)}")
            lines += [f"    {name}: {quoted(value)}" for name, value in side.notes.items()]
        return lines

    def _other(self, day: str, record_id: str, record: Record) -> list[str]:
        if isinstance(record, HoldPlaced | HoldRevealed | HoldReleased | HoldExpired):
            amount = record.amount if isinstance(record, HoldPlaced | HoldRevealed) else record.released
            word = KINDS[type(record)].removeprefix("hold_")
            what = f"{quoted(word)} {quoted(record.hold_id)} {account_name(record.account)}"
            lines = [f'{day} custom "hold" {what} {self._amount(amount)}', f"  record: {quoted(record_id)}"]
            if isinstance(record, HoldPlaced) and record.expires_at_ms:
                lines.append(f"  expires: {quoted(iso_time(record.expires_at_ms))}")
            return lines
        if isinstance(record, AccountClosed):
            return [f"{day} close {account_name(record.account)}"]
        if isinstance(record, BalancesDisclosed):
            return [f'{day} event "balances" "disclosed"']
        return []

    def _amount(self, amount: int, tolerance: str = "") -> str:
        return f"{amount * self._scale}{tolerance} {self._commodity}"


def quoted(text: str) -> str:
    """Return a text as a string of beancount."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
