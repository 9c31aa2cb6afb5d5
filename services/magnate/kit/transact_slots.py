"""What a transactor keeps: of each game while it is in use, and of each call while it runs."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Generic, TypeVar

from magnate.kit.errors import KitError
from magnate.kit.limits import RETRY_PAUSE_SECONDS_MAX, RETRY_PAUSE_SECONDS_MIN
from magnate.kit.log.errors import DataLossError, LogError, LogUnavailableError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from magnate.kit.log.fold import Loaded

S = TypeVar("S")
T = TypeVar("T")


class Slot(Generic[S]):
    """One game in this instance: its queue and its folded state."""

    __slots__ = ("game_id", "loaded", "lock", "newest_at", "reading", "snapshot_version", "waiting")

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.lock = asyncio.Lock()  # wakes its waiters in the order in which they came
        self.waiting = 0  # commands, whose number is bounded
        self.reading = 0  # queries, of which one look at the log answers all
        self.loaded: Loaded[S] | None = None
        self.newest_at = 0  # the tick at which `loaded` was surely the log's newest
        self.snapshot_version = 0

    @property
    def idle(self) -> bool:
        """Say whether nobody waits for this game or works on it."""
        return self.waiting == 0 and self.reading == 0

    def failed(self, error: Exception, on_damage: Callable[[], None]) -> None:
        """Drop what a fault of the log, or a bug, may have left half folded; a peer that is away did not."""
        if isinstance(error, DataLossError):
            on_damage()
        if isinstance(error, LogError) or not isinstance(error, KitError):
            self.loaded = None


class Attempt:
    """What one call has behind it: when it arrived, when it gives up, what it sent."""

    __slots__ = ("arrived", "deadline", "pause", "sent_hash")

    def __init__(self, arrived: int, deadline: float) -> None:
        self.arrived = arrived
        self.deadline = deadline
        self.pause = RETRY_PAUSE_SECONDS_MIN
        self.sent_hash = b""

    async def wait(self, reason: str) -> None:
        """Pause before the next try, or give up."""
        if time.monotonic() + self.pause > self.deadline:
            raise LogUnavailableError(
                f"the log did not answer in time ({reason}); the same command may be sent again"
            )
        await asyncio.sleep(self.pause)
        self.pause = min(self.pause * 2, RETRY_PAUSE_SECONDS_MAX)

    async def reading(self, read: Callable[[], Awaitable[T]]) -> T:
        """Read, and again while the log has no leader, for as long as the call may take."""
        while True:
            try:
                return await read()
            except LogUnavailableError as error:
                await self.wait(str(error))
