"""Many clients at once, deliveries twice, processes killed: the history of a ledger is checked afterwards.

Every client notes what it asked and what it was told. The checker then reads the ledger again: what was
acknowledged is there once, what was refused is not, and some order of the commands explains every answer.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING

import pytest

from magnate.client.ledger import LedgerSession, post_request, transfer
from magnate.client.posting import PostStream
from magnate.client.session import RefusedError, bearer
from magnate.kit.keys import KeyRing
from tests.support.bank_process import BankProcess
from tests.support.ledgers import serving
from tests.support.nats import running_server

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from magnate.bank.v1 import ledger_pb2

pytestmark = pytest.mark.asyncio
SEATS = ("seat-0", "seat-1", "seat-2", "seat-3")


class Asked:
    """A transfer that a client asked for, and what it was told."""

    def __init__(self, transfer_id: str, debit: str, credit: str, amount: int) -> None:
        self.transfer_id = transfer_id
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.told: list[str] = []
        self.entries: set[str] = set()

    def note(self, result: ledger_pb2.PostResult) -> None:
        """Note an answer."""
        self.told.append(result.rejection)
        if not result.rejection:
            assert result.moved == self.amount
            self.entries.add(result.entry_id)

    @property
    def done(self) -> bool:
        """Return whether it was ever acknowledged."""
        return "" in self.told


async def check_history(session: LedgerSession, ledger_id: str, history: Sequence[Asked]) -> None:
    """Compare what clients were told with what the ledger has, entry by entry and balance by balance."""
    lines = await session.statement(ledger_id)
    by_id = {line.transfer_id: line for line in lines}
    assert len(by_id) == len(lines), "a transfer is there twice"
    for asked in history:
        line = by_id.pop(asked.transfer_id, None)
        if asked.done:
            assert line is not None, f"{asked.transfer_id} was acknowledged and is not there"
            assert asked.entries == {line.entry_id}, "it was told of several entries"
            assert (line.debit, line.credit, line.amount) == (asked.debit, asked.credit, asked.amount)
        else:
            assert line is None, f"{asked.transfer_id} was only refused and is there"
    assert {line.reason for line in by_id.values()} <= {"start"}, "nobody asked for these"
    running = dict.fromkeys(("bank", *SEATS), 0)
    for line in lines:
        running[line.debit] -= line.amount
        running[line.credit] += line.amount
        assert all(posted >= 0 for name, posted in running.items() if name != "bank"), "overdrawn on the way"
    balances = await session.balances(ledger_id)
    assert {name: one.posted for name, one in balances.items()} == running
    assert sum(running.values()) == 0


async def open_ledger(session: LedgerSession, cash: int) -> tuple[str, str]:
    """Return a ledger whose seats have so much, and the banker's token."""
    ledger = await session.open(SEATS)
    start = [transfer("bank", seat, cash, "start") for seat in SEATS]
    await session.post(ledger.ledger_id, ledger.banker_token, start)
    return ledger.ledger_id, ledger.banker_token


@pytest.mark.parametrize("seed", range(4))
async def test_clients_that_drain_one_account(seed: int) -> None:
    """Eight clients over streams and calls, some messages delivered twice or thrice: one history."""
    draw = random.Random(seed)
    history: list[Asked] = []
    async with serving() as served:
        ledger_id, token = await open_ledger(served.session, 100)

        async def client(number: int) -> None:
            async with PostStream(served.session) as stream:
                for turn in range(12):
                    payer = draw.choice(SEATS[:2])
                    payee = draw.choice([seat for seat in SEATS if seat != payer])
                    asked = Asked(f"c{number}-{turn}", payer, payee, draw.choice([80, 30, 7]))
                    history.append(asked)
                    instruction = transfer(payer, payee, asked.amount, transfer_id=asked.transfer_id)
                    request = post_request(ledger_id, [instruction], token=token)
                    for _ in range(draw.choice([1, 1, 2, 3])):
                        if draw.random() < 0.3:  # the same transfer by another command
                            request.command_id += ":again"
                        if draw.random() < 0.5:
                            reply = await stream.post(request)
                            assert reply.HasField("response"), reply
                            asked.note(reply.response.results[0])
                        else:
                            answer = await served.session.stub.Post(request, metadata=bearer(token))
                            asked.note(answer.results[0])

        await asyncio.gather(*(client(number) for number in range(8)))
        assert any(one.done for one in history)
        assert any("INSUFFICIENT_FUNDS" in one.told for one in history)
        await check_history(served.session, ledger_id, history)


async def test_one_command_delivered_by_many_at_once_acts_once() -> None:
    """Twenty copies of a batch at the same moment: one commit, twenty equal answers."""
    async with serving() as served:
        ledger_id, token = await open_ledger(served.session, 100)
        batch = [
            transfer("seat-0", "seat-1", 80, transfer_id="x"),
            transfer("seat-0", "seat-1", 80, transfer_id="y"),
        ]
        request = post_request(ledger_id, batch)
        answers = await asyncio.gather(
            *(served.session.stub.Post(request, metadata=bearer(token)) for _ in range(20))
        )
        assert {one.version for one in answers} == {3}
        assert sorted(one.replayed for one in answers) == [False] + [True] * 19
        assert {tuple((r.entry_id, r.rejection) for r in one.results) for one in answers} == {
            (("3.0", ""), ("", "INSUFFICIENT_FUNDS"))
        }
        assert len(await served.log.load(ledger_id)) == 3


@pytest.mark.nats
@pytest.mark.slow
async def test_a_bank_that_is_killed_again_and_again_while_clients_post(tmp_path: Path) -> None:
    """Whatever step it dies at, each acknowledged transfer is there once, and each refused one is not."""
    draw = random.Random(1)
    history: list[Asked] = []
    async with running_server() as server:
        bank = BankProcess(server.url, tmp_path, KeyRing.generate())
        bank.start()
        try:
            async with LedgerSession(bank.address) as session:
                ledger_id, token = await open_ledger(session, 1000)
                killed, sent = asyncio.Event(), asyncio.Queue[int]()

                async def client(number: int) -> None:
                    turn = 0
                    while not killed.is_set() or turn < 5:
                        payer, payee = draw.sample(SEATS, 2)
                        asked = Asked(f"c{number}-{turn}", payer, payee, draw.choice([900, 40, 3]))
                        history.append(asked)
                        sent.put_nowait(turn)
                        turn += 1
                        instruction = transfer(payer, payee, asked.amount, transfer_id=asked.transfer_id)
                        answer = await session.post(ledger_id, token, [instruction])
                        asked.note(answer.results[0])

                async def killer() -> None:
                    for _ in range(6):
                        for _ in range(draw.randint(1, 25)):
                            await sent.get()
                        await bank.kill()
                        bank.start()
                    killed.set()

                await asyncio.gather(killer(), *(client(number) for number in range(6)))
                assert sum(one.done for one in history) > 10
                await check_history(session, ledger_id, history)
                with pytest.raises(RefusedError):
                    await session.post(ledger_id, "", [transfer("bank", "seat-0", 1)])
        finally:
            bank.stop()
