"""Auction, bank and timer processes on a real nats-server: over gRPC, with kills at the worst moments."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.auction.codec import auction_events
from magnate.auction.fold import AuctionFold
from magnate.auction.v1 import auction_pb2
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.fold import Loader
from magnate.kit.rpc.status import remote_error
from magnate.rules.vocabulary import AuctionClosed, BidPlaced
from magnate.timer.v1 import timer_pb2
from tests.support.banking import KEYS
from tests.support.hall import Hall, running_hall, token

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit
    from tests.support.banking import Caller

pytestmark = [pytest.mark.asyncio, pytest.mark.nats, pytest.mark.slow]


async def commits(hall: Hall, caller: Caller) -> list[ParsedCommit]:
    """Return a game's whole log."""
    stored = await hall.log.load(caller.game_id)
    return [parse_commit(KEYS, caller.game_id, one.data, one.sequence) for one in stored]


async def state(hall: Hall, caller: Caller) -> Any:
    """Return a game's newest state, folded afresh."""
    return (await Loader(hall.log, KEYS, AuctionFold()).load(caller.game_id)).state


async def closed(hall: Hall, caller: Caller, seconds: float = 15.0) -> list[tuple[AuctionClosed, int]]:
    """Wait until the auction is closed; return every close in the log with its commit's time."""
    async with asyncio.timeout(seconds):
        while True:
            found = [
                (event, commit.time_ms)
                for commit in await commits(hall, caller)
                for event in auction_events(commit)
                if isinstance(event, AuctionClosed)
            ]
            if found:
                return found
            await asyncio.sleep(0.02)


