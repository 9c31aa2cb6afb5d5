"""What comes when an auction's time is up is judged after the hammer, whether or not it has fallen yet."""

from __future__ import annotations

import pytest

from magnate.game.acting import Acted
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import AUCTION
from magnate.rules.decision import NOBODY
from magnate.rules.vocabulary import DeclineLot, MortgageLots, PlaceBid, Resign, Roll
from tests.support.dice import LOT, to_a_lot
from tests.support.tables import LocalTable, done

pytestmark = pytest.mark.asyncio

CLOSE_MS = 10_000


async def at_auction(seats: int = 3, **options: str) -> LocalTable:
    """Return a table at which seat 0 declined the lot and leads with 50."""
    table = LocalTable()
    chosen = {name.replace("__", "."): value for name, value in options.items()}
    await table.begin(seats=seats, options=chosen, sandbox=game_pb2.Sandbox(dice=to_a_lot(seats)))
    for command in (Roll(), DeclineLot()):
        assert isinstance(await table.act(0, command), Acted)
    assert isinstance(await table.act(0, PlaceBid(LOT, 50)), Acted)
    return table


async def owner(table: LocalTable) -> int:
    """Return whose the lot is."""
    return (await table.rules()).owner[LOT]


async def written(table: LocalTable) -> list[str]:
    """Return the words about auctions since the bid, in the order of the log."""
    words: list[str] = []
    for commit in (await table.commits())[-2:]:
        if any(section.kind == AUCTION for section in commit.sections):
            words += [type(one).__name__ for one in table.services.auction.events(commit)]
    return words


async def test_a_leader_who_leaves_in_time_never_had_it() -> None:
    """Before the time is up his bid is void, and bidding starts again."""
    table = await at_auction()
    table.clock.advance(CLOSE_MS - 1)
    assert isinstance(await table.act(0, Resign()), Acted)
    (auction,) = (await table.loaded()).state.auctions.values()
    assert (auction.leader, auction.bidders) == (NOBODY, [1, 2])


@pytest.mark.parametrize("late_ms", [0, 100])
async def test_a_leader_who_leaves_too_late_has_bought_it(late_ms: int) -> None:
    """From then on the lot is his, and goes the way of what he leaves behind; nothing begins anew."""
    table = await at_auction(resign__estate="auction")
    table.clock.advance(CLOSE_MS + late_ms)
    assert isinstance(await table.act(0, Resign()), Acted)
    assert (await written(table))[:1] == ["AuctionClosed"]
    rules = await table.rules()
    assert rules.out[0]
    (auction,) = (await table.loaded()).state.auctions.values()
    assert (auction.auction, auction.lot) == (2, LOT), "it is sold again as part of his estate"
    await table.services.advance(table.game_id, 0)
    assert len((await table.loaded()).state.auctions) == 1, "the alarm of the first one finds it done"


async def test_a_game_that_ends_after_the_hour_ends_after_the_sale() -> None:
    """Of two the rival leaves when the time is up: the auction is closed and not cancelled."""
    table = await at_auction(seats=2)
    table.clock.advance(CLOSE_MS)
    assert isinstance(await table.act(1, Resign()), Acted)
    assert await written(table) == ["AuctionClosed"]
    assert await owner(table) == 0


async def test_a_break_after_the_hour_does_not_stop_the_hammer() -> None:
    """A pause stops what has time left; an auction whose time is up is over before it."""
    table = await at_auction()
    table.clock.advance(CLOSE_MS)
    done(await table.game.attendance.pause(table.game_id, table.command("operator")))
    loaded = await table.loaded()
    assert not loaded.state.auctions
    assert await owner(table) == 0


async def test_a_command_is_decided_on_what_the_sale_made_of_the_game() -> None:
    """The winner may do with the lot at once what owners do."""
    table = await at_auction()
    table.clock.advance(CLOSE_MS)
    assert isinstance(await table.act(0, MortgageLots([LOT])), Acted)
    assert (await table.rules()).mortgaged[LOT]


async def test_where_bids_go_by_turn_the_turn_passes_on_first() -> None:
    """Whose turn ran out has let it go, whoever leaves then; the leader's bid is void all the same."""
    table = await at_auction(auction__style="by_turn")
    table.clock.advance(CLOSE_MS)
    assert isinstance(await table.act(0, Resign()), Acted)
    (auction,) = (await table.loaded()).state.auctions.values()
    assert (auction.leader, auction.turn) == (NOBODY, 1)
    assert (await written(table))[0] == "BidderPassed"
