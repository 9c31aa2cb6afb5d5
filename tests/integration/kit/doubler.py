"""A service on an open stream that doubles numbers, slowly, wrongly or not at all."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf.struct_pb2 import ListValue
from prometheus_client import CollectorRegistry

from magnate.kit.errors import RefusedError
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.channels import connect, peer_metadata
from magnate.kit.rpc.exchange import Exchange, serve_exchange
from magnate.kit.rpc.server import RpcServer
from magnate.kit.rpc.status import Failure, failure_of_wire
from magnate.kit.settings import Settings
from tests.integration.kit.echo import KEYS, Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

PATH = "test.v1.SumPeerService"


class SumClientCodec:
    """A call is a number; the answer its double. Messages are lists [id, number, id, number, …]."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def request(self, calls: Sequence[tuple[int, int]]) -> ListValue:
        """Pack the calls."""
        self.sizes.append(len(calls))
        message = ListValue()
        for number, ask in calls:
            message.values.add().number_value = number
            message.values.add().number_value = ask
        return message

    def replies(self, message: ListValue) -> Iterable[tuple[int, int | Failure]]:
        """Unpack the replies; a text is a failure."""
        values = message.values
        for place in range(0, len(values), 2):
            number, value = int(values[place].number_value), values[place + 1]
            if value.string_value:
                code, reason, text = value.string_value.split("|")
                yield number, failure_of_wire(int(code), reason, text)
            else:
                yield number, int(value.number_value)


class SumServerCodec:
    """The other side of `SumClientCodec`."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def calls(self, message: ListValue) -> Iterable[tuple[int, int]]:
        """Unpack the calls."""
        values = message.values
        return [
            (int(values[place].number_value), int(values[place + 1].number_value))
            for place in range(0, len(values), 2)
        ]

    def response(self, replies: Sequence[tuple[int, int | Failure]]) -> ListValue:
        """Pack the replies."""
        self.sizes.append(len(replies))
        message = ListValue()
        for number, reply in replies:
            message.values.add().number_value = number
            value = message.values.add()
            if isinstance(reply, Failure):
                value.string_value = f"{reply.number}|{reply.reason}|{reply.message}"
            else:
                value.number_value = reply
        return message


class Doubler:
    """The servicer: doubles; 13 is refused, 99 is a bug, 1000 and more wait that many milliseconds."""

    def __init__(self, running_max: int = 1024) -> None:
        self.codec = SumServerCodec()
        self.running = 0
        self.running_most = 0
        self.finished = 0
        self._running_max = running_max

    async def double(self, number: int) -> int:
        """Answer one call."""
        self.running += 1
        self.running_most = max(self.running, self.running_most)
        try:
            bind(number=number)
            if number == 99:
                await asyncio.sleep(0.01)
            if number == 13:
                raise RefusedError(Refusal())
            if number == 99:
                raise KeyError("the inside")
            if number >= 1000:
                await asyncio.sleep(number / 1_000_000 if number < 100_000 else number / 1000)
            self.finished += 1
            return number * 2
        finally:
            self.running -= 1

    async def Exchange(  # noqa: N802
        self, requests: AsyncIterator[ListValue], context: Any
    ) -> AsyncIterator[ListValue]:
        """Serve the stream."""
        async for message in serve_exchange(
            requests, context, self.double, self.codec, calls_running_max=self._running_max
        ):
            yield message

    def register(self, server: grpc.aio.Server) -> None:
        """Do what generated code does."""
        handler: Any = grpc.stream_stream_rpc_method_handler(
            self.Exchange,
            request_deserializer=ListValue.FromString,
            response_serializer=ListValue.SerializeToString,
        )
        server.add_registered_method_handlers(PATH, {"Exchange": handler})


async def start(doubler: Doubler, port: int = 0) -> RpcServer:
    """Serve on a port."""
    settings = Settings(keys=KEYS, port=port, drain_seconds=3.0)
    server = RpcServer([doubler.register], settings, CollectorRegistry())
    await server.start()
    await server.ready()
    return server


Summing = Exchange[int, int, ListValue, ListValue]


def exchange_on(channel: grpc.aio.Channel, codec: SumClientCodec | None = None, **how: Any) -> Summing:
    """Return the asking side over a channel."""
    method: Any = channel.stream_stream(
        f"/{PATH}/Exchange",
        request_serializer=ListValue.SerializeToString,
        response_deserializer=ListValue.FromString,
    )
    metadata = peer_metadata(KEYS, "game")
    return Exchange("summer", lambda: method(metadata=metadata), codec or SumClientCodec(), **how)


@asynccontextmanager
async def pair(
    doubler: Doubler, codec: SumClientCodec | None = None, **how: Any
) -> AsyncIterator[tuple[Summing, RpcServer]]:
    """Run both sides."""
    server = await start(doubler)
    channel = connect(server.address, retries=False)
    exchange = exchange_on(channel, codec, **how)
    try:
        yield exchange, server
    finally:
        await exchange.close()
        await channel.close()
        await server.kill()


async def _serve_for_ever(port: int) -> None:
    server = await start(Doubler(), port)
    print(server.port, flush=True)  # noqa: T201
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve_for_ever(int(sys.argv[1])))
