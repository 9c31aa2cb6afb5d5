"""Keeps one durable alarm per game, at its earliest deadline.

A bid moves a deadline every second or so; an alarm that would be moved again at once is not worth a write. So
a game's alarm is looked at a moment after its deadlines changed, and written only if it must ring earlier
than the one that is set.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from magnate.kit.alarm.port import Alarm
from magnate.kit.clock import Clock, SystemClock
from magnate.kit.errors import KitError

if TYPE_CHECKING:
    from magnate.kit.alarm.port import Alarms
    from magnate.timer.announcer import Announcer
    from magnate.timer.domain.agenda import Agenda
    from magnate.timer.follower import Follower
    from magnate.timer.metrics import TimerMetrics

SETTLE_SECONDS: Final = 0.2
"""How long a game's deadlines must have been left alone before its alarm is written."""
WRITES_MAX: Final = 64
"""Alarms being written at once."""

_log = structlog.get_logger("magnate.timer")


class AlarmKeeper:
    """Sets alarms, and sees to it that those that ring lead to something."""

    def __init__(
        self,
        agenda: Agenda,
        alarms: Alarms,
        announcer: Announcer,
        follower: Follower,
        metrics: TimerMetrics,
        clock: Clock | None = None,
    ) -> None:
        self._agenda = agenda
        self._alarms = alarms
        self._announcer = announcer
        self._follower = follower
        self._metrics = metrics
        self._clock = clock or SystemClock()
        self._changed: dict[str, float] = {}
        self._writes = asyncio.Semaphore(WRITES_MAX)

    def changed(self, game_id: str) -> None:
        """Note that a game's deadlines changed."""
        self._changed.setdefault(game_id, asyncio.get_running_loop().time())

    async def run(self) -> None:
        """Set alarms, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SETTLE_SECONDS)
            ripe = loop.time() - SETTLE_SECONDS
            games = [game_id for game_id, since in self._changed.items() if since <= ripe]
            for game_id in games:
                del self._changed[game_id]
            await asyncio.gather(*(self._set(game_id) for game_id in games))

    async def ring(self) -> None:
        """Deal with alarms that ring, for ever."""
        await self._alarms.run(self.rung)

    async def _set(self, game_id: str) -> None:
        at_ms, version = self._agenda.alarm_to_set(game_id)
        if at_ms == 0:
            self._metrics.alarms.labels("spared").inc()
            return
        async with self._writes:
            try:
                written = await self._alarms.set(Alarm(game_id, at_ms, version))
            except KitError as error:
                _log.warning("alarm not set", game_id=game_id, why=str(error))
                self.changed(game_id)
                return
        self._metrics.alarms.labels("set" if written else "kept").inc()
        if written:
            self._agenda.armed(game_id, at_ms)

    async def rung(self, alarm: Alarm) -> None:
        """Announce what is due in a game; returns, which acknowledges, when every owner has answered."""
        self._metrics.alarms.labels("rung").inc()
        await self._follower.caught_up.wait()  # what it stands for may not have been read yet, after a start
        self._agenda.armed(alarm.game_id, 0)
        # It rings by the clock of the log's server; if the one here is slow, the owner is asked all the same.
        due = self._agenda.due_in(alarm.game_id, max(alarm.due_ms, self._clock.now_ms()))
        await asyncio.gather(*(self._announcer.announce(one, "alarm") for one in due))
        self.changed(alarm.game_id)
