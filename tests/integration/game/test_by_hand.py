"""The touch unit's game over gRPC: tokens moved by hand, told by the seats themselves and by the bank."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.game.v1 import game_pb2
from magnate.kit.ids import rendezvous
from magnate.kit.rpc.channels import Peers
from magnate.peers.game import SeatCommands
from magnate.rules.v1 import vocabulary_pb2
from tests.support.game_api import act_request, refused

if TYPE_CHECKING:
    from tests.support.game_api import Running, Table

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

BY_HAND = {"table.tokens": "by_hand"}
UNIT = {**BY_HAND, "debt.payment": "by_card"}


async def kinds(pair: Running, table: Table, seat: int) -> dict[str, game_pb2.LegalAction]:
    """Return what a seat may do, by kind."""
    asked = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=seat)
    answer = await pair.api.call("GetLegalActions", asked, table.tokens[seat])
    return {action.kind: action for action in answer.actions}


def said(answer: game_pb2.ActResponse) -> list[str]:
    """Return the events of an answer by name, without the phases."""
    names = [str(event.WhichOneof("kind")) for event in answer.events]
    return [name for name in names if name != "phase_entered"]


async def test_a_game_is_told_to_the_end(pair: Running) -> None:
    """Landing, buying, rent whose level rises, GO, an event, jail, an auction, bankruptcy and the ranking."""
    act = pair.api.act
    table = await pair.api.begun(3, BY_HAND, ruleset="ultimate-banking")
    version = (await pair.api.view(table)).version
    view = await pair.api.view(table)
    assert list(view.situation.waiting_seats) == [0, 1, 2]
    legal = await kinds(pair, table, 1)
    assert {"place_token", "pass_go", "drawn_card"} <= set(legal)
    assert list(legal["place_token"].answers) == list(range(1, 36))
    error = await refused(act(table, 0, roll={}))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "DICE_BY_HAND")

    await act(table, 0, place_token={"square": 35})
    await act(table, 0, buy_lot={})
    answer = await act(table, 1, place_token={"square": 35})
    assert said(answer) == ["turn_ended", "turn_started", "token_moved", "rent_charged", "rent_level_set"]
    answer = await act(table, 1, place_token={"square": 2})
    assert answer.situation.question.question == vocabulary_pb2.QUESTION_DRAW
    assert len((await kinds(pair, table, 1))["drawn_card"].cards) == 23
    await act(table, 1, pass_go={})
    answer = await act(table, 1, drawn_card={"card": 22})
    assert answer.situation.question.question == vocabulary_pb2.QUESTION_CARD
    answer = await act(table, 1, choose_option={"option": 2})
    assert said(answer) == ["choice_made", "jail_entered"]
    await act(table, 2, pay_fine={})
    await act(table, 2, place_token={"square": 13})
    await act(table, 2, decline_lot={})
    await act(table, 0, place_bid={"lot": 13, "amount": 20})
    await act(table, 1, pass_auction={"lot": 13})
    await act(table, 2, pass_auction={"lot": 13})
    view = await pair.api.view(table)
    assert [seat.cash for seat in view.seats] == [1500 - 400 + 300 - 20, 1500 - 300 + 200, 1400]
    assert {lot.lot: (lot.owner, lot.rent_level) for lot in view.lots if lot.owner >= 0} == {
        35: (0, 2),
        13: (0, 1),
    }
    while not (view := await pair.api.view(table)).debts:
        await act(table, 2, place_token={"square": 35})
        if not (await pair.api.view(table)).debts:
            await act(table, 2, place_token={"square": 18})
    answer = await act(table, 2, declare_bankruptcy={})
    assert said(answer)[-1] == "game_ended"
    view = await pair.api.view(table)
    assert view.end_reason == vocabulary_pb2.END_REASON_FIRST_BANKRUPTCY
    assert list(view.ranking) == [0, 1, 2]
    assert view.version > version + 10


async def test_the_unit_tells_it_for_the_seats(pair: Running) -> None:
    """The bank places tokens by the cards that are tapped, and a rent waits for the card of its payer."""
    table = await pair.api.begun(2, UNIT, ruleset="ultimate-banking")
    peers = Peers([worker.address for worker in pair.workers], rendezvous)
    unit = SeatCommands(peers, pair.keys, "bank")

    async def tap(seat: int, **command: Any) -> game_pb2.ActResponse:
        version = (await pair.api.view(table)).version
        request = act_request(table, seen_version=version, **command)
        result = await unit.act(request, seat, int(time.time() * 1000))
        assert result.HasField("accepted"), result.refused
        return result.accepted

    await tap(0, place_token={"square": 24})
    await tap(0, buy_lot={})
    answer = await tap(1, place_token={"square": 24})
    assert said(answer)[-3:] == ["rent_charged", "debt_incurred", "rent_level_set"]
    error = await refused(pair.api.act(table, 1, pay_debt={}))
    assert error.reason == "CARD_REQUIRED"
    assert said(await tap(1, pay_debt={"by_card": True})) == ["debt_paid"]
    await unit.close()
    view = await pair.api.view(table)
    assert [seat.cash for seat in view.seats] == [1500 - 260 + 200, 1300]


async def test_games_by_engine_are_not_told_anything(pair: Running) -> None:
    """And what cannot be played by hand is refused before there is a table."""
    table = await pair.api.begun(2, ruleset="ultimate-banking")
    commands: list[dict[str, Any]] = [
        {"place_token": {"square": 5}},
        {"pass_go": {}},
        {"drawn_card": {"card": 1}},
    ]
    for command in commands:
        error = await refused(pair.api.act(table, 0, **command))
        assert error.reason == "TOKENS_BY_ENGINE"
    error = await refused(pair.api.create(BY_HAND, ruleset="classic"))
    assert error.reason == "OPTION_CONFLICT"
