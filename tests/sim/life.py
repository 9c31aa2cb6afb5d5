"""The lifecycle of a simulated process: its parts start; when one of them dies, the process does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from magnate.kit.errors import KitError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from tests.sim.process import Process
    from tests.sim.world import World


class SimLife:
    """What `kit.lifecycle.Lifecycle` is to a real one. Nothing is ever stopped in order: it is killed."""

    def __init__(self, world: World, process: Process) -> None:
        self.ending = asyncio.Event()
        self._world = world
        self._process = process

    async def start(
        self, _part: str, start: Callable[[], Awaitable[None]] | None, *_stop: Any, **_more: Any
    ) -> None:
        """Start a part."""
        if start is not None:
            await start()

    def background(self, part: str, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something for as long as the process lives."""
        task = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda done: self._ended(part, done))
        self._process.parts[f"task {part}"] = task
        return task

    def check(self, _reason: Callable[[], str]) -> None:
        """Health is of no interest here."""

    def _ended(self, part: str, task: asyncio.Task[None]) -> None:
        if not self._process.alive:
            return
        error = None if task.cancelled() else task.exception()
        if not isinstance(error, KitError):
            self._world.fail("a part of a process ends only with it", f"{self._process} {part}: {error!r}")
        self._world.died(self._process, f"{part}: {error!r}")
