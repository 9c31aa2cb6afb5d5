"""A network between processes: real gRPC stubs and real servicers, bytes in between, no socket.

A `Wire` is one call: two directions, each in order as HTTP/2 has it. What is sent takes a while, is held up
by a partition, or lost with the wire when that breaks. A unary call may also be carried out twice.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final, NoReturn

import grpc

from tests.sim.process import PROCESS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.sim.process import Process
    from tests.sim.world import World

KEEPALIVE_SECONDS: Final = 25.0
"""After so long without a sign of life gRPC gives a connection up."""

UNAVAILABLE: Final = grpc.StatusCode.UNAVAILABLE
DONE: Final = object()


def status(code: grpc.StatusCode, details: str, trailing: Iterable[Any] = ()) -> grpc.aio.AioRpcError:
    """Return the error of a call that ended so."""
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailing), details=details)


class Inbox:
    """What arrived and waits to be read; ends with DONE or with an error."""

    __slots__ = ("_items", "_waiter", "ended")

    def __init__(self) -> None:
        self._items: deque[Any] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self.ended = False

    def put(self, item: Any) -> None:
        """Add a message; after the end nothing counts."""
        if self.ended:
            return
        if item is DONE or isinstance(item, BaseException):
            self.ended = True
        self._items.append(item)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self) -> Any:
        """Return the next message; raises what ended the stream, StopAsyncIteration at its orderly end."""
        while not self._items:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        item = self._items[0]
        if item is DONE:
            raise StopAsyncIteration
        if isinstance(item, BaseException):
            raise item
        self._items.popleft()
        return item


class Reading:
    """An inbox as the iterator that stubs and servicers read, decoded on the reader's side."""

    def __init__(self, inbox: Inbox, decode: Callable[[bytes], Any] | None) -> None:
        self._inbox = inbox
        self._decode = decode

    def __aiter__(self) -> Reading:
        return self

    async def __anext__(self) -> Any:
        data = await self._inbox.get()
        return data if self._decode is None else self._decode(data)


class Wire:
    """One call between two processes."""

    __slots__ = ("_last", "_queues", "broken", "client", "net", "on_break", "server")

    def __init__(self, net: Network, client: Process | None, server: Process) -> None:
        self.net = net
        self.client = client
        self.server = server
        self.broken = False
        self.on_break: list[Callable[[str], None]] = []
        self._last = [0.0, 0.0]
        self._queues: tuple[deque[Any], deque[Any]] = (deque(), deque())

    def send(self, back: bool, deliver: Callable[..., None], *args: Any) -> None:
        """Send in one direction, after everything sent there before."""
        if self.broken:
            return
        loop = self.net.loop
        at = max(self._last[back], loop.time() + self.net.delay())
        self._last[back] = at
        self._queues[back].append((deliver, args))
        loop.call_at(at, self.arrive, back, context=self.net.context)

    def arrive(self, back: bool) -> None:
        """The oldest message under way in this direction arrives."""
        if self.broken:
            return
        if self.net.parted(self.client, self.server):
            self.net.hold(self, back)
            return
        deliver, args = self._queues[back].popleft()
        target = self.client if back else self.server
        if target is not None and not target.alive:
            self.snap("the process is gone")
            return
        deliver(*args)

    def close(self) -> None:
        """The call is over: what is still under way is of no interest."""
        self.broken = True
        self.net.wires.pop(self, None)

    def snap(self, why: str) -> None:
        """Break the connection: both sides hear of it, and nothing that was under way arrives."""
        if not self.broken:
            self.close()
            for heard in self.on_break:
                heard(why)


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


class Network:
    """Delays, partitions, and the wires that are open."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.loop = world.loop
        self.context = world.context
        self.chance = world.chance("net")
        self.servers: dict[str, Process] = {}
        self.wires: dict[Wire, None] = {}
        self._parted: set[frozenset[str]] = set()
        self._held: list[tuple[Wire, bool]] = []

    def delay(self) -> float:
        """Return how long a message is under way."""
        chance = self.chance
        usual = 0.0002 + chance.random() * 0.002
        if self.world.on("delays") and chance.random() < 0.04:
            return usual + chance.random() ** 4 * 3.0
        return usual

    def connect(self, address: str, **_options: Any) -> Any:
        """Return a channel of the process that asks; stands in for `kit.rpc.channels.connect`."""
        return SimChannel(self, PROCESS.get(None), address)

    def parted(self, one: Process | None, other: Process | None) -> bool:
        """Say whether nothing passes between two processes now."""
        return bool(self._parted) and frozenset((str(one), str(other))) in self._parted

    def parted_from(self, process: Process, name: str) -> bool:
        """Say whether a process cannot reach something that is no process."""
        return bool(self._parted) and frozenset((process.name, name)) in self._parted

    def part(self, one: str, other: str) -> None:
        """Let nothing pass between two processes."""
        self._parted.add(frozenset((one, other)))

    def heal(self) -> None:
        """End all partitions: what TCP still has to send arrives."""
        self._parted.clear()
        held, self._held = self._held, []
        for wire, back in held:
            self.loop.call_later(self.delay(), wire.arrive, back, context=self.context)

    def hold(self, wire: Wire, back: bool) -> None:
        """Keep what cannot pass; if that lasts, the connection is given up."""
        self._held.append((wire, back))
        self.loop.call_later(KEEPALIVE_SECONDS, self._give_up, wire, context=self.context)

    def _give_up(self, wire: Wire) -> None:
        if any(held[0] is wire for held in self._held):
            self._held = [held for held in self._held if held[0] is not wire]
            wire.snap("keepalive watchdog timeout")

    def open(self, client: Process | None, address: str) -> Wire | None:
        """Return a new wire, None if nobody listens there."""
        server = self.servers.get(address)
        if server is None or not server.alive:
            return None
        wire = Wire(self, client, server)
        self.wires[wire] = None
        return wire

    def gone(self, process: Process, *, silently: bool) -> None:
        """Break the wires of a process that was killed; silently, if its machine went with it."""
        for wire in list(self.wires):
            if process in (wire.client, wire.server):
                after = KEEPALIVE_SECONDS if silently else self.delay()
                self.loop.call_later(after, wire.snap, "connection reset", context=self.context)

    def snap_one(self) -> None:
        """Break one connection between two processes, whichever."""
        between = [wire for wire in self.wires if wire.client is not None]
        if between:
            self.chance.choice(between).snap("connection reset")


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
                answer.set_exception(status(UNAVAILABLE, why))

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
        error = status(UNAVAILABLE, why)
        if not self._connected.done():
            self._connected.set_exception(error)
            self._connected.exception()  # whoever waits gets it; nobody need
        self.inbox.put(error)
