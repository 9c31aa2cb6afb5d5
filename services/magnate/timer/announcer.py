"""Tells owners that a deadline's time has come, until they answer.

Each deadline is announced by one task at a time, whoever asks for it: the clock, an alarm, the sweep.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import structlog

from magnate.kit.clock import Clock, SystemClock
from magnate.kit.expiry import Expired, Gone
from magnate.timer.ports import OwnerAwayError

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.kit.expiry import Expiry
    from magnate.timer.domain.agenda import Agenda, Due
    from magnate.timer.metrics import TimerMetrics
    from magnate.timer.ports import Owners

CALLS_MAX: Final = 256
"""Announcements to one owner in flight at once; the others wait their turn, in the order of their times."""
BATCH_MAX: Final = 512
"""Deadlines taken from the agenda before others get to run."""
SLEEP_SECONDS_MAX: Final = 1.0
"""The longest sleep, so that a step of the machine's clock is noticed."""
BACKOFF_SECONDS_MIN: Final = 0.05
BACKOFF_SECONDS_MAX: Final = 5.0
GRACE_MS: Final = 1000
"""How long another process of this service gets before this one announces a deadline of its games."""

_log = structlog.get_logger("magnate.timer")


class Announcer:
    """Announces what is due. `rank` says how many processes come before this one for a game."""

    def __init__(
        self,
        agenda: Agenda,
        owners: Owners,
        metrics: TimerMetrics,
        clock: Clock | None = None,
        rank: Callable[[str], int] | None = None,
    ) -> None:
        self._agenda = agenda
        self._owners = owners
        self._metrics = metrics
        self._clock = clock or SystemClock()
        self._rank = rank or (lambda _game_id: 0)
        self._free: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(CALLS_MAX))
        self._running: dict[tuple[str, str], asyncio.Task[Expiry]] = {}
        self._changed = asyncio.Event()

    def now_ms(self) -> int:
        """Return the time."""
        return self._clock.now_ms()

    def stir(self) -> None:
        """Look again at what is due next: something was added."""
        self._changed.set()

    async def run(self, caught_up: asyncio.Event) -> None:
        """Announce everything when its time has come, for ever; not before the log is read to its end."""
        await caught_up.wait()
        self._metrics.missed.inc(self._agenda.overdue(self.now_ms()))
        while True:
            self._changed.clear()
            now_ms = self.now_ms()
            taken = self._agenda.due(now_ms, BATCH_MAX)
            for due in taken:
                mine_at = due.deadline.due_ms + GRACE_MS * self._rank(due.game_id)
                if mine_at > now_ms:
                    self._agenda.retry(due, mine_at)
                else:
                    self.announce(due, "clock")
            if len(taken) == BATCH_MAX:
                await asyncio.sleep(0)
                continue
            following = self._agenda.next_ms()
            pause = SLEEP_SECONDS_MAX
            if following is not None:
                pause = min(pause, max(0.0, (following - self.now_ms()) / 1000))
            try:
                async with asyncio.timeout(pause):
                    await self._changed.wait()
            except TimeoutError:
                pass

    def announce(self, due: Due, source: str) -> asyncio.Task[Expiry]:
        """Start to announce a deadline, or return the task that is at it."""
        key = (due.game_id, due.deadline.deadline_id)
        task = self._running.get(key)
        if task is None:
            self._metrics.fired.labels(source).inc()
            task = self._running[key] = asyncio.create_task(self._until_answered(due))
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return task

    async def close(self) -> None:
        """Give up what is being announced; it is announced again by whoever starts next."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _until_answered(self, due: Due) -> Expiry:
        pause = BACKOFF_SECONDS_MIN
        while True:
            try:
                async with self._free[due.deadline.owner]:
                    reply = await self._owners.expire(due, self.now_ms())
            except OwnerAwayError as error:
                self._metrics.answers.labels("none").inc()
                if pause >= BACKOFF_SECONDS_MAX:
                    _log.warning("owner does not answer", owner=due.deadline.owner, why=str(error))
            except Exception:  # noqa: BLE001 - whatever it is, a deadline is never given up
                self._metrics.answers.labels("none").inc()
                _log.exception("announcing failed", owner=due.deadline.owner)
            else:
                self._take(due, reply)
                return reply
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))  # noqa: S311 - spreads retries
            pause = min(pause * 2, BACKOFF_SECONDS_MAX)

    def _take(self, due: Due, reply: Expiry) -> None:
        if isinstance(reply, Expired):
            self._metrics.answers.labels("done").inc()
            self._agenda.answered(due)
        elif isinstance(reply, Gone):
            self._metrics.answers.labels("gone").inc()
            self._agenda.answered(due)
        else:
            self._metrics.answers.labels("not_yet").inc()
            self._agenda.retry(due, self.now_ms() + reply.remaining_ms)
            self.stir()
