"""A bank and an auction service over gRPC, one log in memory, one clock moved by hand; tables at them."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import grpc
from prometheus_client import CollectorRegistry

from magnate.auction.fold import AuctionFold
from magnate.auction.metrics import AuctionMetrics
from magnate.auction.peers import GameClient
from magnate.auction.propose import AuctionPeerServicer
from magnate.auction.service import AuctionService
from magnate.auction.servicer import AuctionServicer
from magnate.auction.settings import AuctionSettings
from magnate.auction.snapshot import AuctionSnapshots
from magnate.auction.state import OWNER
from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.auction.watch import Watcher
from magnate.bank.settings import BankSettings
from magnate.bank.v1 import bank_pb2, ledger_pb2
from magnate.bank.wiring import compose
from magnate.cli.audit.table import LIST, examine
from magnate.client.session import new_command_id
from magnate.kit.clock import FakeClock
from magnate.kit.ids import rendezvous
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.fold import Loader
from magnate.kit.log.memory import MemoryLog
from magnate.kit.rpc.channels import Peers
from magnate.kit.rpc.server import RpcServer
from magnate.kit.rpc.status import RemoteError, remote_error
from magnate.kit.transact import Transactor
from magnate.peers.bank import BankClient
from tests.support.bank_tables import CALL_SECONDS, Bank, Table
from tests.support.banking import KEYS, START_MS
from tests.support.game_api import bearer
from tests.support.nats import free_ports

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from magnate.auction.state import GameState
    from magnate.kit.log.commit import ParsedCommit

CLOSE_MS = 10_000
OPTIONS = [("grpc.use_local_subchannel_pool", 1)]


class House:
    """Both services, their log and their clock."""

    def __init__(
        self,
        log: MemoryLog,
        clock: FakeClock,
        bank: Bank,
        stub: Any,
        service: AuctionService,
        address: str,
    ) -> None:
        self.address = address
        self.log = log
        self.clock = clock
        self.bank = bank
        self.stub = stub
        self.service = service

    async def table(self, players: Sequence[str] = ("Ann", "Bob", "Cid"), **fields: Any) -> SaleTable:
        """Open a table whose cards are all claimed; 100 on each unless said otherwise."""
        fields = {"opening_amount": 100, "go_amount": 1, **fields}
        table = await self.bank.open(players, **fields)
        cards = [await table.claim(seat) for seat in range(len(players))]
        return SaleTable(self, table.table_id, table.banker, cards, table)

    async def ledger(self, seats: int = 3, amount: int = 100) -> SaleTable:
        """Open a ledger of clients with so many seats."""
        request = ledger_pb2.OpenLedgerRequest(
            command_id=new_command_id() + new_command_id(),
            accounts=[ledger_pb2.NewAccount(account=f"seat-{seat}") for seat in range(seats)],
        )
        opened = await self.bank.ledger.OpenLedger(request, timeout=CALL_SECONDS)
        cards = [one.token for one in opened.account_tokens]
        table = SaleTable(self, opened.ledger_id, opened.banker_token, cards)
        if amount:
            await table.post(*((f"bank>seat-{seat}", amount) for seat in range(seats)))
        return table


class SaleTable:
    """A table, or a ledger, with everybody's tokens."""

    def __init__(
        self, house: House, table_id: str, banker: str, cards: list[str], table: Table | None = None
    ) -> None:
        self.house = house
        self.table_id = table_id
        self.banker = banker
        self.cards = cards
        self.table = table

    async def do(self, method: str, token: str, **fields: Any) -> Any:
        """Call the auction service; of a table's own calls `table_id` is filled in, of others `game_id`."""
        selling = method in ("OpenAuction", "CancelAuction")
        fields.setdefault("table_id" if selling else "game_id", self.table_id)
        if method not in ("GetAuction", "WatchAuction"):
            fields.setdefault("command_id", new_command_id())
        request = getattr(auction_pb2, f"{method}Request")(**fields)
        return await getattr(self.house.stub, method)(request, metadata=bearer(token), timeout=CALL_SECONDS)

    async def sell(
        self,
        label: str = "a bicycle",
        *,
        token: str = "",
        payee: str = "",
        bidders: Sequence[int] = (),
        **terms: Any,
    ) -> Any:
        """Open an auction, as the banker unless another token is given."""
        if terms.get("kind") != auction_pb2.AUCTION_KIND_DUTCH:
            terms.setdefault("close_ms", CLOSE_MS)
        return await self.do(
            "OpenAuction",
            token or self.banker,
            label=label,
            payee=payee,
            bidders=bidders,
            terms=auction_pb2.AuctionTerms(**terms),
        )

    async def bid(self, seat: int, amount: int, **fields: Any) -> Any:
        """Bid with a card."""
        return await self.do("PlaceBid", self.cards[seat], amount=amount, **fields)

    async def running(self, token: str = "") -> Any:
        """Return what is under the hammer."""
        return await self.do("GetAuction", token or self.banker)

    async def order(self, instruction: bank_pb2.Instruction) -> Any:
        """Have the banker ask the ledger for anything."""
        request = ledger_pb2.PostRequest(
            ledger_id=self.table_id,
            command_id=new_command_id(),
            instructions=[instruction],
            all_or_none=True,
        )
        return await self.house.bank.ledger.Post(request, metadata=bearer(self.banker), timeout=CALL_SECONDS)

    async def holds(self) -> Any:
        """Return what is on hold."""
        request = ledger_pb2.ListHoldsRequest(ledger_id=self.table_id)
        return await self.house.bank.ledger.ListHolds(
            request, metadata=bearer(self.banker), timeout=CALL_SECONDS
        )

    async def post(self, *transfers: tuple[str, int]) -> Any:
        """Have the banker move money, `payer>payee` and how much."""
        from magnate.client.ledger import transfer

        asks = []
        for sides, amount in transfers:
            payer, _, payee = sides.partition(">")
            asks.append(transfer(payer, payee, amount, "test"))
        request = ledger_pb2.PostRequest(
            ledger_id=self.table_id, command_id=new_command_id(), instructions=asks, all_or_none=True
        )
        return await self.house.bank.ledger.Post(request, metadata=bearer(self.banker), timeout=CALL_SECONDS)

    async def money(self, token: str = "") -> dict[str, tuple[int, int]]:
        """Return of each account what is on it and what is held of it, as the token's holder sees it."""
        request = ledger_pb2.GetBalancesRequest(ledger_id=self.table_id)
        found = await self.house.bank.ledger.GetBalances(
            request, metadata=bearer(token) if token else (), timeout=CALL_SECONDS
        )
        return {one.account: (one.posted, one.held) for one in found.balances}

    async def state(self) -> GameState:
        """Return the newest state of auctions, folded afresh."""
        return (await Loader(self.house.log, KEYS, AuctionFold()).load(self.table_id)).state

    async def commits(self) -> list[ParsedCommit]:
        """Return the whole log."""
        stored = await self.house.log.load(self.table_id)
        return [parse_commit(KEYS, self.table_id, one.data, one.sequence) for one in stored]

    async def sound(self) -> None:
        """See that the audit of the whole log finds no fault, and that nothing is on hold."""
        stored = await self.house.log.load(self.table_id)
        finding = examine(KEYS, self.table_id, stored, None, self.house.clock.now_ms())
        assert not [one for one in finding.faults if one.kind != LIST], finding.faults  # nobody keeps a list
        assert all(held == 0 for _, held in (await self.money()).values())
        assert sum(posted for posted, _ in (await self.money()).values()) == 0

    async def version(self) -> int:
        """Return the newest version."""
        return len(await self.house.log.load(self.table_id))

    async def wait(self, by_ms: int) -> None:
        """Let time pass; deadlines of auctions are announced as they fall due, the earliest first."""
        clock = self.house.clock
        end_ms = clock.now_ms() + by_ms
        while True:
            state = await self.state()
            due = [
                (one.due_ms, key)
                for key, one in state.deadlines.items()
                if one.owner == OWNER and 0 < one.due_ms <= end_ms
            ]
            if not due:
                clock.set(end_ms)
                return
            due_ms, deadline_id = min(due)
            clock.set(max(clock.now_ms(), due_ms))
            await self.house.service.expire(self.table_id, deadline_id, await self.version())


