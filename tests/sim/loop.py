"""An event loop whose time jumps and whose order is drawn from a seed; it never waits and never sleeps."""

from __future__ import annotations

import asyncio
import contextvars
import heapq
from typing import TYPE_CHECKING, Any

from tests.sim.process import PROCESS

if TYPE_CHECKING:
    import random


class DeadlockError(Exception):
    """Nothing is ready and nothing is scheduled, and what was waited for has not happened."""


class Step:
    """A callback that is to run: what is needed of `asyncio.Handle`, which takes three times as long."""

    __slots__ = ("args", "callback", "context", "when_at", "withdrawn")

    def __init__(self, callback: Any, args: Any, context: Any, when_at: float) -> None:
        self.callback = callback
        self.args = args
        self.context = contextvars.copy_context() if context is None else context
        self.when_at = when_at
        self.withdrawn = False

    def cancel(self) -> None:
        """Do not run it."""
        self.withdrawn = True
        self.callback = self.args = None

    def cancelled(self) -> bool:
        """Say whether it was cancelled."""
        return self.withdrawn

    def when(self) -> float:
        """Return when a timer rings."""
        return self.when_at


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
        self._timers: list[tuple[float, int, Step]] = []
        self._draw = chance.random
        self._disorder = disorder
        # typeshed hides what BaseEventLoop keeps
        self._loop: Any = self
        self._ready: Any = []

    def time(self) -> float:
        """Return the virtual time in seconds, from 0."""
        return self._now

    def create_future(self) -> asyncio.Future[Any]:
        """Return a future of this loop."""
        return asyncio.Future(loop=self)

    def create_task(self, coro: Any, *, name: str | None = None, context: Any = None) -> asyncio.Task[Any]:  # type: ignore[override]
        """Run a coroutine in a task of this loop."""
        return asyncio.Task(coro, loop=self, name=name, context=context)

    def call_soon(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        """Make a callback ready; after the end nothing is ever run."""
        step = Step(callback, args, context, 0.0)
        if not self.ended:
            self._ready.append(step)
        return step

    def call_later(self, delay: float, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        """Set a timer, to ring in so many seconds."""
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        """Set a timer; after the end none ever rings."""
        step = Step(callback, args, context, when)
        if not self.ended:
            self._count += 1
            heapq.heappush(self._timers, (when, self._count, step))
        return step

    def call_soon_threadsafe(self, callback: Any, *args: Any, context: Any = None) -> Any:  # type: ignore[override]
        """There is one thread; finalizers of generators come this way."""
        return self.call_soon(callback, *args, context=context)

    def end(self) -> None:
        """Forget everything; what finalizers of the rest ask for does not happen."""
        self.ended = True
        self.left.clear()
        self._loop._ready.clear()
        self._timers.clear()

    def _run_once(self) -> None:
        """Run callbacks until the loop is to stop."""
        inner = self._loop
        ready = inner._ready
        draw, disorder = self._draw, self._disorder
        while not inner._stopping:
            if not ready:
                self._jump(ready)
            count = len(ready)
            step = ready.pop(int(draw() * count) if count > 1 and draw() < disorder else 0)
            if step.withdrawn:
                continue
            context = step.context
            process = context.get(PROCESS)
            if process is not None:
                if not process.alive:
                    self.left.append(step)
                    continue
                if process.stalled:
                    process.parked.append(step)
                    continue
            self.steps += 1
            try:
                context.run(step.callback, *step.args)
            except (SystemExit, KeyboardInterrupt):
                raise
            except BaseException as error:  # noqa: BLE001 - as in asyncio's own
                what = f"Exception in callback {step.callback!r}"
                self.call_exception_handler({"message": what, "exception": error, "handle": step})

    def _jump(self, ready: list[Any]) -> None:
        """Go to the next timer, and make ready all that are due then."""
        timers = self._timers
        while timers and (not ready or timers[0][0] <= self._now):
            when, _, timer = heapq.heappop(timers)
            if not timer.withdrawn:
                self._now = max(self._now, when)
                ready.append(timer)
        if not ready:
            raise DeadlockError

    def unpark(self, steps: list[Any]) -> None:
        """Let callbacks run that waited while their process stood still."""
        self._loop._ready.extend(steps)
