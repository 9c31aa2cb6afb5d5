"""Bots play whole games against the real services in this process: nothing is refused, and games end."""

from __future__ import annotations

import random

import pytest

from magnate.client.bots.random_legal import RandomLegalBot
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.local_client import LocalSession, play_to_end, sensible_bots

RANDOM_COMMANDS = 400


@pytest.mark.asyncio
@pytest.mark.parametrize(("seats", "seed"), [(2, 1), (4, 2), (6, 3)])
async def test_sensible_bots_end_their_games(seats: int, seed: int) -> None:
    """One of them wins by bankrupting the others, long before the turn cap."""
    session = LocalSession()
    game_id = await session.open(seats)
    commands = await play_to_end(session, game_id, sensible_bots(seats, seed))
    view = await session.game(game_id)
    assert view.status == game_pb2.GAME_STATUS_OVER
    assert view.end_reason == vocabulary_pb2.END_REASON_LAST_PLAYER
    assert len(view.ranking) == seats
    assert commands < 8000
    await session.services.close()


@pytest.mark.asyncio
async def test_sensible_bots_ask_for_rent_and_pay_what_is_asked() -> None:
    """Where nothing is paid by itself they still come to an end."""
    session = LocalSession()
    house = {"rent.claim": "owner_before_next_player_rolls", "debt.payment": "asked"}
    game_id = await session.open(3, "classic", house)
    await play_to_end(session, game_id, sensible_bots(3, 5))
    view = await session.game(game_id)
    assert view.end_reason == vocabulary_pb2.END_REASON_LAST_PLAYER
    await session.services.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("ruleset", ["classic", "ultimate-banking", "online"])
async def test_sensible_bots_leave_payments_to_the_card(ruleset: str) -> None:
    """They raise what is missing and no more; the terminal pays, and the game comes to an end."""
    session = LocalSession()
    game_id = await session.open(3, ruleset, {"debt.payment": "by_card"})
    await play_to_end(session, game_id, sensible_bots(3, 4))
    view = await session.game(game_id)
    assert view.end_reason in (
        vocabulary_pb2.END_REASON_LAST_PLAYER,
        vocabulary_pb2.END_REASON_FIRST_BANKRUPTCY,
    )
    await session.services.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("ruleset", ["ultimate-banking", "online", "millionaire"])
async def test_sensible_bots_answer_what_cards_and_squares_ask(ruleset: str) -> None:
    """Questions, stakes, kept cards and lots given back do not keep them from an end."""
    session = LocalSession()
    game_id = await session.open(3, ruleset)
    await play_to_end(session, game_id, sensible_bots(3, 1))
    view = await session.game(game_id)
    assert view.status == game_pb2.GAME_STATUS_OVER
    assert view.end_reason in (
        vocabulary_pb2.END_REASON_LAST_PLAYER,
        vocabulary_pb2.END_REASON_FIRST_BANKRUPTCY,
    )
    await session.services.close()


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "house",
    [
        {"build.shortage": "auction", "auction.style": "by_turn"},
        {"auction.mode": "penny"},
        {"auction.bid_limit": "liquidation", "auction.unsold": "put_up_again"},
    ],
)
async def test_sensible_bots_bid_however_auctions_are_held(house: dict[str, str]) -> None:
    """By turn, paid at once or beyond their money: they come to an end."""
    session = LocalSession()
    game_id = await session.open(4, "classic", house)
    await play_to_end(session, game_id, sensible_bots(4, 3))
    assert (await session.game(game_id)).status == game_pb2.GAME_STATUS_OVER
    await session.services.close()


@pytest.mark.asyncio
@pytest.mark.parametrize("ruleset", ["classic", "ultimate-banking", "online", "millionaire"])
@pytest.mark.parametrize("seed", range(3))
async def test_random_bots_are_never_refused(seed: int, ruleset: str) -> None:
    """Whatever they pick from the legal actions is accepted, command after command."""
    session = LocalSession()
    game_id = await session.open(4, ruleset)
    bots = [RandomLegalBot(random.Random(seed * 10 + seat)) for seat in range(4)]
    for _ in range(RANDOM_COMMANDS):
        view = await session.game(game_id)
        if view.status == game_pb2.GAME_STATUS_OVER:
            break
        for seat in (*view.situation.waiting_seats, *range(4)):
            command = bots[seat].choose(seat, view, (await session.legal(game_id, seat)).actions)
            if command is not None:
                await session.play(game_id, seat, command)
                break
    await session.services.close()
