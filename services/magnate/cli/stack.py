"""Everything on one machine: a nats-server from the wheel and the services, as supervised processes."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import secrets
import shutil
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import structlog

from magnate.cli.ports import NoPortError, free_port, port_is_free
from magnate.cli.processes import Managed, ProcessSpec, StartError

SERVICES: Final = ("bank", "game", "auction", "timer")
GATEWAY: Final = "gateway"
FIRST_PORTS: Final = {"game": 7400, "bank": 7420, "auction": 7440, "timer": 7460, GATEWAY: 7480}
METRICS_OFFSET: Final = 2000
NATS_PORT: Final = 7499
NATS_MONITOR_PORT: Final = 9499
FOLDER_WAIT_SECONDS: Final = 5.0
FOLDER_POLL_SECONDS: Final = 0.1

_log = structlog.get_logger("magnate.up")


@dataclass
class StackOptions:
    """How to run: where the data lies, how many workers a service has, fixed or free ports.

    The ready file is there while everything runs, and is written again whenever a process was started again.
    """

    data: Path
    workers: int = 1
    nats_url: str = ""
    free_ports: bool = False
    gateway: bool = False
    sandbox: bool = False
    replicas: int = 1
    ready_file: Path | None = None
    rules: Path | None = None
    environment: dict[str, str] = field(default_factory=dict)


class Stack:
    """nats-server (unless a URL is given), the four services, and the gateway if it is asked for."""

    def __init__(self, options: StackOptions) -> None:
        self._options = options
        self.names = (*SERVICES, GATEWAY) if options.gateway else SERVICES
        self._ports: dict[tuple[str, int], tuple[int, int]] = {}
        self.nats_url = options.nats_url
        self.processes: dict[str, Managed] = {}
        self._folder: int | None = None
        self._is_ready = False

    @property
    def data(self) -> Path:
        """Return where the log, the keys and the process logs lie."""
        return self._options.data

    async def start(self) -> None:
        """Start everything in order, each once what it needs is healthy.

        Raises:
            StartError: the data folder or a port is taken, or a process does not become healthy; what was
                started is stopped.
        """
        try:
            await self._start()
        except BaseException:
            await self.stop()
            raise

    async def _start(self) -> None:
        self._options.data.mkdir(parents=True, exist_ok=True)
        self._folder = await _take_folder(self._options.data)
        if self._options.ready_file is not None:  # of one that was killed
            self._options.ready_file.unlink(missing_ok=True)
        if not self.nats_url:
            await self._start_nats()
        self._choose_ports()
        keys = _key_ring(self._options.data)
        specs = [
            self._service(name, worker, keys) for name in self.names for worker in range(self._workers(name))
        ]
        managed = [Managed(spec, self._write_ready) for spec in specs]
        self.processes.update({one.spec.name: one for one in managed})
        await asyncio.gather(*(one.start() for one in managed))
        self._is_ready = True
        if not self._write_ready():
            raise StartError(f"{self._options.ready_file} cannot be written")

    async def stop(self) -> None:
        """Remove the ready file, drain the services, then stop the nats-server."""
        if self._is_ready and self._options.ready_file is not None:
            self._options.ready_file.unlink(missing_ok=True)
        self._is_ready = False
        services = [one for name, one in self.processes.items() if name != "nats"]
        await asyncio.gather(*(one.stop() for one in services))
        if "nats" in self.processes:
            await self.processes["nats"].stop()
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def addresses(self, service: str) -> list[str]:
        """Return the gRPC addresses of a service's workers; of the gateway, its URL."""
        scheme = "http://" if service == GATEWAY else ""
        return [f"{scheme}127.0.0.1:{self._ports[service, n][0]}" for n in range(self._workers(service))]

    def ready(self) -> dict[str, object]:
        """Return what the ready file says: addresses by service, metrics URLs, process ids."""
        return {
            "nats": self.nats_url,
            **{service: self.addresses(service) for service in self.names},
            "metrics": {
                name: f"http://127.0.0.1:{self._ports[service, n][1]}/metrics"
                for service in self.names
                for n in range(self._workers(service))
                for name in [_process_name(service, n)]
            },
            "pids": {name: one.pid for name, one in self.processes.items()},
        }

    def _write_ready(self) -> bool:
        """Write the ready file whole or not at all; say whether it is as it should be."""
        path = self._options.ready_file
        if path is None or not self._is_ready:
            return True
        waiting = path.with_name(path.name + ".new")
        try:
            waiting.write_text(json.dumps(self.ready(), indent=2) + "\n")
            waiting.replace(path)
        except OSError:
            _log.exception("the ready file cannot be written", path=str(path))
            return False
        return True

    def _workers(self, service: str) -> int:
        return 1 if service in ("timer", GATEWAY) else self._options.workers

    async def _start_nats(self) -> None:
        port, monitor = self._port(NATS_PORT), self._port(NATS_MONITOR_PORT)
        config = self._options.data / "nats.conf"
        config.write_text(nats_config(port, monitor, self._options.data / "jetstream"))
        spec = ProcessSpec(
            name="nats",
            argv=(nats_server(), "--config", str(config)),
            health_url=f"http://127.0.0.1:{monitor}/healthz?js-enabled-only=true",
            log_path=self._options.data / "logs" / "nats.log",
            inherited=() if self._folder is None else (self._folder,),
        )
        self.processes["nats"] = Managed(spec, self._write_ready)
        await self.processes["nats"].start()
        self.nats_url = f"nats://127.0.0.1:{port}"

    def _choose_ports(self) -> None:
        for service in self.names:
            for worker in range(self._workers(service)):
                first = FIRST_PORTS[service] + worker
                self._ports[service, worker] = (self._port(first), self._port(first + METRICS_OFFSET))

    def _port(self, fixed: int) -> int:
        if self._options.free_ports:
            try:
                return free_port()
            except NoPortError as error:
                raise StartError(str(error)) from error
        if not port_is_free(fixed):
            raise StartError(f"port {fixed} is taken; stop what uses it, or use --free-ports")
        return fixed

    def _service(self, service: str, worker: int, keys: str) -> ProcessSpec:
        port, metrics_port = self._ports[service, worker]
        environment = {
            "MAGNATE_NATS_URL": self.nats_url,
            "MAGNATE_KEYS": keys,
            "MAGNATE_PORT": str(port),
            "MAGNATE_METRICS_PORT": str(metrics_port),
            "MAGNATE_WORKERS": str(self._workers(service)),
            "MAGNATE_WORKER": str(worker),
            "MAGNATE_SANDBOX": "on" if self._options.sandbox else "off",
            "MAGNATE_REPLICAS": str(self._options.replicas),
            **{f"MAGNATE_{name.upper()}_ADDRESSES": ",".join(self.addresses(name)) for name in SERVICES},
            **self._options.environment,
        }
        if self._options.rules is not None:
            environment["MAGNATE_GAME_RULES"] = str(self._options.rules.resolve())
        name = _process_name(service, worker)
        return ProcessSpec(
            name=name,
            argv=(sys.executable, "-m", f"magnate.{service}"),
            health_url=f"http://127.0.0.1:{metrics_port}/healthz",
            log_path=self._options.data / "logs" / f"{name}.log",
            environment=environment,
        )


