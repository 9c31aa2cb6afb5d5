"""Whoever pauses a game and lets it go on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.game.v1 import game_pb2
from tests.sim.players import Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sim.players import Clients

LOOK_SECONDS: Final = 0.5
LOOKS_MAX: Final = 40
"""So often somebody looks whether something is under the hammer, to pause the game then."""


class Operator:
    """Pauses the game now and then, and lets it go on."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.chance = clients.world.chance("operator")

    async def watch(self, until: Callable[[], bool]) -> None:
        """Do so until the end."""
        world = self.clients.world
        while not until():
            await asyncio.sleep(self.chance.expovariate(1 / 40))
            if self.chance.random() < 0.7:
                await self._auction(until)
            if until() or not self.clients.truth.running:
                continue
            await self.everybody("pause")
            await asyncio.sleep(self.chance.expovariate(1 / 10))
            await self.everybody("resume")
            world.tell("operator", "the game was paused and goes on")

    async def _auction(self, until: Callable[[], bool]) -> None:
        """Wait for an auction, if there is one soon."""
        for _ in range(LOOKS_MAX):
            if until() or self.clients.truth.auctions():
                return
            await asyncio.sleep(LOOK_SECONDS)

    async def everybody(self, word: str) -> None:
        """Pause or resume: one seat is enough, or all have to agree."""
        truth = self.clients.truth
        wanted = word == "pause"
        for seat in range(len(self.clients.tokens)):
            rules = truth.rules
            if rules is not None and truth.started and truth.running == wanted and not rules.out[seat]:
                await self.do(word, seat)

    async def do(self, word: str, seat: int) -> None:
        """Ask for a pause, or for its end."""
        clients = self.clients
        command_id, who = clients.new_id(word), clients.who(seat)
        kind: Any = game_pb2.PauseGameRequest if word == "pause" else game_pb2.ResumeGameRequest
        request = kind(game_id=clients.game_id, command_id=command_id, seen_version=clients.truth.version)
        try:
            answer = await clients.sure(command_id, f"{word.title()}Game", request, clients.stubs, who)
            clients.promises.acknowledged(command_id, answer.version, b"")
        except (grpc.aio.AioRpcError, Unanswered) as error:
            clients.world.tell("operator", f"{command_id} {type(error).__name__}")
