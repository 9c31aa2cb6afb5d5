"""A gateway in front of a game service that answers as the game ids ask; and HTTP without a library."""

from __future__ import annotations

import asyncio
import base64
import json
import struct
from contextlib import asynccontextmanager
from functools import partial
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from google.rpc import error_details_pb2, status_pb2
from prometheus_client import CollectorRegistry

from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.gateway.settings import GatewaySettings
from magnate.gateway.wiring import wire
from magnate.kit.errors import InvalidArgumentError, KitError
from magnate.kit.keys import KeyRing
from magnate.kit.lifecycle import Lifecycle
from magnate.kit.rpc.call import principal
from magnate.kit.rpc.server import RpcServer
from magnate.kit.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

KEYS = KeyRing.parse("k1:" + "ab" * 32)
GAME = "/magnate.game.v1.GameService"
NOWHERE = ("127.0.0.1:9",)
BIG = 2**53 + 1


class Game(game_pb2_grpc.GameServiceServicer):
    """Answers by the game id: `ok`, `refuse`, `field`, `bug`, `slow`."""

    def __init__(self, name: str = "game") -> None:
        self.name = name
        self.entered = asyncio.Event()
        self.left = asyncio.Event()
        self.go_on = asyncio.Event()

    async def GetGame(self, request: game_pb2.GetGameRequest, context: Any) -> game_pb2.GetGameResponse:  # noqa: ARG002, N802
        """Answer with a large version and with who asked."""
        if request.game_id == "slow":
            self.entered.set()
            try:
                await self.go_on.wait()
            finally:
                self.left.set()
        self._refuse(request.game_id)
        view = game_pb2.GameView(
            game_id=request.game_id, version=BIG, title=f"{self.name}: {principal().name}"
        )
        return game_pb2.GetGameResponse(game=view)

    async def WatchGame(  # noqa: N802
        self,
        request: game_pb2.WatchGameRequest,
        context: Any,  # noqa: ARG002
    ) -> AsyncIterator[game_pb2.WatchGameResponse]:
        """Send two commits, then what the id asks for; `slow` stays open."""
        try:
            for version in (1, 2):
                commit = game_pb2.PublicCommit(version=version, actor=principal().name)
                yield game_pb2.WatchGameResponse(commit=commit)
            if request.game_id == "slow":
                self.entered.set()
                await self.go_on.wait()
            self._refuse(request.game_id)
        finally:
            self.left.set()

    def _refuse(self, wanted: str) -> None:
        if wanted == "refuse":
            error = KitError("seat 1 is to move", reason="NOT_YOUR_TURN", metadata={"seat": "1"})
            error.category = "precondition"
            raise error
        if wanted == "field":
            raise InvalidArgumentError("game_id", "is odd")
        if wanted == "bug":
            raise RuntimeError("the inside")


class Answer:
    """What came back over HTTP."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        """Return the body as JSON."""
        return json.loads(self.body)

    @property
    def refusal(self) -> tuple[int, str, str]:
        """Return HTTP status, code and reason of a refused call."""
        return self.status, self.json["code"], reason_of(self.json)

    def frames(self) -> list[tuple[int, bytes]]:
        """Return the enveloped messages of a stream: flags and bytes of each."""
        found, rest = [], self.body
        while rest:
            flags, size = struct.unpack(">BI", rest[:5])
            found.append((flags, rest[5 : 5 + size]))
            rest = rest[5 + size :]
        return found


def reason_of(error: dict[str, Any]) -> str:
    """Return the reason of a Connect error; read from the bytes, as a client must, and shown as well."""
    for detail in error.get("details", ()):
        if detail["type"] == "google.rpc.ErrorInfo":
            raw = base64.b64decode(detail["value"] + "==")
            info = error_details_pb2.ErrorInfo.FromString(raw)
            assert detail["debug"]["reason"] == info.reason
            assert info.domain == "magnate"
            return str(info.reason)
    return ""


def frame(message: bytes, flags: int = 0) -> bytes:
    """Put a message into an envelope."""
    return struct.pack(">BI", flags, len(message)) + message


def grpc_web_status(frames: list[tuple[int, bytes]]) -> tuple[int, str, str]:
    """Return status number, message and reason of a gRPC-Web answer."""
    flags, last = frames[-1]
    assert flags == 0x80
    trailers = dict(line.split(": ", 1) for line in last.decode().splitlines())
    reason = ""
    if "grpc-status-details-bin" in trailers:
        status = status_pb2.Status.FromString(base64.b64decode(trailers["grpc-status-details-bin"] + "=="))
        info = error_details_pb2.ErrorInfo()
        assert status.details[0].Unpack(info)
        reason = info.reason
    return int(trailers["grpc-status"]), unquote(trailers.get("grpc-message", "")), reason


class Gateway:
    """A running gateway and the game service behind it."""

    def __init__(self, port: int, game: Game, registry: CollectorRegistry, drain: Any) -> None:
        self.port = port
        self.game = game
        self.registry = registry
        self.drain = drain

    async def send(
        self,
        path: str,
        body: bytes | str = b"",
        kind: str = "application/json",
        method: str = "POST",
        **headers: str,
    ) -> Answer:
        """Send one request; an underscore in a header's name stands for a dash."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if kind:
            named["content-type"] = kind
        return await asyncio.to_thread(self._send, path, body, method, named)

    def _send(self, path: str, body: bytes | str, method: str, headers: dict[str, str]) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            named = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, named, answer.read())
        finally:
            connection.close()

    async def get_game(self, game_id: str, **headers: str) -> Answer:
        """Call GetGame with JSON."""
        return await self.send(f"{GAME}/GetGame", json.dumps({"gameId": game_id}), **headers)

    async def watch(self, game_id: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open WatchGame as a stream of JSON and return the connection once two commits have come."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = frame(json.dumps({"gameId": game_id}).encode())
        head = f"POST {GAME}/WatchGame HTTP/1.1\r\nHost: x\r\nContent-Type: application/connect+json\r\n"
        writer.write(head.encode() + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        async with asyncio.timeout(20):
            await self.game.entered.wait()
            await reader.readuntil(b'"version": "2"')
        return reader, writer


@asynccontextmanager
async def running(settings: dict[str, Any] | None = None, games: int = 1) -> AsyncIterator[Gateway]:
    """Run game services and a gateway on free ports."""
    servers, names, service = [], [], Game()  # type: ignore[abstract]
    for number in range(games):
        service = Game(f"game {number}")  # type: ignore[abstract]
        register = partial(game_pb2_grpc.add_GameServiceServicer_to_server, service)
        one = RpcServer([register], Settings(service="game", keys=KEYS), CollectorRegistry())
        await one.start()
        servers.append(one)
        names.append(f"127.0.0.1:{one.port}")
    others = {f"{other}_addresses": NOWHERE for other in ("bank", "auction", "timer")}
    known = GatewaySettings(
        **{"game_addresses": tuple(names), "drain_seconds": 2.0, **others, **(settings or {})}
    )
    life, registry = Lifecycle("gateway"), CollectorRegistry()
    server = await wire(known, life, registry)
    await server.start()
    try:
        yield Gateway(server.port, service, registry, server.drain)
    finally:
        service.go_on.set()
        await server.drain()
        await life.stop()
        for one in servers:
            await one.kill()
