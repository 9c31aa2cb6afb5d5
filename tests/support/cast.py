"""All services as real processes over a nats-server or a cluster, with clocks of their own where wanted."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from magnate.cli.ports import free_port
from magnate.cli.processes import Managed, ProcessSpec
from magnate.client.session import Session
from magnate.client.terminal import TerminalClient
from magnate.client.timers import TimerSession
from magnate.kit.log.commit import ParsedCommit, parse_commit
from magnate.kit.log.jetstream import JetStreamLog
from magnate.timer.codec import changes
from magnate.timer.domain.schedule import DeadlineFired
from tests.support.banking import KEYS
from tests.support.nats import NatsCluster, cluster_running, running_server
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from magnate.timer.domain.schedule import Change

SERVICES = ("game", "bank", "auction", "timer")


class Cast:
    """Processes called `timer-0`, `auction-1`, …; a killed one is started again, a stopped one is not."""

    def __init__(self, counts: dict[str, int], *, cluster: bool = False, **environment: str) -> None:
        self.counts = {name: counts.get(name, 1) for name in SERVICES}
        self.names = [f"{name}-{n}" for name, count in self.counts.items() for n in range(count)]
        self.ports = {name: (free_port(), free_port()) for name in self.names}
        self.processes: dict[str, Managed] = {}
        self.cluster: NatsCluster | None = None
        self._wants_cluster = cluster
        self._environment = environment
        self._exits = AsyncExitStack()
        self._urls: list[str] = []

    async def __aenter__(self) -> Self:
        if self._wants_cluster:
            self.cluster = self._exits.enter_context(cluster_running())
            self._urls = self.cluster.urls
        else:
            self._urls = [(await self._exits.enter_async_context(running_server())).url]
        self.directory = Path(self._exits.enter_context(tempfile.TemporaryDirectory(prefix="cast-")))
        self.log = JetStreamLog(self._urls, replicas=self.replicas)
        await self.log.connect()
        self._exits.push_async_callback(self.log.close)
        await self.log.ensure()
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await asyncio.gather(*(process.stop() for process in self.processes.values()))
        await self._exits.aclose()

    @property
    def replicas(self) -> int:
        """Return how many copies each stream has."""
        return 3 if self._wants_cluster else 1

    async def start(self, *names: str, off_ms: int | None = None) -> None:
        """Start these processes, or all; with `off_ms`, on machines whose clocks are off by so much."""
        for name in names or self.names:
            self.processes[name] = Managed(self.spec(name, off_ms))
        await asyncio.gather(*(self.processes[name].start() for name in names or self.names))

    async def stop(self, *names: str) -> None:
        """End these for good."""
        await asyncio.gather(*(self.processes.pop(name).stop() for name in names))

    def kill(self, name: str) -> None:
        """End a process the hard way; it is started again."""
        pid = self.processes[name].pid
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def stand(self, name: str, *, still: bool) -> None:
        """Let a process stand still, or go on with what it knew."""
        pid = self.processes[name].pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP if still else signal.SIGCONT)

    def step(self, name: str, off_ms: int) -> None:
        """Step the wall clock of a process that was started with a clock of its own."""
        waiting = self.directory / f"{name}.new"
        waiting.write_text(str(off_ms), encoding="utf-8")
        waiting.replace(self.directory / f"{name}.clock")

    def spec(self, name: str, off_ms: int | None = None) -> ProcessSpec:
        """Return how a process is run."""
        service, _, worker = name.partition("-")
        port, metrics_port = self.ports[name]
        argv: tuple[str, ...] = (sys.executable, "-m", f"magnate.{service}")
        if off_ms is not None:
            self.step(name, off_ms)
            argv = (
                sys.executable,
                "-m",
                "tests.support.skewed",
                service,
                str(self.directory / f"{name}.clock"),
            )
        return ProcessSpec(
            name=name,
            argv=argv,
            health_url=f"http://127.0.0.1:{metrics_port}/healthz",
            log_path=self.directory / f"{name}.log",
            environment={
                "PYTHONPATH": f"{ROOT / 'services'}:{ROOT}",
                "MAGNATE_NATS_URL": ",".join(self._urls),
                "MAGNATE_REPLICAS": str(self.replicas),
                "MAGNATE_KEYS": f"k1:{(b'k' * 32).hex()}",
                "MAGNATE_PORT": str(port),
                "MAGNATE_METRICS_PORT": str(metrics_port),
                "MAGNATE_WORKERS": str(self.counts[service]),
                "MAGNATE_WORKER": worker,
                "MAGNATE_LOG_FORMAT": "json",
                "MAGNATE_SWEEP_SECONDS": "2",
                "MAGNATE_SANDBOX": "on",
                **{f"MAGNATE_{one.upper()}_ADDRESSES": ",".join(self.addresses(one)) for one in SERVICES},
                **self._environment,
            },
        )

    def addresses(self, service: str) -> list[str]:
        """Return where the processes of a service are."""
        return [f"127.0.0.1:{self.ports[f'{service}-{n}'][0]}" for n in range(self.counts[service])]

    async def timers(self, place: int = 0) -> TimerSession:
        """Return a connection to a timer; it ends with the cast."""
        return await self._exits.enter_async_context(TimerSession(self.addresses("timer")[place]))

    async def bank(self) -> TerminalClient:
        """Return a connection to a bank."""
        return await self._exits.enter_async_context(TerminalClient(self.addresses("bank")[0]))

    async def games(self, place: int = 0) -> Session:
        """Return a connection to a game service."""
        return await self._exits.enter_async_context(Session(self.addresses("game")[place]))

    async def commits(self, game_id: str) -> list[ParsedCommit]:
        """Return a log, every commit verified."""
        return [
            parse_commit(KEYS, game_id, stored.data, stored.sequence)
            for stored in await self.log.load(game_id)
        ]

    async def changes(self, game_id: str) -> list[tuple[ParsedCommit, Change]]:
        """Return all that a log says about deadlines."""
        return [(commit, change) for commit in await self.commits(game_id) for change in changes(commit)]

    async def fired(self, *tables: str) -> Counter[tuple[str, str]]:
        """Return how often each timer of these tables fired, by the log."""
        found: Counter[tuple[str, str]] = Counter()
        for table in tables:
            said = [change for _, change in await self.changes(table)]
            found.update((table, one.deadline_id) for one in said if isinstance(one, DeadlineFired))
        return found
