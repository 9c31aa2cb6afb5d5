"""A bid that the auction service refuses: the answer says which version it was judged at."""

from __future__ import annotations

import pytest

from magnate.game.acting import NotActed, acted, result_of
from magnate.game.ports import RefusedBid
from magnate.game.v1 import game_pb2
from magnate.kit.errors import RefusedError
from magnate.kit.rpc.call import Principal
from magnate.rules.rejections import Rejection
from tests.support.local_client import LocalSession

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
