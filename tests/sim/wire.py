"""One call between two processes: bytes in two directions, each in order as HTTP/2 has it.

What is sent takes a while, is held up by a partition, or lost with the wire when that breaks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, Final

import grpc

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.sim.network import Network
    from tests.sim.process import Process

DONE: Final = object()
"""The orderly end of a stream."""


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
