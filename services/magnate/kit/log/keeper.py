"""The keeper of heads: follows the log and writes each game's head, at most once a second.

How far everything is written is checkpointed, so that a restart catches up. Several keepers may run; the
expectation on each head lets none put an older one over a newer.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
import time
from collections import OrderedDict
from contextlib import aclosing
from typing import TYPE_CHECKING, Protocol, final

import structlog
from google.protobuf.message import DecodeError

from magnate.kit.limits import (
    CHECKPOINT_SECONDS,
    HEAD_WRITE_SECONDS,
    HEADS_CACHED_MAX,
    HEADS_WRITING_MAX,
    RETRY_PAUSE_SECONDS_MAX,
)
from magnate.kit.log.commit import ZERO_HASH, ParsedCommit, check_follows, read_commit, verify_commit
from magnate.kit.log.errors import LogError, LogUnavailableError
from magnate.kit.log.guard import CHECKPOINT_PURPOSE, read_checkpoint
from magnate.kit.log.heads import Head, decode_head, encode_head
from magnate.kit.log.keys import seal
from magnate.kit.log.port import Appended, Beat, Conflict, Followed, Log, Stored
from magnate.kit.log.subjects import game_stream
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing


@final
class HeadFacts:
    """What a service puts in a game's head, beyond where its newest commit is."""

    __slots__ = ("earliest_deadline_ms", "lobby", "status")

    def __init__(self, status: str, lobby: bytes = b"", earliest_deadline_ms: int = 0) -> None:
        self.status = status
        self.lobby = lobby
        self.earliest_deadline_ms = earliest_deadline_ms


class HeadFold(Protocol):
    """How a service makes a head from the one before and a commit; what it needs it keeps in `lobby`."""

    def facts(self, before: Head | None, commit: ParsedCommit) -> HeadFacts:
        """Return what the head says after this commit; `before` is None for a game's first."""
        ...


class _Kept:
    """One game's head: what it is now and what is stored."""

    __slots__ = ("head", "newest", "put_sequence", "unwritten_from", "writable_at")

    def __init__(self, head: Head | None, put_sequence: int) -> None:
        self.head = head
        self.newest: ParsedCommit | None = None  # the commit of `head`, until it is verified
        self.put_sequence = put_sequence
        self.unwritten_from = 0  # sequence of the first commit that the stored head lacks; 0: none
        self.writable_at = 0.0


