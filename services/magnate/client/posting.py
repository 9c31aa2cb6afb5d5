"""An open `PostStream`: batches for any number of ledgers, each answered as soon as it is written."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

import grpc

from magnate.bank.v1 import ledger_pb2

if TYPE_CHECKING:
    from magnate.client.ledger import LedgerSession


class PostStream:
    """`async with PostStream(session) as stream: reply = await stream.post(request)`.

    Batches that are sent while another message is on its way travel together in the next one.
    """

    def __init__(self, session: LedgerSession) -> None:
        self._call = session.stub.PostStream()
        self._outbox: list[ledger_pb2.PostRequest] = []
        self._waiting: dict[tuple[str, str], asyncio.Future[ledger_pb2.PostReply]] = {}
        self._writing = False
        self._reader: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self._call.cancel()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    async def post(self, request: ledger_pb2.PostRequest) -> ledger_pb2.PostReply:
        """Send a batch and return how it ended: with a response, or with a failure as a value.

        Raises:
            ConnectionError: the stream broke; the outcome is unknown, send the same id on a new one.
        """
        if self._reader is None or self._reader.done():
            raise ConnectionError("the stream is closed")
        answer: asyncio.Future[ledger_pb2.PostReply] = asyncio.get_running_loop().create_future()
        self._waiting[request.ledger_id, request.command_id] = answer
        self._outbox.append(request)
        if not self._writing:
            await self._write()
        return await answer

    async def _write(self) -> None:
        self._writing = True
        try:
            while self._outbox:
                message = ledger_pb2.PostStreamRequest(posts=self._outbox)
                self._outbox = []
                await self._call.write(message)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            raise ConnectionError(f"the stream broke: {error}") from error
        finally:
            self._writing = False

    async def _read(self) -> None:
        try:
            async for response in self._call:
                for reply in response.replies:
                    answer = self._waiting.pop((reply.ledger_id, reply.command_id), None)
                    if answer is not None and not answer.done():
                        answer.set_result(reply)
        except (grpc.aio.AioRpcError, asyncio.CancelledError) as error:
            self._break(ConnectionError(f"the stream broke: {error!r}"))
        else:
            self._break(ConnectionError("the server ended the stream"))

    def _break(self, error: ConnectionError) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        self._waiting.clear()
