"""The log in memory: the same answers as JetStream, no server. For tests, simulations and scenario runs.

`faults` holds what the next appends shall suffer, so that the protocol around an append can be tested.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections import deque
from typing import TYPE_CHECKING, Literal, TypeAlias

from magnate.kit.ids import check_tenant, parse_game_id
from magnate.kit.limits import BEAT_SECONDS, COMMIT_BYTES_MAX, FOLLOW_BEAT_SECONDS
from magnate.kit.log.port import (
    Appended,
    AppendResult,
    Beat,
    Conflict,
    Followed,
    OutcomeUnknown,
    Stored,
    Unavailable,
)
from magnate.kit.log.subjects import game_stream, log_stream
from magnate.kit.log.tail_guard import TailGuard

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

# What an append suffers: stored but the ack is lost; lost before it is stored; refused for the moment;
# another append in flight.
Fault: TypeAlias = Literal["lost_ack", "lost", "unavailable", "in_flight"]


class _Stream:
    __slots__ = ("changed", "games", "last_sequence", "messages")

    def __init__(self) -> None:
        self.last_sequence = 0
        self.messages: list[tuple[int, str, bytes]] = []
        self.games: dict[str, list[Stored]] = {}
        self.changed = asyncio.Event()

    def add(self, game_id: str, data: bytes) -> int:
        self.last_sequence += 1
        self.messages.append((self.last_sequence, game_id, data))
        self.games.setdefault(game_id, []).append(Stored(self.last_sequence, data))
        self.changed.set()
        self.changed = asyncio.Event()
        return self.last_sequence


class MemoryLog:
    """The log of one tenant in this process's memory."""

    def __init__(
        self, *, tenant: str = "main", epoch: int = 1, shards: int = 4, beat_seconds: float = BEAT_SECONDS
    ) -> None:
        self.tenant = check_tenant(tenant)
        self.faults: deque[Fault] = deque()
        self._beat_seconds = beat_seconds
        self.guard = TailGuard()
        self._streams = {log_stream(epoch, shard): _Stream() for shard in range(shards)}
        self._heads: dict[str, Stored] = {}
        self._head_sequence = 0
        self._caches: dict[tuple[str, str], bytes] = {}

    async def append(
        self, game_id: str, data: bytes, expected_sequence: int, message_id: str = ""
    ) -> AppendResult:
        """Try once to store the bytes after the game's last sequence."""
        del message_id  # the expectation is checked first, as a server on its own does
        await asyncio.sleep(0)  # as any real append does: let others run
        stream = self._stream(game_id)
        fault = self.faults.popleft() if self.faults else None
        if len(data) > COMMIT_BYTES_MAX:
            return Unavailable(f"{len(data)} bytes are more than the stream takes")
        if fault == "unavailable":
            return Unavailable("fault")
        if fault == "lost":
            return OutcomeUnknown("fault")
        if fault == "in_flight":
            return Conflict(None)
        commits = stream.games.get(game_id)
        last = commits[-1].sequence if commits else 0
        if last != expected_sequence:
            return Conflict(last)
        name = game_stream(game_id)
        self.guard.judge(name, stream.last_sequence)
        self.guard.require(name, game_id)
        sequence = stream.add(game_id, data)
        self.guard.observe(name, sequence)
        return OutcomeUnknown("fault") if fault == "lost_ack" else Appended(sequence)

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return the game's commits after a sequence."""
        del at_least  # memory is never behind
        commits = self._stream(game_id).games.get(game_id, [])
        return commits[bisect_right(commits, after_sequence, key=_sequence) :]

    async def read(self, game_id: str, sequence: int) -> Stored | None:
        """Return the game's commit at exactly this sequence."""
        found = await self.load(game_id, sequence - 1)
        return found[0] if found and found[0].sequence == sequence else None

    async def last(self, game_id: str) -> Stored | None:
        """Return the game's newest commit."""
        await asyncio.sleep(0)
        commits = self._stream(game_id).games.get(game_id)
        return commits[-1] if commits else None

    async def tail(self, game_id: str, after_sequence: int = 0) -> AsyncGenerator[Stored | Beat, None]:
        """Yield the game's commits after a sequence, for ever."""
        stream = self._stream(game_id)
        position = after_sequence
        while True:
            changed = stream.changed
            for stored in await self.load(game_id, position):
                yield stored
                position = stored.sequence
            if not changed.is_set() and not await _happens(changed, self._beat_seconds):
                yield Beat(position)

    async def watch_all(self, after: Mapping[str, int]) -> AsyncGenerator[Followed | Beat, None]:
        """Yield all games' commits after the given sequences, for ever."""
        positions = {name: after.get(name, 0) for name in self._streams}
        while True:
            waits = [asyncio.ensure_future(stream.changed.wait()) for stream in self._streams.values()]
            try:
                for name, stream in self._streams.items():
                    for sequence, game_id, data in stream.messages[positions[name] :]:
                        positions[name] = sequence
                        yield Followed(name, sequence, game_id, data)
                    yield Beat(positions[name], name)
                await asyncio.wait(waits, timeout=FOLLOW_BEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for wait in waits:
                    wait.cancel()

    async def snapshot_put(self, kind: str, game_id: str, data: bytes) -> None:
        """Store a service's snapshot of a game."""
        self._caches[kind, game_id] = data

    async def snapshot_get(self, kind: str, game_id: str) -> bytes | None:
        """Return the snapshot, or None."""
        return self._caches.get((kind, game_id))

    async def snapshot_drop(self, kind: str, game_id: str) -> None:
        """Forget the snapshot."""
        self._caches.pop((kind, game_id), None)

    async def checkpoint_put(self, name: str, data: bytes) -> None:
        """Store how far the named follower has got."""
        self._caches["checkpoint", name] = data

    async def checkpoint_get(self, name: str) -> bytes | None:
        """Return what the named follower stored last."""
        return self._caches.get(("checkpoint", name))

    async def head_put(self, game_id: str, data: bytes, expected_sequence: int) -> AppendResult:
        """Replace the game's head under an expectation."""
        current = self._heads.get(game_id)
        last = current.sequence if current else 0
        if last != expected_sequence:
            return Conflict(last)
        self._head_sequence += 1
        self._heads[game_id] = Stored(self._head_sequence, data)
        return Appended(self._head_sequence)

    async def head_get(self, game_id: str) -> Stored | None:
        """Return the game's head."""
        return self._heads.get(game_id)

    async def heads(self) -> list[tuple[str, Stored]]:
        """Return all games' heads."""
        return list(self._heads.items())

    async def last_sequences(self) -> dict[str, int]:
        """Return the last sequence of each stream."""
        return {name: stream.last_sequence for name, stream in self._streams.items()}

    async def ensure(self) -> None:
        """There is nothing to create."""

    async def close(self) -> None:
        """There is nothing to let go of."""

    def _stream(self, game_id: str) -> _Stream:
        address = parse_game_id(game_id)
        return self._streams.setdefault(log_stream(address.epoch, address.shard), _Stream())


def _sequence(stored: Stored) -> int:
    return stored.sequence


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
