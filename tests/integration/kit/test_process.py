"""A whole process, as `__main__` runs it: settings, pages, health, SIGTERM, a background task that dies."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import urllib.request
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import structlog
from google.protobuf.wrappers_pb2 import StringValue

from magnate.kit.process import run_service
from magnate.kit.settings import Settings
from tests.integration.kit.echo import Client, Echo, register

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from prometheus_client import CollectorRegistry

    from magnate.kit.lifecycle import Lifecycle
    from magnate.kit.rpc.server import Registration

KEYS = "k1:" + "ab" * 32


class Running:
    """A process, where it listens, and what it has logged."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.log: list[dict[str, Any]] = []

    async def event(self, name: str) -> dict[str, Any]:
        """Read the log until a line with this event."""
        assert self.process.stderr is not None
        while line := await asyncio.wait_for(self.process.stderr.readline(), 20):
            try:
                self.log.append(json.loads(line))
            except json.JSONDecodeError:
                continue  # gRPC's C core writes lines of its own
            if self.log[-1]["event"] == name:
                return self.log[-1]
        raise AssertionError(f"the process ended without {name}: {self.log}")


@asynccontextmanager
async def running(*arguments: str, **environ: str) -> AsyncIterator[Running]:
    """Start this module as a service."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.integration.kit.test_process",
        *arguments,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": "services:.", "MAGNATE_KEYS": KEYS, **environ},
    )
    try:
        yield Running(process)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def page(port: int, path: str) -> tuple[int, str]:
    """Fetch a page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.mark.asyncio
async def test_a_process_serves_and_drains_on_sigterm() -> None:
    """It shows its pages, answers, finishes a running call after SIGTERM, and exits with 0."""
    async with running() as service:
        serving = await service.event("serving")
        port = serving["metrics_port"]
        status, body = await asyncio.to_thread(page, port, "/healthz")
        assert (status, json.loads(body)["healthy"]) == (200, True)
        async with grpc.aio.insecure_channel(serving["address"]) as channel:
            client = Client(channel)
            assert await client.say("unary", "hello", timeout=30) == ["hello"]
            _, metrics = await asyncio.to_thread(page, port, "/metrics")
            assert 'grpc_method="Unary",grpc_service="test.v1.EchoService",grpc_type="unary"} 1.0' in metrics
            assert "magnate_healthy 1.0" in metrics
            slow = client.unary(StringValue(value="nap"), timeout=30)
            await service.event("napping")
            service.process.send_signal(signal.SIGTERM)
            assert (await slow).value == "nap"
        await service.event("stopped")
        assert await asyncio.wait_for(service.process.wait(), 10) == 0


@pytest.mark.asyncio
async def test_a_background_task_that_dies_ends_the_process_with_1() -> None:
    """A process that can no longer do its work does not linger; its log says which part failed and how."""
    async with running("crash") as service:
        failed = await service.event("process failed")
        assert failed["why"].startswith("doomed: ValueError('boom'")
        assert await asyncio.wait_for(service.process.wait(), 10) == 1
        assert any("boom" in line.get("exception", "") for line in service.log)


@pytest.mark.asyncio
async def test_a_process_that_cannot_start_says_why_and_exits_with_1() -> None:
    """A port that is taken, for example."""
    async with running() as first:
        address = (await first.event("serving"))["address"]
        async with running(MAGNATE_PORT=address.split(":")[1]) as second:
            line = await second.event("process failed")
            assert "cannot listen on" in line["why"]
            assert await asyncio.wait_for(second.process.wait(), 10) == 1


@pytest.mark.asyncio
async def test_a_process_that_still_starts_can_be_stopped() -> None:
    """SIGTERM is heard while it waits for something that is not there: nobody has to kill it."""
    async with running("stuck") as service:
        await service.event("waiting")
        service.process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(service.process.wait(), 10) == 0


@pytest.mark.asyncio
async def test_faulty_settings_are_all_named_and_exit_with_2() -> None:
    """Without a traceback."""
    async with running(MAGNATE_KEYS="k1", MAGNATE_SHARDS="0") as service:
        _, errors = await asyncio.wait_for(service.process.communicate(), 20)
        assert service.process.returncode == 2
        lines = errors.decode().splitlines()
        assert len(lines) == 2
        assert any("MAGNATE_KEYS" in line for line in lines)
        assert any("MAGNATE_SHARDS" in line for line in lines)


async def wire(_: Settings, life: Lifecycle, __: CollectorRegistry) -> Sequence[Registration]:
    """Compose the service of these tests."""
    if "crash" in sys.argv:
        life.background("doomed", _doomed())
    if "stuck" in sys.argv:
        structlog.get_logger().info("waiting")
        await asyncio.sleep(60)

    def public(server: grpc.aio.Server) -> None:
        register(Echo(), server)

    return [public]


async def _doomed() -> None:
    await asyncio.sleep(0.2)
    raise ValueError("boom")


if __name__ == "__main__":
    sys.exit(run_service(Settings, wire))
