"""Timers on a real nats-server: real alarms, processes, kills, downtime; every deadline has one effect."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio

from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.alarm.jetstream import JetStreamAlarms
from magnate.kit.clock import SystemClock
from magnate.kit.expiry import Expired, Gone
from magnate.kit.log.jetstream import JetStreamLog
from magnate.timer.domain.agenda import Due
from magnate.timer.domain.schedule import Deadline
from magnate.timer.rebuild import rebuild
from tests.support.banking import KEYS
from tests.support.hall import Hall, running_hall
from tests.support.nats import running_server
from tests.support.timing import FakeOwners, Game, Timer, set_
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.asyncio, pytest.mark.nats, pytest.mark.slow]
CLOCK = SystemClock()


class OwningGame(game_pb2_grpc.GamePeerServiceServicer):
    """A game service whose deadlines are cleared in the log when they are due, as the real one does."""

    def __init__(self, owners: FakeOwners) -> None:
        self.owners = owners

    async def Exchange(  # noqa: N802 - the name in the proto
        self, request_iterator: AsyncIterator[game_pb2.ExchangeRequest], context: Any
    ) -> AsyncIterator[game_pb2.ExchangeResponse]:
        """Answer each announcement by the log."""
        await context.send_initial_metadata(())
        async for message in request_iterator:
            answer = game_pb2.ExchangeResponse()
            for call in message.calls:
                ask = call.expire
                due = Due(ask.game_id, ask.seen_version, Deadline(ask.deadline_id, "game", "test", 1))
                told = await self.owners.expire(due, ask.fired_at_ms)
                reply = answer.replies.add(id=call.id).expire
                if isinstance(told, Expired):
                    reply.done.version = told.version
                elif isinstance(told, Gone):
                    reply.gone.version = told.version
                else:
                    reply.not_yet.remaining_ms = told.remaining_ms
            yield answer


@pytest_asyncio.fixture
async def log() -> AsyncIterator[JetStreamLog]:
    """Connect to a nats-server on a fresh store."""
    async with running_server() as server:
        connected = JetStreamLog([server.url])
        await connected.connect()
        await connected.ensure()
        yield connected
        await connected.close()


async def test_a_real_alarm_is_acknowledged_after_the_answer(log: JetStreamLog) -> None:
    """Only the alarm announces; the owner is away at first, and nothing is lost."""
    alarms = JetStreamAlarms(log.connection)
    await alarms.ensure()
    owners = FakeOwners(log)
    owners.away = 2
    timer = Timer(log, alarms, owners)
    game = Game(log, "alarm")
    await game.commit(set_("soon", CLOCK.now_ms() + 900), set_("later", CLOCK.now_ms() + 1600))
    await timer.start(announce=False)
    await until(lambda: len(owners.effects) == 2, 10)
    assert [deadline for _, deadline in owners.effects] == ["soon", "later"]
    assert timer.value("magnate_timer_fired_total", source="alarm") == 2
    await timer.stop()


async def test_an_alarm_rings_although_its_timer_died(log: JetStreamLog) -> None:
    """One process sets the alarm and dies without a memory; it rings for the next one."""
    alarms = JetStreamAlarms(log.connection)
    await alarms.ensure()
    owners = FakeOwners(log)
    first = Timer(log, alarms, owners)
    game = Game(log, "orphan")
    due_ms = CLOCK.now_ms() + 2500
    await game.commit(set_("d", due_ms))
    await first.start(announce=False)
    await until(lambda: first.value("magnate_timer_alarms_total", event="set") == 1)
    await first.stop()
    assert CLOCK.now_ms() < due_ms, "the machine is too slow for this test"
    await asyncio.sleep((due_ms - CLOCK.now_ms() + 300) / 1000)
    second = Timer(log, alarms, owners)
    await second.start(announce=False)
    await until(lambda: bool(owners.effects), 10)
    assert second.value("magnate_timer_alarms_total", event="rung") >= 1
    await second.stop()


async def test_two_processes_that_are_killed_lose_and_double_nothing() -> None:
    """Forty deadlines, two timers, both killed while they fall due, and then the log's server, too."""
    async with running_hall() as hall:
        owners = FakeOwners(hall.log)
        await restart_game(hall, owners)
        games = [Game(hall.log, f"g{number}") for number in range(40)]
        await asyncio.gather(hall.start("timer"), hall.start("timer2"))
        start_ms = CLOCK.now_ms() + 1000
        for number, game in enumerate(games):
            await game.commit(set_("d", start_ms + 100 * number))
        for name in ("timer", "timer2"):
            await asyncio.sleep(1.3)
            hall.kill(name)
        await asyncio.sleep(0.5)
        hall.nats.kill()
        await asyncio.sleep(0.3)
        hall.nats.start()
        await until(lambda: len(owners.effects) == len(games), 40)
        await asyncio.sleep(0.5)
        assert sorted(owners.effects) == sorted((game.game_id, "d") for game in games)


async def restart_game(hall: Hall, owners: FakeOwners) -> None:
    """Put a game that owns its deadlines in the place of the one that only nods."""
    await hall._server.stop(0)
    hall._server = grpc.aio.server()
    game_pb2_grpc.add_GamePeerServiceServicer_to_server(OwningGame(owners), hall._server)
    hall._server.add_insecure_port(f"127.0.0.1:{hall.ports['game']}")
    await hall._server.start()


async def test_rebuilt_alarms_alone_are_enough(log: JetStreamLog) -> None:
    """No timer ever ran: the log is read, alarms are set, and the first timer has no clock of its own."""
    alarms = JetStreamAlarms(log.connection)
    await alarms.ensure()
    owners = FakeOwners(log)
    games = [Game(log, f"rebuilt-{number}") for number in range(5)]
    due_ms = CLOCK.now_ms() + 1500
    for game in games:
        await game.commit(set_("d", due_ms), set_("later", due_ms + 60_000))
    done = await rebuild(log, alarms, KEYS)
    assert (done.games, done.deadlines, done.set) == (5, 10, 5)
    timer = Timer(log, alarms, owners)
    await timer.start(announce=False)
    await until(lambda: len(owners.effects) == 5, 10)
    assert sorted(owners.effects) == sorted((game.game_id, "d") for game in games)
    assert timer.value("magnate_timer_fired_total", source="alarm") == 5
    assert 0 <= min(told for _, _, told in owners.told) - due_ms < 5000
    await timer.stop()
