"""One process's connection to the log's server: the port of `kit.log.port`."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from magnate.kit.limits import BEAT_SECONDS, FOLLOW_BEAT_SECONDS, RETRY_PAUSE_SECONDS_MAX
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.port import Appended, AppendResult, Beat, Conflict, Followed, Stored, Unavailable
from magnate.kit.log.subjects import game_stream
from magnate.kit.log.tail_guard import TailGuard

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from tests.sim.process import Process
    from tests.sim.store import Store

_sequence = attrgetter("sequence")


class SimLog:
    """The log as one process reaches it."""

    tenant = "main"

    def __init__(self, store: Store, process: Process) -> None:
        self.guard = TailGuard()
        self._store = store
        self._process = process
        self._judged: set[str] = set()

    async def append(
        self, game_id: str, data: bytes, expected_sequence: int, message_id: str = ""
    ) -> AppendResult:
        """Try once to store the bytes after the game's last sequence."""
        self._process.guard.require()
        stream = game_stream(game_id)
        if stream not in self._judged:
            seen = self.guard.highest.get(stream, 0)
            try:
                last = await self._read(lambda: self._store.streams[stream].last_sequence, leader=True)
            except LogUnavailableError as error:
                return Unavailable(str(error))
            self.guard.judge(stream, last, seen)
            self._judged.add(stream)
        self.guard.require(stream, game_id)
        answer: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()
        self._store.append(self._process, game_id, data, expected_sequence, message_id, answer)
        result = await answer
        if isinstance(result, Appended):
            self.guard.observe(stream, result.sequence)
        return result

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return the game's commits after a sequence; a replica may be behind, but not below `at_least`."""

        def found() -> list[Stored]:
            stream = self._store.streams[game_stream(game_id)]
            commits = stream.games.get(game_id, [])
            commits = commits[bisect_right(commits, after_sequence, key=_sequence) :]
            while (
                commits
                and commits[-1].sequence > at_least
                and self._store.behind(stream, commits[-1].sequence)
            ):
                commits = commits[:-1]
            return commits

        loaded: list[Stored] = await self._read(found)
        if loaded:
            self.guard.observe(game_stream(game_id), loaded[-1].sequence)
        return loaded

    async def read(self, game_id: str, sequence: int) -> Stored | None:
        """Return the game's commit at exactly this sequence."""

        def found() -> Stored | None:
            commits = self._store.streams[game_stream(game_id)].games.get(game_id, [])
            place = bisect_right(commits, sequence - 1, key=_sequence)
            return commits[place] if place < len(commits) and commits[place].sequence == sequence else None

        stored: Stored | None = await self._read(found)
        return stored

    async def last(self, game_id: str) -> Stored | None:
        """Return the game's newest commit from the leader."""
        stored: Stored | None = await self._read(lambda: self._store.last_of(game_id), leader=True)
        return stored

    async def tail(self, game_id: str, after_sequence: int = 0) -> AsyncGenerator[Stored | Beat, None]:
        """Yield the game's commits after a sequence, for ever."""
        wake = _Wake()
        self._store.watchers[wake.ring] = None
        position = after_sequence
        try:
            while True:
                try:
                    last = await self.last(game_id)
                    end = 0 if last is None else last.sequence
                    found = await self.load(game_id, position, end) if end > position else []
                except LogUnavailableError:
                    await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)
                    continue
                for stored in found:
                    position = stored.sequence
                    yield stored
                if not found:
                    yield Beat(position)
                await wake.wait(BEAT_SECONDS)
        finally:
            self._store.watchers.pop(wake.ring, None)

    async def watch_all(self, after: Mapping[str, int]) -> AsyncGenerator[Followed | Beat, None]:
        """Yield all games' commits after the given sequences, for ever."""
        wake = _Wake()
        self._store.watchers[wake.ring] = None
        positions = {name: after.get(name, 0) for name in self._store.streams}
        beat = True
        try:
            while True:
                for name, stream in self._store.streams.items():
                    for sequence, game_id, data in stream.messages[positions[name] :]:
                        positions[name] = sequence
                        self.guard.observe(name, sequence)
                        yield Followed(name, sequence, game_id, data)
                    if beat:
                        yield Beat(positions[name], name)
                beat = not await wake.wait(FOLLOW_BEAT_SECONDS)
                while self._store.world.net.parted_from(self._process, "log"):  # noqa: ASYNC110 - nobody tells
                    await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)
        finally:
            self._store.watchers.pop(wake.ring, None)

    async def snapshot_put(self, kind: str, game_id: str, data: bytes) -> None:
        """Store a service's snapshot of a game, if the server hears of it."""
        await self._put((kind, game_id), data)

    async def snapshot_get(self, kind: str, game_id: str) -> bytes | None:
        """Return the snapshot, or None."""
        return await self._cached((kind, game_id))

    async def snapshot_drop(self, kind: str, game_id: str) -> None:
        """Forget the snapshot."""
        await self._put((kind, game_id), b"")

    async def checkpoint_put(self, name: str, data: bytes) -> None:
        """Store how far the named follower has got."""
        await self._put(("checkpoint", name), data)

    async def checkpoint_get(self, name: str) -> bytes | None:
        """Return what the named follower stored last; LogUnavailableError if the leader does not answer."""
        found: bytes | None = await self._read(
            lambda: self._store.caches.get(("checkpoint", name)) or None, leader=True
        )
        return found

    async def head_put(self, game_id: str, data: bytes, expected_sequence: int) -> AppendResult:
        """Replace the game's head under an expectation."""

        def put() -> AppendResult:
            store = self._store
            current = store.heads.get(game_id)
            last = current.sequence if current else 0
            if last != expected_sequence:
                return Conflict(last)
            store.head_sequence += 1
            store.heads[game_id] = Stored(store.head_sequence, data)
            return Appended(store.head_sequence)

        try:
            result: AppendResult = await self._read(put, leader=True)
        except LogUnavailableError as error:
            return Unavailable(str(error))
        return result

    async def head_get(self, game_id: str) -> Stored | None:
        """Return the game's head."""
        stored: Stored | None = await self._read(lambda: self._store.heads.get(game_id))
        return stored

    async def heads(self) -> list[tuple[str, Stored]]:
        """Return all games' heads."""
        found: list[tuple[str, Stored]] = await self._read(lambda: list(self._store.heads.items()))
        return found

    async def last_sequences(self) -> dict[str, int]:
        """Return the last sequence of each stream."""
        found: dict[str, int] = await self._read(
            lambda: {name: stream.last_sequence for name, stream in self._store.streams.items()}, leader=True
        )
        return found

    async def server_times_ms(self) -> list[int]:
        """Return what the clock of each stream's leader says: the true time."""
        found: list[int] = await self._read(
            lambda: [self._store.world.now_ms() for _ in self._store.streams], leader=True
        )
        return found

    async def ensure(self) -> None:
        """There is nothing to create."""

    async def close(self) -> None:
        """There is nothing to let go of."""

    async def _read(self, compute: Callable[[], Any], *, leader: bool = False) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._store.read(self._process, compute, leader=leader, answer=answer)
        return await answer

    async def _cached(self, key: tuple[str, str]) -> bytes | None:
        try:
            found: bytes | None = await self._read(lambda: self._store.caches.get(key) or None)
        except LogUnavailableError:
            return None
        return found

    async def _put(self, key: tuple[str, str], data: bytes) -> None:
        try:
            await self._read(lambda: self._store.caches.__setitem__(key, data), leader=True)
        except LogUnavailableError:
            return


class _Wake:
    """Wakes one reader."""

    def __init__(self) -> None:
        self._waiter: asyncio.Future[bool] | None = None
        self._rung = False

    def ring(self) -> None:
        """Something was stored."""
        self._rung = True
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(True)

    async def wait(self, seconds: float) -> bool:
        """Wait until it rings, at most so long; say whether it did."""
        if not self._rung:
            loop = asyncio.get_running_loop()
            waiter = self._waiter = loop.create_future()
            timer = loop.call_later(seconds, _over, waiter)
            await waiter
            timer.cancel()
        rung, self._rung = self._rung, False
        return rung


def _over(waiter: asyncio.Future[bool]) -> None:
    if not waiter.done():
        waiter.set_result(False)
