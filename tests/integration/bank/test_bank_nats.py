"""The bank on a real nats-server: many writers, crashes at the worst moments, one effect a command."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import grpc
import pytest
import pytest_asyncio
from prometheus_client import CollectorRegistry

from magnate.bank.asks import Committed, Moved, Refused
from magnate.bank.domain.instructions import PlaceHold, ReleaseHold, Transfer
from magnate.bank.domain.statement import Filter
from magnate.bank.metrics import BankMetrics
from magnate.bank.queries import Queries
from magnate.bank.service import Bank
from magnate.bank.snapshot import LedgerSnapshots
from magnate.bank.v1 import bank_pb2, bank_pb2_grpc, ledger_pb2, ledger_pb2_grpc
from magnate.kit.clock import SystemClock
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.port import AppendResult, OutcomeUnknown
from magnate.kit.rpc.channels import peer_metadata
from tests.support.banking import KEYS, Caller, new_game, opening
from tests.support.nats import NatsServer, free_ports, running_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = [pytest.mark.asyncio, pytest.mark.nats]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[NatsServer]:
    """Run a nats-server on a fresh store."""
    async with running_server() as running:
        yield running


@pytest_asyncio.fixture
async def log(server: NatsServer) -> AsyncIterator[JetStreamLog]:
    """Connect to the server's log."""
    connected = JetStreamLog([server.url])
    await connected.connect()
    await connected.ensure()
    yield connected
    await connected.close()


def bank_on(log: Any) -> Bank:
    """Return a bank process's service without a past."""
    return Bank(log, KEYS, BankMetrics(CollectorRegistry()), snapshots=LedgerSnapshots())


async def play(bank: Bank, caller: Caller, rounds: int) -> int:
    """Pay `rounds` times as one of several writers would, starting anew whenever others were faster."""
    done = 0
    for number in range(rounds):
        command = caller.command(f"w{id(caller)}-{number}")
        while True:
            answer = await bank.commit(
                caller.ask(
                    PlaceHold(f"h{id(caller)}", "seat-0", 1),
                    Transfer("bank", "seat-1", 1, "salary"),
                    ReleaseHold(f"h{id(caller)}"),
                    command=command,
                )
            )
            if isinstance(answer, Committed):
                break
            assert isinstance(answer, Moved), answer
            await caller.catch_up()
        done += 1
        await caller.catch_up()
    return done


async def test_writers_in_several_processes_make_one_history(log: JetStreamLog) -> None:
    """Four writers through three banks: every payment is there once, and all banks agree with the log."""
    banks = [bank_on(log) for _ in range(3)]
    game_id = new_game("race")
    await Caller(log, game_id).commit(banks[0], *opening())
    callers = [Caller(log, game_id) for _ in range(4)]
    for caller in callers:
        await caller.catch_up()
    done = await asyncio.gather(*(play(banks[i % 3], callers[i], 15) for i in range(4)))
    assert sum(done) == 60
    states = [(await bank.newest(game_id)).state for bank in banks]
    assert all(state.same_as(states[0]) for state in states)
    assert states[0].posted[states[0].index["seat-1"]] == 1500 + 60
    lines = (await Queries(banks[0], log, KEYS, SystemClock()).statement(game_id, Filter("seat-1"))).lines
    assert len({line.command_id for line in lines}) == len(lines) == 61


class LosingLog:
    """A log whose next acknowledgement is lost after the bytes were stored, as when a process dies there."""

    def __init__(self, log: JetStreamLog) -> None:
        self._log = log
        self.lose = False

    def __getattr__(self, name: str) -> Any:
        """Pass everything else on."""
        return getattr(self._log, name)

    async def append(self, *args: Any, **options: Any) -> AppendResult:
        """Store, then crash or not."""
        result = await self._log.append(*args, **options)
        if self.lose:
            raise ConnectionAbortedError("the process died here")
        return result


async def test_a_crash_between_append_and_reply_leaves_one_effect(log: JetStreamLog) -> None:
    """The command is stored, nobody was told; sent again to another bank it is answered from the log."""
    losing = LosingLog(log)
    caller = Caller(log, new_game("crash"))
    await caller.commit(bank_on(log), *opening())
    ask = caller.ask(Transfer("seat-0", "seat-1", 1500, "all"), command=caller.command("once"))
    losing.lose = True
    with pytest.raises(ConnectionAbortedError):
        await bank_on(losing).commit(ask)
    heir = bank_on(log)
    for _ in range(2):
        answer = await heir.commit(ask)
        assert isinstance(answer, Committed)
        assert answer.replayed
    assert len(await log.load(caller.game_id)) == 2


