"""Follows the log of all games: keeps the list of tables and, in one worker, writes the heads.

A head is written at most once a second a game, under an expectation. The checkpoint says how far every stream's effect
is in the heads, so a restart goes on from there; what was followed and not yet written is followed again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from magnate.game.lobby import Lobby
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.errors import LogError, LogUnavailableError
from magnate.kit.log.guard import CHECKPOINT_PURPOSE, read_checkpoint
from magnate.kit.log.heads import decode_head, encode_head
from magnate.kit.log.keys import seal
from magnate.kit.log.port import Appended, Followed
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from magnate.game.lists import Lists
    from magnate.game.metrics import GameMetrics
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.heads import Head
    from magnate.kit.log.port import Log

NAME: Final = "heads"
WRITE_SECONDS: Final = 1.0
LOBBIES_MAX: Final = 50_000

_log = structlog.get_logger("magnate.game.keeper")


class Keeper:
    """The follower of all games."""

    def __init__(self, log: Log, keys: KeyRing, lists: Lists, metrics: GameMetrics, *, writes: bool) -> None:
        self._log = log
        self._keys = keys
        self._lists = lists
        self._metrics = metrics
        self._writes = writes
        self._lobbies: dict[str, Lobby] = {}
        self._newest: dict[str, Head] = {}
        self._stored: dict[str, int] = {}
        self._positions: dict[str, int] = {}

    async def run(self) -> None:
        """Follow for ever."""
        await self._read_heads()
        self._positions = await read_checkpoint(self._log, self._keys, NAME)
        writer = asyncio.create_task(self._write_for_ever()) if self._writes else None
        followed = self._log.watch_all(dict(self._positions))
        try:
            async for item in followed:
                if isinstance(item, Followed):
                    await self._take(item)
                if writer is not None and writer.done():
                    writer.result()
        finally:
            await followed.aclose()
            if writer is not None:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)

    async def _read_heads(self) -> None:
        for game_id, stored in await self._log.heads():
            self._stored[game_id] = stored.sequence
            head = decode_head(self._keys, game_id, stored.data)
            if head is not None:
                self._lists.put(game_pb2.GameSummary.FromString(head.lobby))

    async def _take(self, item: Followed) -> None:
        try:
            commit = parse_commit(self._keys, item.game_id, item.data, item.sequence)
            lobby = await self._lobby(commit)
        except LogError as error:
            # That game alone is damaged; whoever loads it says so.
            _log.warning("cannot follow", game_id=item.game_id, error=str(error))
        else:
            self._lists.put(lobby.summary)
            self._newest[item.game_id] = lobby.head(commit)
        self._positions[item.stream] = item.sequence

    async def _lobby(self, commit: ParsedCommit) -> Lobby:
        """Return the game folded up to this commit; one that is not in memory is read from its log."""
        game_id = commit.game_id
        lobby = self._lobbies.get(game_id)
        if lobby is None or lobby.summary.version + 1 != commit.version:
            lobby = Lobby(game_id)
            if commit.version > 1:
                for stored in await self._log.load(game_id, 0, commit.sequence):
                    if stored.sequence < commit.sequence:
                        lobby.apply(parse_commit(self._keys, game_id, stored.data, stored.sequence))
            if len(self._lobbies) >= LOBBIES_MAX:
                del self._lobbies[next(iter(self._lobbies))]
            self._lobbies[game_id] = lobby
        lobby.apply(commit)
        if lobby.summary.status == game_pb2.GAME_STATUS_OVER:
            self._lobbies.pop(game_id, None)
        return lobby

    async def _write_for_ever(self) -> None:
        while True:
            await asyncio.sleep(WRITE_SECONDS)
            for status, count in self._lists.count().items():
                name = game_pb2.GameStatus.Name(game_pb2.GameStatus.ValueType(status))
                self._metrics.games.labels(name.removeprefix("GAME_STATUS_").lower()).set(count)
            if not self._newest:
                continue
            heads, self._newest = self._newest, {}
            positions = dict(self._positions)
            try:
                await asyncio.gather(*(self._write(head) for head in heads.values()))
                checkpoint = log_pb2.Checkpoint(positions=positions)
                await self._log.checkpoint_put(
                    NAME, seal(self._keys, CHECKPOINT_PURPOSE, checkpoint.SerializeToString())
                )
            except LogUnavailableError as error:
                _log.warning("heads wait", error=str(error))
                self._newest = {**heads, **self._newest}

    async def _write(self, head: Head) -> None:
        """Write one head; one that another process made newer stays."""
        result = await self._log.head_put(
            head.game_id, encode_head(self._keys, head), self._stored.get(head.game_id, 0)
        )
        if isinstance(result, Appended):
            self._stored[head.game_id] = result.sequence
            self._metrics.heads_written.inc()
            return
        stored = await self._log.head_get(head.game_id)
        self._stored[head.game_id] = 0 if stored is None else stored.sequence
        known = None if stored is None else decode_head(self._keys, head.game_id, stored.data)
        if known is None or known.version < head.version:
            self._newest.setdefault(head.game_id, head)
