"""An event loop whose time jumps and whose order is drawn from a seed; it never waits and never sleeps."""

from __future__ import annotations

import asyncio
import heapq
from typing import TYPE_CHECKING, Any

from tests.sim.process import PROCESS

if TYPE_CHECKING:
    import random


class DeadlockError(Exception):
    """Nothing is ready and nothing is scheduled, and what was waited for has not happened."""


class SimLoop(asyncio.BaseEventLoop):
    """Runs callbacks in a seeded order; when none is ready, the time is that of the next timer.

    Args:
        chance: draws the order.
        disorder: how often (0 to 1) another than the oldest ready callback is run.
    """

    def __init__(self, chance: random.Random, disorder: float) -> None:
        super().__init__()
        self.steps = 0
        self.ended = False
        self.left: list[Any] = []  # what killed processes leave behind, kept so that nothing of it runs
        self._now = 0.0
        self._count = 0
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._draw = chance.random
        self._disorder = disorder
        # typeshed hides what BaseEventLoop keeps
        self._loop: Any = self
        self._ready: Any = []

    def time(self) -> float:
        """Return the virtual time in seconds, from 0."""
        return self._now

    def call_soon(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """Make a callback ready; after the end nothing is ever run."""
        if self.ended:
            return asyncio.Handle(callback, args, self, context)
        return super().call_soon(callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self, when: float, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.TimerHandle:
        """Set a timer; after the end none ever rings."""
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        if not self.ended:
            self._count += 1
            heapq.heappush(self._timers, (when, self._count, timer))
        return timer

    def call_soon_threadsafe(  # type: ignore[override]
        self, callback: Any, *args: Any, context: Any = None
    ) -> asyncio.Handle:
        """There is one thread; finalizers of generators come this way."""
        return self.call_soon(callback, *args, context=context)

    def end(self) -> None:
        """Forget everything; what finalizers of the rest ask for does not happen."""
        self.ended = True
        self.left.clear()
        self._loop._ready.clear()
        self._timers.clear()

    def _timer_handle_cancelled(self, _handle: asyncio.TimerHandle) -> None:
        """Cancelled timers are passed over when their time comes."""

    def _run_once(self) -> None:
        """Run callbacks until the loop is to stop."""
        inner = self._loop
        ready = inner._ready
        draw, disorder = self._draw, self._disorder
        while not inner._stopping:
            if not ready:
                self._jump(ready)
            count = len(ready)
            place = int(draw() * count) if count > 1 and draw() < disorder else 0
            handle = ready.pop(place)
            if handle._cancelled:
                continue
            process = handle._context.get(PROCESS)
            if process is not None:
                if not process.alive:
                    self.left.append(handle)
                    continue
                if process.stalled:
                    process.parked.append(handle)
                    continue
            self.steps += 1
            handle._run()

    def _jump(self, ready: list[Any]) -> None:
        """Go to the next timer, and make ready all that are due then."""
        timers = self._timers
        while timers and (not ready or timers[0][0] <= self._now):
            when, _, timer = heapq.heappop(timers)
            if not timer.cancelled():
                self._now = max(self._now, when)
                ready.append(timer)
        if not ready:
            raise DeadlockError

    def unpark(self, handles: list[Any]) -> None:
        """Let callbacks run that waited while their process stood still."""
        self._loop._ready.extend(handles)
