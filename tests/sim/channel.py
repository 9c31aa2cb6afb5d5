"""The client's side of calls: what generated stubs take for a channel of gRPC."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc

from tests.sim.serving import Serving
from tests.sim.wire import DONE, Inbox, Reading, status

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sim.network import Network
    from tests.sim.process import Process


class SimChannel:
    """A channel of one process to one address, as generated stubs use it."""

    def __init__(self, net: Network, client: Process | None, address: str) -> None:
        self._net = net
        self._client = client
        self._address = address

    def unary_unary(
        self, path: str, request_serializer: Any, response_deserializer: Any, **_more: Any
    ) -> Callable[..., Any]:
        """Return a unary method."""

        async def call(request: Any, *, timeout: float | None = None, metadata: Any = None) -> Any:  # noqa: ASYNC109 - gRPC's name
            return response_deserializer(
                await self._unary(path, request_serializer(request), timeout, metadata)
            )

        return call

    def unary_stream(
        self, path: str, request_serializer: Any, response_deserializer: Any, **_more: Any
    ) -> Callable[..., StreamCall]:
        """Return a method that answers with a stream."""

        def call(request: Any, *, metadata: Any = None) -> StreamCall:
            started = StreamCall(
                self._net, self._client, self._address, path, (None, response_deserializer), metadata
            )
            started.send(request_serializer(request))
            return started

        return call

    def stream_stream(
        self, path: str, request_serializer: Any, response_deserializer: Any, **_more: Any
    ) -> Callable[..., StreamCall]:
        """Return a method with streams both ways."""

        def call(*, metadata: Any = None) -> StreamCall:
            return StreamCall(
                self._net,
                self._client,
                self._address,
                path,
                (request_serializer, response_deserializer),
                metadata,
            )

        return call

    def stream_unary(self, *_args: Any, **_more: Any) -> None:
        """No method of ours takes a stream and answers once."""

    async def close(self, _grace: float | None = None) -> None:
        """Streams end with their calls."""

    async def _unary(self, path: str, data: bytes, seconds: float | None, metadata: Any) -> bytes:
        net = self._net
        answer: asyncio.Future[bytes] = net.loop.create_future()

        def fail(why: str) -> None:
            if not answer.done():
                answer.set_exception(status(grpc.StatusCode.UNAVAILABLE, why))

        def late() -> None:
            if not answer.done():
                answer.set_exception(status(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded"))

        timer = None if seconds is None else net.loop.call_later(seconds, late)
        deadline = None if seconds is None else net.loop.time() + seconds
        for _ in range(2 if net.world.happens("duplicates", 0.05) else 1):
            wire = net.open(self._client, self._address)
            if wire is None:
                net.loop.call_later(net.delay(), fail, "connection refused", context=net.context)
                continue
            serve = Serving(wire, path, metadata, deadline, answer)
            wire.on_break.append(fail)
            if net.world.happens("losses", 0.03):
                continue  # lost on the way there: the client's time runs out
            wire.send(False, serve.unary, data)
        try:
            return await answer
        finally:
            if timer is not None:
                timer.cancel()


class StreamCall:
    """The client's side of a call with streams, as `grpc.aio.StreamStreamCall`."""

    def __init__(
        self,
        net: Network,
        client: Process | None,
        address: str,
        path: str,
        codec: tuple[Any, Any],
        metadata: Any,
    ) -> None:
        self.inbox = Inbox()
        self._net = net
        self._encode, self._decode = codec
        self._connected: asyncio.Future[None] = net.loop.create_future()
        self._told = False
        self._wire = net.open(client, address)
        self._serving: Serving | None = None
        if self._wire is None:
            net.loop.call_later(net.delay(), self._failed, "connection refused", context=net.context)
            return
        self._serving = Serving(self._wire, path, metadata, None, None)
        self._wire.on_break.append(self._failed)
        self._wire.send(False, self._serving.stream, self)

    def start_once(self) -> None:
        """Tell the client that the server is there; called by the server."""
        if not self._told and self._wire is not None:
            self._told = True
            self._wire.send(True, self._is_there)

    def ended(self, end: Any) -> None:
        """The server has ended the call."""
        if self._wire is not None:
            self._wire.close()
        if not self._connected.done():
            self._is_there()
        self.inbox.put(end)

    def send(self, data: bytes) -> None:
        """Send a message's bytes."""
        if self._wire is not None and self._serving is not None:
            self._wire.send(False, self._serving.requests.put, data)

    async def wait_for_connection(self) -> None:
        """Wait until the server has shown that it is there."""
        await asyncio.shield(self._connected)

    async def write(self, message: Any) -> None:
        """Send a message."""
        if self.inbox.ended:
            raise asyncio.InvalidStateError("the call is over")
        self.send(self._encode(message))

    async def done_writing(self) -> None:
        """Say that no more messages come."""
        if self._wire is not None and self._serving is not None:
            self._wire.send(False, self._serving.requests.put, DONE)

    def cancel(self) -> bool:
        """Give the call up; the server hears of it."""
        wire, serving = self._wire, self._serving
        if wire is not None and serving is not None and not wire.broken:
            self._net.loop.call_later(self._net.delay(), serving.cancel, context=self._net.context)
            wire.close()
        self.inbox.put(asyncio.CancelledError())
        if not self._connected.done():
            self._connected.cancel()
        return True

    def __aiter__(self) -> Reading:
        return Reading(self.inbox, self._decode)

    def _is_there(self) -> None:
        if not self._connected.done():
            self._connected.set_result(None)

    def _failed(self, why: str) -> None:
        error = status(grpc.StatusCode.UNAVAILABLE, why)
        if not self._connected.done():
            self._connected.set_exception(error)
            self._connected.exception()  # whoever waits gets it; nobody need
        self.inbox.put(error)
