"""A broken record stops its own table, raises the alarm, and is named by the audit; all others go on."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import subprocess
import sys
import urllib.request
from random import Random
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from prometheus_client.parser import text_string_to_metric_families

from magnate.bank import codec
from magnate.bank.domain.records import EntryPosted
from magnate.bank.fold import read_section
from magnate.bank.v1 import ledger_pb2, ledger_pb2_grpc
from magnate.cli.stack import Stack, StackOptions
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.player import Player
from magnate.client.session import RefusedError, Session, bearer
from magnate.kit.ids import request_hash
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import LEDGER, Command, Section, build_commit, parse_commit
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.port import Appended
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from magnate.kit.log.commit import ParsedCommit

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240)]

TURNS = 30
EARLY = 40
"""So far a game is when its log is damaged: money has moved."""


class Table:
    """A game of two bots: its id, its tokens, and those who play."""

    def __init__(self, game_id: str, tokens: list[str]) -> None:
        self.game_id = game_id
        self.tokens = tokens
        self.playing: list[asyncio.Task[None]] = []

    async def halt(self) -> None:
        """Let nobody play any more."""
        for one in self.playing:
            one.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)


async def begin(session: Session, seed: int) -> Table:
    """Open a game, seat two bots, let them play."""
    game_id = await session.create_game(seat_count=2, options={"end.turns_max": str(TURNS)})
    seats = [await session.join(game_id, name, bytes([seed])) for name in ("Ada", "Boris")]
    await session.start(game_id, seats[0].token)
    table = Table(game_id, [one.token for one in seats])
    for one in seats:
        bot = RandomLegalBot(Random(seed * 10 + one.seat))
        table.playing.append(asyncio.create_task(Player(session, game_id, one.seat, one.token, bot).play()))
    return table


async def grown(session: Session, table: Table) -> None:
    """Wait until a game has got so far that there is something to damage."""
    async for update in session.watch(table.game_id):
        if update.HasField("commit") and update.commit.version >= EARLY:
            return


def forged(keys: KeyRing, last: ParsedCommit, sections: list[Section], previous_hash: bytes = b"") -> bytes:
    """Return a commit after the last one, with a mac that is right."""
    command = Command("forged", request_hash(b""), actor="nobody", received_at_ms=last.time_ms)
    return build_commit(
        keys,
        last.game_id,
        command,
        sections,
        previous_version=last.version,
        previous_hash=previous_hash or last.hash,
        previous_time_ms=last.time_ms,
        now_ms=last.time_ms,
    ).data


async def take_money(log: JetStreamLog, keys: KeyRing, game_id: str) -> int:
    """Append, with the keys, a commit whose ledger section takes more from a seat than it has."""

    def overdraft(commits: list[ParsedCommit]) -> bytes:
        ledger_version = max(commit.version for commit in commits if read_section(commit) is not None)
        body = codec.encode(ledger_version, [EntryPosted("seat-0", "seat-1", 10**9, "gift")])
        return forged(keys, commits[-1], [Section(LEDGER, codec.SECTION_VERSION, body)])

    return await append(log, keys, game_id, overdraft)


async def break_chain(log: JetStreamLog, keys: KeyRing, game_id: str) -> int:
    """Append, with the keys, a commit that does not follow the one before it."""

    def astray(commits: list[ParsedCommit]) -> bytes:
        last = commits[-1]
        return forged(keys, last, [], bytes([last.hash[0] ^ 1]) + last.hash[1:])

    return await append(log, keys, game_id, astray)


async def append(
    log: JetStreamLog, keys: KeyRing, game_id: str, make: Callable[[list[ParsedCommit]], bytes]
) -> int:
    """Append what `make` makes of the stored commits, straight to the log; return its version."""
    while True:  # what was on its way when the players were halted may still come
        commits = [parse_commit(keys, game_id, one.data, one.sequence) for one in await log.load(game_id)]
        result = await log.append(game_id, make(commits), commits[-1].sequence)
        if isinstance(result, Appended):
            return commits[-1].version + 1
        await asyncio.sleep(0.05)


def damaged(stack: Stack) -> dict[str, float]:
    """Return the alarm of each service."""
    found: dict[str, float] = {}
    ready: Any = stack.ready()["metrics"]
    for url in ready.values():
        with urllib.request.urlopen(url, timeout=5) as page:
            for family in text_string_to_metric_families(page.read().decode()):
                for sample in family.samples:
                    if sample.name.endswith("_damaged_total"):
                        found[sample.name] = found.get(sample.name, 0) + sample.value
    return found


async def data_loss(call: Any) -> None:
    """Await a call that must end with DATA_LOSS."""
    with pytest.raises((RefusedError, grpc.aio.AioRpcError)) as caught:
        await call
    error: Any = caught.value
    code = error.code if isinstance(error, RefusedError) else error.code()
    assert code is grpc.StatusCode.DATA_LOSS, error


async def audit(data: Path, *arguments: str) -> tuple[int, dict[str, Any]]:
    """Run `magnate audit --json`; return exit code and the signed report."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "magnate.cli", "audit", "--data", str(data), "--json", *arguments),
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode is not None
    return process.returncode, json.loads(out)


