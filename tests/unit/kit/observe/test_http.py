"""The pages of a process: /metrics, /healthz, and whatever else people ask for."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from prometheus_client.parser import text_string_to_metric_families

from magnate.kit.observe.http import MetricsServer
from magnate.kit.observe.metrics import ProcessMetrics, new_registry
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def pages(reasons: list[str]) -> AsyncIterator[MetricsServer]:
    """Serve on a free port."""
    registry = new_registry()
    ProcessMetrics(registry).info.labels("test", "1").set(1)
    server = MetricsServer(registry, lambda: reasons, "127.0.0.1", 0)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def fetch(server: MetricsServer, request: bytes) -> tuple[int, str, str]:
    """Send bytes, return status, headers and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(request)
    head, _, body = (await asyncio.wait_for(reader.read(), 10)).decode().partition("\r\n\r\n")
    writer.close()
    return int(head.split()[1]), head, body


@pytest.mark.asyncio
async def test_metrics_can_be_read_by_prometheus() -> None:
    """The exposition parses and tells about process, garbage collection and release."""
    async with pages([]) as server:
        status, head, body = await fetch(server, b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
    assert status == 200
    assert "text/plain" in head
    names = {family.name for family in text_string_to_metric_families(body)}
    assert {"process_cpu_seconds", "python_gc_objects_collected", "magnate_build_info"} <= names


@pytest.mark.asyncio
async def test_health_is_a_status_and_says_why_not() -> None:
    """200 while nothing speaks against it, 503 with the reasons otherwise."""
    reasons: list[str] = []
    async with pages(reasons) as server:
        status, _, body = await fetch(server, b"GET /healthz HTTP/1.1\r\n\r\n")
        assert (status, json.loads(body)) == (200, {"healthy": True, "reasons": []})
        reasons.append("no log")
        status, _, body = await fetch(server, b"GET /healthz?x=1 HTTP/1.1\r\n\r\n")
        assert (status, json.loads(body)) == (503, {"healthy": False, "reasons": ["no log"]})


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"GET /secret HTTP/1.1\r\n\r\n", 404),
        (b"POST /metrics HTTP/1.1\r\n\r\n", 405),
        (b"nonsense\r\n\r\n", 400),
        (b"GET /metrics HTTP/1.1\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", 400),
        (b"\x16\x03\x01\r\n\r\n", 400),
    ],
)
async def test_other_requests_get_a_clear_answer(request_bytes: bytes, status: int) -> None:
    """Unknown pages, other methods, oversized heads, other protocols."""
    async with pages([]) as server:
        assert (await fetch(server, request_bytes))[0] == status
        assert (await fetch(server, b"GET /healthz HTTP/1.1\r\n\r\n"))[0] == 200


@pytest.mark.asyncio
async def test_head_has_no_body() -> None:
    """A load balancer may ask by HEAD."""
    async with pages([]) as server:
        status, head, body = await fetch(server, b"HEAD /healthz HTTP/1.1\r\n\r\n")
        assert (status, body) == (200, "")
        assert "Content-Length: " in head


@pytest.mark.asyncio
async def test_the_lag_of_the_event_loop_is_measured() -> None:
    """A blocked loop shows."""
    registry = new_registry()
    metrics = ProcessMetrics(registry)
    watcher = asyncio.create_task(metrics.watch_loop())
    await until(lambda: registry.get_sample_value("magnate_event_loop_lag_seconds_count"))
    watcher.cancel()