def nats_config(port: int, monitor: int, store: Path) -> str:
    """Return the configuration of one server that syncs every append to disk before it acknowledges."""
    return (
        f'listen: "127.0.0.1:{port}"\n'
        f'http: "127.0.0.1:{monitor}"\n'
        'server_name: "magnate"\n'
        "max_payload: 8MB\n"
        f'jetstream {{ store_dir: "{store}", sync_interval: always }}\n'
    )


def nats_server() -> str:
    """Return the path of the nats-server: MAGNATE_NATS_SERVER, the one of the wheel, or the one on PATH.

    Raises:
        StartError: there is none.
    """
    chosen = os.environ.get("MAGNATE_NATS_SERVER")
    beside = Path(sysconfig.get_path("scripts")) / "nats-server"
    found = chosen or (str(beside) if beside.exists() else shutil.which("nats-server"))
    if not found:
        raise StartError("no nats-server found; set MAGNATE_NATS_SERVER to its path")
    return found


async def _take_folder(data: Path) -> int:
    """Lock a data folder and return the descriptor that holds the lock.

    Two nats-servers on one store would destroy it, and nats-server does not look. It inherits the descriptor,
    so that the folder is free only when it has ended, even if the supervisor was killed.

    Raises:
        StartError: another `magnate up` uses the folder.
    """
    descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    loop = asyncio.get_running_loop()
    give_up = loop.time() + FOLDER_WAIT_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if loop.time() > give_up:
                os.close(descriptor)
                raise StartError(f"{data} is in use by another `magnate up`") from None
            await asyncio.sleep(FOLDER_POLL_SECONDS)
        else:
            return descriptor


def _process_name(service: str, worker: int) -> str:
    return f"{service}-{worker}"


def _key_ring(data: Path) -> str:
    """Return the key ring of this data folder, made on first use; readable by its owner only."""
    path = data / "keys"
    if not path.exists():
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(f"k1:{secrets.token_hex(32)}\n")
    return path.read_text().strip()
