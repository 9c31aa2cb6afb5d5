"""Clients with timers: they set, move, stop and forget them, and give each other more time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.game.v1 import game_pb2
from magnate.timer.v1 import timer_pb2, timer_pb2_grpc
from tests.sim.channel import SimChannel
from tests.sim.players import Unanswered
from tests.sim.world import ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sim.players import Clients

MISFIRES: Final = (timer_pb2.MISFIRE_FIRE, timer_pb2.MISFIRE_SKIP, timer_pb2.MISFIRE_SHIFT)


class Alarmist:
    """One client with timers."""

    def __init__(self, clients: Clients, *, grants: bool = True) -> None:
        self.clients = clients
        self.grants = grants
        self.chance = clients.world.chance("alarmist")
        channels: list[Any] = [SimChannel(clients.world.net, None, one) for one in ADDRESSES["timer"]]
        self.stubs: list[Any] = [timer_pb2_grpc.TimerServiceStub(one) for one in channels]
        self.timers: list[str] = []

    async def play(self, until: Callable[[], bool]) -> None:
        """Do something with timers now and then."""
        while not until():
            await asyncio.sleep(self.chance.expovariate(1 / 4))
            if until() or (self.grants and not self.clients.truth.started):
                continue
            seat = self.chance.randrange(len(self.clients.tokens))
            try:
                await (self._grant(seat) if self.grants and self.chance.random() < 0.2 else self._timer(seat))
            except (grpc.aio.AioRpcError, Unanswered) as error:
                what = error.code().name if isinstance(error, grpc.aio.AioRpcError) else "unanswered"
                self.clients.world.met[f"timers refused {what}"] += 1

    async def _timer(self, seat: int) -> None:
        clients, chance = self.clients, self.chance
        command_id = clients.new_id("t")
        who = clients.who(seat)
        if not self.timers or chance.random() < 0.4:
            name = f"n{len(self.timers)}"
            self.timers.append(f"t-{name}")
            ask = timer_pb2.ScheduleTimerRequest(
                game_id=clients.game_id,
                command_id=command_id,
                seen_version=clients.truth.version,
                name=name,
                after_ms=chance.choice((150, 1000, 5000, 20_000)),
                misfire=chance.choice(MISFIRES),
                runs_through_pause=chance.random() < 0.3,
            )
            if chance.random() < 0.2:
                ask.every_ms, ask.times = chance.choice((5000, 8000)), chance.choice((0, 2, 4))
            await self._ask("ScheduleTimer", command_id, ask, who)
            return
        fields: dict[str, Any] = {
            "game_id": clients.game_id,
            "command_id": command_id,
            "seen_version": clients.truth.version,
            "timer_id": chance.choice(self.timers),
        }
        word = chance.choice(
            ("RescheduleTimer", "RescheduleTimer", "CancelTimer", "PauseTimer", "ResumeTimer")
        )
        request: Any = getattr(timer_pb2, f"{word}Request")(**fields)
        if word == "RescheduleTimer":
            request.after_ms = chance.choice((150, 1000, 10_000))
        await self._ask(word, command_id, request, who)

    async def _ask(self, word: str, command_id: str, request: Any, who: Any) -> None:
        clients = self.clients
        clients.world.tell("timer", f"{command_id} {word} {getattr(request, 'timer_id', '')}")
        answer = await clients.sure(command_id, word, request, self.stubs, who)
        clients.promises.acknowledged(command_id, answer.version, b"")
        if self.chance.random() < 0.1:
            answer = await clients.sure(command_id, word, request, self.stubs, who)
            clients.promises.acknowledged(command_id, answer.version, b"")

    async def _grant(self, seat: int) -> None:
        clients = self.clients
        command_id = clients.new_id("g")
        request = game_pb2.GrantTimeRequest(
            game_id=clients.game_id,
            command_id=command_id,
            seen_version=clients.truth.version,
            seat=self.chance.randrange(len(clients.tokens)),
            seconds=self.chance.choice((1, 5)),
        )
        answer = await clients.sure(command_id, "GrantTime", request, clients.stubs, clients.who(seat))
        clients.world.met["more time"] += 1
        clients.promises.acknowledged(command_id, answer.version, b"")
