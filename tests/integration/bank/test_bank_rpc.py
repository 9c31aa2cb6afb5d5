"""The bank over gRPC: clients read, services write, each call alone or many on an open stream."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import grpc
import pytest
from prometheus_client import CollectorRegistry

from magnate.bank.settings import BankSettings
from magnate.bank.v1 import bank_pb2, bank_pb2_grpc, ledger_pb2, ledger_pb2_grpc
from magnate.bank.wiring import compose
from magnate.kit.clock import FakeClock
from magnate.kit.log.commit import LEDGER, parse_commit
from magnate.kit.log.memory import MemoryLog
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.server import RpcServer
from magnate.kit.rpc.status import remote_error
from magnate.kit.tokens import mint_seat
from tests.support.banking import KEYS, START_MS, new_game
from tests.support.game_api import bearer, refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

pytestmark = pytest.mark.asyncio
PEER = peer_metadata(KEYS, "game")


@contextlib.asynccontextmanager
async def served(log: MemoryLog) -> AsyncIterator[grpc.aio.Channel]:
    """Serve a bank on a free port and connect to it."""
    settings, registry = BankSettings(keys=KEYS), CollectorRegistry()
    _, _, registrations = compose(settings, log, registry, FakeClock(START_MS))
    server = RpcServer(registrations, settings, registry)
    await server.start()
    await server.ready()
    try:
        async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            yield channel
    finally:
        await server.drain()


def opening(game_id: str, command_id: str = "create") -> bank_pb2.CommitRequest:
    """Return the first commit of a game: three accounts and 1500 for the seat."""
    request = bank_pb2.CommitRequest(game_id=game_id, now_ms=START_MS, received_at_ms=START_MS)
    request.command.command_id = command_id
    request.command.request_hash = b"h" * 32
    for name in ("bank", "seat-0", "seat-1"):
        request.instructions.add().open_account.account = name
    request.instructions.append(transfer("bank", "seat-0", 1500, "start"))
    return request


def transfer(debit: str, credit: str, amount: int, reason: str) -> bank_pb2.Instruction:
    """Return a transfer."""
    one = bank_pb2.Instruction()
    one.transfer.debit, one.transfer.credit = debit, credit
    one.transfer.amount, one.transfer.reason = amount, reason
    return one


def following(game_id: str, response: bank_pb2.CommitResponse, command_id: str) -> bank_pb2.CommitRequest:
    """Return a commit on the head that a response made, still without instructions."""
    commit = parse_commit(KEYS, game_id, response.committed.commit)
    request = bank_pb2.CommitRequest(game_id=game_id, now_ms=START_MS, received_at_ms=START_MS)
    request.command.command_id = command_id
    request.head.version = commit.version
    request.head.sequence = response.committed.sequence
    request.head.hash = commit.hash
    request.head.time_ms = commit.time_ms
    request.head.ledger_version = commit.version if commit.section(LEDGER) else 0
    return request


async def test_a_game_is_opened_played_and_read() -> None:
    """Commit as a service, then read balances, statement, trial balance and holds as a client."""
    game_id = new_game("rpc")
    async with served(MemoryLog()) as channel:
        peer, client = bank_pb2_grpc.BankPeerServiceStub(channel), ledger_pb2_grpc.LedgerServiceStub(channel)
        first = await peer.Commit(opening(game_id), metadata=PEER)
        bid = following(game_id, first, "bid")
        bid.instructions.add().place_hold.CopyFrom(
            bank_pb2.PlaceHold(hold_id="bid-1", account="seat-0", amount=600, expires_at_ms=START_MS + 60_000)
        )
        bid.instructions.append(transfer("seat-0", "seat-1", 50, "rent"))
        second = await peer.Commit(bid, metadata=PEER)
        assert second.WhichOneof("outcome") == "committed"

        balances = await client.GetBalances(ledger_pb2.GetBalancesRequest(ledger_id=game_id))
        assert balances.version == 2
        assert balances.commit_time.ToMilliseconds() == START_MS
        assert [(one.account, one.posted, one.held, one.available) for one in balances.balances] == [
            ("bank", -1500, 0, -1500),
            ("seat-0", 1450, 600, 850),
            ("seat-1", 50, 0, 50),
        ]
        before = await client.GetBalances(ledger_pb2.GetBalancesRequest(ledger_id=game_id, version=1))
        assert [one.posted for one in before.balances] == [-1500, 1500, 0]

        lines = (await client.GetStatement(ledger_pb2.GetStatementRequest(ledger_id=game_id))).lines
        assert [(line.entry_id, line.reason, line.command_id) for line in lines] == [
            ("1.3", "start", "create"),
            ("2.1", "rent", "bid"),
        ]
        trial = await client.GetTrialBalance(ledger_pb2.GetTrialBalanceRequest(ledger_id=game_id))
        assert (trial.debit_total, trial.credit_total, trial.entries) == (1500, 1500, 2)
        holds = (await client.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=game_id))).holds
        assert [(hold.hold_id, hold.account, hold.placed_version) for hold in holds] == [
            ("bid-1", "seat-0", 2)
        ]
        assert holds[0].expire_time.ToMilliseconds() == START_MS + 60_000
        none = await client.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=game_id, account="seat-1"))
        assert list(none.holds) == []


async def test_every_outcome_has_its_answer() -> None:
    """Committed, replayed, refused, conflict and reused come back as answers, not as errors."""
    game_id = new_game("outcomes")
    async with served(MemoryLog()) as channel:
        peer = bank_pb2_grpc.BankPeerServiceStub(channel)
        first = await peer.Commit(opening(game_id), metadata=PEER)
        again = await peer.Commit(opening(game_id), metadata=PEER)
        assert again.committed.replayed
        assert again.committed.commit == first.committed.commit
        other = opening(game_id)
        other.command.request_hash = b"x" * 32
        reused = await peer.Commit(other, metadata=PEER)
        assert reused.command_reused.version == 1
        late = await peer.Commit(opening(game_id, "late"), metadata=PEER)
        assert late.conflict.head.version == late.conflict.head.ledger_version == 1
        much = following(game_id, first, "much")
        much.instructions.append(transfer("seat-0", "seat-1", 1501, "rent"))
        refused = (await peer.Commit(much, metadata=PEER)).refused
        assert (refused.rejection, refused.account, refused.head) == (
            "INSUFFICIENT_FUNDS",
            "seat-0",
            much.head,
        )
        much.batch = True
        much.instructions.append(transfer("seat-0", "seat-1", 1500, "rent"))
        batch = await peer.Commit(much, metadata=PEER)
        assert [one.rejection for one in batch.committed.results] == ["INSUFFICIENT_FUNDS", ""]


async def test_an_open_stream_carries_many_commits_and_names_each_failure() -> None:
    """One message with three calls: two games are opened, the malformed third fails alone."""
    games = [new_game("stream-1"), new_game("stream-2")]
    message = bank_pb2.ExchangeRequest()
    for number, game_id in enumerate([*games, "nonsense"], start=1):
        call = message.calls.add(id=number)
        call.commit.CopyFrom(opening(game_id))
    message.calls.add(id=9)
    async with served(MemoryLog()) as channel:
        stream = bank_pb2_grpc.BankPeerServiceStub(channel).Exchange(metadata=PEER)
        await stream.write(message)
        await stream.done_writing()
        replies = {reply.id: reply async for response in stream for reply in response.replies}
    assert sorted(replies) == [1, 2, 3, 9]
    assert replies[1].commit.committed.commit
    assert replies[2].commit.committed.commit
    assert (replies[3].failure.code, replies[3].failure.reason) == (3, "INVALID_ARGUMENT")
    assert "game_id" in replies[3].failure.message
    assert replies[9].failure.code == 3


async def test_wrong_callers_and_wrong_questions_get_a_status_and_a_reason() -> None:
    """Clients may not commit; unknown games, versions and malformed fields have their own reasons."""
    game_id = new_game("errors")
    async with served(MemoryLog()) as channel:
        peer, client = bank_pb2_grpc.BankPeerServiceStub(channel), ledger_pb2_grpc.LedgerServiceStub(channel)
        await peer.Commit(opening(game_id), metadata=PEER)
        empty = following(game_id, await peer.Commit(opening(game_id), metadata=PEER), "empty")
        empty.instructions.add()
        calls: list[tuple[Awaitable[object], str, str]] = [
            (peer.Commit(opening(game_id)), "UNAUTHENTICATED", "TOKEN_MISSING"),
            (peer.Commit(empty, metadata=PEER), "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
            (client.GetBalances(ledger_pb2.GetBalancesRequest()), "INVALID_ARGUMENT", "INVALID_ARGUMENT"),
            (
                client.GetBalances(ledger_pb2.GetBalancesRequest(ledger_id=new_game("none"))),
                "NOT_FOUND",
                "UNKNOWN_LEDGER",
            ),
            (
                client.GetTrialBalance(ledger_pb2.GetTrialBalanceRequest(ledger_id=game_id, version=7)),
                "OUT_OF_RANGE",
                "VERSION_NOT_REACHED",
            ),
            (
                client.GetStatement(ledger_pb2.GetStatementRequest(ledger_id=game_id, account="seat-9")),
                "NOT_FOUND",
                "UNKNOWN_ACCOUNT",
            ),
            (
                client.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=game_id, account="?")),
                "INVALID_ARGUMENT",
                "INVALID_ARGUMENT",
            ),
        ]
        for call, code, reason in calls:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await call
            error = remote_error(caught.value)
            assert (error.code.name, error.reason) == (code, reason)


async def balances_of(
    client: ledger_pb2_grpc.LedgerServiceStub, game_id: str, version: int, token: str = ""
) -> dict[str, int | None]:
    """Return what the holder of a token sees of each account, None where it is hidden; both lists agree."""
    metadata = bearer(token)
    asked = ledger_pb2.GetBalancesRequest(ledger_id=game_id, version=version)
    listed = (await client.GetBalances(asked, metadata=metadata)).balances
    trial = await client.GetTrialBalance(
        ledger_pb2.GetTrialBalanceRequest(ledger_id=game_id, version=version), metadata=metadata
    )
    assert trial.debit_total == trial.credit_total == 1500
    rows = {row.account: None if row.hidden else row.credit - row.debit for row in trial.rows}
    seen = {one.account: None if one.hidden else one.posted for one in listed}
    assert rows == seen
    hidden = [one for one in listed if one.hidden]
    assert not any(one.posted or one.held or one.available for one in hidden)
    assert not any(row.credit or row.debit for row in trial.rows if row.hidden)
    return seen


async def test_private_balances_are_for_the_seats_own_token() -> None:
    """Lists leave the figures of others out, a statement is refused; once disclosed all versions are open."""
    game_id = new_game("private")
    first, second = (mint_seat(KEYS, game_id, seat) for seat in (0, 1))
    stranger = mint_seat(KEYS, new_game("another"), 0)
    of_first = ledger_pb2.GetStatementRequest(ledger_id=game_id, account="seat-0")
    async with served(MemoryLog()) as channel:
        peer, client = bank_pb2_grpc.BankPeerServiceStub(channel), ledger_pb2_grpc.LedgerServiceStub(channel)
        request = opening(game_id)
        for instruction in request.instructions[1:3]:
            instruction.open_account.private = True
        made = await peer.Commit(request, metadata=PEER)
        for version in (0, 1):
            assert await balances_of(client, game_id, version, first) == {
                "bank": -1500, "seat-0": 1500, "seat-1": None,
            }  # fmt: skip
            assert await balances_of(client, game_id, version, second) == {
                "bank": -1500, "seat-0": None, "seat-1": 0,
            }  # fmt: skip
            for token in ("", stranger):
                seen = await balances_of(client, game_id, version, token)
                assert seen == {"bank": -1500, "seat-0": None, "seat-1": None}
        for token in ("", second, stranger):
            error = await refused(client.GetStatement(of_first, metadata=bearer(token)))
            assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "BALANCE_HIDDEN")
        own = await client.GetStatement(of_first, metadata=bearer(first))
        assert [line.balance for line in own.lines] == [1500]
        whole = await client.GetStatement(ledger_pb2.GetStatementRequest(ledger_id=game_id))
        assert [(line.amount, line.balance) for line in whole.lines] == [(1500, 0)]
        last = following(game_id, made, "over")
        last.instructions.add().disclose_balances.SetInParent()
        await peer.Commit(last, metadata=PEER)
        for version in (1, 2):
            seen = await balances_of(client, game_id, version)
            assert seen == {"bank": -1500, "seat-0": 1500, "seat-1": 0}
        assert [line.balance for line in (await client.GetStatement(of_first)).lines] == [1500]
