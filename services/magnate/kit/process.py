"""A whole service process: settings, logs, metrics, wiring, server, drain. The body of every `__main__`."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

import structlog
import uvloop
from prometheus_client import CollectorRegistry

from magnate.kit import settings as kit_settings
from magnate.kit.lifecycle import Lifecycle
from magnate.kit.observe import logging as kit_logging
from magnate.kit.observe.http import MetricsServer
from magnate.kit.observe.metrics import ProcessMetrics, new_registry
from magnate.kit.release import release
from magnate.kit.rpc.server import Registration, RpcServer

EXIT_SETTINGS: Final = 2
GC_OBJECTS: Final = 20_000
GC_YOUNG_RUNS: Final = 20
GC_MIDDLE_RUNS: Final = 50

S = TypeVar("S", bound=kit_settings.Settings)


class Server(Protocol):
    """What answers a process's clients, as `RpcServer` does."""

    @property
    def address(self) -> str:
        """Return `host:port` as bound."""

    async def start(self) -> None:
        """Bind the port and answer."""

    async def ready(self) -> None:
        """Tell the world that this process serves."""

    async def drain(self) -> None:
        """Stop without losing what runs."""


Wire = Callable[[S, Lifecycle, CollectorRegistry], Awaitable[Sequence[Registration] | Server]]
"""Composes a service: starts its parts in `life`, returns its servicers' registrations or its own server."""

_log = structlog.get_logger("magnate.process")


def run_service(kind: type[S], wire: Wire[S], overrides: Mapping[str, object] | None = None) -> int:
    """Run a service until it is told to stop.

    Returns:
        the exit code: 0 after an orderly end, 1 after a failure, 2 when the settings are at fault.
    """
    try:
        settings = kit_settings.load(kind, overrides=overrides)
    except kit_settings.SettingsError as error:
        for fault in error.faults:
            print(f"magnate: {fault}", file=sys.stderr)  # noqa: T201 - there is no log yet
        return EXIT_SETTINGS
    kit_logging.configure(
        settings.log_level, settings.log_format, service=settings.service, worker=settings.worker
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(serve(settings, wire))


async def serve(settings: S, wire: Wire[S]) -> int:
    """Start everything, serve, drain; see `run_service`."""
    life = Lifecycle(settings.service)
    life.catch_signals()
    registry = new_registry()
    process = ProcessMetrics(registry)
    process.info.labels(settings.service, release()).set(1)
    process.healthy.set_function(lambda: 0 if life.unhealthy() else 1)
    pages = MetricsServer(registry, life.unhealthy, settings.metrics_host, settings.metrics_port)

    async def start() -> Server:
        await life.start("metrics", pages.start, pages.stop)
        life.background("loop lag", process.watch_loop())
        wired = await wire(settings, life, registry)
        server = RpcServer(wired, settings, registry) if isinstance(wired, Sequence) else wired
        stop_seconds_max = settings.drain_seconds + settings.drain_delay_seconds + 5
        await life.start("rpc", server.start, server.drain, stop_seconds_max=stop_seconds_max)
        await server.ready()
        return server

    try:
        server = await life.unless_ending(start())
    except Exception as error:  # noqa: BLE001 - whatever keeps a process from starting ends it
        _log.exception("cannot start")
        life.fail(f"cannot start: {error!r}")
        return await life.stop()
    if server is None:  # asked to stop, or a part failed, while it waited for something
        return await life.stop()
    _settle_memory()
    life.serving = not life.ending.is_set()
    _log.info("serving", version=release(), address=server.address, metrics_port=pages.port)
    await life.wait()
    code = await life.stop()
    _log.info("stopped", code=code)
    return code


def _settle_memory() -> None:
    """Keep the garbage collector from walking what lives as long as the process.

    Nearly everything that comes and goes is freed by its reference count; looking for cycles after every 700
    objects, and through all cached games again and again, costs some per cent of each command.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GC_OBJECTS, GC_YOUNG_RUNS, GC_MIDDLE_RUNS)