@contextlib.asynccontextmanager
async def serving_house() -> AsyncIterator[House]:
    """Serve both on free ports, each told where the other is."""
    log, clock = MemoryLog(), FakeClock(START_MS)
    ports = free_ports(2)
    places = [f"127.0.0.1:{port}" for port in ports]
    addresses: dict[str, Any] = {"bank_addresses": (places[0],), "auction_addresses": (places[1],)}
    async with contextlib.AsyncExitStack() as closing:
        settings = BankSettings(keys=KEYS, port=ports[0], **addresses)
        registry = CollectorRegistry()
        bank, tables, registrations = compose(settings, log, registry, clock)
        closing.push_async_callback(bank.close)
        closing.push_async_callback(tables.close)
        await _serve(closing, RpcServer(registrations, settings, registry))
        nobody = ("127.0.0.1:1",)
        hall = AuctionSettings(keys=KEYS, port=ports[1], game_addresses=nobody, **addresses)
        service = await _auctions(closing, hall, log, clock)
        channels = [
            await closing.enter_async_context(grpc.aio.insecure_channel(place, options=OPTIONS))
            for place in places
        ]
        served = Bank(channels[0], clock, registry, tables, ports[0])
        stub = auction_pb2_grpc.AuctionServiceStub(channels[1])
        yield House(log, clock, served, stub, service, places[1])


async def _auctions(
    closing: contextlib.AsyncExitStack, settings: AuctionSettings, log: MemoryLog, clock: FakeClock
) -> AuctionService:
    """Serve auctions on a log, with a clock of their own."""
    registry = CollectorRegistry()
    metrics = AuctionMetrics(registry)
    transactor: Transactor[GameState] = Transactor(
        log, KEYS, AuctionFold(), codec=AuctionSnapshots(), clock=clock
    )
    game = GameClient(Peers(settings.peers("game"), rendezvous), settings.key_ring)
    bank = BankClient(Peers(settings.peers("bank"), rendezvous), settings.key_ring, "auction")
    closing.push_async_callback(game.close)
    closing.push_async_callback(bank.close)
    service = AuctionService(transactor, game, bank, metrics, clock)

    def public(server: Any) -> None:
        servicer = AuctionServicer(service, Watcher(service))
        auction_pb2_grpc.add_AuctionServiceServicer_to_server(servicer, server)

    def peers(server: Any) -> None:
        servicer = AuctionPeerServicer(service, metrics)
        auction_pb2_grpc.add_AuctionPeerServiceServicer_to_server(servicer, server)

    await _serve(closing, RpcServer([public, peers], settings, registry))
    return service


async def _serve(closing: contextlib.AsyncExitStack, server: RpcServer) -> None:
    await server.start()
    await server.ready()
    closing.push_async_callback(server.kill)


async def refusal(call: Any) -> RemoteError:
    """Return how a call was refused; it must be."""
    try:
        answer = await call
    except grpc.aio.AioRpcError as error:
        return remote_error(error)
    raise AssertionError(f"it was not refused: {answer}")
