"""Whole ledgers as files: reads a table's records and has them written, a piece at a time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from magnate.bank.checks import check_ledger_id
from magnate.bank.domain.ledger import INITIAL, LedgerDamagedError, fold
from magnate.bank.export.document import Heading, closings_of
from magnate.bank.queries import private_accounts
from magnate.kit.log.damage import noticing
from magnate.kit.log.errors import DataLossError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from magnate.bank.domain.state import State
    from magnate.bank.domain.statement import Section
    from magnate.bank.export.document import Writer
    from magnate.bank.queries import Queries, Reader

PIECE_CHARACTERS: Final = 32_768
"""A piece is sent when it has at least so many characters."""


class Exports:
    """Writes ledgers."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def pieces(
        self, ledger_id: str, make: Callable[[], Writer], version: int, reader: Reader
    ) -> AsyncIterator[tuple[int, str]]:
        """Yield the file up to a version (0: the newest) in pieces, each with that version.

        Records are public; balances of accounts that are private to others are left out. Only public records
        are folded, so concealed holds are nowhere in it.

        Raises:
            InvalidArgumentError: malformed id. RefusedError: no such log (UNKNOWN_LEDGER).
            VersionNotReachedError: the log does not have it.
            DataLossError: what comes from here on does not verify; nothing of it was yielded.
            LogNewerError, LogUnavailableError.
        """
        check_ledger_id(ledger_id)
        newest = await self._queries.newest(ledger_id)
        journal = await self._queries.journal(newest, version)
        version = version or len(journal.times_ms)
        known = newest.state
        writer = make()
        heading = Heading(
            ledger_id, version, journal.times_ms[version - 1], unit=known.unit, scale=known.scale or 1
        )
        text = [writer.begin(heading)]
        size = 0
        state = INITIAL.copy()
        for section in journal.until(version):
            with noticing(self._queries.on_damage):
                _fold(ledger_id, state, section)
            if section.records:  # else all it has is concealed
                text.append(writer.section(section))
                size += len(text[-1])
            if size >= PIECE_CHARACTERS:
                yield version, "".join(text)
                text, size = [], 0
                await asyncio.sleep(0)  # a long ledger keeps nobody waiting
        text.append(writer.end(closings_of(state, reader.hidden(private_accounts(known)))))
        yield version, "".join(text)


def _fold(ledger_id: str, state: State, section: Section) -> None:
    try:
        fold(state, section.version, section.previous_version, section.records)
    except LedgerDamagedError as error:
        raise DataLossError(ledger_id, section.version, str(error)) from error
