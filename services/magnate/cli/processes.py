"""Processes of the supervisor: health-gated start, restart with back-off, drain on request."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

import structlog

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

START_SECONDS_MAX: Final = 60.0
STOP_SECONDS_MAX: Final = 20.0
HEALTH_POLL_SECONDS: Final = 0.05
HEALTH_TIMEOUT_SECONDS: Final = 2.0
BACKOFF_FIRST_SECONDS: Final = 0.1
BACKOFF_MAX_SECONDS: Final = 5.0
STEADY_SECONDS: Final = 10.0

_log = structlog.get_logger("magnate.up")


class StartError(Exception):
    """A process did not become healthy; names it and tells where its log is."""


@dataclass(frozen=True)
class ProcessSpec:
    """What to run: name, command line, environment, and the URL that answers 200 when it is healthy.

    `inherited` are descriptors that the process keeps open beside its standard ones.
    """

    name: str
    argv: tuple[str, ...]
    health_url: str
    log_path: Path
    environment: dict[str, str] = field(default_factory=dict)
    inherited: tuple[int, ...] = ()


@cache
def _binder() -> tuple[str, ...]:
    """Return the command that has the kernel end another one with its parent; empty where there is none."""
    setpriv = shutil.which("setpriv")
    if setpriv is None:
        return ()
    told = subprocess.run([setpriv, "--help"], capture_output=True, text=True, check=False)  # noqa: S603
    return (setpriv, "--pdeathsig", "TERM", "--") if "--pdeathsig" in told.stdout else ()


def _bound(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Return a command line whose process ends when the supervisor dies, however it dies.

    A program sets this and then becomes the other one: nothing of ours may run between fork and exec, because
    this process may have gRPC's threads.
    """
    return (*_binder(), *argv)


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=HEALTH_TIMEOUT_SECONDS) as answer:  # noqa: S310 - our own URL
            return int(answer.status) == 200
    except (urllib.error.URLError, OSError):
        return False


def _readable(line: str) -> str:
    """Return what a line of a process log says, without time, labels and traceback."""
    try:
        said = json.loads(line)
    except ValueError:
        return line
    if not isinstance(said, dict) or "event" not in said:
        return line
    why = said.get("why") or said.get("error") or str(said.get("exception", "")).strip().rpartition("\n")[2]
    return f"{said['event']}: {why}" if why else str(said["event"])


class Managed:
    """One process that is kept running until it is stopped.

    `restarted` is called whenever it was started again.
    """

    def __init__(self, spec: ProcessSpec, restarted: Callable[[], object] | None = None) -> None:
        self.spec = spec
        self._restarted = restarted
        self.restarts = 0
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._stopping = False
        self._started = asyncio.Event()

    @property
    def pid(self) -> int | None:
        """Return the process id while it runs."""
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running and self._process is not None else None

    async def start(self) -> None:
        """Start it and wait until it is healthy; then keep it running.

        Raises:
            StartError: it ended or was not healthy in time.
        """
        await self._spawn()
        await self._wait_healthy()
        self._keeper = asyncio.create_task(self._keep(), name=f"keep {self.spec.name}")

    async def next_start(self) -> None:
        """Wait until the process was started again after it ended."""
        self._started.clear()
        await self._started.wait()

    async def stop(self) -> None:
        """Let it drain; end it when it does not."""
        self._stopping = True
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGTERM)
            try:
                await asyncio.wait_for(process.wait(), STOP_SECONDS_MAX)
            except TimeoutError:
                _log.warning("did not drain in time", process=self.spec.name)
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    async def _spawn(self) -> None:
        self.spec.log_path.parent.mkdir(parents=True, exist_ok=True)
        with self.spec.log_path.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *_bound(self.spec.argv),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **self.spec.environment},
                start_new_session=True,
                pass_fds=self.spec.inherited,
            )

    async def _wait_healthy(self) -> None:
        loop = asyncio.get_running_loop()
        give_up = loop.time() + START_SECONDS_MAX
        while not await asyncio.to_thread(_healthy, self.spec.health_url):
            process = self._process
            if process is not None and process.returncode is not None:
                raise StartError(
                    f"{self.spec.name} ended with {process.returncode} before it was healthy; "
                    f"its last words: {self._last_words()}"
                )
            if loop.time() > give_up:
                raise StartError(f"{self.spec.name} was not healthy in time; see {self.spec.log_path}")
            await asyncio.sleep(HEALTH_POLL_SECONDS)

    def _last_words(self) -> str:
        lines = self.spec.log_path.read_text(errors="replace").strip().splitlines()
        return " | ".join(_readable(line) for line in lines[-3:]) if lines else "none"

    async def _keep(self) -> None:
        """Start it again, with growing pauses, whenever it ends by itself."""
        loop = asyncio.get_running_loop()
        delay = BACKOFF_FIRST_SECONDS
        while True:
            assert self._process is not None
            started = loop.time()
            code = await self._process.wait()
            if self._stopping:
                return
            if loop.time() - started > STEADY_SECONDS:
                delay = BACKOFF_FIRST_SECONDS
            _log.warning("ended, starting it again", process=self.spec.name, code=code, in_seconds=delay)
            await asyncio.sleep(delay)
            delay = min(delay * 2, BACKOFF_MAX_SECONDS)
            self.restarts += 1
            await self._spawn()
            self._started.set()
            if self._restarted is not None:
                self._restarted()
