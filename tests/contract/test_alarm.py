"""What every alarm clock must do, and what only a real one can: outlive servers and processes."""

from __future__ import annotations

import asyncio
import contextlib
import time
import uuid
from typing import TYPE_CHECKING

import pytest

from magnate.kit.alarm.jetstream import JetStreamAlarms
from magnate.kit.alarm.memory import MemoryAlarms
from magnate.kit.alarm.port import Alarm, Alarms
from magnate.kit.clock import SystemClock
from tests.support.counter import game
from tests.support.nats import running_server
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.contract.conftest import Place

pytestmark = pytest.mark.asyncio


def now_ms() -> int:
    """Return the time."""
    return time.time_ns() // 1_000_000


class Recorder:
    """Notes what fired and when; fails as often as it is told to first."""

    def __init__(self, failures: int = 0) -> None:
        self.failures = failures
        self.fired: list[tuple[str, int, int]] = []

    async def __call__(self, alarm: Alarm) -> None:
        """Note one fire."""
        if self.failures:
            self.failures -= 1
            raise RuntimeError("the owner does not answer")
        self.fired.append((alarm.game_id, alarm.version, now_ms() - alarm.due_ms))

    def versions(self, game_id: str) -> list[int]:
        """Return the versions of the fires of one game."""
        return [version for fired, version, _ in self.fired if fired == game_id]


@contextlib.asynccontextmanager
async def opened(place: Place, tenant: str) -> AsyncIterator[Alarms]:
    """Open the alarms of a tenant that no other test uses."""
    if place.kind == "memory":
        yield MemoryAlarms(SystemClock())
        return
    alarms = JetStreamAlarms(
        place.urls, tenant=tenant, replicas=place.replicas, retry_seconds=0.2, ack_wait_seconds=1.0
    )
    await alarms.connect()
    await alarms.ensure()
    yield alarms
    await alarms.close()


@contextlib.asynccontextmanager
async def running(alarms: Alarms, recorder: Recorder) -> AsyncIterator[None]:
    """Hand fires to the recorder while the block runs."""
    task = asyncio.create_task(alarms.run(recorder))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def test_alarms_fire_once_and_never_early(place: Place) -> None:
    """Past times fire at once, future ones when they are due, each a single time."""
    tenant, recorder = uuid.uuid4().hex, Recorder()
    first, second = game("a"), game("b")
    async with opened(place, tenant) as alarms, running(alarms, recorder):
        assert await alarms.set(Alarm(first, now_ms() - 5000, 3))
        assert await alarms.set(Alarm(second, now_ms() + 700, 4))
        await until(lambda: len(recorder.fired) == 2)
        await asyncio.sleep(0.5)  # what must not happen would have
    assert recorder.versions(first) == [3]
    assert recorder.versions(second) == [4]
    assert min(late_ms for _, _, late_ms in recorder.fired) >= 0


async def test_a_newer_version_replaces_and_an_older_never_does(place: Place) -> None:
    """One alarm a game; whoever read the log further decides about it."""
    tenant, recorder = uuid.uuid4().hex, Recorder()
    async with opened(place, tenant) as alarms, opened(place, tenant) as others:
        other = alarms if place.kind == "memory" else others
        assert await alarms.set(Alarm(game("a"), now_ms() + 60_000, 5))
        assert not await other.set(Alarm(game("a"), now_ms() + 100, 4))
        assert not await alarms.set(Alarm(game("a"), now_ms() + 100, 2))
        assert await other.set(Alarm(game("a"), now_ms() + 30_000, 5))
        assert await alarms.set(Alarm(game("a"), now_ms() + 300, 6))
        async with running(alarms, recorder):
            await until(lambda: len(recorder.fired) == 1)
        assert recorder.versions(game("a")) == [6]
        # It fired, so nothing stands: any version may set the next one.
        assert await other.set(Alarm(game("a"), now_ms() + 60_000, 6))


async def test_a_fire_comes_again_until_the_owner_has_answered(place: Place) -> None:
    """The handler fails twice; the third time counts."""
    tenant, recorder = uuid.uuid4().hex, Recorder(failures=2)
    async with opened(place, tenant) as alarms, running(alarms, recorder):
        await alarms.set(Alarm(game("a"), now_ms(), 1))
        await until(lambda: len(recorder.fired) == 1)
    assert recorder.versions(game("a")) == [1]


async def test_a_fire_in_the_hands_of_a_dead_timer_goes_to_the_next(real_place: Place) -> None:
    """A process that ends between fire and acknowledgement loses nothing."""
    tenant, recorder, started = uuid.uuid4().hex, Recorder(), asyncio.Event()

    async def dies(alarm: Alarm) -> None:
        del alarm
        started.set()
        await asyncio.sleep(60)

    async with opened(real_place, tenant) as alarms:
        task = asyncio.create_task(alarms.run(dies))
        await alarms.set(Alarm(game("a"), now_ms(), 1))
        async with asyncio.timeout(30):
            await started.wait()
        task.cancel()
    async with opened(real_place, tenant) as alarms, running(alarms, recorder):
        await until(lambda: len(recorder.fired) == 1)


@pytest.mark.nats
async def test_alarms_due_while_the_server_was_dead_fire_late_and_once() -> None:
    """Downtime makes alarms late, never lost or doubled."""
    recorder, games = Recorder(), [game(f"g{n}") for n in range(20)]
    async with running_server() as server:
        alarms = JetStreamAlarms([server.url])
        await alarms.connect()
        await alarms.ensure()
        async with running(alarms, recorder):
            due_ms = now_ms() + 1500
            for game_id in games:
                assert await alarms.set(Alarm(game_id, due_ms, 1))
            assert now_ms() < due_ms, "the machine is too slow for this test"
            server.kill()
            await asyncio.sleep((due_ms - now_ms() + 100) / 1000)
            server.start()
            await until(lambda: len(recorder.fired) == 20)
            await asyncio.sleep(0.5)
        await alarms.close()
    assert sorted(game_id for game_id, _, _ in recorder.fired) == sorted(games)
