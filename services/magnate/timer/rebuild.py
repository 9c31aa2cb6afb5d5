"""Restores alarms, and what the timer remembers, by reading the whole log: after a loss or a doubt."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, final

from prometheus_client import CollectorRegistry

from magnate.kit.alarm.port import Alarm
from magnate.timer.domain.agenda import Agenda
from magnate.timer.follower import Follower
from magnate.timer.metrics import TimerMetrics

if TYPE_CHECKING:
    from magnate.kit.alarm.port import Alarms
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log

WRITES_MAX: Final = 64


@final
class Rebuilt:
    """What was found and done: tables with deadlines, their deadlines, alarms set or kept, damage."""

    __slots__ = ("damaged", "deadlines", "games", "kept", "set")

    def __init__(self) -> None:
        self.games = 0
        self.deadlines = 0
        self.set = 0
        self.kept = 0
        self.damaged = 0


async def rebuild(log: Log, alarms: Alarms, keys: KeyRing) -> Rebuilt:
    """Read every commit there is, set every alarm, and store the agenda; harmless beside running timers.

    Raises:
        LogUnavailableError: the log or the alarms do not answer.
    """
    agenda, registry = Agenda(), CollectorRegistry()
    metrics = TimerMetrics(registry)
    follower = Follower(log, keys, agenda, metrics, lambda _game_id: None)
    await follower.begin_anew()
    reading = asyncio.create_task(follower.run())
    read_up = asyncio.create_task(follower.caught_up.wait())
    try:
        await asyncio.wait({reading, read_up}, return_when=asyncio.FIRST_COMPLETED)
        if reading.done():
            await reading
    finally:
        reading.cancel()
        read_up.cancel()
        await asyncio.gather(reading, read_up, return_exceptions=True)
    done = Rebuilt()
    done.games, done.deadlines = len(agenda.games), agenda.pending()
    done.damaged = round(registry.get_sample_value("magnate_timer_damaged_total") or 0)
    gate = asyncio.Semaphore(WRITES_MAX)

    async def set_one(game_id: str) -> None:
        at_ms, version = agenda.alarm_to_set(game_id)
        if at_ms:
            async with gate:
                written = await alarms.set(Alarm(game_id, at_ms, version))
            done.set += written
            done.kept += not written

    await asyncio.gather(*(set_one(game_id) for game_id in list(agenda.games)))
    await follower.remember()
    return done
