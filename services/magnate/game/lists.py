"""The list of all tables, read from the heads."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import time
from typing import TYPE_CHECKING, Final

from magnate.game.lobby import BANK_TABLE, STATUS_WORDS, summary_of
from magnate.game.v1 import game_pb2
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.heads import list_heads

if TYPE_CHECKING:
    from magnate.game.metrics import GameMetrics
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log

PAGE_SIZE_DEFAULT: Final = 50
PAGE_SIZE_MAX: Final = 100
KEPT_SECONDS: Final = 0.3
COUNT_SECONDS: Final = 5.0


class Lists:
    """Tables as the heads show them: at most a second old, and kept for a moment so that lists are cheap."""

    def __init__(self, log: Log, keys: KeyRing) -> None:
        self._log = log
        self._keys = keys
        self._games: list[game_pb2.GameSummary] = []
        self._read_at = -KEPT_SECONDS
        self._reading = asyncio.Lock()  # many who ask at once are answered by one reading

    async def page(self, page_size: int, page_token: str, status: int) -> game_pb2.ListGamesResponse:
        """Return a page of tables, newest change first.

        Raises:
            InvalidArgumentError: the size is out of range or the token is none of ours.
        """
        if not 0 <= page_size <= PAGE_SIZE_MAX:
            raise InvalidArgumentError("page_size", f"must be from 0 to {PAGE_SIZE_MAX}, not {page_size}")
        if status not in {0, *STATUS_WORDS}:
            raise InvalidArgumentError("status", f"{status} is none that a table can have")
        size = page_size or PAGE_SIZE_DEFAULT
        after = _read_token(page_token) if page_token else None
        found = [one for one in await self._newest() if status in {0, one.status}]
        if after is not None:
            found = [one for one in found if _newest_first(one) > after]
        response = game_pb2.ListGamesResponse(games=found[:size])
        if len(found) > size:
            response.next_page_token = _write_token(found[size - 1])
        return response

    async def count_for_ever(self, metrics: GameMetrics) -> None:
        """Keep the number of tables of each status in the metrics."""
        while True:
            with contextlib.suppress(LogUnavailableError):
                counts = dict.fromkeys(STATUS_WORDS.values(), 0)
                for summary in await self._newest():
                    word = STATUS_WORDS.get(summary.status)
                    if word is not None:
                        counts[word] += 1
                for word, count in counts.items():
                    metrics.tables.labels(word).set(count)
            await asyncio.sleep(COUNT_SECONDS)

    async def _newest(self) -> list[game_pb2.GameSummary]:
        async with self._reading:
            now = time.monotonic()
            if now - self._read_at >= KEPT_SECONDS:
                heads = await list_heads(self._log, self._keys)
                games = [head for head in heads if not head.status.startswith(BANK_TABLE)]
                self._games = sorted(map(summary_of, games), key=_newest_first)
                self._read_at = now
            return self._games


def _newest_first(summary: game_pb2.GameSummary) -> tuple[int, str]:
    return -(summary.update_time.seconds * 1000 + summary.update_time.nanos // 1_000_000), summary.game_id


def _write_token(summary: game_pb2.GameSummary) -> str:
    time_ms, game_id = _newest_first(summary)
    return base64.urlsafe_b64encode(f"{time_ms}|{game_id}".encode()).decode()


def _read_token(token: str) -> tuple[int, str]:
    try:
        time_text, game_id = base64.urlsafe_b64decode(token.encode()).decode().split("|")
        return int(time_text), game_id
    except ValueError:
        raise InvalidArgumentError("page_token", "is none that this server gave") from None
