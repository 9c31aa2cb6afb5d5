"""Commands of a seat over its open stream, as clients that care send them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc

from magnate.game.v1 import game_pb2
from magnate.kit.rpc.status import Failure, code_of_number
from tests.sim.wire import status

if TYPE_CHECKING:
    from tests.sim.players import Clients


class PlayStream:
    """One open Play stream of a seat; opened on another process when it breaks."""

    def __init__(self, clients: Clients, seat: int) -> None:
        self._clients = clients
        self._who = clients.who(seat)
        self._call: Any = None
        self._reader: asyncio.Task[None] | None = None
        self._waiting: dict[str, list[asyncio.Future[Any]]] = {}

    async def act(self, request: game_pb2.ActRequest, seconds: float) -> Any:
        """Send a command, and return its answer or raise what a unary call would."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()
        self._waiting.setdefault(request.command_id, []).append(answer)
        if self._call is None or self._call.inbox.ended:
            self._call = self._clients.chance.choice(self._clients.stubs).Play(metadata=self._who)
            self._reader = asyncio.ensure_future(self._read(self._call))
        timer = loop.call_later(seconds, self._late, answer)
        try:
            await self._call.write(game_pb2.PlayRequest(acts=[request]))
            return await answer
        except asyncio.InvalidStateError as error:
            raise status(grpc.StatusCode.UNAVAILABLE, "the stream is over") from error
        finally:
            timer.cancel()

    def close(self) -> None:
        """End the stream."""
        if self._call is not None:
            self._call.cancel()
        if self._reader is not None:
            self._reader.cancel()

    def _late(self, answer: asyncio.Future[Any]) -> None:
        if not answer.done():
            answer.set_exception(status(grpc.StatusCode.DEADLINE_EXCEEDED, "no answer in time"))

    async def _read(self, call: Any) -> None:
        error = status(grpc.StatusCode.UNAVAILABLE, "the stream ended")
        try:
            async for message in call:
                for result in message.results:
                    self._take(result)
        except grpc.aio.AioRpcError as broken:
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
