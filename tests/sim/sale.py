"""A ledger of clients instead of a game: the banker sells things at auctions, the accounts bid and pay."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2, ledger_pb2, ledger_pb2_grpc
from magnate.kit.rpc.status import remote_error
from magnate.rules.bidding import MODE_DUTCH, dutch_price
from tests.sim.alarmists import Alarmist
from tests.sim.channel import SimChannel
from tests.sim.naive import Offer
from tests.sim.players import SNIPED, Unanswered
from tests.sim.snipers import Sniper, close_of
from tests.sim.terms import terms
from tests.sim.world import ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from magnate.rules.bidding import Auction
    from tests.sim.players import Clients, Metadata

OPENING_ID: Final = "an-id-that-nobody-guesses"
START_MONEY: Final = 1000
RUNNING_MAX: Final = 3


class Sale:
    """The table, its banker and its bidders."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.banker: Metadata = ()
        self.cards_sell = False
        self._sniper = Sniper(clients.world, "bidders", SNIPED)
        channels: list[Any] = [SimChannel(clients.world.net, None, one) for one in ADDRESSES["bank"]]
        self.ledgers: list[Any] = [ledger_pb2_grpc.LedgerServiceStub(one) for one in channels]

    async def open(self) -> None:
        """Open the ledger, and give everybody money."""
        clients, seats = self.clients, range(self.clients.world.plan.seats)
        request = ledger_pb2.OpenLedgerRequest(
            command_id=OPENING_ID, accounts=[ledger_pb2.NewAccount(account=f"seat-{seat}") for seat in seats]
        )
        opened = await clients.sure("open", "OpenLedger", request, self.ledgers)
        clients.game_id = opened.ledger_id
        clients.tokens = [one.token for one in opened.account_tokens]
        self.banker = (("authorization", f"Bearer {opened.banker_token}"),)
        for seat in seats:
            await self.pay("bank", f"seat-{seat}", START_MONEY)

    async def go_on(self) -> None:
        """The faults are over: money moves at once."""
        await self.pay("bank", "seat-0", 1)

    def actors(self, until: Callable[[], bool]) -> list[Any]:
        """Return what everybody does until the end."""
        bidders = [self._every(1.0, self._bid, seat, until) for seat in range(len(self.clients.tokens))]
        timers = Alarmist(self.clients, grants=False).play(until)
        banker = [self._every(3.0, self._sell, 0, until), self._every(4.0, self._pay, 0, until)]
        return [*bidders, *banker, timers]

    async def pay(self, debit: str, credit: str, amount: int) -> None:
        """Have the banker move money."""
        command_id = self.clients.new_id("p")
        transfer = bank_pb2.Transfer(
            debit=debit, credit=credit, amount=amount, reason="transfer", transfer_id=f"x{command_id}"
        )
        request = ledger_pb2.PostRequest(
            ledger_id=self.clients.game_id,
            command_id=command_id,
            seen_version=0 if self.clients.promises.truth is None else self.clients.truth.version,
            instructions=[bank_pb2.Instruction(transfer=transfer)],
            all_or_none=True,
        )
        await self.clients.sure(command_id, "Post", request, self.ledgers, self.banker)

    async def _every(self, seconds: float, do: Any, seat: int, until: Callable[[], bool]) -> None:
        chance = self.clients.world.chance(f"sale {do.__name__} {seat}")
        while not until():
            await asyncio.sleep(chance.expovariate(1 / seconds))
            if until():
                return
            try:
                await do(chance, seat)
            except (grpc.aio.AioRpcError, Unanswered) as error:
                what = remote_error(error).reason if isinstance(error, grpc.aio.AioRpcError) else "unanswered"
                self.clients.world.met[f"sale refused {what}"] += 1

    async def _pay(self, chance: Random, _seat: int) -> None:
        seats = range(len(self.clients.tokens))
        one, other = (f"seat-{seat}" for seat in (chance.sample(seats, 2) if len(seats) > 1 else (0, 0)))
        await self.pay(chance.choice(("bank", one)), other, chance.randint(1, 300))

    async def _sell(self, chance: Random, _seat: int) -> None:
        clients = self.clients
        running = clients.truth.auctions()
        command_id = clients.new_id("a")
        if running and chance.random() < 0.1:
            cancel = auction_pb2.CancelAuctionRequest(
                table_id=clients.game_id, command_id=command_id, auction=chance.choice(running).auction
            )
            await self._acknowledged(command_id, "CancelAuction", cancel, self.banker)
        elif len(running) < RUNNING_MAX:
            request = auction_pb2.OpenAuctionRequest(
                table_id=clients.game_id, command_id=command_id, label="a bicycle", terms=terms(chance)
            )
            request.seen_version = clients.truth.version
            seats = range(len(clients.tokens))
            seller = chance.choice(seats)
            who = clients.who(seller) if self.cards_sell and chance.random() < 0.5 else self.banker
            if chance.random() < 0.4 and not (request.terms.refund_losers or request.terms.refund_on_cancel):
                request.payee = f"seat-{seller}"
            if chance.random() < 0.3:
                others = [seat for seat in seats if seat != seller]
                request.bidders.extend(chance.sample(others, chance.randint(0, len(others))))
            await self._acknowledged(command_id, "OpenAuction", request, who)

    async def _bid(self, chance: Random, seat: int) -> None:
        clients = self.clients
        if seat < 0:  # whoever came later
            seat = chance.randrange(len(clients.tokens))
        auctions = [one for one in clients.truth.auctions() if one.may_act(seat)]
        if not auctions:
            return
        auction = chance.choice(auctions)
        due_ms = close_of(clients.truth, auction.auction)
        if await self._sniper.waits(due_ms):
            due_ms = close_of(clients.truth, auction.auction) or due_ms
            running = {one.auction: one for one in clients.truth.auctions()}
            auction = running.get(auction.auction, auction)
            if clients.sent >= clients.world.plan.commands:
                return
        clients.world.races.sent(due_ms, bid=True)
        command_id = clients.new_id("b")
        fields: dict[str, Any] = {"game_id": clients.game_id, "command_id": command_id}
        fields["auction"] = auction.auction
        request: Any
        if auction.may_set_ceiling(seat) and chance.random() < 0.3:
            method, ceiling = "SetProxyBid", auction.least_ceiling(seat) + chance.randint(0, 200)
            request = auction_pb2.SetProxyBidRequest(ceiling=ceiling, **fields)
        elif chance.random() < 0.2:
            method, request = "PassAuction", auction_pb2.PassAuctionRequest(**fields)
        else:
            method = "PlaceBid"
            request = auction_pb2.PlaceBidRequest(amount=self._amount(chance, auction), **fields)
        request.seen_version = clients.truth.version
        if method != "PassAuction":
            amount, proxy = (request.ceiling, True) if method == "SetProxyBid" else (request.amount, False)
            clients.promises.offers[command_id] = Offer(auction.auction, seat, amount, proxy)
        clients.world.tell("bid", f"{request.command_id} seat {seat} {method} {auction.auction}")
        sending = [self._acknowledged(request.command_id, method, request, clients.who(seat))]
        if chance.random() < 0.1:
            sending.append(self._acknowledged(request.command_id, method, request, clients.who(seat)))
        for end in await asyncio.gather(*sending, return_exceptions=True):
            if end is not None:
                raise end

    def _amount(self, chance: Random, auction: Auction) -> int:
        opened = auction.opened
        if opened.mode == MODE_DUTCH:
            due = [
                one.due_ms
                for one in self.clients.truth.schedule.deadlines.values()
                if one.deadline_id == f"a{auction.auction}-{auction.end}"
            ]
            left_ms = due[0] - self.clients.world.now_ms() if due else 0
            return dutch_price(opened, opened.close_ms - left_ms)
        more = 0 if opened.fee else int(chance.random() ** 3 * 300)
        return auction.least_bid + more - more % auction.step

    async def _acknowledged(self, command_id: str, method: str, request: Any, who: Metadata) -> None:
        clients = self.clients
        answer = await clients.sure(command_id, method, request, clients.bids, who)
        clients.accepted += 1
        content = b"".join(one.SerializeToString(deterministic=True) for one in answer.events)
        clients.promises.acknowledged(command_id, answer.version, content)