class HeadKeeper:
    """Writes the heads of all games of one tenant. Run it once a process at most."""

    def __init__(
        self,
        log: Log,
        keys: KeyRing,
        fold: HeadFold,
        *,
        name: str = "heads",
        write_seconds: float = HEAD_WRITE_SECONDS,
        checkpoint_seconds: float = CHECKPOINT_SECONDS,
    ) -> None:
        self.caught_up = asyncio.Event()
        self.written = 0
        self.damaged: dict[str, str] = {}
        self._log = log
        self._keys = keys
        self._fold = fold
        self._name = name
        self._write_seconds = write_seconds
        self._checkpoint_seconds = checkpoint_seconds
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._due: list[tuple[float, str]] = []
        self._wake = asyncio.Event()
        self._positions: dict[str, int] = {}
        self._checkpointed: dict[str, int] = {}
        self._logger = structlog.get_logger("magnate.heads")

    async def run(self) -> None:
        """Follow the log and write heads until cancelled; what is due then is written before it ends."""
        writer = asyncio.create_task(self._write_for_ever())
        try:
            await self._follow()
        finally:
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer
            with contextlib.suppress(TimeoutError, LogUnavailableError):
                async with asyncio.timeout(RETRY_PAUSE_SECONDS_MAX * 4):
                    await self.flush()

    async def flush(self) -> None:
        """Write all heads that are behind, and the checkpoint."""
        behind = [game_id for game_id, kept in self._kept.items() if kept.unwritten_from]
        for start in range(0, len(behind), HEADS_WRITING_MAX):
            await asyncio.gather(*[self._write(one) for one in behind[start : start + HEADS_WRITING_MAX]])
        await self._checkpoint()

    async def _follow(self) -> None:
        while True:
            try:
                self._positions = await read_checkpoint(self._log, self._keys, self._name)
                streams = (await self._log.last_sequences()).keys()
                break
            except LogUnavailableError:
                await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)
        read_up: set[str] = set()
        async with aclosing(self._log.watch_all(dict(self._positions))) as follower:
            async for item in follower:
                if isinstance(item, Beat):
                    read_up.add(item.stream)
                    if read_up >= streams:
                        self.caught_up.set()
                    self._positions.setdefault(item.stream, item.sequence)
                    continue
                await self._take(item)
                self._positions[item.stream] = item.sequence

    async def _take(self, item: Followed) -> None:
        if item.game_id in self.damaged:
            return
        while True:
            try:
                kept = await self._keep(item.game_id)
                await self._fold_commit(kept, item)
            except LogUnavailableError:
                await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)
                continue
            except (
                LogError,
                DecodeError,
                KeyError,
                ValueError,
            ) as error:  # not verified yet
                self._damage(item.game_id, error)
            return

    async def _keep(self, game_id: str) -> _Kept:
        kept = self._kept.get(game_id)
        if kept is None:
            stored = await self._log.head_get(game_id)
            head = None if stored is None else decode_head(self._keys, game_id, stored.data)
            kept = self._kept[game_id] = _Kept(head, 0 if stored is None else stored.sequence)
            self._trim()
        else:
            self._kept.move_to_end(game_id)
        return kept

    async def _fold_commit(self, kept: _Kept, item: Followed) -> None:
        position = 0 if kept.head is None else kept.head.sequence
        if item.sequence <= position:
            return
        commit = read_commit(item.game_id, item.data, item.sequence)
        version = 0 if kept.head is None else kept.head.version
        stored = [Stored(item.sequence, item.data)]
        if commit.version != version + 1:  # the head was lost or odd: read what lies between
            stored = await self._log.load(item.game_id, position, item.sequence)
        for message in stored:
            if message.sequence <= item.sequence:
                self._advance(kept, read_commit(item.game_id, message.data, message.sequence))

    def _advance(self, kept: _Kept, commit: ParsedCommit) -> None:
        head = kept.head
        if head is None:
            check_follows(commit, 0, ZERO_HASH, 0)
        else:
            check_follows(commit, head.version, head.hash, head.time_ms)
        facts = self._fold.facts(head, commit)
        kept.head = Head(
            commit.game_id,
            commit.version,
            commit.sequence,
            commit.hash,
            time_ms=commit.time_ms,
            status=facts.status,
            lobby=facts.lobby,
            earliest_deadline_ms=facts.earliest_deadline_ms,
        )
        kept.newest = commit
        if not kept.unwritten_from:
            kept.unwritten_from = commit.sequence
            heapq.heappush(self._due, (max(kept.writable_at, time.monotonic()), commit.game_id))
            self._wake.set()

    async def _write_for_ever(self) -> None:
        checkpoint_at = time.monotonic() + self._checkpoint_seconds
        while True:
            now = time.monotonic()
            ready: list[str] = []
            while self._due and self._due[0][0] <= now and len(ready) < HEADS_WRITING_MAX:
                ready.append(heapq.heappop(self._due)[1])
            await asyncio.gather(*[self._write(game_id) for game_id in ready])
            if now >= checkpoint_at:
                checkpoint_at = now + self._checkpoint_seconds
                with contextlib.suppress(LogUnavailableError):
                    await self._checkpoint()
            if not ready:
                self._wake.clear()
                wait = min(checkpoint_at, self._due[0][0] if self._due else checkpoint_at) - now
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(max(wait, 0.001)):
                        await self._wake.wait()

    async def _write(self, game_id: str) -> None:
        kept = self._kept.get(game_id)
        if kept is None or kept.head is None or not kept.unwritten_from:
            return
        head = kept.head
        if not self._verified(kept, game_id):
            return
        result = await self._log.head_put(game_id, encode_head(self._keys, head), kept.put_sequence)
        kept.writable_at = time.monotonic() + self._write_seconds
        if isinstance(result, Appended):
            self.written += 1
            kept.put_sequence = result.sequence
            self._stored(kept, head)
        elif isinstance(result, Conflict):
            await self._yield_to(kept, game_id, result.last_sequence)
        if kept.unwritten_from:
            heapq.heappush(self._due, (kept.writable_at, game_id))

    def _verified(self, kept: _Kept, game_id: str) -> bool:
        """Verify the commit of a head that is to be written; the links to it were compared as it came."""
        if kept.newest is None:
            return True
        try:
            verify_commit(self._keys, kept.newest)
        except LogError as error:
            kept.unwritten_from = 0
            self._damage(game_id, error)
            return False
        kept.newest = None
        return True

    def _damage(self, game_id: str, error: Exception) -> None:
        """Stop following one game; the others go on."""
        self.damaged[game_id] = str(error)
        self._logger.error("game_damaged", game_id=game_id, error=str(error))

    async def _yield_to(self, kept: _Kept, game_id: str, last_sequence: int | None) -> None:
        """Another keeper wrote this head: take its place into account, and go on only with a newer one."""
        with contextlib.suppress(LogUnavailableError):
            stored = await self._log.head_get(game_id)
            if stored is None:
                kept.put_sequence = 0
                return
            if last_sequence is not None and stored.sequence < last_sequence:
                return  # a replica that is behind: next time
            kept.put_sequence = stored.sequence
            other = decode_head(self._keys, game_id, stored.data)
            if other is not None:
                self._stored(kept, other)

    def _stored(self, kept: _Kept, stored: Head) -> None:
        """Note which head is stored now."""
        assert kept.head is not None
        if stored.sequence >= kept.head.sequence:
            kept.unwritten_from = 0
        elif stored.sequence >= kept.unwritten_from:
            kept.unwritten_from = stored.sequence + 1

    async def _checkpoint(self) -> None:
        """Store for each stream the last sequence up to which all heads are written."""
        positions = dict(self._positions)
        for game_id, kept in self._kept.items():
            if kept.unwritten_from:
                stream = game_stream(game_id)
                positions[stream] = min(positions.get(stream, 0), kept.unwritten_from - 1)
        if positions != self._checkpointed:
            message = log_pb2.Checkpoint()
            message.positions.update(positions)
            data = seal(self._keys, CHECKPOINT_PURPOSE, message.SerializeToString())
            await self._log.checkpoint_put(self._name, data)
            self._checkpointed = positions

    def _trim(self) -> None:
        while len(self._kept) > HEADS_CACHED_MAX:
            clean = next((one for one, kept in self._kept.items() if not kept.unwritten_from), None)
            if clean is None:
                return
            del self._kept[clean]
