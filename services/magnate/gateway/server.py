"""An HTTP/1.1 server that starts and drains like the gRPC servers of the other services."""

from __future__ import annotations

import asyncio
import math
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING

import uvicorn

from magnate.kit.limits import STREAM_DRAIN_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.types import ASGIApp

    from magnate.kit.rpc.interceptors.scope import Scope
    from magnate.kit.settings import Settings

KEEP_ALIVE_SECONDS = 75
"""Longer than the pause between two presses: a phone need not connect anew each time."""


class _Uvicorn(uvicorn.Server):
    """Says when it listens, and leaves signals to the process."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start and say so."""
        await super().startup(sockets)
        self.listening.set()


class HttpServer:
    """Serves an ASGI application; the same three steps as `RpcServer`."""

    def __init__(self, app: ASGIApp, streams: Scope, draining: asyncio.Event, settings: Settings) -> None:
        self.port = 0
        self._settings = settings
        self._streams = streams
        self._draining = draining
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=settings.rpcs_max,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=math.ceil(settings.drain_seconds),
        )
        self._server = _Uvicorn(config)
        self._serving: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        """Return `host:port` as bound."""
        return f"{self._settings.host}:{self.port}"

    async def start(self) -> None:
        """Bind the port and answer.

        Raises:
            OSError: the port cannot be bound.
        """
        host, port = self._settings.host, self._settings.port
        try:
            listener = socket.create_server((host, port), family=_family(host))
        except OSError as error:
            raise OSError(f"cannot listen on {host}:{port}: {error}") from error
        self.port = listener.getsockname()[1]
        self._serving = asyncio.create_task(self._server.serve([listener]), name="http")
        listening = asyncio.create_task(self._server.listening.wait())
        await asyncio.wait({self._serving, listening}, return_when=asyncio.FIRST_COMPLETED)
        listening.cancel()
        if self._serving.done():
            self._serving.result()

    async def ready(self) -> None:
        """Do nothing: /healthz tells the world."""

    async def drain(self) -> None:
        """Stop without losing what runs: streams are ended, calls are finished."""
        if self._serving is None:
            return
        await asyncio.sleep(self._settings.drain_delay_seconds)
        self._draining.set()
        self._server.should_exit = True
        patience = min(STREAM_DRAIN_SECONDS, self._settings.drain_seconds)
        await asyncio.wait({self._serving}, timeout=patience)
        self._streams.evict_streams()
        await self._serving


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
