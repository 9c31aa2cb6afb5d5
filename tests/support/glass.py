"""All public services of one game behind one port, over a log in memory and a clock moved by hand.

Two plays of the same commands at the same times give the same bytes, but for what is meant to be random. So
whatever else differs in what an outsider is told comes from what the commands said.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

import grpc
from google.protobuf import text_format
from prometheus_client import CollectorRegistry

from magnate.auction.servicer import AuctionServicer
from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.auction.watch import Watcher
from magnate.bank.settings import BankSettings
from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc, terminal_pb2, terminal_pb2_grpc
from magnate.bank.wiring import compose
from magnate.cli.local import KEYS, LocalServices
from magnate.cli.ports import free_port
from magnate.game.lists import Lists
from magnate.game.peer_servicer import GamePeerServicer
from magnate.game.presence import Presence
from magnate.game.servicer import GameServicer
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.bulletin import MemoryBulletin
from magnate.kit.rpc.server import RpcServer
from magnate.kit.rpc.status import remote_error
from tests.support.game_api import CALL_SECONDS, bearer, fill

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from google.protobuf.message import Message

RANDOM = frozenset({"hash", "previous_hash", "secret_digest", "head_hash"})
"""Fields that hang on the salt of secret parts."""
FORMATS = ("CSV", "JSON", "JOURNAL", "HLEDGER")


class Glass:
    """One game, and clients of everything."""

    def __init__(self, services: LocalServices, address: str, channel: grpc.aio.Channel) -> None:
        self.services = services
        self.address = address
        self.game = game_pb2_grpc.GameServiceStub(channel)
        self.ledger = ledger_pb2_grpc.LedgerServiceStub(channel)
        self.auction = auction_pb2_grpc.AuctionServiceStub(channel)
        self.terminal = terminal_pb2_grpc.TerminalServiceStub(channel)
        self.game_id = ""
        self.tokens: list[str] = []
        self._commands = 0

    async def begin(
        self, seats: int, dice: list[int], options: dict[str, str], ruleset: str = "classic"
    ) -> None:
        """Open a table, seat everybody, begin."""
        settings = [game_pb2.OptionSetting(name=name, value=value) for name, value in options.items()]
        asked = game_pb2.CreateGameRequest(
            command_id="open", ruleset=ruleset, seat_count=seats, options=settings,
            sandbox=game_pb2.Sandbox(dice=dice),
        )  # fmt: skip
        self.game_id = (await self.game.CreateGame(asked, timeout=CALL_SECONDS)).game_id
        for seat in range(seats):
            joined = game_pb2.JoinGameRequest(
                command_id=f"join-{seat}", game_id=self.game_id, name=f"player {seat}"
            )
            self.tokens.append((await self.game.JoinGame(joined, timeout=CALL_SECONDS)).token)
        start = game_pb2.StartGameRequest(command_id="start", game_id=self.game_id)
        await self.game.StartGame(start, metadata=bearer(self.tokens[0]), timeout=CALL_SECONDS)

    async def act(self, seat: int, **command: Any) -> game_pb2.ActResponse:
        """Send a command of a seat through the game service; a millisecond passes."""
        self._commands += 1
        self.services.clock.advance(1)
        request = game_pb2.ActRequest(game_id=self.game_id, command_id=f"act-{self._commands}")
        for kind, fields in command.items():
            fill(request.command, kind, fields)
        return await self.game.Act(request, metadata=bearer(self.tokens[seat]), timeout=CALL_SECONDS)

    async def bid(self, seat: int, amount: int, command_id: str = "") -> auction_pb2.PlaceBidResponse:
        """Bid through the auction service; a millisecond passes."""
        self._commands += 1
        self.services.clock.advance(1)
        request = auction_pb2.PlaceBidRequest(
            game_id=self.game_id, command_id=command_id or f"bid-{self._commands}", amount=amount
        )
        return await self.auction.PlaceBid(request, metadata=bearer(self.tokens[seat]), timeout=CALL_SECONDS)

    async def ceiling(self, seat: int, ceiling: int) -> auction_pb2.SetProxyBidResponse:
        """Have bids made for a seat, through the auction service; a millisecond passes."""
        self._commands += 1
        self.services.clock.advance(1)
        request = auction_pb2.SetProxyBidRequest(
            game_id=self.game_id, command_id=f"proxy-{self._commands}", ceiling=ceiling
        )
        return await self.auction.SetProxyBid(
            request, metadata=bearer(self.tokens[seat]), timeout=CALL_SECONDS
        )

    async def show_card(self, seat: int) -> terminal_pb2.OperateResponse:
        """Give the game a unit, if it has none, and put a seat's card in: what is on it is shown to all."""
        metadata = bearer(self.tokens[seat])
        attach = terminal_pb2.AttachUnitRequest(
            game_id=self.game_id,
            command_id="attach",
            model=terminal_pb2.UNIT_MODEL_TWO_SLOT,
            shared_unit=True,
        )
        attached = await self.terminal.AttachUnit(attach, metadata=metadata, timeout=CALL_SECONDS)
        card = next(one.card_id for one in attached.table.cards if one.seat == seat)
        insert = terminal_pb2.InsertCard(slot=terminal_pb2.SLOT_LEFT, card_id=card)
        operate = terminal_pb2.OperateRequest(table_id=self.game_id, command_id="insert", insert=insert)
        return await self.terminal.Operate(operate, metadata=metadata, timeout=CALL_SECONDS)

    async def version(self) -> int:
        """Return the newest version."""
        answer = await self.game.GetGame(game_pb2.GetGameRequest(game_id=self.game_id), timeout=CALL_SECONDS)
        return answer.game.version

    async def answers(self, token: str) -> dict[str, str]:
        """Return everything that this caller is told about the game, now and at every version, by call."""
        told: dict[str, str] = {}
        newest = await self.version()
        for name, call in (*self._unary(newest), *self._streams(newest)):
            told[name] = await _asked(call, bearer(token))
        return told

    def _unary(self, newest: int) -> list[tuple[str, Any]]:
        game_id, seats = self.game_id, range(len(self.tokens))
        calls: list[tuple[str, Any, Message]] = []
        for version in range(newest + 1):
            at = f"@{version}" if version else ""
            game = game_pb2.GetGameRequest(game_id=game_id, at_version=version)
            calls += [
                (f"GetGame{at}", self.game.GetGame, game),
                (f"GetBalances{at}", self.ledger.GetBalances,
                 ledger_pb2.GetBalancesRequest(ledger_id=game_id, version=version)),
                (f"GetTrialBalance{at}", self.ledger.GetTrialBalance,
                 ledger_pb2.GetTrialBalanceRequest(ledger_id=game_id, version=version)),
                (f"ListHolds{at}", self.ledger.ListHolds,
                 ledger_pb2.ListHoldsRequest(ledger_id=game_id, version=version)),
            ]  # fmt: skip
            for account in ("", "bank", *(f"seat-{seat}" for seat in seats)):
                request = ledger_pb2.GetStatementRequest(ledger_id=game_id, account=account, version=version)
                calls.append((f"GetStatement{at} {account}", self.ledger.GetStatement, request))
            for index in range(4):
                proof = ledger_pb2.GetEntryProofRequest(ledger_id=game_id, entry_id=f"{version}.{index}")
                calls.append((f"GetEntryProof {version}.{index}", self.ledger.GetEntryProof, proof))
        for seat in seats:
            legal = game_pb2.GetLegalActionsRequest(game_id=game_id, seat=seat, with_reasons=True)
            calls.append((f"GetLegalActions {seat}", self.game.GetLegalActions, legal))
            for clock in range(1, 8):
                hold = ledger_pb2.GetTransferRequest(ledger_id=game_id, transfer_id=f"a1-{seat}-{clock}")
                calls.append((f"GetTransfer a1-{seat}-{clock}", self.ledger.GetTransfer, hold))
        calls += [
            ("ListGames", self.game.ListGames, game_pb2.ListGamesRequest()),
            ("GetAuction", self.auction.GetAuction, auction_pb2.GetAuctionRequest(game_id=game_id)),
            ("GetTable", self.terminal.GetTable, terminal_pb2.GetTableRequest(table_id=game_id)),
            ("ListOperations", self.terminal.ListOperations,
             terminal_pb2.ListOperationsRequest(table_id=game_id)),
        ]  # fmt: skip
        return [(name, partial(_unary, stub, request)) for name, stub, request in calls]

    def _streams(self, newest: int) -> list[tuple[str, Any]]:
        game_id = self.game_id
        calls = [
            ("WatchAuction", self.auction.WatchAuction, auction_pb2.WatchAuctionRequest(game_id=game_id), 1),
            ("WatchTable", self.terminal.WatchTable, terminal_pb2.WatchTableRequest(table_id=game_id), 1),
            ("ExportGame", self.game.ExportGame, game_pb2.ExportGameRequest(game_id=game_id), 0),
        ]
        for word in FORMATS:
            kind = ledger_pb2.LedgerFormat.Value(f"LEDGER_FORMAT_{word}")
            for version in range(newest + 1):
                request = ledger_pb2.ExportLedgerRequest(ledger_id=game_id, format=kind, version=version)
                calls.append((f"ExportLedger {word}@{version}", self.ledger.ExportLedger, request, 0))
        found = [(name, partial(_stream, stub, request, limit)) for name, stub, request, limit in calls]
        watch = game_pb2.WatchGameRequest(game_id=game_id)
        found.append(("WatchGame", partial(_watched, self.game.WatchGame, watch, newest + 1)))
        return found


