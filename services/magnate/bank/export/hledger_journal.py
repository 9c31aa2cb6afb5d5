"""A journal that hledger reads: one transaction a commit, accounts declared, closing balances asserted.

What beancount has metadata for stands in comments as tags; holds, which move no money, are comments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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

_MEANINGFUL: Final = "%,;|[]\n\r\t"
"""What would end a tag, begin a comment or a date; it is written as in an address, `%2C`."""


class HledgerWriter:
    """Writes for hledger, versions 1.25 and later."""

    def __init__(self) -> None:
        self._commodity = ""
        self._scale = 0
        self._end = ""

    def begin(self, heading: Heading) -> str:
        """Return a comment that says what it is, and the commodity."""
        self._commodity = heading.commodity
        self._scale = heading.scale
        self._end = iso_date(heading.time_ms)
        return f"; {heading.title}\ndecimal-mark .\ncommodity 1000. {heading.commodity}\n"

    def section(self, section: Section) -> str:
        """Return one commit: what is opened, the transaction, holds, what is closed."""
        lines = [
            f"account {account_name(record.account)}  ; opened:{iso_time(section.time_ms)}"
            for record in section.records
            if isinstance(record, AccountOpened)
        ]
        lines += self._transaction(section)
        for index, record in enumerate(section.records):
            lines += self._other(section, record_id(section, index), record)
        return "\n" + "\n".join(lines) + "\n"

    def end(self, closings: Sequence[Closing]) -> str:
        """Return an assertion of every balance that may be seen."""
        if not closings:
            return ""
        width = max(len(account_name(one.account)) for one in closings)
        lines = [f"\n{self._end} * balances"]
        for one in closings:
            zero, posted = self._amount(0), self._amount(one.posted)
            lines.append(f"    {account_name(one.account):<{width}}  {zero} = {posted}")
        return "\n".join(lines) + "\n"

    def _transaction(self, section: Section) -> list[str]:
        sides = postings(section)
        if not sides:
            return []
        notes = {"time": iso_time(section.time_ms), "command": section.command_id, "actor": section.actor}
        tags = ", ".join(f"{name}:{plain(value)}" for name, value in notes.items())
        head = f"{iso_date(section.time_ms)} * ({section.version}) {plain(summary(sides), keep=',')}"
        lines = [head, f"    ; version:{section.version}, {tags}"]
        for side in sides:
            tags = ", ".join(f"{name}:{plain(value)}" for name, value in side.notes.items())
            lines.append(f"    {account_name(side.account)}  {self._amount(side.amount)}  ; {tags}")
        return lines

    def _other(self, section: Section, record_id: str, record: Record) -> list[str]:
        when = f"{iso_time(section.time_ms)} {record_id}"
        if isinstance(record, HoldPlaced | HoldRevealed | HoldReleased | HoldExpired):
            amount = record.amount if isinstance(record, HoldPlaced | HoldRevealed) else record.released
            word = KINDS[type(record)].replace("_", " ")
            until = ""
            if isinstance(record, HoldPlaced) and record.expires_at_ms:
                until = f", until {iso_time(record.expires_at_ms)}"
            account = account_name(record.account)
            return [f"; {when} {word}: {plain(record.hold_id)}, {account}, {self._amount(amount)}{until}"]
        if isinstance(record, AccountClosed):
            return [f"; {when} account closed: {account_name(record.account)}"]
        if isinstance(record, BalancesDisclosed):
            return [f"; {when} balances disclosed"]
        return []

    def _amount(self, amount: int) -> str:
        return f"{amount * self._scale} {self._commodity}"


def plain(text: str, *, keep: str = "") -> str:
    """Return a text in which nothing means anything to hledger."""
    return "".join(
        f"%{ord(letter):02X}" if letter in _MEANINGFUL and letter not in keep else letter for letter in text
    )