async def refusal(call: Any) -> tuple[grpc.StatusCode, str]:
    """Return status and reason of a call that must fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    error = remote_error(caught.value)
    return error.code, error.reason


async def test_an_auction_over_grpc() -> None:
    """Bid, outbid, look, watch, be refused, and let the timer close: the money is right at the end."""
    async with running_hall("bank", "auction", "timer") as hall:
        caller = await hall.seat("grpc", 3, 100)
        await hall.put_up(caller, [100] * 3, close_ms=3000)
        watch: Any = hall.public.WatchAuction(auction_pb2.WatchAuctionRequest(game_id=caller.game_id))
        first = await watch.read()
        assert isinstance(first, auction_pb2.WatchAuctionResponse)
        assert (first.auction.lot, first.auction.least_bid, first.auction.leader) == (24, 1, -1)

        bid = await hall.bid(caller, 0, 30, "mine")
        assert bid.auction.leader == 0
        again = await hall.bid(caller, 0, 30, "mine")
        assert again.replayed
        assert again.version == bid.version
        while not (seen := await watch.read()).events:
            pass  # a heartbeat
        assert seen.events[0].bid_placed.amount == 30

        precondition = grpc.StatusCode.FAILED_PRECONDITION
        assert await refusal(hall.bid(caller, 1, 30)) == (precondition, "BID_TOO_LOW")
        assert await refusal(hall.bid(caller, 1, 101)) == (precondition, "BID_EXCEEDS_FUNDS")
        assert await refusal(hall.bid(caller, 7, 40)) == (precondition, "NOT_A_BIDDER")
        assert (await refusal(hall.bid(caller, 1, -4)))[0] is grpc.StatusCode.INVALID_ARGUMENT
        request = auction_pb2.PlaceBidRequest(game_id=caller.game_id, command_id="x", amount=40)
        assert (await refusal(hall.public.PlaceBid(request)))[0] is grpc.StatusCode.UNAUTHENTICATED
        foreign = auction_pb2.PlaceBidRequest(game_id=caller.game_id[:-1] + "0", command_id="x", amount=40)
        code, _ = await refusal(hall.public.PlaceBid(foreign, metadata=token(caller, 0)))
        assert code in {grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND}

        listed = await hall.timer.ListDeadlines(timer_pb2.ListDeadlinesRequest(game_id=caller.game_id))
        assert [(one.deadline_id, one.owner) for one in listed.deadlines] == [("a1-2", "auction")]
        due_ms = listed.deadlines[0].due_time.ToMilliseconds()
        ((event, time_ms),) = await closed(hall, caller)
        assert (event.winner, event.price) == (0, 30)
        assert 0 <= time_ms - due_ms < 5000
        assert (await state(hall, caller)).posted == [70, 100, 100]
        gone = await hall.public.GetAuction(auction_pb2.GetAuctionRequest(game_id=caller.game_id))
        assert not gone.HasField("auction")
        watch.cancel()


class Bidders:
    """Three seats that bid the least they may, again and again, and send a bid again when nobody answers."""

    def __init__(self, hall: Hall, caller: Caller, seconds: float) -> None:
        self.hall = hall
        self.caller = caller
        self.accepted: list[int] = []
        self.end = time.monotonic() + seconds

    async def bid(self, seat: int) -> None:
        """Bid until the time is over, whatever happens to the services."""
        number = 0
        while time.monotonic() < self.end:
            number += 1
            try:
                running = await self.hall.public.GetAuction(
                    auction_pb2.GetAuctionRequest(game_id=self.caller.game_id), wait_for_ready=True
                )
            except grpc.aio.AioRpcError:
                await asyncio.sleep(0.1)
                continue
            if running.auction.leader == seat:
                await asyncio.sleep(0.02)
                continue
            await self._until_answered(seat, running.auction.least_bid, f"s{seat}-{number}")

    async def _until_answered(self, seat: int, amount: int, command_id: str) -> None:
        for _ in range(20):
            try:
                await self.hall.bid(self.caller, seat, amount, command_id)
            except grpc.aio.AioRpcError as error:
                if remote_error(error).code is grpc.StatusCode.FAILED_PRECONDITION:
                    return
                await asyncio.sleep(0.1)  # the outcome is unknown: the same command again
            else:
                self.accepted.append(amount)
                return


async def test_kills_lose_no_bid_and_double_none() -> None:
    """Auction, bank and timer are killed again and again; every bid that was answered is in the log once."""
    async with running_hall("bank", "auction", "timer") as hall:
        caller = await hall.seat("kills", 3, 1_000_000)
        await hall.put_up(caller, [1_000_000] * 3, close_ms=6_000)
        bidders = Bidders(hall, caller, 8)

        async def kill() -> None:
            for name in ("auction", "bank", "timer", "auction", "bank"):
                await asyncio.sleep(1.2)
                hall.kill(name)

        await asyncio.gather(kill(), *(bidders.bid(seat) for seat in range(3)))
        ((event, _),) = await closed(hall, caller, 30)
        amounts = [
            found.amount
            for commit in await commits(hall, caller)
            for found in auction_events(commit)
            if isinstance(found, BidPlaced)
        ]
        accepted = bidders.accepted
        assert amounts == sorted(set(amounts))
        assert set(accepted) <= set(amounts)
        assert len(accepted) == len(set(accepted)) > 5
        ids = [commit.command_id for commit in await commits(hall, caller)]
        assert len(ids) == len(set(ids))
        final = await state(hall, caller)
        assert event.price == amounts[-1]
        assert sum(final.posted) == 3_000_000 - event.price
        assert final.held == [0, 0, 0]


async def test_the_close_comes_late_after_downtime_and_once() -> None:
    """The timer is dead when the auction should close; two new ones close it at once, and only once."""
    async with running_hall("bank", "auction", "timer") as hall:
        caller = await hall.seat("late", 2, 100)
        await hall.processes["timer"].stop()
        await hall.put_up(caller, [100, 100], close_ms=2000)
        await hall.bid(caller, 1, 20)
        await asyncio.sleep(2.2)
        late = await refusal(hall.bid(caller, 0, 30))
        assert late == (grpc.StatusCode.FAILED_PRECONDITION, "AUCTION_CLOSED")
        await asyncio.gather(hall.start("timer"), hall.start("timer2"))
        ((event, _),) = await closed(hall, caller)
        assert (event.winner, event.price) == (1, 20)
        await asyncio.sleep(0.5)
        expiries = [one for one in await commits(hall, caller) if one.command_id.startswith("expire:")]
        assert len(expiries) == 1
        assert (await state(hall, caller)).posted == [100, 80]
