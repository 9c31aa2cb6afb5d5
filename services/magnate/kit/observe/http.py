"""`/metrics` and `/healthz` of one process, on a port of its own: two pages need no web framework."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from magnate.kit.limits import HTTP_REQUEST_BYTES_MAX, HTTP_REQUEST_SECONDS_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

    from prometheus_client import CollectorRegistry

_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}
_TEXT: Final = "text/plain; charset=utf-8"


class MetricsServer:
    """Serves a registry and the state of health.

    `/healthz` answers 200 while `health()` returns no reasons against it, else 503; either way a JSON object
    `{"healthy": bool, "reasons": [...]}`.
    """

    def __init__(
        self, registry: CollectorRegistry, health: Callable[[], list[str]], host: str, port: int
    ) -> None:
        self._registry = registry
        self._health = health
        self._host = host
        self._wanted_port = port
        self._server: asyncio.Server | None = None
        self.port = 0

    async def start(self) -> None:
        """Bind and serve; `port` then says where."""
        self._server = await asyncio.start_server(
            self._connection, self._host, self._wanted_port, limit=HTTP_REQUEST_BYTES_MAX
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop serving."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HTTP_REQUEST_SECONDS_MAX):
                head = await reader.readuntil(b"\r\n\r\n")
            status, kind, body = self._answer(head)
            writer.write(_response(status, kind, body, with_body=not head.startswith(b"HEAD ")))
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError, ConnectionError):
            writer.write(_response(400, _TEXT, b"bad request\n"))
        finally:
            writer.close()

    def _answer(self, head: bytes) -> tuple[int, str, bytes]:
        words = head.split(b"\r\n", 1)[0].split(b" ")
        if len(words) != 3:
            return 400, _TEXT, b"bad request\n"
        method, path = words[0], words[1].split(b"?", 1)[0]
        if method not in {b"GET", b"HEAD"}:
            return 405, _TEXT, b"only GET\n"
        if path == b"/metrics":
            return 200, CONTENT_TYPE_LATEST, generate_latest(self._registry)
        if path == b"/healthz":
            reasons = self._health()
            body = json.dumps({"healthy": not reasons, "reasons": reasons}) + "\n"
            return (503 if reasons else 200), "application/json", body.encode()
        return 404, _TEXT, b"there is /metrics and /healthz\n"


def _response(status: int, kind: str, body: bytes, *, with_body: bool = True) -> bytes:
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + (body if with_body else b"")
