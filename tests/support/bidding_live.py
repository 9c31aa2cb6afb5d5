"""Bids at real processes, and the moment when the hammer falls."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from magnate.client.bidding import bid_request
from magnate.client.session import bearer
from tests.support.auction_house import House, Sale, outcome


async def bid(house: House, sale: Sale, seat: int, amount: int, hall: int = 0) -> Any:
    """Bid by way of one auction process; the answer, or the refusal as a value."""
    request = bid_request(sale.game_id, amount)
    stub = house.halls[hall % len(house.halls)].stub
    return await outcome(stub.PlaceBid(request, metadata=bearer(sale.tokens[seat]), timeout=20))


async def due_ms(house: House, sale: Sale) -> int:
    """Return when the hammer falls."""
    now = await house.halls[0].auctions(sale.game_id)
    return int(now.auction.close_time.ToMilliseconds())


async def at(moment_ms: float) -> None:
    """Wait until the clock says so, to a fraction of a millisecond."""
    left = moment_ms / 1000 - time.time()
    if left > 0.004:
        await asyncio.sleep(left - 0.003)
    while time.time() * 1000 < moment_ms:  # noqa: ASYNC110 - the clock has no event
        await asyncio.sleep(0)
