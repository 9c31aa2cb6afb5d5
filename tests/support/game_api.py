"""The game service as a client meets it: raw calls, refusals in detail, and the processes behind."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING, Any

import grpc

from magnate.cli.stack import Stack, StackOptions
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.keys import KeyRing
from magnate.kit.operators import mint_operator
from magnate.kit.rpc.status import remote_error
from tests.support.dice import to_a_lot

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable
    from pathlib import Path

    from magnate.kit.rpc.status import RemoteError
    from magnate.rules.v1 import vocabulary_pb2

CALL_SECONDS = 20.0
STREAM_ATTEMPTS = 5
SERVICE = "magnate.game.v1.GameService"
OPEN_BALANCES = {"table.balances_public": "true"}
"""For whoever looks at what all seats have: by the classic rules each sees its own."""


OPERATOR, _OPERATOR_ENTRY = mint_operator("anna")
"""The token of an operator of the servers that `running` starts."""


def new_id() -> str:
    """Return a command id that nobody else has."""
    return secrets.token_hex(8)


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that shows a token; none for an empty one."""
    return (("authorization", f"Bearer {token}"),) if token else ()


async def refused(call: Awaitable[object]) -> RemoteError:
    """Return how a call is refused; it must be."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return remote_error(error)
    raise AssertionError(f"not refused: {answer}")


class Table:
    """A table with its seats' tokens."""

    def __init__(self, game_id: str, tokens: list[str]) -> None:
        self.game_id = game_id
        self.tokens = tokens


