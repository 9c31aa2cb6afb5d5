"""Real nats-servers for tests: one, or a local cluster of three, on free ports, ended by their own pid."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

from magnate.cli.ports import free_port

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

READY_SECONDS = 20.0


def server_binary() -> str:
    """Return the path of the nats-server that came with the environment."""
    beside = Path(sys.executable).parent / "nats-server"
    found = str(beside) if beside.exists() else shutil.which("nats-server")
    assert found is not None, "nats-server is missing; run `make setup`"
    return found


def free_ports(count: int) -> list[int]:
    """Return ports that nobody uses and that no other process of the tests is given."""
    return [free_port() for _ in range(count)]


class NatsServer:
    """One nats-server process with JetStream, a file store and a sync before each acknowledgement."""

    def __init__(
        self,
        directory: Path,
        *,
        name: str = "n1",
        port: int = 0,
        monitor_port: int = 0,
        cluster_port: int = 0,
        routes: list[int] | None = None,
    ) -> None:
        ports = free_ports(2)
        self.name = name
        self.directory = directory
        self.port = port or ports[0]
        self.monitor_port = monitor_port or ports[1]
        self.cluster_port = cluster_port
        self.routes = routes or []
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Return the address for clients."""
        return f"nats://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the process on the same store as before, if there was one."""
        self.directory.mkdir(parents=True, exist_ok=True)
        config = self.directory / "nats.conf"
        config.write_text(self._config())
        with (self.directory / "nats.log").open("ab") as log:
            self.process = subprocess.Popen([server_binary(), "-c", str(config)], stdout=log, stderr=log)

    def wait_ready(self) -> None:
        """Wait until the server says it is healthy."""
        deadline = time.monotonic() + READY_SECONDS
        while not self._healthy():
            assert self.process is not None
            assert self.process.poll() is None, (self.directory / "nats.log").read_text()[-2000:]
            assert time.monotonic() < deadline, f"{self.name} is not healthy in time"
            time.sleep(0.05)

    async def ready(self) -> None:
        """Wait until the server says it is healthy, while the test's tasks run on."""
        await asyncio.to_thread(self.wait_ready)

    def stop(self, how: int = signal.SIGTERM) -> None:
        """End the process by its pid and wait for it; SIGKILL is the crash of these tests."""
        if self.process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, how)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self.process = None

    def kill(self) -> None:
        """End the process the hard way."""
        self.stop(signal.SIGKILL)

    def _healthy(self) -> bool:
        address = f"http://127.0.0.1:{self.monitor_port}/healthz"
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def _config(self) -> str:
        text = (
            f'server_name: "{self.name}"\n'
            f'listen: "127.0.0.1:{self.port}"\n'
            f'http: "127.0.0.1:{self.monitor_port}"\n'
            f'jetstream {{ store_dir: "{self.directory}/store", sync_interval: always }}\n'
        )
        if self.cluster_port:
            routes = ", ".join(f'"nats://127.0.0.1:{port}"' for port in self.routes)
            text += (
                f'cluster {{ name: "test", listen: "127.0.0.1:{self.cluster_port}", routes: [{routes}] }}\n'
            )
        return text


class NatsCluster:
    """Three nats-servers that hold each stream three times."""

    def __init__(self, directory: Path) -> None:
        routes = free_ports(3)
        self.servers = [
            NatsServer(directory / f"n{index}", name=f"n{index}", cluster_port=route, routes=routes)
            for index, route in enumerate(routes, start=1)
        ]

    @property
    def urls(self) -> list[str]:
        """Return the addresses of all servers."""
        return [server.url for server in self.servers]

    def start(self) -> None:
        """Start all servers."""
        for server in self.servers:
            server.start()

    def wait_ready(self) -> None:
        """Wait until all servers are one healthy cluster."""
        for server in self.servers:
            server.wait_ready()

    def stop(self) -> None:
        """End all servers."""
        for server in self.servers:
            server.kill()

    def named(self, name: str) -> NatsServer:
        """Return the server of this name."""
        return next(server for server in self.servers if server.name == name)


@contextlib.contextmanager
def server_running() -> Iterator[NatsServer]:
    """Run one server on a fresh store for the length of a `with`."""
    with tempfile.TemporaryDirectory(prefix="nats-") as directory:
        server = NatsServer(Path(directory))
        try:
            server.start()
            server.wait_ready()
            yield server
        finally:
            server.kill()


@contextlib.contextmanager
def cluster_running() -> Iterator[NatsCluster]:
    """Run a cluster of three on fresh stores for the length of a `with`."""
    with tempfile.TemporaryDirectory(prefix="nats-") as directory:
        cluster = NatsCluster(Path(directory))
        try:
            cluster.start()
            cluster.wait_ready()
            yield cluster
        finally:
            cluster.stop()


@contextlib.asynccontextmanager
async def running_server() -> AsyncIterator[NatsServer]:
    """Run one server on a fresh store for the length of an `async with`."""
    with tempfile.TemporaryDirectory(prefix="nats-") as directory:
        server = NatsServer(Path(directory))
        try:
            server.start()
            await server.ready()
            yield server
        finally:
            server.kill()
