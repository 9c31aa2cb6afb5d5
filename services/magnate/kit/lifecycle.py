"""How a process lives: its parts start in order, stop in reverse, and if a background task dies, it dies.

life = Lifecycle("bank")
await life.start("log", log.open, log.close)
life.background("heads", heads.follow())
await life.wait()          # until SIGTERM, SIGINT, or the death of a background task
code = await life.stop()   # 0, or 1 after a failure
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING, TypeVar

import structlog

from magnate.kit.limits import STOP_SECONDS_MAX

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

T = TypeVar("T")

_log = structlog.get_logger("magnate.lifecycle")


class Lifecycle:
    """The parts of one process and their fate."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.serving = False
        self.ending = asyncio.Event()
        self.failure = ""
        self._parts: list[tuple[str, Callable[[], Awaitable[None]], float]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._checks: list[Callable[[], str]] = []

    async def start(
        self,
        part: str,
        start: Callable[[], Awaitable[None]] | None,
        stop: Callable[[], Awaitable[None]] | None = None,
        *,
        stop_seconds_max: float = STOP_SECONDS_MAX,
    ) -> None:
        """Start a part now and stop it when its turn comes; what `start` raises ends the process."""
        if start is not None:
            await start()
        if stop is not None:
            self._parts.append((part, stop, stop_seconds_max))
        _log.debug("started", part=part)

    def background(self, part: str, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run something for as long as the process lives.

        It must not end by itself: if it does, by an error or by returning, the process is unhealthy from that
        moment, drains, and exits with 1.
        """
        task = asyncio.get_running_loop().create_task(work, name=part)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def check(self, reason: Callable[[], str]) -> None:
        """Add a check of health: it returns what is wrong, or an empty text."""
        self._checks.append(reason)

    def unhealthy(self) -> list[str]:
        """Return the reasons against this process's health; none means it serves."""
        reasons = [self.failure] if self.failure else []
        if self.ending.is_set():
            reasons.append("draining")
        elif not self.serving:
            reasons.append("starting")
        reasons += [found for check in self._checks if (found := check())]
        return reasons

    def fail(self, why: str) -> None:
        """Give up: unhealthy now, drain, exit with 1. The first reason stands."""
        if not self.failure:
            self.failure = why
            _log.error("process failed", process=self.name, why=why)
        self.ending.set()

    def catch_signals(self) -> None:
        """Let SIGTERM and SIGINT end the process in order."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError, RuntimeError):
                loop.add_signal_handler(number, self._signalled, number)

    async def wait(self) -> None:
        """Wait until the process is to end."""
        await self.ending.wait()

    async def unless_ending(self, work: Coroutine[None, None, T]) -> T | None:
        """Return what the work returns; give it up, and return None, when the process is to end before."""
        working = asyncio.ensure_future(work)
        ending = asyncio.ensure_future(self.ending.wait())
        try:
            await asyncio.wait({working, ending}, return_when=asyncio.FIRST_COMPLETED)
            return await working if working.done() else None
        finally:
            working.cancel()
            ending.cancel()
            await asyncio.gather(working, ending, return_exceptions=True)

    async def stop(self) -> int:
        """Stop all parts, the last one started first; return the exit code of the process."""
        self.serving = False
        self.ending.set()
        while self._parts:
            part, stop, limit = self._parts.pop()
            try:
                async with asyncio.timeout(limit):
                    await stop()
            except TimeoutError:
                _log.warning("part did not stop in time", part=part, seconds=limit)
            except Exception:  # noqa: BLE001 - the other parts still have to be stopped
                _log.exception("part failed to stop", part=part)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return 1 if self.failure else 0

    def _signalled(self, number: int) -> None:
        _log.info("asked to stop", process=self.name, signal=signal.Signals(number).name)
        if self.ending.is_set() and number == signal.SIGINT:
            os._exit(128 + number)  # somebody presses Ctrl-C again and again: nothing here needs to be saved
        self.ending.set()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if self.ending.is_set():
            return
        if task.cancelled():
            self.fail(f"{task.get_name()}: cancelled")
            return
        error = task.exception()
        if error is None:
            self.fail(f"{task.get_name()}: ended by itself")
        else:
            _log.error("background task failed", part=task.get_name(), exc_info=error)
            self.fail(f"{task.get_name()}: {error!r}")
