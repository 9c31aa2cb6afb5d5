"""An open `Play` stream: commands of any number of games and seats, each answered as soon as it is done."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

import grpc

from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from magnate.client.session import Session


class PlayStream:
    """`async with PlayStream(session) as stream: result = await stream.act(request)`.

    Commands that are sent while another message is on its way travel together in the next one.
    """

    def __init__(self, session: Session) -> None:
        self._call = session.stub.Play()
        self._outbox: list[game_pb2.ActRequest] = []
        self._waiting: dict[str, asyncio.Future[game_pb2.PlayResult]] = {}
        self._writing = False
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self._call.cancel()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    async def act(self, request: game_pb2.ActRequest) -> game_pb2.PlayResult:
        """Send a command and return its result: accepted, or refused as a value.

        Raises:
            ConnectionError: the stream broke; the outcome is unknown, send the same id on a new one.
        """
        if self._reader is None or self._reader.done():
            raise ConnectionError("the stream is closed")
        answer: asyncio.Future[game_pb2.PlayResult] = asyncio.get_running_loop().create_future()
        self._waiting[request.command_id] = answer
        self._outbox.append(request)
        if not self._writing:
            await self._write()
        return await answer

    async def _write(self) -> None:
        self._writing = True
        try:
            while self._outbox:
                batch = game_pb2.PlayRequest(acts=self._outbox)
                self._outbox = []
                await self._call.write(batch)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            raise ConnectionError(f"the stream broke: {error}") from error
        finally:
            self._writing = False

    async def _read(self) -> None:
        try:
            async for response in self._call:
                for result in response.results:
                    answer = self._waiting.pop(result.command_id, None)
                    if answer is not None and not answer.done():
                        answer.set_result(result)
        except (grpc.aio.AioRpcError, asyncio.CancelledError) as error:
            self._break(ConnectionError(f"the stream broke: {error!r}"))
        else:
            self._break(ConnectionError("the server ended the stream"))

    def _break(self, error: ConnectionError) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        self._waiting.clear()
