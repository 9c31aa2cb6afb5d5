"""Looks through the heads of all games for deadlines that are overdue and that nobody here knows of.

There should be none. If there are, an agenda was wrong: their schedule is read from the log itself.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from magnate.kit.clock import Clock, SystemClock
from magnate.kit.errors import KitError
from magnate.kit.log.heads import decode_head

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.fold import Loader
    from magnate.kit.log.heads import Head
    from magnate.timer.announcer import Announcer
    from magnate.timer.domain.agenda import Agenda
    from magnate.timer.domain.timers import Table
    from magnate.timer.metrics import TimerMetrics

OVERDUE_MS: Final = 3000
"""Heads are written at most once a second: one says "overdue" a moment longer than is true."""
READS_MAX: Final = 200
"""Games read in one sweep."""
CHECKED_MAX: Final = 100_000

_log = structlog.get_logger("magnate.timer")


class Sweeper:
    """Sweeps now and then."""

    def __init__(
        self,
        loader: Loader[Table],
        keys: KeyRing,
        agenda: Agenda,
        announcer: Announcer,
        metrics: TimerMetrics,
        every_seconds: float,
        clock: Clock | None = None,
    ) -> None:
        self._loader = loader
        self._keys = keys
        self._agenda = agenda
        self._announcer = announcer
        self._metrics = metrics
        self._every_seconds = every_seconds
        self._clock = clock or SystemClock()
        self._checked: dict[str, int] = {}

    async def run(self) -> None:
        """Sweep, for ever."""
        while True:
            await asyncio.sleep(self._every_seconds)
            try:
                await self.sweep()
            except KitError as error:
                _log.warning("sweep given up", why=str(error))

    async def sweep(self) -> int:
        """Announce what the heads call overdue; return how many deadlines only this found."""
        now_ms = self._clock.now_ms()
        found = reads = 0
        for game_id, stored in await self._loader.log.heads():
            head = decode_head(self._keys, game_id, stored.data)
            if head is None or not 0 < head.earliest_deadline_ms < now_ms - OVERDUE_MS:
                continue
            known = self._agenda.due_in(game_id, now_ms)
            if not known and reads < READS_MAX and self._checked.get(game_id) != head.version:
                reads += 1
                found += await self._read(head)
                known = self._agenda.due_in(game_id, now_ms)
            for due in known:
                self._announcer.announce(due, "sweep")
        return found

    async def _read(self, head: Head) -> int:
        """Read a game's schedule from the log; return how many overdue deadlines that brought up."""
        try:
            loaded = await self._loader.load(head.game_id)
        except KitError as error:
            _log.error("game not swept", game_id=head.game_id, why=str(error))
            return 0
        if len(self._checked) > CHECKED_MAX:
            self._checked.clear()
        self._checked[head.game_id] = head.version
        self._agenda.replace(head.game_id, loaded.version, loaded.state.schedule.copy())
        found = len(self._agenda.due_in(head.game_id, self._clock.now_ms()))
        self._metrics.swept.inc(found)
        return found
