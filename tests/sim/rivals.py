"""Streams of a seat that name their clients: of each kind the newest lives, and older ones are told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.game.v1 import game_pb2
from magnate.kit.rpc.status import remote_error

if TYPE_CHECKING:
    from magnate.kit.rpc.status import RemoteError
    from tests.sim.players import Clients

NEWEST: Final = "of a seat's streams the newest lives, and an older one is told"
APART_SECONDS: Final = 2.0
"""So long after another a stream is newer, whatever the servers' clocks say."""
TOLD_SECONDS_MAX: Final = 15.0
SUPERSEDED: Final = "SUPERSEDED"


class Superseding:
    """What the client of one stream hears of newer ones."""

    def __init__(self, clients: Clients, kind: str, seat: int, name: str) -> None:
        self.by = ""
        self._clients = clients
        self._where = f"the {kind} stream {name or 'without a name'} of seat {seat}"
        self._name = name
        self._names = clients.named.setdefault((kind, seat), set())
        if name:
            self._names.add(name)

    def hears(self, superseded: game_pb2.Superseded | None) -> None:
        """A message came, with or without the word that it is the last one."""
        if self.by:
            self._fail("gets a message after its last one")
        elif superseded is not None:
            self.by = superseded.connection
            self._clients.world.met["told of a newer stream"] += 1
            if not self._name or self.by not in self._names:
                self._fail(f"is superseded by {self.by}")

    def ended(self, failure: RemoteError) -> None:
        """The stream ended."""
        if failure.reason == SUPERSEDED and not self.by:
            self._fail("is superseded without a word")

    def _fail(self, what: str) -> None:
        self._clients.promises.fail(NEWEST, f"{self._where} {what}")


class Rival:
    """One stream that does nothing but live."""

    def __init__(self, clients: Clients, kind: str, seat: int, number: int) -> None:
        name = f"rival-{number}"
        self.superseding = Superseding(clients, kind, seat, name)
        self.reason = ""
        stub, who = clients.world.chance("rivals").choice(clients.stubs), clients.who(seat)
        self.call: Any
        if kind == "play":
            self.call = stub.Play(metadata=who)
            self.call.send(game_pb2.PlayRequest(connection=name).SerializeToString())
        else:
            request = game_pb2.WatchGameRequest(game_id=clients.game_id, connection=name)
            self.call = stub.WatchGame(request, metadata=who)
        self.reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        try:
            async for message in self.call:
                self.superseding.hears(message.superseded if message.HasField("superseded") else None)
        except grpc.aio.AioRpcError as error:
            failure = remote_error(error)
            self.reason = failure.reason or failure.code.name
            self.superseding.ended(failure)


async def newest_lives(clients: Clients) -> None:
    """The faults are over: of two streams that a seat opens one after the other the second one lives."""
    chance = clients.world.chance("rivals")
    kind, seat = chance.choice(("play", "watch")), chance.randrange(len(clients.tokens))
    older = Rival(clients, kind, seat, 1)
    await asyncio.sleep(APART_SECONDS)
    newer = Rival(clients, kind, seat, 2)
    await asyncio.wait({older.reading}, timeout=TOLD_SECONDS_MAX)
    found = (older.superseding.by, older.reason, newer.superseding.by, newer.reason)
    for rival in (older, newer):
        rival.call.cancel()
        rival.reading.cancel()
    if found != ("rival-2", SUPERSEDED, "", ""):
        clients.promises.fail(NEWEST, f"two {kind} streams of seat {seat}: {found}")
