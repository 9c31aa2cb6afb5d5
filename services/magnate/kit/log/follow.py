"""All games' commits as they are stored, for followers of the whole log: lists, deadlines, dashboards."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from magnate.kit.limits import FOLLOW_BEAT_SECONDS, FOLLOW_QUEUE_MESSAGES, RETRY_PAUSE_SECONDS_MAX
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.port import Beat, Followed
from magnate.kit.log.reading import read_all_after, read_next
from magnate.kit.log.streams import last_sequence, stream_names
from magnate.kit.log.subjects import LIVE_PREFIX, LOG_PREFIX, log_stream
from magnate.kit.log.tail import LiveQueue

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from magnate.kit.log.connection import Connection
    from magnate.kit.log.tail_guard import TailGuard


class _Follower:
    """The positions of one follower and the reading that brings each stream up to the log's end."""

    def __init__(
        self, connection: Connection, tenant: str, after: Mapping[str, int], guard: TailGuard
    ) -> None:
        self._connection = connection
        self._guard = guard
        self._tenant = tenant
        self._after = dict(after)
        self.positions: dict[str, int] = {}

    async def discover(self) -> None:
        """Find the streams of all epochs."""
        for name in await stream_names(self._connection, f"{LOG_PREFIX}.>"):
            self.position(name)

    def position(self, stream: str) -> int:
        """Return how far the stream is read; one that is new is read from where the caller was."""
        return self.positions.setdefault(stream, self._after.get(stream, 0))

    def own(self, subject: str, stream: str, sequence: int, data: bytes) -> Followed | None:
        """Return the commit if it is of this tenant."""
        _, _, _, tenant, game_id = subject.split(".", 4)
        return Followed(stream, sequence, game_id, data) if tenant == self._tenant else None

    async def read_up(self, stream: str, at_least: int) -> AsyncGenerator[Followed, None]:
        """Yield what is stored after the position, at least up to a sequence that is known to be stored."""
        subjects = f"{LOG_PREFIX}.{stream.removeprefix('LOG_').replace('_', '.')}.>"
        more = True
        while more or self.positions[stream] < at_least:
            found, more = await read_all_after(self._connection, stream, subjects, self.positions[stream])
            if not found:
                following = await read_next(self._connection, stream, subjects, self.positions[stream])
                if following is None:
                    return
                found = [following]
            for subject, stored in found:
                self.positions[stream] = stored.sequence
                self._guard.observe(stream, stored.sequence)
                followed = self.own(subject, stream, stored.sequence, stored.data)
                if followed is not None:
                    yield followed


async def follow_all(
    connection: Connection,
    tenant: str,
    after: Mapping[str, int],
    guard: TailGuard,
    beat_seconds: float = FOLLOW_BEAT_SECONDS,
) -> AsyncGenerator[Followed | Beat, None]:
    """Yield a tenant's commits after the given sequences, for ever; a Beat when a stream is read up."""
    follower = _Follower(connection, tenant, after, guard)
    queue = LiveQueue(FOLLOW_QUEUE_MESSAGES)
    subscription = await connection.listen(f"{LIVE_PREFIX}.>", queue.take)
    connection.on_reconnect.add(queue.stir)
    try:
        queue.stir()  # first what is stored
        while True:
            live = await queue.next(beat_seconds)
            try:
                if live is None:
                    await follower.discover()
                    for stream in list(follower.positions):
                        end = await last_sequence(connection, stream)
                        async for followed in follower.read_up(stream, end):
                            yield followed
                        yield Beat(follower.positions[stream], stream)
                    continue
                _, epoch, shard, _ = live.subject.split(".", 3)
                stream = log_stream(int(epoch), int(shard))
                position = follower.position(stream)
                if live.sequence == position + 1:  # nothing is ever deleted: sequences have no gaps
                    follower.positions[stream] = live.sequence
                    guard.observe(stream, live.sequence)
                    own = follower.own(live.subject, stream, live.sequence, live.data)
                    if own is not None:
                        yield own
                elif live.sequence > position:
                    async for followed in follower.read_up(stream, live.sequence):
                        yield followed
            except LogUnavailableError:
                await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)
                queue.stir()
    finally:
        connection.on_reconnect.discard(queue.stir)
        await connection.unlisten(subscription)
