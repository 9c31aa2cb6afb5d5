"""What this machine's gRPC can do with no work behind it: the yardstick for `magnate bench host`.

Speeds differ from machine to machine and from hour to hour; a rate divided by the yardstick's of the same run
does not. One process echoes bytes, this one sends them, as the bench does: so many streams with one message
in flight each, so many single calls at once, and one stream alone.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

import grpc

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

_SERVICE: Final = "magnate.yardstick"
_MESSAGE: Final = bytes(100)
_UNARY: Final = f"/{_SERVICE}/Unary"
_STREAM: Final = f"/{_SERVICE}/Stream"


class Yardstick:
    """Rates of bare gRPC: messages a second over streams and single calls, and one alone in milliseconds."""

    __slots__ = ("lone_p50_ms", "streams_per_second", "unary_per_second")

    def __init__(self, streams_per_second: float, unary_per_second: float, lone_p50_ms: float) -> None:
        self.streams_per_second = streams_per_second
        self.unary_per_second = unary_per_second
        self.lone_p50_ms = lone_p50_ms


async def measure(at_once: int, seconds: float) -> Yardstick:
    """Measure, with a process of its own on the other side."""
    async with _echo() as address, grpc.aio.insecure_channel(address) as channel:
        await _rate(lambda: _one_stream(channel), at_once, seconds / 2, [])
        streams = await _rate(lambda: _one_stream(channel), at_once, seconds, [])
        unary = await _rate(lambda: _one_caller(channel), at_once, seconds, [])
        lone: list[float] = []
        await _rate(lambda: _one_stream(channel), 1, seconds / 2, lone)
        return Yardstick(streams, unary, sorted(lone)[len(lone) // 2] * 1000)


async def _rate(
    sender: Callable[[], AsyncIterator[None]], at_once: int, seconds: float, took: list[float]
) -> float:
    """Return how many messages a second came back, all senders together."""
    end = time.perf_counter() + seconds
    started = time.perf_counter()

    async def send() -> int:
        count, last = 0, time.perf_counter()
        async for _ in sender():
            now = time.perf_counter()
            took.append(now - last)
            count, last = count + 1, now
            if now > end:
                break
        return count

    counts = await asyncio.gather(*(send() for _ in range(at_once)))
    return sum(counts) / (time.perf_counter() - started)


async def _one_stream(channel: grpc.aio.Channel) -> AsyncIterator[None]:
    """Send one message after another over a stream of its own; yields when each has come back."""
    call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(_STREAM)()
    try:
        while True:
            await call.write(_MESSAGE)
            await call.read()
            yield
    finally:
        call.cancel()


async def _one_caller(channel: grpc.aio.Channel) -> AsyncIterator[None]:
    """Make one call after another."""
    call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_UNARY)
    while True:
        await call(_MESSAGE)
        yield


@asynccontextmanager
async def _echo() -> AsyncIterator[str]:
    """Run the other side as a process; yields its address."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "magnate.cli.yardstick", stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


async def _serve() -> None:
    """Echo until terminated; the first line printed is the address."""

    async def unary(request: bytes, _context: object) -> bytes:
        return request

    async def stream(requests: AsyncIterator[bytes], _context: object) -> AsyncIterator[bytes]:
        async for request in requests:
            yield request

    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Unary": grpc.unary_unary_rpc_method_handler(unary),
        "Stream": grpc.stream_stream_rpc_method_handler(stream),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(_SERVICE, handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"127.0.0.1:{port}", flush=True)
    waiting: Awaitable[bool] = server.wait_for_termination()
    await waiting


if __name__ == "__main__":
    import uvloop

    uvloop.run(_serve())