async def cannot_be_watched(stack: Stack, game_id: str) -> None:
    """`magnate watch` says so in a line, with the exit code of a check that failed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "magnate.cli", "watch", game_id, "--plain", "--addr"),
        stack.addresses("game")[0],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    out, said = await asyncio.wait_for(process.communicate(), 60)
    assert (process.returncode, out) == (1, b""), said
    assert b"DATA_LOSS" in said


async def open_ledger(bank: ledger_pb2_grpc.LedgerServiceStub) -> ledger_pb2.OpenLedgerResponse:
    """Open a stand-alone ledger of two seats with money."""
    request = ledger_pb2.OpenLedgerRequest(command_id=f"open-{secrets.token_hex(12)}")
    for name in ("seat-0", "seat-1"):
        request.accounts.add().account = name
    opened = await bank.OpenLedger(request, timeout=20)
    await post(bank, opened, "bank", "seat-0", 1500)
    return opened


async def post(
    bank: ledger_pb2_grpc.LedgerServiceStub,
    ledger: ledger_pb2.OpenLedgerResponse,
    debit: str,
    credit: str,
    amount: int,
) -> ledger_pb2.PostResponse:
    """Post a transfer to a stand-alone ledger."""
    name = secrets.token_hex(12)
    request = ledger_pb2.PostRequest(ledger_id=ledger.ledger_id, command_id=name)
    transfer = request.instructions.add().transfer
    transfer.debit, transfer.credit, transfer.amount = debit, credit, amount
    transfer.reason, transfer.transfer_id = "gift", name
    return await bank.Post(request, timeout=20, metadata=bearer(ledger.banker_token))


async def damage_some(stack: Stack, data: Path) -> None:
    """Three games and two ledgers, of which two games and one ledger are damaged."""
    keys = KeyRing.parse((data / "keys").read_text().strip())
    log = JetStreamLog([stack.nats_url])
    await log.connect()
    async with (
        Session(stack.addresses("game")[0]) as session,
        grpc.aio.insecure_channel(stack.addresses("bank")[0]) as channel,
    ):
        bank = ledger_pb2_grpc.LedgerServiceStub(channel)
        overdrawn, astray, sound = [await begin(session, seed) for seed in (1, 2, 3)]
        robbed, kept = [await open_ledger(bank) for _ in range(2)]
        for table in (overdrawn, astray):
            await grown(session, table)
            await table.halt()
        code, document = await audit(data, "--all")
        assert (code, document["report"]["ok"]) == (0, True), document
        assert set(damaged(stack).values()) == {0.0}

        versions = {
            (overdrawn.game_id, "ledger"): await take_money(log, keys, overdrawn.game_id),
            (astray.game_id, "chain"): await break_chain(log, keys, astray.game_id),
            (robbed.ledger_id, "ledger"): await take_money(log, keys, robbed.ledger_id),
        }
        await check_alarm(stack, session, bank, [overdrawn, astray], robbed)
        await cannot_be_watched(stack, astray.game_id)
        await asyncio.gather(*sound.playing)
        await post(bank, kept, "seat-0", "seat-1", 5)

        await check_audit(stack, data, versions, [sound.game_id, kept.ledger_id])
    await log.close()


async def check_audit(
    stack: Stack, data: Path, versions: dict[tuple[str, str], int], sound: list[str]
) -> None:
    """The audit names the damaged tables and their versions, and no other; its report is signed."""
    addresses = ("--game", stack.addresses("game")[0], "--bank", stack.addresses("bank")[0])
    report = str(data / "report.json")
    code, document = await audit(data, "--all", "--workers", "2", "--report", report, *addresses)
    tables = document["report"]["tables"]
    found = {
        (table["table_id"], fault["kind"]): fault["version"]
        for table in tables
        for fault in table["faults"]
        if fault["kind"] in {"ledger", "chain"}
    }
    assert (code, found) == (1, versions)
    assert {one["table_id"] for one in tables if not one["ok"]} == {table_id for table_id, _ in versions}
    assert len(tables) == len(versions) + len(sound)
    code, checked = await audit(data, "--verify-report", report)
    assert (code, checked["verified"], checked["broken"]) == (0, True, len(versions))
    code, document = await audit(data, *sound, *addresses)
    assert (code, document["report"]["totals"]["tables"]) == (0, len(sound)), document


async def check_alarm(
    stack: Stack,
    session: Session,
    bank: ledger_pb2_grpc.LedgerServiceStub,
    games: list[Table],
    ledger: ledger_pb2.OpenLedgerResponse,
) -> None:
    """Whoever reads or writes a damaged table is told so, and each time the alarm goes up."""
    command = vocabulary_pb2.Command(end_turn=vocabulary_pb2.EndTurn())
    for game in games:
        before = damaged(stack)["magnate_game_damaged_total"]
        await data_loss(session.act(game.game_id, game.tokens[0], command))
        await data_loss(session.game(game.game_id))
        assert damaged(stack)["magnate_game_damaged_total"] >= before + 2
    newest = ledger_pb2.GetBalancesRequest
    asked: list[Callable[[str], Any]] = [
        lambda table: bank.GetBalances(newest(ledger_id=table), timeout=20),
        lambda table: bank.GetBalances(newest(ledger_id=table, version=1), timeout=20),
        lambda table: bank.GetStatement(ledger_pb2.GetStatementRequest(ledger_id=table), timeout=20),
        lambda table: bank.GetTrialBalance(ledger_pb2.GetTrialBalanceRequest(ledger_id=table), timeout=20),
        lambda table: bank.ListHolds(ledger_pb2.ListHoldsRequest(ledger_id=table), timeout=20),
    ]
    for table_id in (*(game.game_id for game in games), ledger.ledger_id):
        for ask in asked:
            before = damaged(stack)["magnate_bank_damaged_total"]
            await data_loss(ask(table_id))
            assert damaged(stack)["magnate_bank_damaged_total"] == before + 1
    before = damaged(stack)["magnate_bank_damaged_total"]
    await data_loss(post(bank, ledger, "seat-0", "seat-1", 5))
    assert damaged(stack)["magnate_bank_damaged_total"] == before + 1


def test_damage_stops_its_own_table_and_is_named(tmp_path: Path) -> None:
    """DATA_LOSS and the alarm for three tables, play for the others; the audit names exactly the three."""

    async def run() -> None:
        stack = Stack(StackOptions(data=tmp_path, free_ports=True))
        await stack.start()
        try:
            await damage_some(stack, tmp_path)
        finally:
            await stack.stop()

    asyncio.run(run())