@contextlib.asynccontextmanager
async def glass_house() -> AsyncIterator[Glass]:
    """Serve everything for as long as this lasts."""
    services = LocalServices()
    registry, port = CollectorRegistry(), free_port()
    settings = BankSettings(keys=KEYS, port=port, game_addresses=(f"127.0.0.1:{port}",))
    bank, tables, registrations = compose(settings, services.log, registry, services.clock)
    parts = services.game
    presence = Presence(parts.attendance, services.log, KEYS, MemoryBulletin(), services.clock)
    lists = Lists(services.log, KEYS)
    game = GameServicer(
        parts.service, parts.attendance, presence, parts.acting, parts.watch, lists, KEYS, services.clock
    )
    auction = AuctionServicer(services.auction, Watcher(services.auction))
    server = RpcServer(
        [
            *registrations,
            partial(game_pb2_grpc.add_GameServiceServicer_to_server, game),
            partial(
                game_pb2_grpc.add_GamePeerServiceServicer_to_server,
                GamePeerServicer(parts.service, parts.acting),
            ),
            partial(auction_pb2_grpc.add_AuctionServiceServicer_to_server, auction),
        ],
        settings,
        registry,
    )
    await server.start()
    await server.ready()
    try:
        async with grpc.aio.insecure_channel(server.address) as channel:
            yield Glass(services, server.address, channel)
    finally:
        await server.drain()
        await tables.close()
        await bank.close()
        await services.close()


