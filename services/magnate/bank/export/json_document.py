"""JSON: one document, one commit a line, its form held to `ledger.schema.json`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from magnate.bank.export.document import iso_time, record_id
from magnate.bank.export.rows import KINDS, fields_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.statement import Section
    from magnate.bank.export.document import Closing, Heading

FORMAT: Final = "magnate.ledger/1"


class JsonWriter:
    """Writes JSON. Amounts are texts: a number of JSON loses digits beyond 2^53 in most readers."""

    def __init__(self) -> None:
        self._scale = 0
        self._some = False

    def begin(self, heading: Heading) -> str:
        """Return the head of the document."""
        self._scale = heading.scale
        head = {
            "format": FORMAT,
            "id": heading.game_id,
            "version": heading.version,
            "time": iso_time(heading.time_ms),
            "unit": heading.unit,
            "commodity": heading.commodity,
            "scale": heading.scale,
        }
        return _text(head)[:-1] + ', "bookings": ['

    def section(self, section: Section) -> str:
        """Return one commit, its records in their order."""
        records = [
            {"id": record_id(section, index), "record": KINDS[type(record)], **fields_of(record, self._scale)}
            for index, record in enumerate(section.records)
        ]
        value = {
            "version": section.version,
            "time": iso_time(section.time_ms),
            "command_id": section.command_id,
            "actor": section.actor,
            "records": records,
        }
        comma = "," if self._some else ""
        self._some = True
        return f"{comma}\n{_text(value)}"

    def end(self, closings: Sequence[Closing]) -> str:
        """Return the balances and the end of the document."""
        balances = [
            {
                "account": one.account,
                "posted": str(one.posted * self._scale),
                "held": str(one.held * self._scale),
                "closed": one.closed,
            }
            for one in closings
        ]
        return f'\n], "balances": {_text(balances)}}}\n'


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
