"""Races for the close of an auction, with real processes: two of each service, two timers.

Each ends the same way: the auction ended once, nothing is on hold, the money is all there, the log verifies.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.auction.v1 import auction_pb2
from magnate.client.session import bearer, new_command_id
from magnate.game.v1 import game_pb2
from magnate.kit.keys import KeyRing
from magnate.kit.rpc.status import RemoteError
from magnate.timer.v1 import timer_pb2
from tests.support.auction_house import House, Sale, outcome, running_house
from tests.support.bidding_live import at, bid, due_ms

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.asyncio]


async def test_bids_around_the_close_are_judged_by_the_servers_clock(tmp_path: Path) -> None:
    """Seats bid from 3 ms before the end to 3 ms after it: who was in time by the log counts, nobody else.

    A bid in time moves the end; so the next volley is around the new one, until all came too late.
    """
    async with running_house(tmp_path) as house:
        sale = await house.put_up(seats=4, close_seconds=2)
        first = await bid(house, sale, 1, 1)  # there is one however busy the machine is
        assert isinstance(first, auction_pb2.PlaceBidResponse), first
        price, late = 1, 0
        for volley in range(5):
            end_ms = await due_ms(house, sale)
            if end_ms == 0:
                break

            async def one(number: int, end_ms: int = end_ms, least: int = price + 1) -> Any:
                await at(end_ms - 4 + number)
                return await bid(house, sale, 1 + number % 3, least + number, hall=number)

            answers = await asyncio.gather(*(one(number) for number in range(7)))
            for answer in answers:
                if isinstance(answer, auction_pb2.PlaceBidResponse):
                    price = max(price, answer.auction.price)
                    continue
                assert answer.reason in {"AUCTION_CLOSED", "NO_AUCTION", "BID_TOO_LOW", "ALREADY_LEADING"}
                if answer.reason == "AUCTION_CLOSED":
                    late += 1
                    assert int(answer.metadata["close_time_ms"]) <= int(answer.metadata["server_time_ms"])
            del volley
        (closed,) = await house.settled(sale)
        assert closed.price == price
        await _each_bid_was_in_time(house, sale)
        sale = await house.put_up(close_seconds=60)
        told = await outcome(_bid_in_game(house, sale, 1, 10**15 + 1))
        assert (told.reason, told.metadata["auction"]) == ("INVALID_AMOUNT", "1")
        assert int(told.metadata["close_time_ms"]) > int(told.metadata["server_time_ms"]) > 0


async def _bid_in_game(house: House, sale: Sale, seat: int, amount: int) -> game_pb2.ActResponse:
    """Bid by way of the game service."""
    request = game_pb2.ActRequest(game_id=sale.game_id, command_id=new_command_id())
    request.command.place_bid.amount = amount
    return await house.games.stub.Act(request, metadata=bearer(sale.tokens[seat]), timeout=20)


async def _each_bid_was_in_time(house: House, sale: Sale) -> None:
    """In the log every bid was received before the deadline that was pending when it landed."""
    from magnate.auction.v1 import auction_pb2 as stored
    from magnate.log.v1 import log_pb2

    pending: dict[str, int] = {}
    bids = 0
    for commit in await house.commits(sale):
        kinds = [
            event.WhichOneof("kind")
            for section in commit.sections
            if section.kind == log_pb2.SECTION_KIND_AUCTION
            for event in stored.AuctionSection.FromString(section.body).events
        ]
        if "bid_placed" in kinds:
            bids += 1
            assert pending, "a bid without a deadline"
            assert commit.received_at_ms < min(pending.values()), "a bid that came too late counts"
        if "auction_closed" in kinds and commit.command.actor == "timer":
            assert commit.time_ms >= min(pending.values()), "the hammer fell too early"
        for section in commit.sections:
            if section.kind != log_pb2.SECTION_KIND_DEADLINES:
                continue
            for change in timer_pb2.DeadlinesSection.FromString(section.body).changes:
                if change.HasField("set") and change.set.owner == "auction":
                    pending[change.set.deadline_id] = change.set.due_ms
                elif change.HasField("cleared"):
                    pending.pop(change.cleared.deadline_id, None)
    assert bids > 0


async def test_two_auction_processes_and_two_timers_close_once(tmp_path: Path) -> None:
    """Twelve auctions end at about the same time, each announced by two timers; each closes once."""
    async with running_house(tmp_path) as house:
        sales = await asyncio.gather(*(house.put_up(close_seconds=5) for _ in range(12)))
        bids = (bid(house, sale, 1, 10 + number, hall=number) for number, sale in enumerate(sales))
        assert not [answer for answer in await asyncio.gather(*bids) if isinstance(answer, RemoteError)]
        for number, sale in enumerate(sales):
            (closed,) = await house.settled(sale)
            assert (closed.winner, closed.price) == (1, 10 + number)


async def test_a_close_that_is_delivered_again_changes_nothing(tmp_path: Path) -> None:
    """The announcement comes to both processes, ten times each, at once and again later: one close."""
    async with running_house(tmp_path, timers=1) as house:
        sale = await house.put_up(close_seconds=2)
        assert not isinstance(await bid(house, sale, 2, 33), RemoteError)
        listed = await _deadlines(house, sale)
        (deadline,) = [one for one in listed.deadlines if one.owner == "auction"]
        end_ms = deadline.due_time.ToMilliseconds()
        ask = timer_pb2.ExpireRequest(
            game_id=sale.game_id, deadline_id=deadline.deadline_id, seen_version=listed.version
        )
        await at(end_ms)
        first = await asyncio.gather(*(_expire(house, ask, number) for number in range(20)))
        assert {reply.WhichOneof("result") for reply in first} <= {"done", "gone", "not_yet"}
        (closed,) = await house.settled(sale)
        assert (closed.winner, closed.price) == (2, 33)
        version = (await house.games.game(sale.game_id)).version
        again = await asyncio.gather(*(_expire(house, ask, number) for number in range(4)))
        assert {reply.WhichOneof("result") for reply in again} <= {"done", "gone"}
        assert (await house.games.game(sale.game_id)).version == version


async def _deadlines(house: House, sale: Sale) -> timer_pb2.ListDeadlinesResponse:
    from magnate.timer.v1 import timer_pb2_grpc

    async with grpc.aio.insecure_channel(house.stack.addresses("timer")[0]) as channel:
        stub = timer_pb2_grpc.TimerServiceStub(channel)
        return await stub.ListDeadlines(timer_pb2.ListDeadlinesRequest(game_id=sale.game_id))


async def _expire(house: House, ask: timer_pb2.ExpireRequest, number: int) -> timer_pb2.ExpireReply:
    """Announce a deadline to an auction process, as a timer does."""
    from magnate.auction.v1 import auction_pb2_grpc
    from magnate.kit.rpc.channels import peer_metadata

    keys = KeyRing.parse((house.stack.data / "keys").read_text().strip())
    addresses = house.stack.addresses("auction")
    async with grpc.aio.insecure_channel(addresses[number % len(addresses)]) as channel:
        stub = auction_pb2_grpc.AuctionPeerServiceStub(channel)
        stream: Any = stub.Exchange(metadata=peer_metadata(keys, "timer"))
        await stream.write(auction_pb2.ExchangeRequest(calls=[auction_pb2.Call(id=1, expire=ask)]))
        message: Any = await stream.read()
        stream.cancel()
        (reply,) = message.replies
        assert reply.HasField("expire"), reply
        expired: timer_pb2.ExpireReply = reply.expire
        return expired
