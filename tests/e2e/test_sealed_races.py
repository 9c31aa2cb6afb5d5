"""Sealed bids over real processes: everybody at once, a killed auction process, the close by either timer.

Each ends the same way: closed once, nothing on hold, every bid that was acknowledged revealed as it was sent,
and the whole log verified from outside.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.client.bidding import bid_request
from magnate.client.sealed import verify_sealed
from magnate.client.session import bearer
from magnate.kit.rpc.status import remote_error
from tests.support.auction_house import House, Sale, running_house

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.asyncio]

SEATS = 6
AGAIN_SECONDS = 30.0
TROUBLE = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.ABORTED}


async def bid(house: House, sale: Sale, seat: int, amount: int, hall: int) -> str:
    """Bid until it is certain what became of it, with one id, at changing processes; the refusal if any."""
    request = bid_request(sale.game_id, amount)
    request.command_id = f"bid-{seat}"
    async with asyncio.timeout(AGAIN_SECONDS):
        while True:
            stub = house.halls[hall % len(house.halls)].stub
            try:
                await stub.PlaceBid(request, metadata=bearer(sale.tokens[seat]), timeout=5)
            except grpc.aio.AioRpcError as error:
                if error.code() not in TROUBLE:
                    return remote_error(error).reason
                hall += 1
                await asyncio.sleep(0.05)
            else:
                return ""


async def revealed(house: House, sale: Sale) -> dict[int, int]:
    """Return the bids that were opened."""
    (opened,) = await house.events(sale, "bids_revealed")
    return {one.seat: one.amount for one in opened.bids}


@pytest.mark.parametrize("mode", ["sealed", "vickrey"])
@pytest.mark.parametrize("kill", [False, True])
async def test_everybody_bids_at_once(tmp_path: Path, mode: str, *, kill: bool) -> None:
    """At two processes, one of which may be killed: each bid counts once, and the right one wins."""
    amounts = {seat: 100 + 7 * (seat * 5 % SEATS) for seat in range(SEATS)}
    async with running_house(tmp_path) as house:
        sale = await house.put_up(seats=SEATS, close_seconds=60, options={"auction.mode": mode})
        bids = [bid(house, sale, seat, amount, seat) for seat, amount in amounts.items()]
        tasks: list[asyncio.Task[Any]] = [asyncio.create_task(one) for one in bids]
        if kill:
            await asyncio.sleep(0)
            await house.kill("auction-0")
        assert await asyncio.gather(*tasks) == [""] * SEATS
        (closed,) = await house.settled(sale)
        best, second = sorted(amounts.values(), reverse=True)[:2]
        assert (amounts[closed.winner], closed.price) == (best, best if mode == "sealed" else second)
        assert await revealed(house, sale) == amounts
        report = verify_sealed(await house.games.export(sale.game_id))
        assert (report.checked, report.secret, report.faults) == (SEATS, 0, [])


async def test_the_close_takes_what_was_acknowledged(tmp_path: Path) -> None:
    """Bids that come while the hammer falls: each that was taken is opened, each other one was refused."""
    async with running_house(tmp_path) as house:
        sale = await house.put_up(seats=SEATS, close_seconds=2, options={"auction.mode": "sealed"})
        assert await bid(house, sale, 0, 50, 0) == ""
        answers = dict.fromkeys(range(SEATS), "")

        async def late(seat: int) -> None:
            await asyncio.sleep(1.93 + seat * 0.02)
            answers[seat] = await bid(house, sale, seat, 60 + seat, seat)

        await asyncio.gather(*(late(seat) for seat in range(1, SEATS)))
        await house.settled(sale)
        assert set(answers.values()) <= {"", "AUCTION_CLOSED", "NO_AUCTION"}
        taken = {seat: 50 if seat == 0 else 60 + seat for seat, refused in answers.items() if not refused}
        assert await revealed(house, sale) == taken
