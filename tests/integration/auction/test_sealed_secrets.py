"""The promise of sealed auctions: whatever others bid, nobody is told anything until the close.

The same game is played twice with different sealed bids and everything else the same. Every answer of every
read API that an outsider, or a player who has not bid, gets is compared, now and at each version.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import grpc
import pytest
import structlog

from tests.support.dice import LOT, to_a_lot
from tests.support.glass import Glass, glass_house

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = pytest.mark.asyncio

SEATS = 4


@pytest.fixture(autouse=True)
def _same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give both plays the same seed; salts stay as random as they are."""
    drawn = secrets.token_bytes
    monkeypatch.setattr(
        "magnate.game.service.secrets.token_bytes",
        lambda count: bytes(count) if count == 32 else drawn(count),
    )


async def at_auction(glass: Glass, mode: str, **options: str) -> None:
    """Play to the moment in which seat 0 declines a lot."""
    chosen = {"auction.mode": mode, "auction.close_seconds": "60", "table.balances_public": "true"}
    await glass.begin(
        SEATS, to_a_lot(SEATS), {**chosen, **{name.replace("__", "."): one for name, one in options.items()}}
    )
    await glass.act(0, roll={})
    await glass.act(0, decline_lot={})


async def played(mode: str, bids: Sequence[int], token_of: int, **options: str) -> dict[str, str]:
    """Play with these bids of the first seats, and return what is told to a seat, or (-1) to an outsider."""
    async with glass_house() as glass:
        await at_auction(glass, mode, **options)
        for seat, amount in enumerate(bids):
            if seat % 2:
                await glass.act(seat, place_bid={"lot": LOT, "amount": amount})
            else:
                await glass.bid(seat, amount)
        await glass.show_card(0)
        return await glass.answers("" if token_of < 0 else glass.tokens[token_of])


def differences(one: dict[str, str], other: dict[str, str]) -> list[str]:
    """Return the calls whose answers differ."""
    assert one.keys() == other.keys()
    assert len(one) > 100
    return [name for name in one if one[name] != other[name]]


@pytest.mark.parametrize("mode", ["sealed", "vickrey"])
@pytest.mark.parametrize("viewer", [-1, 3])
async def test_nobody_else_is_told_anything(mode: str, viewer: int) -> None:
    """Whoever has not bid, and whoever has no seat, gets the same bytes whatever the others have bid."""
    low = await played(mode, [10, 20, 30], viewer)
    high = await played(mode, [1400, 77, 500], viewer)
    assert differences(low, high) == []
    assert "seat-0" in low["GetBalances"]
    if viewer >= 0:
        assert "balance: 1500" in low["GetTable"]
        assert 'text: "1500"' in low["GetTable"], "the card of who has bid is in the unit"


async def test_nobody_is_told_by_balances_that_are_private() -> None:
    """The same where each sees his own money only (row 88)."""
    low = await played("sealed", [10, 20, 30], 3, table__balances_public="false")
    high = await played("sealed", [1400, 77, 500], 3, table__balances_public="false")
    assert differences(low, high) == []


async def test_the_holder_sees_his_own_hold_and_no_other() -> None:
    """With its own token a seat sees what it has on hold; what others have bid makes no difference to it."""
    one = await played("sealed", [10, 20, 30], 0)
    same = await played("sealed", [10, 500, 600], 0)
    assert differences(one, same) == []
    other = await played("sealed", [11, 20, 30], 0)
    changed = {name.partition("@")[0].partition(" ")[0] for name in differences(one, other)}
    assert changed == {
        "GetGame",
        "WatchGame",
        "GetLegalActions",
        "GetBalances",
        "ListHolds",
        "GetAuction",
        "WatchAuction",
        "GetTable",
        "WatchTable",
    }
    assert "held: 10" in one["GetBalances"]
    assert "amount: 10" in one["ListHolds"]
    assert all("own_bid: 10\n" in one[name] for name in ("GetGame", "WatchGame", "GetAuction"))


async def test_what_the_services_say_for_operators_has_no_amounts() -> None:
    """Log lines name the call and the refusal, never what was bid; a refused bidder alone is told more."""
    with structlog.testing.capture_logs() as lines:
        async with glass_house() as glass:
            await at_auction(glass, "sealed")
            await glass.bid(0, 1413)
            with pytest.raises(grpc.aio.AioRpcError, match="1500"):
                await glass.bid(1, 3777)
            await glass.act(2, place_bid={"amount": 1009})
    said = repr(lines)
    assert "PlaceBid" in said
    assert not any(amount in said for amount in ("1413", "3777", "1009"))


async def proxied(ceilings: Sequence[int], viewer: int, mode: str) -> dict[str, str]:
    """Have bids made for the first seats up to these ceilings, and return what is told to a viewer."""
    async with glass_house() as glass:
        await at_auction(glass, mode, auction__proxy="true")
        for seat, ceiling in enumerate(ceilings):
            if seat % 2:
                await glass.act(seat, set_proxy_bid={"ceiling": ceiling})
            else:
                await glass.ceiling(seat, ceiling)
        await glass.bid(2, 60)
        return await glass.answers("" if viewer < 0 else glass.tokens[viewer])


@pytest.mark.parametrize("mode", ["open", "penny"])
@pytest.mark.parametrize("viewer", [-1, 1, 2, 3])
async def test_how_high_a_ceiling_is_nobody_is_told(mode: str, viewer: int) -> None:
    """As long as it makes no difference to the bids, a higher ceiling makes none to what others are told."""
    low = await proxied([400, 50], viewer, mode)
    high = await proxied([1400, 50], viewer, mode)
    assert differences(low, high) == []


@pytest.mark.parametrize("viewer", [-1, 2])
async def test_what_somebody_would_have_paid_in_a_dutch_auction_nobody_is_told(viewer: int) -> None:
    """The price is the same, and so is everything that others are told."""

    async def taken(amount: int) -> dict[str, str]:
        async with glass_house() as glass:
            await at_auction(glass, "dutch")
            await glass.bid(1, amount)
            return await glass.answers("" if viewer < 0 else glass.tokens[viewer])

    assert differences(await taken(200), await taken(1500)) == []
