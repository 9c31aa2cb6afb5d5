"""Private accounts: each seat looks at its own and at no other; once disclosed, everybody looks at all."""

from __future__ import annotations

import pytest
from prometheus_client import CollectorRegistry

from magnate.bank import codec
from magnate.bank.domain.instructions import DiscloseBalances, Instruction, OpenAccount, Transfer
from magnate.bank.domain.ledger import INITIAL, Decision, State, decide, fold
from magnate.bank.domain.records import AccountOpened, BalancesDisclosed
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.statement import Filter
from magnate.bank.instructions_codec import read_instruction
from magnate.bank.metrics import BankMetrics
from magnate.bank.queries import Queries, Reader, private_accounts
from magnate.bank.service import Bank
from magnate.bank.snapshot import LedgerSnapshots
from magnate.bank.v1 import bank_pb2
from magnate.kit.clock import FakeClock
from magnate.kit.errors import RefusedError
from magnate.kit.log.memory import MemoryLog
from magnate.peers.bank import Disclose, Open, get_instruction, put_instruction
from tests.support.banking import KEYS, START_MS, Caller, new_game

TABLE: list[Instruction] = [
    OpenAccount("bank"),
    OpenAccount("seat-0", private=True),
    OpenAccount("seat-1", private=True),
    OpenAccount("pot-parking"),
    Transfer("bank", "seat-0", 1500, "start"),
    Transfer("bank", "seat-1", 1500, "start"),
]
SEATS = {"seat-0", "seat-1"}


def opened() -> State:
    """Return the ledger of a table whose seats keep their balances to themselves."""
    decision = decide(INITIAL, TABLE, 1, 0)
    assert isinstance(decision, Decision)
    return decision.state


def test_privacy_is_a_fact_of_the_ledger() -> None:
    """It is stored with the opening, survives bytes and snapshots, and ends with a record of its own."""
    decision = decide(INITIAL, TABLE, 1, 0)
    assert isinstance(decision, Decision)
    previous, records = codec.decode(codec.SECTION_VERSION, codec.encode(0, decision.records))
    folded = INITIAL.copy()
    fold(folded, 1, previous, records)
    assert folded.same_as(decision.state)
    assert private_accounts(folded) == SEATS
    assert [one.private for one in records if isinstance(one, AccountOpened)] == [False, True, True, False]
    snapshots = LedgerSnapshots()
    assert snapshots.decode(snapshots.encode(folded)).same_as(folded)
    shown = decide(folded, [DiscloseBalances()], 2, 0)
    assert isinstance(shown, Decision)
    _, [disclosed] = codec.decode(codec.SECTION_VERSION, codec.encode(1, shown.records))
    assert isinstance(disclosed, BalancesDisclosed)
    assert private_accounts(shown.state) == set()
    assert private_accounts(folded) == SEATS


def test_a_refusal_does_not_tell_what_somebody_has() -> None:
    """Who is told may be another one than its owner, such as the other side of a deal; once open it says."""
    asked: list[Instruction] = [Transfer("seat-0", "seat-1", 1501, "rent")]
    refused = decide(opened(), asked, 2, 0)
    assert isinstance(refused, Rejection)
    assert (refused.name, refused.account) == ("INSUFFICIENT_FUNDS", "seat-0")
    assert refused.detail == "seat-0 has less than 1501 available"
    shown = decide(opened(), [DiscloseBalances(), *asked], 2, 0)
    assert isinstance(shown, Rejection)
    assert "1500" in shown.detail


def test_an_account_opened_after_the_disclosure_is_as_it_asks() -> None:
    """The record is about the accounts there are."""
    asks: list[Instruction] = [DiscloseBalances(), OpenAccount("seat-2", private=True)]
    decision = decide(opened(), asks, 2, 0)
    assert isinstance(decision, Decision)
    assert private_accounts(decision.state) == {"seat-2"}


def test_services_ask_for_it_in_the_words_of_the_proto() -> None:
    """What a service says is what the bank reads, and what one service passes on for another."""
    message = bank_pb2.Instruction()
    put_instruction(Open("seat-0", private=True), message)
    asked = read_instruction(0, message)
    assert isinstance(asked, OpenAccount)
    assert (asked.account, asked.private) == ("seat-0", True)
    put_instruction(Disclose(), message)
    assert isinstance(read_instruction(0, message), DiscloseBalances)
    assert isinstance(get_instruction(message), Disclose)


@pytest.mark.asyncio
async def test_a_statement_is_for_its_owner_until_the_disclosure() -> None:
    """At any version; the entries of the whole game are for everybody."""
    log = MemoryLog()
    bank = Bank(log, KEYS, BankMetrics(CollectorRegistry()))
    caller = Caller(log, new_game("private"))
    queries = Queries(bank, log, KEYS, FakeClock(START_MS))
    await caller.commit(bank, *TABLE)
    await caller.commit(bank, Transfer("seat-0", "seat-1", 50, "rent"))
    for version in (0, 1):
        assert (await queries.ledger(caller.game_id, version)).private == SEATS
        for own in ("", "seat-1"):
            with pytest.raises(RefusedError) as caught:
                await queries.statement(caller.game_id, Filter("seat-0"), version, reader=Reader(own))
            assert (caught.value.reason, caught.value.category) == ("BALANCE_HIDDEN", "forbidden")
            assert "1450" not in str(caught.value)
    banker = await queries.statement(caller.game_id, Filter("seat-0"), reader=Reader(banker=True))
    assert [line.balance for line in banker.lines] == [1500, 1450]
    mine = await queries.statement(caller.game_id, Filter("seat-0"), reader=Reader("seat-0"))
    assert [line.balance for line in mine.lines] == [1500, 1450]
    assert [line.amount for line in (await queries.statement(caller.game_id, Filter())).lines] == [
        1500,
        1500,
        50,
    ]
    assert (await queries.statement(caller.game_id, Filter("bank"))).lines[-1].balance == -3000
    await caller.commit(bank, DiscloseBalances())
    for version in (0, 1, 3):
        assert (await queries.ledger(caller.game_id, version)).private == set()
    early = await queries.statement(caller.game_id, Filter("seat-0"), 1)
    assert [line.balance for line in early.lines] == [1500]
