"""Payments by card over gRPC: the seat cannot say that its card was used, and no service but the bank can."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.game.v1 import game_pb2
from magnate.kit.ids import rendezvous
from magnate.kit.rpc.channels import Peers
from magnate.kit.rpc.status import code_of_number
from magnate.peers.game import SeatCommands
from magnate.rules.v1 import vocabulary_pb2
from tests.support.dice import to_a_lot
from tests.support.game_api import OPEN_BALANCES, Table, act_request, refused

if TYPE_CHECKING:
    from tests.support.game_api import Running

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

BY_CARD = {"debt.payment": "by_card", **OPEN_BALANCES}
CARD = {"by_card": True}


async def charged(pair: Running) -> Table:
    """Return a table for two at which seat 1 owes seat 0 the rent of lot 6."""
    sandbox = game_pb2.Sandbox(dice=[*to_a_lot(more=0), 2, 4, *([1, 2] * 9)])
    table = await pair.api.begun(2, BY_CARD, sandbox=sandbox)
    await pair.api.act(table, 0, roll={})
    await pair.api.act(table, 0, buy_lot={})
    await pair.api.act(table, 0, end_turn={})
    await pair.api.act(table, 1, roll={})
    return table


def commands_of(pair: Running, service: str) -> SeatCommands:
    """Return what a service of ours brings commands of seats with, to whichever worker is the game's."""
    return SeatCommands(Peers([worker.address for worker in pair.workers], rendezvous), pair.keys, service)


async def sent(pair: Running, service: str, request: game_pb2.ActRequest, seat: int) -> game_pb2.PlayResult:
    """Send one command for a seat as a service of ours."""
    commands = commands_of(pair, service)
    try:
        return await commands.act(request, seat, int(time.time() * 1000))
    finally:
        await commands.close()


async def test_the_terminal_pays_and_nobody_else(pair: Running) -> None:
    """The seat sees its debt and why it cannot pay it; the bank's word pays once."""
    table = await charged(pair)
    view = await pair.api.view(table)
    assert [(debt.debtor, debt.creditor, debt.amount) for debt in view.debts] == [(1, 0, 6)]
    asked = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=1, with_reasons=True)
    legal = await pair.api.call("GetLegalActions", asked, table.tokens[1])
    assert "pay_debt" not in [action.kind for action in legal.actions]
    assert {one.kind: one.reason for one in legal.refused}["pay_debt"] == "CARD_REQUIRED"
    error = await refused(pair.api.act(table, 1, pay_debt={}))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "CARD_REQUIRED")

    request = act_request(table, seen_version=view.version, pay_debt=CARD)
    first = await sent(pair, "bank", request, 1)
    again = await sent(pair, "bank", request, 1)
    assert first.accepted.events[0].debt_paid.amount == 6
    assert (first.accepted.replayed, again.accepted.replayed) == (False, True)
    assert first.accepted.version == again.accepted.version == view.version + 1
    view = await pair.api.view(table)
    assert [seat.cash for seat in view.seats] == [1406, 1494]
    assert view.situation.phase == vocabulary_pb2.PHASE_ACT


async def test_nobody_else_may_say_that_a_card_was_used(pair: Running) -> None:
    """Not the seat with its token, by either way in, not another worker and not another service."""
    table = await charged(pair)
    version = (await pair.api.view(table)).version
    for worker in pair.workers:
        error = await refused(worker.act(table, 1, pay_debt=CARD))
        assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "CARD_TERMINAL_ONLY")
        request = act_request(table, token=table.tokens[1], pay_debt=CARD)
        [result] = await worker.play(game_pb2.PlayRequest(acts=[request]))
        assert result.refused.reason == "CARD_TERMINAL_ONLY"
    for service, reason in (
        ("game", "CARD_TERMINAL_ONLY"),
        ("auction", "PEER_MAY_NOT_ACT"),
        ("timer", "PEER_MAY_NOT_ACT"),
    ):
        result = await sent(pair, service, act_request(table, pay_debt=CARD), 1)
        assert code_of_number(result.refused.code) is grpc.StatusCode.PERMISSION_DENIED
        assert result.refused.reason == reason
    assert (await pair.api.view(table)).version == version


async def test_the_bank_is_told_what_is_wrong_as_anybody(pair: Running) -> None:
    """A seat there is not, a game there is not, a seat that owes nothing: refused by name, nothing stored."""
    table = await charged(pair)
    version = (await pair.api.view(table)).version
    for seat, reason in ((0, "NOT_IN_DEBT"), (7, "UNKNOWN_SEAT"), (-1, "UNKNOWN_SEAT")):
        result = await sent(pair, "bank", act_request(table, pay_debt=CARD), seat)
        assert result.refused.reason == reason
    for seat in (7, -1):
        result = await sent(pair, "bank", act_request(table, pass_auction={"lot": 6}), seat)
        assert result.refused.reason in {"NO_AUCTION", "NOT_A_BIDDER"}
    unknown = Table("1-0-" + "f" * 24, [])
    result = await sent(pair, "bank", act_request(unknown, pay_debt=CARD), 0)
    assert result.refused.reason == "UNKNOWN_GAME"
    assert (await pair.api.view(table)).version == version
