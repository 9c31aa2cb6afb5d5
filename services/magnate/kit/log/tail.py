"""One game's commits as they are stored: from the republish subject, gaps closed by reading.

Never a subscription to the log's own subject: it would also see appends that are refused afterwards.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

from magnate.kit.limits import BEAT_SECONDS, RETRY_PAUSE_SECONDS_MAX, TAIL_QUEUE_MESSAGES
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.port import Beat, Log, Stored
from magnate.kit.log.reading import header
from magnate.kit.log.subjects import LIVE_PREFIX, game_subject

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from magnate.kit.log.connection import Connection

_SEQUENCE: Final = b"\r\nNats-Sequence: "
_LAST_SEQUENCE: Final = b"\r\nNats-Last-Sequence: "


class Live(NamedTuple):
    """A republished message: its sequence and the one before it on the same subject."""

    subject: str
    sequence: int
    previous: int
    data: bytes


class LiveQueue:
    """Republished messages waiting for one reader; what does not fit is dropped and read again later."""

    __slots__ = ("_bound", "_messages", "_stir", "_wake")

    def __init__(self, bound: int) -> None:
        self._bound = bound
        self._messages: deque[Live] = deque()
        self._wake = asyncio.Event()
        self._stir = False

    def take(self, subject: bytes, reply: bytes, data: bytes, block: bytes | None) -> None:
        """Queue one message; called by the connection."""
        del reply
        if block is None:
            return
        if len(self._messages) >= self._bound:
            self._stir = True  # what is dropped may be the last there is of its stream
            return
        sequence, previous = int(header(block, _SEQUENCE)), int(header(block, _LAST_SEQUENCE) or 0)
        self._messages.append(Live(subject.decode(), sequence, previous, data))
        self._wake.set()

    def stir(self) -> None:
        """Make the reader compare its position with the log: the connection was lost for a moment."""
        self._stir = True
        self._wake.set()

    async def next(self, seconds: float) -> Live | None:
        """Return the next message; None when it is time to compare with the log."""
        while not self._messages:
            if self._stir:
                self._stir = False
                return None
            self._wake.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                return None
        return self._messages.popleft()


async def tail_game(
    log: Log, connection: Connection, game_id: str, after_sequence: int, beat_seconds: float = BEAT_SECONDS
) -> AsyncGenerator[Stored | Beat, None]:
    """Yield a game's commits after a sequence, for ever; a Beat when nothing came for a while."""
    queue = LiveQueue(TAIL_QUEUE_MESSAGES)
    subscription = await connection.listen(game_subject(LIVE_PREFIX, log.tenant, game_id), queue.take)
    connection.on_reconnect.add(queue.stir)
    position = after_sequence
    try:
        queue.stir()  # first what is stored
        while True:
            live = await queue.next(beat_seconds)
            if live is not None and live.sequence <= position:
                continue
            if live is not None and live.previous == position:
                position = live.sequence
                yield Stored(position, live.data)
                continue
            found = await _missing(log, game_id, position, live)
            if found is None:
                await asyncio.sleep(RETRY_PAUSE_SECONDS_MAX)
                queue.stir()
                continue
            for stored in found:
                position = stored.sequence
                yield stored
            if not found:
                yield Beat(position)
    finally:
        connection.on_reconnect.discard(queue.stir)
        await connection.unlisten(subscription)


async def _missing(log: Log, game_id: str, position: int, live: Live | None) -> list[Stored] | None:
    """Return the stored commits after the position; None if the log does not answer."""
    try:
        if live is not None:
            return await log.load(game_id, position, live.sequence)
        last = await log.last(game_id)
        if last is None or last.sequence <= position:
            return []
        return await log.load(game_id, position, last.sequence)
    except LogUnavailableError:
        return None
