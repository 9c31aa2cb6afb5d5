"""Where the newest state of a ledger is: with the tables if this process posts to it, else with the bank."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from magnate.kit.log.fold import Loaded

if TYPE_CHECKING:
    from magnate.bank.domain.ledger import State
    from magnate.bank.service import Bank
    from magnate.bank.tables.state import TableState
    from magnate.kit.transact import Transactor


@final
class Ledgers:
    """All ledgers, so that none is kept twice."""

    def __init__(self, bank: Bank, tables: Transactor[TableState]) -> None:
        self._bank = bank
        self._tables = tables

    async def newest(self, game_id: str) -> Loaded[State]:
        """Return a ledger, as new as the log was when this was called; version 0 if there is no such log."""
        if self._tables.peek(game_id) is None:
            return await self._bank.newest(game_id)
        loaded = await self._tables.view(game_id)
        return Loaded(
            game_id,
            loaded.state.ledger,
            version=loaded.version,
            sequence=loaded.sequence,
            commit_hash=loaded.hash,
            time_ms=loaded.time_ms,
            ledger_version=loaded.ledger_version,
        )