async def _unary(stub: Any, request: Message, metadata: Any) -> list[Message]:
    return [await stub(request, metadata=metadata, timeout=CALL_SECONDS)]


async def _stream(stub: Any, request: Message, limit: int, metadata: Any) -> list[Message]:
    """Read a stream to its end, or so many messages of one that has none."""
    call = stub(request, metadata=metadata, timeout=CALL_SECONDS)
    found: list[Message] = []
    async for message in call:
        found.append(message)
        if len(found) == limit:
            call.cancel()
            break
    return found


async def _watched(stub: Any, request: Message, limit: int, metadata: Any) -> list[Message]:
    """Read a watch as anybody, and as this caller without presence: that a seat watches is told in it."""
    told = await _stream(stub, request, limit, ())
    own: Any = await _stream(stub, request, limit, metadata)
    # What is waited for comes with the newest commit, which may by then be the one about presence.
    return [*told, *(part for one in own for part in (one.now.situation, one.commit))]


async def _asked(call: Any, metadata: Any) -> str:
    """Return an answer as text, without what is meant to be random; a refusal is an answer, too."""
    try:
        messages = await call(metadata)
    except grpc.aio.AioRpcError as error:
        failure = remote_error(error)
        return f"{failure.code} {failure.reason} {failure.message}"
    for message in messages:
        _blank(message)
    return "\n".join(text_format.MessageToString(message) for message in messages)


def _blank(message: Message) -> None:
    for field, value in message.ListFields():
        if field.name in RANDOM:
            message.ClearField(field.name)
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for inner in value if field.is_repeated else [value]:
                _blank(inner)
