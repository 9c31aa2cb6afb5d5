"""The three places a log can be: in memory, on one real server, on a real cluster of three."""

from __future__ import annotations

import asyncio
import uuid
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.memory import MemoryLog
from tests.support.counter import game
from tests.support.nats import NatsCluster, NatsServer, cluster_running, server_running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

BEAT_SECONDS = 0.3


@pytest.fixture(scope="session")
def server() -> Iterator[NatsServer]:
    """Run one server for all tests that do not end it."""
    with server_running() as running:
        yield running


@pytest.fixture(scope="session")
def cluster() -> Iterator[NatsCluster]:
    """Run a cluster for all tests that do not end it for good."""
    with cluster_running() as running:
        yield running


class Place:
    """Opens logs over one store, each as a process of its own would."""

    def __init__(self, kind: str, urls: list[str]) -> None:
        self.kind = kind
        self.urls = urls
        self.replicas = 3 if kind == "cluster" else 1
        self._memory = MemoryLog(beat_seconds=BEAT_SECONDS)
        self._opened: list[JetStreamLog] = []

    async def open(self) -> JetStreamLog | MemoryLog:
        """Return a log that is connected, with its streams there."""
        if self.kind == "memory":
            return self._memory
        return await self.open_jetstream()

    async def open_jetstream(self, urls: list[str] | None = None) -> JetStreamLog:
        """Return a connected log in JetStream."""
        log = JetStreamLog(urls or self.urls, replicas=self.replicas, beat_seconds=BEAT_SECONDS)
        await log.connect()
        await log.ensure()
        self._opened.append(log)
        return log

    async def close(self) -> None:
        """Close what was opened."""
        await asyncio.gather(*[log.close() for log in self._opened])


def _place(kind: str, request: pytest.FixtureRequest) -> Place:
    if kind == "memory":
        return Place(kind, [])
    running = request.getfixturevalue(kind)
    return Place(kind, running.urls if isinstance(running, NatsCluster) else [running.url])


# The groups keep the tests of one place in one worker, so that each place is started once.
ON_SERVER = pytest.param("server", marks=[pytest.mark.nats, pytest.mark.xdist_group("server")])
ON_CLUSTER = pytest.param(
    "cluster", marks=[pytest.mark.nats, pytest.mark.cluster, pytest.mark.xdist_group("cluster")]
)


@pytest_asyncio.fixture(params=["memory", ON_SERVER, ON_CLUSTER])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """Each place in turn."""
    made = _place(request.param, request)
    yield made
    await made.close()


@pytest_asyncio.fixture(params=[ON_SERVER, ON_CLUSTER])
async def real_place(request: pytest.FixtureRequest) -> AsyncIterator[Place]:
    """The places with a real nats-server."""
    made = _place(request.param, request)
    yield made
    await made.close()


@pytest.fixture
def game_id() -> str:
    """Return the id of a game that no other test uses."""
    return game(uuid.uuid4().hex)
