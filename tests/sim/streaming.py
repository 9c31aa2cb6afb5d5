"""Commands of a seat over its open stream, as clients that care send them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.game.v1 import game_pb2
from magnate.kit.rpc.status import Failure, code_of_number, remote_error
from tests.sim.rivals import Superseding
from tests.sim.wire import status

if TYPE_CHECKING:
    from tests.sim.players import Clients

MOVES: Final = 0.04
"""How often a client with a name opens its stream elsewhere while the old one is still there."""


class PlayStream:
    """The Play stream of a seat; opened on another process when it breaks, or when the client moves."""

    def __init__(self, clients: Clients, seat: int) -> None:
        self._clients = clients
        self._seat = seat
        self._chance = clients.world.chance(f"stream of seat {seat}")
        self._named = self._chance.random() < 0.5
        self._open: list[OpenStream] = []

    async def act(self, request: game_pb2.ActRequest, seconds: float) -> Any:
        """Send a command, and return its answer or raise what a unary call would."""
        moves = self._named and self._chance.random() < MOVES
        if not self._open or self._open[-1].over or moves:
            self._open = [one for one in self._open if not one.over]
            name = f"p{self._seat}-{self._clients.new_name()}" if self._named else ""
            self._open.append(OpenStream(self._clients, self._seat, name))
        return await self._open[-1].act(request, seconds)

    def close(self) -> None:
        """End the stream."""
        for stream in self._open:
            stream.close()


class OpenStream:
    """One call of Play."""

    def __init__(self, clients: Clients, seat: int, name: str) -> None:
        self._clients = clients
        self._name = name
        self._superseding = Superseding(clients, "play", seat, name)
        self._call: Any = clients.chance.choice(clients.stubs).Play(metadata=clients.who(seat))
        self._reader = asyncio.ensure_future(self._read())
        self._waiting: dict[str, list[asyncio.Future[Any]]] = {}

    @property
    def over(self) -> bool:
        """Whether nothing more can be sent."""
        return bool(self._call.inbox.ended or self._superseding.by)

    async def act(self, request: game_pb2.ActRequest, seconds: float) -> Any:
        """Send a command, and return its answer or raise what a unary call would."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.setdefault(request.command_id, []).append(answer)
        timer = loop.call_later(seconds, self._late, answer)
        try:
            await self._call.write(game_pb2.PlayRequest(acts=[request], connection=self._name))
            return await answer
        except asyncio.InvalidStateError as error:
            raise status(grpc.StatusCode.UNAVAILABLE, "the stream is over") from error
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the stream."""
        self._call.cancel()
        self._reader.cancel()

    def _late(self, answer: asyncio.Future[Any]) -> None:
        if not answer.done():
            answer.set_exception(status(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time"))

    async def _read(self) -> None:
        error = status(grpc.StatusCode.UNAVAILABLE, "the stream ended")
        try:
            async for message in self._call:
                self._superseding.hears(message.superseded if message.HasField("superseded") else None)
                for result in message.results:
                    self._take(result)
        except grpc.aio.AioRpcError as broken:
            self._superseding.ended(remote_error(broken))
            if not self._superseding.by:  # else what was not carried out is sent again on the newer one
                error = broken
        waiting, self._waiting = self._waiting, {}
        for answers in waiting.values():
            for answer in answers:
                if not answer.done():
                    answer.set_exception(error)

    def _take(self, result: game_pb2.PlayResult) -> None:
        waiting = self._waiting.get(result.command_id)
        if not waiting:
            return
        answer = waiting.pop(0)
        if answer.done():
            return
        if result.WhichOneof("result") == "accepted":
            answer.set_result(result.accepted)
            return
        refused = result.refused
        metadata = {"version": str(refused.version)}
        failure = Failure(code_of_number(refused.code), refused.reason, refused.message, metadata)
        details = failure.proto().SerializeToString()
        answer.set_exception(status(failure.code, failure.message, (("grpc-status-details-bin", details),)))
