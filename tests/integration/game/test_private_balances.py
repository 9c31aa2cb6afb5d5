"""Private balances over gRPC: two seats with their tokens, somebody with none, both workers, the bank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc
from magnate.cli.check import check_game
from magnate.client.session import RefusedError, Session
from magnate.game.v1 import game_pb2
from tests.support.dice import to_a_lot
from tests.support.game_api import bearer, refused

if TYPE_CHECKING:
    from tests.support.game_api import Running, Table

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

PRIVATE = {"table.balances_public": "false"}


async def begun(pair: Running) -> Table:
    """Return a table for two, the second of whom has had to pay for a lot."""
    table = await pair.api.begun(2, PRIVATE, sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    await pair.api.act(table, 0, roll={})
    await pair.api.act(table, 0, buy_lot={})
    return table


async def shown(pair: Running, table: Table, token: str, at_version: int = 0) -> list[int | None]:
    """Return the cash of both seats as the holder of a token sees it, None where it is hidden."""
    request = game_pb2.GetGameRequest(game_id=table.game_id, at_version=at_version)
    views = [(await worker.call("GetGame", request, token)).game for worker in pair.workers]
    seen = [[None if one.cash_hidden else one.cash for one in view.seats] for view in views]
    assert seen[0] == seen[1]
    assert not any(one.cash or one.held for view in views for one in view.seats if one.cash_hidden)
    return seen[0]


async def test_a_seat_sees_its_own_cash_and_no_other(pair: Running) -> None:
    """Now and at earlier versions; when the game is over everybody sees everything, also of before."""
    table = await begun(pair)
    version = (await pair.api.view(table)).version
    first, second = table.tokens
    other_table = await pair.api.begun()
    for at_version in (0, version - 1):
        bought = 1400 if at_version == 0 else 1500
        assert await shown(pair, table, first, at_version) == [bought, None]
        assert await shown(pair, table, second, at_version) == [None, 1500]
        for token in ("", other_table.tokens[0]):
            assert await shown(pair, table, token, at_version) == [None, None]
    payments = [
        record.entry_posted.amount
        for update in await commits(pair, table, version)
        for record in update.commit.ledger_records
        if record.HasField("entry_posted")
    ]
    assert payments == [1500, 1500, 100]
    await pair.api.act(table, 1, resign={})
    assert None not in await shown(pair, table, "")
    assert await shown(pair, table, "", version - 1) == [1500, 1500]


async def commits(pair: Running, table: Table, version: int) -> list[game_pb2.WatchGameResponse]:
    """Return the updates that somebody without a token watches up to a version."""
    found = []
    stream = pair.api.stub.WatchGame(game_pb2.WatchGameRequest(game_id=table.game_id), timeout=20)
    async for update in stream:
        found.append(update)
        if update.commit.version == version:
            break
    stream.cancel()
    return found


async def test_what_a_seat_may_do_tells_what_it_has(pair: Running) -> None:
    """So it is told to its own player only."""
    table = await begun(pair)
    request = game_pb2.GetLegalActionsRequest(game_id=table.game_id, seat=0, with_reasons=True)
    for worker in pair.workers:
        for token in ("", table.tokens[1]):
            error = await refused(worker.call("GetLegalActions", request, token))
            assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "BALANCE_HIDDEN")
        legal = await worker.call("GetLegalActions", request, table.tokens[0])
        assert "end_turn" in {action.kind for action in legal.actions}
    await pair.api.act(table, 1, resign={})
    assert (await pair.api.call("GetLegalActions", request)).actions == []


async def test_the_bank_keeps_to_it_and_a_check_sees_what_it_may(pair: Running) -> None:
    """Its lists leave out what is hidden; `magnate verify` finds nothing wrong before the end and after."""
    table = await begun(pair)
    address = pair.stack.addresses("bank")[0]
    async with grpc.aio.insecure_channel(address) as channel, Session(pair.api.address) as session:
        stub = ledger_pb2_grpc.LedgerServiceStub(channel)
        asked = ledger_pb2.GetBalancesRequest(ledger_id=table.game_id)
        answer = await stub.GetBalances(asked, metadata=bearer(table.tokens[0]))
        assert (answer.currency.unit, answer.currency.scale, answer.standalone) == ("$", 1, False)
        assert [(one.account, one.posted, one.hidden) for one in answer.balances] == [
            ("bank", -2900, False),
            ("seat-0", 1400, False),
            ("seat-1", 0, True),
        ]
        assert [one.hidden for one in (await stub.GetBalances(asked)).balances] == [False, True, True]
        for_one = ledger_pb2.GetStatementRequest(ledger_id=table.game_id, account="seat-0")
        error = await refused(stub.GetStatement(for_one))
        assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "BALANCE_HIDDEN")
        running = await check_game(session, table.game_id, address)
        assert running.ok, running.faults
        with pytest.raises(RefusedError, match="BALANCE_HIDDEN"):
            await session.legal(table.game_id, 0)
        assert (await session.legal(table.game_id, 0, token=table.tokens[0])).actions
        await pair.api.act(table, 1, resign={})
        assert not any(one.hidden for one in (await stub.GetBalances(asked)).balances)
        assert (await stub.GetStatement(for_one)).lines[-1].balance == 1400
        ended = await check_game(session, table.game_id, address)
        assert ended.ok, ended.faults
