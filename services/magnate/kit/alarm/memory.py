"""Alarms in memory, by any clock; for tests and simulations."""

from __future__ import annotations

import asyncio
import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.kit.alarm.port import Alarm, Handler
    from magnate.kit.clock import Clock

POLL_SECONDS = 0.005


class MemoryAlarms:
    """The alarms of this process. `standing` is what is set, `delivered` counts what the handler finished."""

    def __init__(self, clock: Clock) -> None:
        self.standing: dict[str, Alarm] = {}
        self.delivered = 0
        self._clock = clock
        self._fired: list[tuple[int, int, Alarm]] = []
        self._count = 0

    async def set(self, alarm: Alarm) -> bool:
        """Set the game's one alarm, unless the standing one is of a newer version."""
        await asyncio.sleep(0)
        standing = self.standing.get(alarm.game_id)
        if standing is not None and standing.version > alarm.version:
            return False
        self.standing[alarm.game_id] = alarm
        return True

    async def run(self, handler: Handler) -> None:
        """Hand fired alarms to the handler, for ever."""
        while True:
            await self.fire_due(handler)
            await asyncio.sleep(POLL_SECONDS)

    async def fire_due(self, handler: Handler) -> None:
        """Fire what is due now; what the handler fails at stays fired for the next time."""
        now_ms = self._clock.now_ms()
        for game_id, alarm in list(self.standing.items()):
            if alarm.due_ms <= now_ms:
                del self.standing[game_id]
                self._count += 1
                heapq.heappush(self._fired, (alarm.due_ms, self._count, alarm))
        again = []
        while self._fired:
            entry = heapq.heappop(self._fired)
            try:
                await handler(entry[2])
            except Exception:  # noqa: BLE001 - as the real ones do, whatever went wrong
                again.append(entry)
            else:
                self.delivered += 1
        for entry in again:
            heapq.heappush(self._fired, entry)

    async def ensure(self) -> None:
        """There is nothing to create."""

    async def close(self) -> None:
        """There is nothing to let go of."""
