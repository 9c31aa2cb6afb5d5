"""A bid that the auction service refuses: the answer says which version it was judged at."""

from __future__ import annotations

import pytest

from magnate.game.acting import NotActed, acted, result_of
from magnate.game.ports import RefusedBid
from magnate.game.v1 import game_pb2
from magnate.kit.errors import RefusedError
from magnate.kit.rpc.call import Principal
from magnate.kit.transact_types import Refused
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import DeclineLot, PlaceBid, Resign, Roll
from tests.support.dice import LOT, to_a_lot
from tests.support.local_client import LocalSession
from tests.support.tables import LocalTable

JUDGED_AT = 1000
ABOUT = {"server_time_ms": "7001", "close_time_ms": "7000", "auction": "3"}


class Refusing:
    """An auction service that knows more than this game process."""

    def __init__(self, name: str) -> None:
        self.name = name

    async def propose(self, *_: object) -> object:
        """Never asked."""
        raise NotImplementedError

    async def act(self, *_: object) -> RefusedBid:
        """Refuse."""
        return RefusedBid(Rejection(self.name, ""), JUDGED_AT, ABOUT)


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["BID_TOO_LOW", "NOT_A_BIDDER"])
async def test_a_refused_bid_names_the_version_it_was_judged_at(name: str) -> None:
    """Not the one this process happens to hold: a client would think that nothing had happened since."""
    session = LocalSession()
    game_id = await session.open(2)
    acting = session.services.game.acting
    acting._auction = Refusing(name)  # type: ignore[assignment]
    request = game_pb2.ActRequest(game_id=game_id, command_id="bid")
    request.command.place_bid.amount = 1
    outcome = await acting.act(request, Principal("seat", game_id=game_id, seat=0), 0)
    assert isinstance(outcome, NotActed)
    assert (outcome.rejection.name, outcome.version) == (name, JUDGED_AT)
    assert result_of(outcome, request).refused.about == ABOUT
    with pytest.raises(RefusedError) as told:
        acted(outcome, request)
    assert told.value.metadata == {**ABOUT, "game_id": game_id, "version": str(JUDGED_AT)}
    await session.services.close()


@pytest.mark.asyncio
async def test_who_has_left_the_game_is_told_so_whichever_service_he_bids_at() -> None:
    """As with any other command; and nothing is written."""
    table = LocalTable()
    await table.begin(seats=3, sandbox=game_pb2.Sandbox(dice=to_a_lot(3)))
    for seat, command in ((0, Roll()), (0, DeclineLot()), (2, Resign())):
        await table.act(seat, command)
    before = len(await table.commits())
    assert await table.refused(2, PlaceBid(LOT, 10)) == "SEAT_OUT"
    outcome = await table.services.auction.act(table.game_id, 2, table.command("seat-2"), PlaceBid(LOT, 10))
    assert isinstance(outcome, Refused)
    assert outcome.rejection.name == "SEAT_OUT"
    assert await table.refused(2, Roll()) == "SEAT_OUT"
    assert len(await table.commits()) == before
    await table.close()


@pytest.mark.asyncio
async def test_who_bids_in_a_game_that_is_over_is_told_so_whichever_service_he_bids_at() -> None:
    """As with any other command: there is nothing left to wait for."""
    table = LocalTable()
    await table.begin(seats=2, sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    assert await table.refused(1, PlaceBid(LOT, 10)) == "NO_AUCTION"
    await table.act(0, Resign())
    before = len(await table.commits())
    for bid in (PlaceBid(LOT, 10), PlaceBid(0, 10)):
        assert await table.refused(1, bid) == "GAME_OVER"
        outcome = await table.services.auction.act(table.game_id, 1, table.command("seat-1"), bid)
        assert isinstance(outcome, Refused)
        assert outcome.rejection.name == "GAME_OVER"
    assert len(await table.commits()) == before
    await table.close()
