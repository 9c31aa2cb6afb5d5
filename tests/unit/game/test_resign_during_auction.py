"""A seat leaves while a lot is under the hammer: whoever leads pays, whoever left is paid out."""

from __future__ import annotations

import pytest

from magnate.game.acting import Acted
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_BUY,
    DeclineLot,
    EndTurn,
    PassAuction,
    PlaceBid,
    Resign,
    Roll,
)
from tests.support.tables import LocalTable

pytestmark = pytest.mark.asyncio


async def auction(table: LocalTable) -> tuple[int, int]:
    """Play until a lot is declined; return the seat that declined it, and the lot."""
    await table.begin(seats=3)
    for _ in range(50):
        rules = await table.rules()
        seat = rules.turn_seat
        if rules.phase == PHASE_BUY:
            assert isinstance(await table.act(seat, DeclineLot()), Acted)
            return seat, (await table.rules()).auction_lot
        command = EndTurn() if rules.phase == PHASE_ACT else Roll()
        assert isinstance(await table.act(seat, command), Acted)
    raise AssertionError("nobody came to a lot")


async def test_the_last_rival_resigns() -> None:
    """The hammer falls in the very commit of the resignation, and the leader's hold pays."""
    table = LocalTable()
    decliner, lot = await auction(table)
    leader, leaver = (seat for seat in range(3) if seat != decliner)
    before = (await table.rules()).cash[leader]
    assert isinstance(await table.act(leader, PlaceBid(lot, 50)), Acted)
    assert isinstance(await table.act(decliner, PassAuction(lot)), Acted)
    assert isinstance(await table.act(leaver, Resign()), Acted)
    loaded = await table.loaded()
    rules = loaded.state.rules
    assert rules is not None
    assert (rules.owner[lot], rules.cash[leader], rules.held[leader]) == (leader, before - 50, 0)
    assert loaded.state.holds == {}
    assert rules.cash[leaver] == 0
    await table.close()


async def test_the_leader_resigns() -> None:
    """His money is released first and then goes to the bank; bidding starts again."""
    table = LocalTable()
    decliner, lot = await auction(table)
    leader, other = (seat for seat in range(3) if seat != decliner)
    assert isinstance(await table.act(leader, PlaceBid(lot, 50)), Acted)
    assert isinstance(await table.act(leader, Resign()), Acted)
    loaded = await table.loaded()
    rules = loaded.state.rules
    assert rules is not None
    assert (rules.cash[leader], rules.held[leader], rules.phase) == (0, 0, PHASE_AUCTION)
    assert isinstance(await table.act(other, PlaceBid(lot, 1)), Acted)
    assert isinstance(await table.act(decliner, PassAuction(lot)), Acted)
    assert (await table.rules()).owner[lot] == other
    await table.close()
