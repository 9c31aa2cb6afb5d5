"""Finds tables by their join codes.

A code is a digest of the table's id, so it has to be looked up: in an alias that is stored when the table is
opened, or, if that cache is lost, among the heads of all tables.
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Final

from magnate.bank.tables.credentials import join_alias, join_code, read_join_code
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.heads import list_heads
from magnate.kit.log.keys import seal, unseal

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log

PURPOSE: Final = "join"
STATUS_PREFIX: Final = "bank-"
"""How the word begins by which a head says that its log is a bank's table."""
SCAN_SECONDS: Final = 5.0
"""Heads are not read more often than this, however many unknown codes are asked for."""


class Joining:
    """Codes and the tables they stand for."""

    def __init__(self, log: Log, keys: KeyRing) -> None:
        self._log = log
        self._keys = keys
        self._found: dict[str, str] = {}
        self._scan_at = 0.0

    async def remember(self, code: str, table_id: str) -> None:
        """Store the alias; if it cannot be stored now, the table is found by its head."""
        with contextlib.suppress(LogUnavailableError):
            alias = join_alias(self._keys, self._keys.current_id, code)
            await self._log.checkpoint_put(alias, seal(self._keys, PURPOSE, table_id.encode()))

    async def find(self, text: str) -> str:
        """Return the id of the table with this code, an empty text if there is none.

        Raises:
            LogUnavailableError: the log cannot be read now.
        """
        code = read_join_code(text)
        if not code:
            return ""
        for key_id in self._keys.ids:
            data = await self._log.checkpoint_get(join_alias(self._keys, key_id, code))
            body = unseal(self._keys, PURPOSE, data) if data else None
            if body is not None:
                return body.decode()
        now = time.monotonic()
        if code not in self._found and now >= self._scan_at:
            self._scan_at = now + SCAN_SECONDS
            for head in await list_heads(self._log, self._keys):  # games, too: they may have a unit
                for key_id in self._keys.ids:
                    self._found[join_code(self._keys, key_id, head.game_id)] = head.game_id
        return self._found.get(code, "")
