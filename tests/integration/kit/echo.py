"""A little service with methods of all four kinds, and a server around it, for the tests of the RPC shell."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import grpc
import structlog
from google.protobuf.wrappers_pb2 import StringValue
from prometheus_client import CollectorRegistry

from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.keys import KeyRing
from magnate.kit.observe.logging import bind
from magnate.kit.rpc import call
from magnate.kit.rpc.server import RpcServer
from magnate.kit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

KEYS = KeyRing("k1", {"k1": b"0123456789abcdef" * 2})
Context = grpc.aio.ServicerContext[StringValue, StringValue]


class Refusal:
    """A rejection as a decider returns it."""

    name = "NOT_YOUR_TURN"
    category = "precondition"
    detail = "seat 1 is to move"


async def do(word: str, context: Context) -> str:
    """Do what a word says: answer, refuse, fail, wait, tell who asks."""
    if word == "refuse":
        raise RefusedError(Refusal(), metadata={"seat": "1"})
    if word == "invalid":
        raise InvalidArgumentError("trade.items[2].lot", "no such lot")
    if word == "bug":
        raise KeyError("the inside of a bug")
    if word == "abort":
        await context.abort(grpc.StatusCode.OUT_OF_RANGE, "by hand")
    if word == "set code":
        context.set_code(grpc.StatusCode.NOT_FOUND)
    if word == "wait":
        await asyncio.sleep(30)
    if word == "nap":
        structlog.get_logger().info("napping")
        await asyncio.sleep(0.3)
    if word == "who":
        return call.principal().name
    if word == "seat":
        return str(call.principal().seat_of("1-0-abc"))
    bind(word=word)
    return word


class Echo:
    """The servicer."""

    async def Unary(self, request: StringValue, context: Context) -> StringValue:  # noqa: N802
        """Answer one with one."""
        return StringValue(value=await do(request.value, context))

    async def Gather(self, requests: AsyncIterator[StringValue], context: Context) -> StringValue:  # noqa: N802
        """Answer many with one."""
        words = [await do(request.value, context) async for request in requests]
        return StringValue(value=" ".join(words))

    async def Spell(self, request: StringValue, context: Context) -> AsyncIterator[StringValue]:  # noqa: N802
        """Answer one with many, letter by letter."""
        for letter in request.value.split("+"):
            yield StringValue(value=await do(letter, context))

    async def Chat(  # noqa: N802
        self, requests: AsyncIterator[StringValue], context: Context
    ) -> AsyncIterator[StringValue]:
        """Answer many with many."""
        async for request in requests:
            yield StringValue(value=await do(request.value, context))


def register(echo: Echo, server: grpc.aio.Server, service: str = "test.v1.EchoService") -> None:
    """Do what generated code does."""
    how: dict[str, Any] = {
        "request_deserializer": StringValue.FromString,
        "response_serializer": StringValue.SerializeToString,
    }
    handlers: dict[str, Any] = {
        "Unary": grpc.unary_unary_rpc_method_handler(echo.Unary, **how),
        "Gather": grpc.stream_unary_rpc_method_handler(echo.Gather, **how),
        "Spell": grpc.unary_stream_rpc_method_handler(echo.Spell, **how),
        "Chat": grpc.stream_stream_rpc_method_handler(echo.Chat, **how),
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, handlers),))
    server.add_registered_method_handlers(service, handlers)


class Client:
    """The methods of the service, as a client sees them."""

    def __init__(self, channel: grpc.aio.Channel, service: str = "test.v1.EchoService") -> None:
        how: dict[str, Any] = {
            "request_serializer": StringValue.SerializeToString,
            "response_deserializer": StringValue.FromString,
        }
        self.channel = channel
        self.unary: Any = channel.unary_unary(f"/{service}/Unary", **how)
        self.raw: Any = channel.unary_unary(f"/{service}/Unary")
        self.gather: Any = channel.stream_unary(f"/{service}/Gather", **how)
        self.spell: Any = channel.unary_stream(f"/{service}/Spell", **how)
        self.chat: Any = channel.stream_stream(f"/{service}/Chat", **how)

    async def say(self, kind: str, word: str, **how: Any) -> list[str]:
        """Make one call with one word, or several joined by +, and return the words of the answer."""
        if kind == "unary":
            return [(await self.unary(StringValue(value=word), **how)).value]
        if kind == "server_stream":
            return [one.value async for one in self.spell(StringValue(value=word), **how)]
        words = [StringValue(value=one) for one in word.split("+")]
        if kind == "client_stream":
            return [(await self.gather(iter(words), **how)).value]
        return [one.value async for one in self.chat(iter(words), **how)]


class Served:
    """A running server, a client of it, and its metrics."""

    def __init__(self, server: RpcServer, client: Client, peer: Client, registry: CollectorRegistry) -> None:
        self.server = server
        self.client = client
        self.peer = peer
        self.registry = registry

    def value(self, name: str, **labels: str) -> float:
        """Return the value of a sample; 0 if there is none."""
        labels = {"grpc_service": "test.v1.EchoService", **labels}
        found = 0.0
        for family in self.registry.collect():
            for sample in family.samples:
                if sample.name == name and labels.items() <= sample.labels.items():
                    found += sample.value
        return found


@asynccontextmanager
async def served(**overrides: Any) -> AsyncIterator[Served]:
    """Serve the echo service, publicly and for peers, on a free port."""
    registry = CollectorRegistry()
    settings = Settings(keys=KEYS, **{"drain_seconds": 5.0, **overrides})
    echo = Echo()

    def public(server: grpc.aio.Server) -> None:
        register(echo, server)

    def peers(server: grpc.aio.Server) -> None:
        register(echo, server, "test.v1.EchoPeerService")

    server = RpcServer([public, peers], settings, registry)
    await server.start()
    await server.ready()
    async with grpc.aio.insecure_channel(server.address) as channel:
        client, peer = Client(channel), Client(channel, "test.v1.EchoPeerService")
        try:
            yield Served(server, client, peer, registry)
        finally:
            await server.kill()