async def test_an_answer_that_never_comes_is_found_in_the_log(log: JetStreamLog) -> None:
    """Outcome unknown: the same bytes are sent again, found to be stored, and answered as committed."""

    class Deaf(LosingLog):
        async def append(self, *args: Any, **options: Any) -> AppendResult:
            """Store, and lose the first acknowledgement."""
            result = await self._log.append(*args, **options)
            if self.lose:
                self.lose = False
                return OutcomeUnknown("lost")
            return result

    deaf = Deaf(log)
    bank = bank_on(deaf)
    caller = Caller(log, new_game("deaf"))
    await caller.commit(bank, *opening())
    deaf.lose = True
    assert isinstance(await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent")), Committed)
    assert isinstance(await caller.commit(bank, Transfer("seat-0", "seat-1", 1500, "rent")), Refused)
    assert len(await log.load(caller.game_id)) == 2


@pytest.mark.slow
async def test_a_killed_server_costs_time_and_nothing_else(server: NatsServer, log: JetStreamLog) -> None:
    """Payments go on through kill -9 and restart of nats-server; each acknowledged one is there once."""
    bank = bank_on(log)
    caller = Caller(log, new_game("killed"))
    await caller.commit(bank, *opening())

    async def pay(number: int) -> None:
        command = caller.command(f"pay-{number}")
        while True:
            try:
                answer = await bank.commit(
                    caller.ask(Transfer("seat-0", "seat-1", 1, "rent"), command=command)
                )
            except LogUnavailableError:
                continue
            assert isinstance(answer, Committed), answer
            caller.saw(answer.data, answer.sequence)
            return

    async def crash() -> None:
        for _ in range(2):
            await asyncio.sleep(0.1)
            server.kill()
            await asyncio.sleep(0.2)
            server.start()
            await server.ready()

    crashing = asyncio.create_task(crash())
    paid = 0
    while not crashing.done() or paid < 20:
        await pay(paid)
        paid += 1
    await crashing
    state = (await bank_on(log).newest(caller.game_id)).state
    assert state.posted[state.index["seat-1"]] == 1500 + paid
    assert state.entries == 2 + paid


async def start_process(server: NatsServer, port: int, metrics_port: int) -> asyncio.subprocess.Process:
    """Start a bank process."""
    environment = {
        **os.environ,
        "PYTHONPATH": "services",
        "MAGNATE_NATS_URL": server.url,
        "MAGNATE_KEYS": f"k1:{(b'k' * 32).hex()}",
        "MAGNATE_PORT": str(port),
        "MAGNATE_METRICS_PORT": str(metrics_port),
        "MAGNATE_LOG_LEVEL": "warning",
    }
    return await asyncio.create_subprocess_exec(sys.executable, "-m", "magnate.bank", env=environment)


async def _committed(peer: Any, request: bank_pb2.CommitRequest, metadata: Any) -> bank_pb2.CommitResponse:
    """Send a command until it is answered: over the connection to a dead process it may break off first."""
    async with asyncio.timeout(60):
        while True:
            try:
                answer: bank_pb2.CommitResponse = await peer.Commit(
                    request, metadata=metadata, wait_for_ready=True, timeout=30
                )
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
            else:
                return answer


@pytest.mark.slow
async def test_a_killed_process_loses_nothing_it_acknowledged(server: NatsServer) -> None:
    """Commits over gRPC while the bank process is killed and started again; then SIGTERM ends it with 0."""
    port, metrics_port = free_ports(2)
    game_id = new_game("process")
    process = await start_process(server, port, metrics_port)
    acknowledged, head = 0, bank_pb2.Head()
    try:
        async with grpc.aio.insecure_channel(
            f"127.0.0.1:{port}", options=[("grpc.max_reconnect_backoff_ms", 200)]
        ) as channel:
            peer = bank_pb2_grpc.BankPeerServiceStub(channel)
            client = ledger_pb2_grpc.LedgerServiceStub(channel)
            metadata = peer_metadata(KEYS, "game")
            for number in range(12):
                if number in {4, 8}:
                    process.send_signal(signal.SIGKILL)
                    await process.wait()
                    process = await start_process(server, port, metrics_port)
                request = bank_pb2.CommitRequest(game_id=game_id, now_ms=1)
                request.command.command_id = f"c{number}"
                request.head.CopyFrom(head)
                if number == 0:
                    for name in ("bank", "seat-0"):
                        request.instructions.add().open_account.account = name
                pay = request.instructions.add().transfer
                pay.debit, pay.credit, pay.amount, pay.reason = "bank", "seat-0", 5, "salary"
                response = await _committed(peer, request, metadata)
                assert response.WhichOneof("outcome") == "committed"
                acknowledged += 1
                stale = bank_pb2.CommitRequest(game_id=game_id, now_ms=1)
                stale.command.command_id = "probe"
                head = (await peer.Commit(stale, metadata=metadata)).conflict.head
            balances = await client.GetBalances(ledger_pb2.GetBalancesRequest(ledger_id=game_id))
            assert balances.version == acknowledged == 12
            assert [one.posted for one in balances.balances] == [-60, 60]
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 20) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
