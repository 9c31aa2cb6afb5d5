"""The server's side of a call: a real servicer, in a task of its process."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NoReturn

import grpc

from tests.sim.wire import DONE, Inbox, Reading, status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.sim.channel import StreamCall
    from tests.sim.wire import Wire


class ServerContext:
    """What a servicer sees of its call."""

    def __init__(
        self, wire: Wire, metadata: Any, deadline: float | None, write: Callable[[Any], None]
    ) -> None:
        self._wire = wire
        self._metadata = tuple(metadata or ())
        self._deadline = deadline
        self._write = write
        self.started: Callable[[], None] = lambda: None
        self.failed: grpc.aio.AioRpcError | None = None

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Return what the client sent beside the request."""
        return self._metadata

    def peer(self) -> str:
        """Return where the client is: all are at one place."""
        return "ipv4:10.0.0.1:4000"

    def time_remaining(self) -> float | None:
        """Return the seconds until the client's deadline."""
        return None if self._deadline is None else self._deadline - self._wire.net.loop.time()

    def code(self) -> int:
        """Return the code the servicer has set: none ever does."""
        return 0

    async def send_initial_metadata(self, _metadata: Any) -> None:
        """Show the client that somebody is there."""
        self.started()

    async def write(self, message: Any) -> None:
        """Send one message of a stream."""
        self.started()
        self._write(message)

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing: Iterable[Any] = ()) -> NoReturn:
        """End the call with a status."""
        self.failed = status(code, details, trailing)
        raise grpc.aio.AbortError


class Serving:
    """The server's side of a call."""

    def __init__(
        self,
        wire: Wire,
        path: str,
        metadata: Any,
        deadline: float | None,
        answer: asyncio.Future[bytes] | None,
    ) -> None:
        self._wire = wire
        self._path = path
        self._metadata = metadata
        self._deadline = deadline
        self._answer = answer
        self._task: asyncio.Task[None] | None = None
        self.requests = Inbox()

    def unary(self, data: bytes) -> None:
        """Carry out a unary call in a task of the server's."""
        self._start(self._serve_unary(data))
        if self._deadline is not None:
            self._wire.net.loop.call_at(self._deadline, self.cancel, context=self._wire.net.context)

    def stream(self, call: StreamCall) -> None:
        """Carry out a stream in a task of the server's."""
        self._start(self._serve_stream(call))

    def cancel(self, _why: str = "") -> None:
        """The client has gone, or its time is over."""
        if self._task is not None and self._wire.server.alive and not self._task.done():
            self._task.cancel()

    def _start(self, work: Any) -> None:
        process = self._wire.server
        loop = self._wire.net.loop
        self._task = loop.create_task(work, context=process.context.copy())
        self._wire.on_break.append(self.cancel)

    def _handler(self) -> Any:
        return self._wire.server.handlers.get(self._path)

    async def _serve_unary(self, data: bytes) -> None:
        handler, wire = self._handler(), self._wire
        context = ServerContext(wire, self._metadata, self._deadline, lambda _message: None)
        result: Any
        try:
            if handler is None:
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, "no such method")
            result = handler.response_serializer(await handler.unary_unary(data, context))
        except grpc.aio.AbortError:
            result = context.failed
        except asyncio.CancelledError:
            return
        if wire.net.world.happens("losses", 0.03):
            return  # the answer is lost: the client's time runs out, and nobody knows
        wire.send(True, self._answered, result)

    def _answered(self, result: Any) -> None:
        answer = self._answer
        self._wire.close()
        if answer is None or answer.done():
            return
        if isinstance(result, BaseException):
            answer.set_exception(result)
        else:
            answer.set_result(result)

    async def _serve_stream(self, call: StreamCall) -> None:
        handler, wire = self._handler(), self._wire
        if handler is None:
            wire.send(True, call.inbox.put, status(grpc.StatusCode.UNIMPLEMENTED, "no such method"))
            return
        encode = handler.response_serializer
        context = ServerContext(
            wire, self._metadata, None, lambda message: wire.send(True, call.inbox.put, encode(message))
        )
        context.started = call.start_once
        request: Any = Reading(self.requests, handler.request_deserializer)
        end: Any = DONE
        try:
            if handler.request_streaming:
                await handler.stream_stream(request, context)
            else:
                await handler.unary_stream(await self.requests.get(), context)
        except grpc.aio.AbortError:
            end = context.failed
        except asyncio.CancelledError:
            return
        wire.send(True, call.ended, end)