class Api:
    """One game worker, spoken to in the words of the proto."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.channel = grpc.aio.insecure_channel(
            address,
            options=[
                ("grpc.use_local_subchannel_pool", 1),
                ("grpc.max_send_message_length", -1),
                ("grpc.max_receive_message_length", 64 << 20),
            ],
        )
        self.stub = game_pb2_grpc.GameServiceStub(self.channel)

    async def close(self) -> None:
        """Hang up."""
        await self.channel.close()

    async def call(self, method: str, request: Any, token: str = "") -> Any:
        """Make a unary call."""
        return await getattr(self.stub, method)(request, metadata=bearer(token), timeout=CALL_SECONDS)

    async def create(
        self, options: dict[str, str] | None = None, command_id: str = "", **fields: Any
    ) -> game_pb2.CreateGameResponse:
        """Open a table."""
        settings = [game_pb2.OptionSetting(name=name, value=value) for name, value in (options or {}).items()]
        request = game_pb2.CreateGameRequest(command_id=command_id or new_id(), options=settings, **fields)
        answer = await self.call("CreateGame", request)
        assert isinstance(answer, game_pb2.CreateGameResponse)
        return answer

    async def join(
        self, game_id: str, name: str, command_id: str = "", entropy: bytes = b""
    ) -> game_pb2.JoinGameResponse:
        """Take a seat."""
        request = game_pb2.JoinGameRequest(
            command_id=command_id or new_id(), game_id=game_id, name=name, entropy=entropy
        )
        answer = await self.call("JoinGame", request)
        assert isinstance(answer, game_pb2.JoinGameResponse)
        return answer

    async def start(self, table: Table, command_id: str = "") -> game_pb2.StartGameResponse:
        """Begin."""
        request = game_pb2.StartGameRequest(command_id=command_id or new_id(), game_id=table.game_id)
        answer = await self.call("StartGame", request, table.tokens[0])
        assert isinstance(answer, game_pb2.StartGameResponse)
        return answer

    async def full_table(self, seats: int = 2, options: dict[str, str] | None = None, **fields: Any) -> Table:
        """Open a table and fill it."""
        opened = await self.create(options, seat_count=seats, **fields)
        joined = [await self.join(opened.game_id, f"player {seat}") for seat in range(seats)]
        return Table(opened.game_id, [one.token for one in joined])

    async def begun(self, seats: int = 2, options: dict[str, str] | None = None, **fields: Any) -> Table:
        """Open a table, fill it and begin."""
        table = await self.full_table(seats, options, **fields)
        await self.start(table)
        return table

    async def at_auction(self, options: dict[str, str] | None = None) -> Table:
        """Return a sandbox table for two at which lot 6 is under the hammer."""
        sandbox = game_pb2.Sandbox(dice=to_a_lot())
        table = await self.begun(2, options, sandbox=sandbox)
        await self.act(table, 0, roll={})
        await self.act(table, 0, decline_lot={})
        return table

    async def act(
        self, table: Table, seat: int, *, command_id: str = "", seen_version: int = 0, **command: Any
    ) -> game_pb2.ActResponse:
        """Send a command of a seat: `act(table, 0, place_bid={"lot": 6, "amount": 10})`."""
        request = act_request(table, command_id=command_id, seen_version=seen_version, **command)
        answer = await self.call("Act", request, table.tokens[seat])
        assert isinstance(answer, game_pb2.ActResponse)
        return answer

    async def view(self, table: Table, at_version: int = 0) -> game_pb2.GameView:
        """Return the public state."""
        request = game_pb2.GetGameRequest(game_id=table.game_id, at_version=at_version)
        answer = await self.call("GetGame", request)
        assert isinstance(answer, game_pb2.GetGameResponse)
        return answer.game

    async def export(self, table: Table, after_version: int = 0) -> list[game_pb2.ExportGameResponse]:
        """Return the stored records."""
        request = game_pb2.ExportGameRequest(game_id=table.game_id, after_version=after_version)
        return [record async for record in self.stub.ExportGame(request, timeout=CALL_SECONDS)]

    async def play(self, *messages: game_pb2.PlayRequest, token: str = "") -> list[game_pb2.PlayResult]:
        """Send messages over one stream and return all results."""
        for _ in range(STREAM_ATTEMPTS):
            stream = self.stub.Play(iter(messages), metadata=bearer(token), timeout=CALL_SECONDS)
            try:
                return [result async for message in stream for result in message.results]
            except grpc.aio.AioRpcError as error:
                # The library's own word for a write that met the end of the stream: the true status is lost.
                if error.details() != "Internal error from Core":
                    raise
        raise AssertionError(f"{STREAM_ATTEMPTS} streams ended in the middle of a write")

    async def raw(self, method: str, data: bytes) -> bytes:
        """Make a unary call with these very bytes."""
        call = self.channel.unary_unary(f"/{SERVICE}/{method}", _same, _same)
        answer = await call(data, timeout=CALL_SECONDS)
        assert isinstance(answer, bytes)
        return answer


def act_request(
    table: Table, *, command_id: str = "", seen_version: int = 0, token: str = "", **command: Any
) -> game_pb2.ActRequest:
    """Return the request of a command."""
    request = game_pb2.ActRequest(
        game_id=table.game_id, command_id=command_id or new_id(), seen_version=seen_version, token=token
    )
    for kind, fields in command.items():
        fill(request.command, kind, fields)
    return request


def fill(command: vocabulary_pb2.Command, kind: str, fields: dict[str, Any]) -> None:
    """Make it a command of this kind."""
    inner = getattr(command, kind)
    inner.SetInParent()
    inner.MergeFrom(type(inner)(**fields))


def _same(data: bytes) -> bytes:
    return data


class Running:
    """All processes of a game server, with a connection to each game worker."""

    def __init__(self, stack: Stack, data: Path) -> None:
        self.stack = stack
        self.workers = [Api(address) for address in stack.addresses("game")]
        self.keys = KeyRing.parse((data / "keys").read_text(encoding="utf-8").strip())

    @property
    def api(self) -> Api:
        """Return the connection to the first worker."""
        return self.workers[0]


@contextlib.asynccontextmanager
async def running(data: Path, *, workers: int, sandbox: bool) -> AsyncIterator[Running]:
    """Run a game server on free ports."""
    operators = {"MAGNATE_OPERATORS": _OPERATOR_ENTRY}
    stack = Stack(
        StackOptions(data=data, workers=workers, free_ports=True, sandbox=sandbox, environment=operators)
    )
    await stack.start()
    try:
        server = Running(stack, data)
        try:
            yield server
        finally:
            for worker in server.workers:
                await worker.close()
    finally:
        await stack.stop()
