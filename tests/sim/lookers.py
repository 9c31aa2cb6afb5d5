"""Clients that look: at the game, its auctions and its timers, as a seat or as nobody."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc

from magnate.auction.v1 import auction_pb2
from magnate.game.domain.table import OVER
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import AUCTION
from magnate.kit.rpc.status import remote_error
from magnate.timer.v1 import timer_pb2, timer_pb2_grpc
from tests.sim.channel import SimChannel
from tests.sim.exports import Exports
from tests.sim.players import BUGS, Unanswered
from tests.sim.watchers import NOBODY
from tests.sim.world import ADDRESSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.sim.players import Clients

LOOK_SECONDS_MAX: Final = 20.0


class Looker:
    """One client that changes nothing."""

    def __init__(self, clients: Clients) -> None:
        self.clients = clients
        self.chance = clients.world.chance("looker")
        self._exports = Exports(clients)
        channels: list[Any] = [SimChannel(clients.world.net, None, one) for one in ADDRESSES["timer"]]
        self._timers: list[Any] = [timer_pb2_grpc.TimerServiceStub(one) for one in channels]

    async def look(self, until: Callable[[], bool]) -> None:
        """Look now and then."""
        while not until():
            await asyncio.sleep(self.chance.expovariate(1 / 3))
            if until():
                return
            try:
                looks = (self._game, self._auctions, self._deadlines, self._records)
                await self.chance.choice(looks)()
            except (grpc.aio.AioRpcError, Unanswered):
                continue

    async def _game(self) -> None:
        clients = self.clients
        seat = self.chance.randrange(NOBODY, len(clients.tokens))
        who = () if seat == NOBODY else clients.who(seat)
        sent_at = clients.truth.version
        request = game_pb2.GetGameRequest(game_id=clients.game_id)
        answer = await clients.sure("look", "GetGame", request, clients.stubs, who)
        view, truth, promises = answer.game, clients.truth, clients.promises
        if not sent_at <= view.version <= truth.version:
            what = f"version {view.version}, though {sent_at} was there when it was asked"
            promises.fail("a query is answered from the newest state", what)
        if view.seed and truth.game.table.status != OVER:
            promises.fail("nobody sees what is hidden", f"the seed in a view of version {view.version}")
        if view.version != truth.version or truth.rules is None:
            return
        clients.world.met["looked at the newest"] += 1
        secret = [truth.game.holds[hold_id] for hold_id in truth.game.concealed]
        for shown in view.seats:
            if shown.cash_hidden:
                continue
            hidden = sum(amount for holder, amount in secret if holder == shown.seat and holder != seat)
            if shown.held != truth.rules.held[shown.seat] - hidden:
                what = f"seat {seat} sees {shown.held} held by seat {shown.seat} at version {view.version}"
                promises.fail("nobody sees what is hidden", what)

    async def _auctions(self) -> None:
        clients = self.clients
        request = auction_pb2.WatchAuctionRequest(game_id=clients.game_id)
        call = self.chance.choice(clients.bids).WatchAuction(request)
        await self._for_a_while(call, self._compare)

    async def _records(self) -> None:
        await self._exports.records()

    async def _deadlines(self) -> None:
        request = timer_pb2.WatchTimersRequest(game_id=self.clients.game_id)
        call = self.chance.choice(self._timers).WatchTimers(request)
        await self._for_a_while(call, lambda _message: None)

    def _compare(self, message: auction_pb2.WatchAuctionResponse) -> None:
        if not message.events:
            return
        stored = self.clients.truth.commits[message.version - 1].section(AUCTION)
        told = [event.SerializeToString(deterministic=True) for event in message.events]
        events = [] if stored is None else auction_pb2.AuctionSection.FromString(stored.body).events
        if told != [event.SerializeToString(deterministic=True) for event in events]:
            self.clients.promises.fail("watchers see what is in the log", f"auctions of {message.version}")

    async def _for_a_while(self, call: Any, check: Callable[[Any], None]) -> None:
        async def read() -> None:
            version = 0
            async for message in call:
                if not version <= message.version <= self.clients.truth.version:
                    what = f"version {message.version} after {version}"
                    self.clients.promises.fail("watchers see every version once and in order", what)
                version = message.version
                check(message)

        reading = asyncio.ensure_future(read())
        try:
            await asyncio.wait({reading}, timeout=self.chance.random() * LOOK_SECONDS_MAX)
        finally:
            call.cancel()
            reading.cancel()
        ended = (await asyncio.gather(reading, return_exceptions=True))[0]
        if isinstance(ended, grpc.aio.AioRpcError):
            failure = remote_error(ended)
            if failure.code in BUGS:
                self.clients.promises.fail("no call ends in an error of ours", f"{failure}")
        elif isinstance(ended, Exception):
            raise ended
