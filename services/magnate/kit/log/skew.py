"""How far the clock of this process is off the clocks of the log's servers, and what follows from it.

The servers' clocks are the only ones that all processes see: each message has its leader's time. So each
process asks them now and then. One that is off by more than the limit serves and appends nothing until it is
right again: the time of a log never goes back, so a single commit of a process whose clock is an hour
ahead would take the hour away from every clock of that game. One that is off by less does no harm: whoever
judges by it writes down what it judged.
"""

from __future__ import annotations

import asyncio
import statistics
from typing import TYPE_CHECKING, Final, Protocol, final

import structlog
from prometheus_client import Counter, Gauge

from magnate.kit.clock import PROCESS, AnchoredClock
from magnate.kit.errors import CLOCK_SKEWED, UnavailableError
from magnate.kit.log.errors import LogUnavailableError

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from magnate.kit.lifecycle import Lifecycle

LOOK_SECONDS: Final = 5.0
"""How often the servers are asked. A step of the wall clock moves ours by a quarter of a second meanwhile."""
ASKING_MS_MAX: Final = 500
"""An answer that took longer says too little: it may be wrong by half of that."""
START_SECONDS: Final = 0.5
"""How often they are asked until they have answered for the first time: nothing is served so long."""
NOT_KNOWN: Final = "the clock was not compared with those of the log's servers yet"

_log = structlog.get_logger("magnate.clock")


class ClockSkewedError(UnavailableError):
    """This process's clock is too far off; another process, or the same one later, can do it."""

    reason = CLOCK_SKEWED


@final
class ClockGuard:
    """Stops appends while the clock is off; `why` is empty while it is right."""

    __slots__ = ("why",)

    def __init__(self) -> None:
        self.why = ""

    def require(self) -> None:
        """Raise ClockSkewedError while the clock is off."""
        if self.why:
            raise ClockSkewedError(self.why)


GUARD: Final = ClockGuard()
"""The one guard of this process, as it has one clock."""


class Servers(Protocol):
    """The log's servers, as far as their clocks are concerned."""

    async def server_times_ms(self) -> list[int]:
        """Return what the clock of each stream's leader says."""
        ...


class SkewWatch:
    """Asks the servers for the time, for ever."""

    def __init__(
        self,
        servers: Servers,
        registry: CollectorRegistry,
        limit_seconds: float,
        clock: AnchoredClock = PROCESS,
        guard: ClockGuard = GUARD,
    ) -> None:
        self._servers = servers
        self._limit_ms = round(limit_seconds * 1000)
        self._clock = clock
        self._guard = guard
        self._skew = Gauge(
            "magnate_clock_skew_seconds",
            "How far this process's clock is ahead of those of the log's servers (median of the leaders).",
            registry=registry,
        )
        behind = Gauge(
            "magnate_clock_behind_seconds",
            "How far the machine's wall clock is ahead of this process's, which follows it slowly.",
            registry=registry,
        )
        behind.set_function(lambda: clock.behind_ms() / 1000)
        self._set = Counter(
            "magnate_clock_set_total",
            "Times this process, being too far off, took the word of the machine's wall clock.",
            registry=registry,
        )

    def reason(self) -> str:
        """Return what is wrong, for the health of the process."""
        return self._guard.why

    async def look(self) -> None:
        """Ask once. What cannot be asked now leaves all as it is."""
        try:
            skew_ms = await self._ask()
        except LogUnavailableError:
            return
        if skew_ms is None:
            return
        if abs(skew_ms) > self._limit_ms and abs(skew_ms + self._clock.behind_ms()) <= self._limit_ms:
            skew_ms += self._clock.behind_ms()
            self._clock.set()
            self._set.inc()
            _log.warning("clock set by the wall clock, which is right", skew_ms=skew_ms)
        self._skew.set(skew_ms / 1000)
        guard = self._guard
        if abs(skew_ms) <= self._limit_ms:
            if guard.why not in ("", NOT_KNOWN):
                _log.warning("clock is right again", skew_ms=skew_ms)
            guard.why = ""
            return
        where = "ahead of" if skew_ms > 0 else "behind"
        if guard.why in ("", NOT_KNOWN):
            _log.error("clock is off; nothing is served until it is right", skew_ms=skew_ms)
        guard.why = (
            f"the clock is {abs(skew_ms) / 1000:.1f} s {where} those of the log's servers; "
            f"{self._limit_ms / 1000:g} s are allowed"
        )

    async def run(self) -> None:
        """Ask, for ever."""
        while True:
            await asyncio.sleep(START_SECONDS if self._guard.why == NOT_KNOWN else LOOK_SECONDS)
            await self.look()

    async def _ask(self) -> int | None:
        """Return how far the clock here is ahead; the answer's way is taken as half of what asking took."""
        before_ms = self._clock.now_ms()
        times_ms = await self._servers.server_times_ms()
        after_ms = self._clock.now_ms()
        if not times_ms or after_ms - before_ms > ASKING_MS_MAX:
            return None
        return round((before_ms + after_ms) / 2 - statistics.median(times_ms))


async def watch_clock(
    life: Lifecycle,
    servers: Servers,
    registry: CollectorRegistry,
    limit_seconds: float,
    clock: AnchoredClock = PROCESS,
    guard: ClockGuard = GUARD,
) -> None:
    """Watch the clock of a process for as long as it lives; not healthy while it is too far off, or unknown.

    A process takes the word of its machine when it starts, so until the servers have answered nobody knows.
    """
    watch = SkewWatch(servers, registry, limit_seconds, clock, guard)
    guard.why = NOT_KNOWN
    await watch.look()
    life.check(watch.reason)
    life.background("clock", watch.run())
