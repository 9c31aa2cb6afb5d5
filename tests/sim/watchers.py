"""Clients with open streams: who watches a game with a seat's token is there, and sees every version once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.game.v1 import game_pb2
from magnate.kit.rpc.status import remote_error
from tests.sim.players import BUGS
from tests.sim.rivals import Superseding

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sim.players import Clients

NOBODY: Final = -1


class Watcher:
    """One client that watches, for a seat or (-1) for nobody, now on this process, now on that one."""

    def __init__(self, clients: Clients, seat: int, number: int) -> None:
        self.clients = clients
        self.seat = seat
        self.name = f"w{number}"
        self.chance = clients.world.chance(f"watcher {number}")
        self.seen = 0
        self._superseding = Superseding(clients, "watch", seat, "")

    async def watch(self, until: Callable[[], bool]) -> None:
        """Watch, go away, come back."""
        world = self.clients.world
        while not until():
            await self.once(self.chance.expovariate(1 / 15))
            await asyncio.sleep(self.chance.choice((0.1, 2.0, 10.0)) * self.chance.random())
        world.tell("watched", f"{self.name} up to version {self.seen}")

    async def once(self, seconds: float) -> None:
        """Watch for so long, or until the stream breaks."""
        clients = self.clients
        again = self.chance.random() < 0.8
        request = game_pb2.WatchGameRequest(game_id=clients.game_id, after_version=self.seen if again else 0)
        if self.seat != NOBODY and self.chance.random() < 0.5:
            request.connection = self.name
        who = () if self.seat == NOBODY else clients.who(self.seat)
        call = self.chance.choice(clients.stubs).WatchGame(request, metadata=who)
        self._superseding = Superseding(clients, "watch", self.seat, request.connection)
        reading = asyncio.ensure_future(self._read(call, request.after_version))
        try:
            await asyncio.wait({reading}, timeout=seconds)
        finally:
            call.cancel()
            reading.cancel()
        if reading.done() and not reading.cancelled():
            reading.result()

    async def up_to(self, version: int) -> None:
        """Read everything from the beginning up to a version."""
        request = game_pb2.WatchGameRequest(game_id=self.clients.game_id)
        call = self.chance.choice(self.clients.stubs).WatchGame(request, metadata=())
        self.seen = 0
        await self._read(call, 0, version)
        call.cancel()

    async def _read(self, call: Any, after: int, up_to: int = 0) -> None:
        promises, truth = self.clients.promises, self.clients.truth
        position = after
        first = True
        try:
            async for update in call:
                kind = update.WhichOneof("update")
                self._superseding.hears(update.superseded if kind == "superseded" else None)
                if first and kind not in ("now", "superseded"):
                    promises.fail("a watch begins with the game as it stands", f"{self.name}: {kind}")
                first = False
                if kind == "heartbeat" and update.heartbeat.head_version > truth.version:
                    promises.fail("watchers see what is in the log", f"head {update.heartbeat.head_version}")
                if kind == "commit":
                    commit = update.commit
                    if commit.version != position + 1:
                        what = f"{self.name} got version {commit.version} after {position}"
                        promises.fail("watchers see every version once and in order", what)
                    position = commit.version
                    self.seen = max(self.seen, position)
                    self._compare(commit)
                if up_to and position >= up_to:
                    return
        except grpc.aio.AioRpcError as error:
            failure = remote_error(error)
            self.clients.world.met[f"watch ended {failure.reason}"] += 1
            self._superseding.ended(failure)
            if failure.code in BUGS:
                promises.fail("no call ends in an error of ours", f"{self.name}: {failure}")

    def _compare(self, commit: game_pb2.PublicCommit) -> None:
        stored = self.clients.truth.commits[commit.version - 1]
        if (commit.command_id, commit.actor) != (stored.command_id, stored.actor):
            what = f"{self.name}: version {commit.version} is {commit.command_id}, not {stored.command_id}"
            self.clients.promises.fail("watchers see what is in the log", what)
