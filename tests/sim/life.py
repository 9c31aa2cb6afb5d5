"""The lifecycle of a simulated process: its parts start; when one of them dies, the process does."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from magnate.kit.errors import KitError
from magnate.kit.limits import STOP_SECONDS_MAX

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from tests.sim.process import Process
    from tests.sim.world import World


class SimLife:
    """What `kit.lifecycle.Lifecycle` is to a real one."""

    def __init__(self, world: World, process: Process) -> None:
        self.ending = asyncio.Event()
        self._world = world
        self._process = process
        self._stops: list[Callable[[], Awaitable[None]]] = []

    async def start(
        self,
        _part: str,
        start: Callable[[], Awaitable[None]] | None,
        stop: Callable[[], Awaitable[None]] | None = None,
        **_more: Any,
    ) -> None:
        """Start a part."""
        if start is not None:
            await start()
        if stop is not None:
            self._stops.append(stop)

    async def stop(self) -> None:
        """Stop all parts in order, the last one started first."""
        while self._stops:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(STOP_SECONDS_MAX):
                    await self._stops.pop()()

    def background(self, part: str, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something for as long as the process lives."""
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda done: self._ended(part, done))
        self._process.parts[f"task {part}"] = task
        return task

    def check(self, _reason: Callable[[], str]) -> None:
        """Health is of no interest here."""

    def _ended(self, part: str, task: asyncio.Task[None]) -> None:
        if not self._process.alive or self.ending.is_set():
            return
        error = None if task.cancelled() else task.exception()
        if not isinstance(error, KitError):
            self._world.fail("a part of a process ends only with it", f"{self._process} {part}: {error!r}")
        self._world.died(self._process, f"{part}: {error!r}")
