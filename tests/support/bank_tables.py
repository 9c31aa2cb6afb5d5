"""A bank that serves tables over gRPC, its log in memory, its clock moved by hand; and a table at it."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

import grpc
from prometheus_client import CollectorRegistry

from magnate.bank.settings import BankSettings
from magnate.bank.v1 import bank_pb2, ledger_pb2, ledger_pb2_grpc, terminal_pb2, terminal_pb2_grpc
from magnate.bank.wiring import compose
from magnate.kit.clock import FakeClock
from magnate.kit.log.memory import MemoryLog
from magnate.kit.rpc.server import RpcServer
from tests.support.banking import KEYS, START_MS
from tests.support.game_api import bearer, new_id

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from magnate.bank.tables.wiring import Tables
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log

KEY: Final = {
    **{str(digit): terminal_pb2.Key.Value(f"KEY_{digit}") for digit in range(10)},
    ".": terminal_pb2.KEY_POINT,
    "M": terminal_pb2.KEY_M,
    "K": terminal_pb2.KEY_K,
    "C": terminal_pb2.KEY_CLEAR,
    "GO": terminal_pb2.KEY_ARROW,
    "+": terminal_pb2.KEY_PLUS,
    "-": terminal_pb2.KEY_MINUS,
    "THREE": terminal_pb2.KEY_THREE,
}
CALL_SECONDS: Final = 20.0
_OPTIONS: Final = [("grpc.use_local_subchannel_pool", 1)]


class Bank:
    """One bank process: its stubs, its clock, its metrics."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        clock: FakeClock,
        registry: CollectorRegistry,
        tables: Tables,
        port: int,
    ) -> None:
        self.stub = terminal_pb2_grpc.TerminalServiceStub(channel)
        self.ledger = ledger_pb2_grpc.LedgerServiceStub(channel)
        self.clock = clock
        self.registry = registry
        self.tables = tables
        self.port = port

    async def call(self, method: str, request: Any, token: str = "") -> Any:
        """Make a unary call."""
        return await getattr(self.stub, method)(request, metadata=bearer(token), timeout=CALL_SECONDS)

    async def open(self, players: Sequence[str] = ("Ann", "Bob"), **fields: Any) -> Table:
        """Open a table, by default with the two-slot unit that counts in thousands."""
        if "opening_amount" not in fields:
            fields.setdefault("edition", "e-banking")
        fields.setdefault("command_id", new_id() + new_id())
        request = terminal_pb2.OpenTableRequest(players=players, **fields)
        return Table(self, await self.call("OpenTable", request))

    def metric(self, name: str, **labels: str) -> float:
        """Return the value of a metric, 0 if it was never counted."""
        return self.registry.get_sample_value(name, labels) or 0.0


class Table:
    """A table with its tokens."""

    def __init__(self, bank: Bank, opened: terminal_pb2.OpenTableResponse) -> None:
        self.bank = bank
        self.opened = opened
        self.table_id = opened.table.table_id
        self.banker = opened.banker_token
        self.cards = [card.card_id for card in opened.cards]
        self.secrets = [card.secret for card in opened.cards]

    async def operate(self, token: str = "", command_id: str = "", **action: Any) -> Any:
        """Do one action, as the banker unless another token is given."""
        request = terminal_pb2.OperateRequest(
            table_id=self.table_id, command_id=command_id or new_id(), **action
        )
        return await self.bank.call("Operate", request, token or self.banker)

    async def press(self, *keys: str, token: str = "") -> Any:
        """Press keys, and return what the last one did."""
        for key in keys:
            answer = await self.operate(token, press=terminal_pb2.Press(key=KEY[key]))
        return answer

    async def hold(self, key: str, token: str = "") -> Any:
        """Hold a key."""
        return await self.operate(token, hold=terminal_pb2.HoldKey(key=KEY[key]))

    async def insert(self, seat: int, slot: str = "left", token: str = "", **proof: str) -> Any:
        """Put a card in."""
        return await self.operate(
            token,
            insert=terminal_pb2.InsertCard(slot=slot_number(slot), card_id=self.cards[seat], **proof),
        )

    async def remove(self, slot: str = "left", token: str = "") -> Any:
        """Pull a card out."""
        return await self.operate(token, remove=terminal_pb2.RemoveCard(slot=slot_number(slot)))

    async def do(self, method: str, token: str = "", **fields: Any) -> Any:
        """Send any command of this table, as the banker unless another token is given."""
        fields.setdefault("command_id", new_id())
        request = getattr(terminal_pb2, f"{method}Request")(table_id=self.table_id, **fields)
        return await self.bank.call(method, request, token or self.banker)

    async def post(self, instruction: bank_pb2.Instruction, token: str = "") -> Any:
        """Have the ledger do something at this table, as its banker unless another token is given."""
        request = ledger_pb2.PostRequest(
            ledger_id=self.table_id, command_id=new_id(), instructions=[instruction], all_or_none=True
        )
        return await self.bank.ledger.Post(
            request, metadata=bearer(token or self.banker), timeout=CALL_SECONDS
        )

    async def claim(self, seat: int, token: str = "", *, with_secret: bool = True, **fields: Any) -> str:
        """Claim a card, and return its token."""
        if with_secret:
            fields.setdefault("secret", self.secrets[seat])
        fields.setdefault("command_id", new_id())
        request = terminal_pb2.ClaimCardRequest(table_id=self.table_id, card_id=self.cards[seat], **fields)
        answer = await self.bank.call("ClaimCard", request, token)
        return str(answer.card_token)

    async def guest(self) -> str:
        """Join, and return a guest's token."""
        request = terminal_pb2.JoinTableRequest(join_code=self.opened.table.join_code)
        return str((await self.bank.call("JoinTable", request)).guest_token)

    async def now(self, token: str = "") -> Any:
        """Return the table as it is."""
        request = terminal_pb2.GetTableRequest(table_id=self.table_id)
        return (await self.bank.call("GetTable", request, token or self.banker)).table

    async def balances(self) -> list[int]:
        """Return what is on the cards."""
        return [card.balance for card in (await self.now()).cards]

    async def operations(self, token: str = "") -> list[Any]:
        """Return what happened, newest first."""
        request = terminal_pb2.ListOperationsRequest(table_id=self.table_id)
        return list((await self.bank.call("ListOperations", request, token or self.banker)).operations)


def slot_number(slot: str) -> terminal_pb2.Slot.ValueType:
    """Return a slot as it is sent."""
    return terminal_pb2.SLOT_LEFT if slot == "left" else terminal_pb2.SLOT_RIGHT


@contextlib.asynccontextmanager
async def serving(
    log: Log | None = None,
    *,
    clock: FakeClock | None = None,
    keys: KeyRing = KEYS,
    port: int = 0,
) -> AsyncIterator[Bank]:
    """Serve a bank on a free port and connect to it."""
    settings, registry = BankSettings(keys=keys, port=port), CollectorRegistry()
    clock = clock or FakeClock(START_MS)
    _, tables, registrations = compose(settings, MemoryLog() if log is None else log, registry, clock)
    server = RpcServer(registrations, settings, registry)
    await server.start()
    await server.ready()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}", options=_OPTIONS) as channel:
            yield Bank(channel, clock, registry, tables, server.port)
    finally:
        await server.kill()
