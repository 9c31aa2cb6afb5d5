"""Which refusals a player takes for a lost race and looks again, and which are its own fault."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.client.player import Player
from magnate.client.session import RefusedError
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

LOOKED_AT = 4


class Refusing:
    """A session whose game is over as soon as it has refused, or done, what the player sent."""

    def __init__(self, error: RefusedError) -> None:
        self.error = error
        self.sent = 0

    async def game(self, _game_id: str, **_: Any) -> game_pb2.GameView:
        """Return a game that is over when something was sent."""
        over = game_pb2.GAME_STATUS_OVER if self.sent else game_pb2.GAME_STATUS_RUNNING
        return game_pb2.GameView(version=LOOKED_AT, status=over, seats=[game_pb2.SeatView()])

    async def legal(self, _game_id: str, _seat: int, **_: Any) -> game_pb2.GetLegalActionsResponse:
        """Return the version only: the bot below does not look at actions."""
        return game_pb2.GetLegalActionsResponse(version=LOOKED_AT)

    async def act(self, *_: Any) -> game_pb2.ActResponse:
        """Refuse."""
        self.sent += 1
        raise self.error

    async def watch(self, _game_id: str) -> AsyncIterator[game_pb2.WatchGameResponse]:
        """Send nothing."""
        await asyncio.Event().wait()
        yield game_pb2.WatchGameResponse()


class Claiming:
    """A bot that claims rent."""

    def choose(self, *_: Any) -> vocabulary_pb2.Command:
        """Claim."""
        return vocabulary_pb2.Command(claim_rent=vocabulary_pb2.ClaimRent(lot=3))


async def refused(reason: str, version: int) -> dict[str, int]:
    """Play until the game is over, with one refusal; return what the player noted."""
    session: Any = Refusing(RefusedError(grpc.StatusCode.FAILED_PRECONDITION, reason, "", version))
    player = Player(session, "1-0-a", 0, "token", Claiming())
    await asyncio.wait_for(player.play(), 30)
    return player.refused


@pytest.mark.asyncio
async def test_whatever_a_newer_version_refuses_is_a_lost_race() -> None:
    """Somebody threw the dice meanwhile, so the claim has lapsed."""
    assert await refused("RENT_LAPSED", LOOKED_AT + 1) == {"RENT_LAPSED": 1}


@pytest.mark.asyncio
async def test_what_time_refuses_is_a_lost_race() -> None:
    """Nothing was stored since the look, but the auction's time has run out."""
    assert await refused("AUCTION_CLOSED", LOOKED_AT) == {"AUCTION_CLOSED": 1}


@pytest.mark.asyncio
async def test_a_refusal_of_what_was_looked_at_is_a_fault() -> None:
    """What is listed as legal is accepted; so either the bot or the list is wrong."""
    with pytest.raises(RefusedError, match="RENT_LAPSED"):
        await refused("RENT_LAPSED", LOOKED_AT)
