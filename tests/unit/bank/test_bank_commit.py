"""The bank's one way to write: what it answers to callers who are right, late, early, twice or wrong."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from magnate.bank.asks import Committed, Head, Moved, Refused, Reused
from magnate.bank.domain.instructions import OpenAccount, PlaceHold, Transfer
from magnate.bank.metrics import BankMetrics
from magnate.bank.service import Bank
from magnate.bank.snapshot import LedgerSnapshots
from magnate.kit.errors import ExhaustedError, InvalidArgumentError
from magnate.kit.log.commit import LEDGER, RULES, Section, parse_commit
from magnate.kit.log.errors import DataLossError, LogUnavailableError
from magnate.kit.log.memory import MemoryLog
from tests.support.banking import KEYS, START_MS, Caller, new_game, opening

pytestmark = pytest.mark.asyncio


class CountingLog(MemoryLog):
    """Counts how often a game is read."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = 0

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> Any:
        """Count, then read."""
        self.reads += 1
        return await super().load(game_id, after_sequence, at_least)


def bank_on(log: MemoryLog, **options: Any) -> Bank:
    """Return a bank without a past."""
    return Bank(log, KEYS, BankMetrics(CollectorRegistry()), **options)


async def table(log: MemoryLog, bank: Bank, name: str = "g") -> Caller:
    """Return the caller of a game with two seats of 1500."""
    caller = Caller(log, new_game(name))
    assert isinstance(await caller.commit(bank, *opening()), Committed)
    return caller


async def posted(bank: Bank, caller: Caller, account: str) -> int:
    """Return an account's posted balance in the newest version."""
    state = (await bank.newest(caller.game_id)).state
    return state.posted[state.index[account]]


async def test_a_commit_carries_the_callers_sections_and_the_ledger_section_last() -> None:
    """What is stored is what was asked for, with the bank's section behind it and the later of two times."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    answer = await caller.commit(bank, Transfer("seat-0", "seat-1", 50, "rent"), command_id="rent-1")
    assert isinstance(answer, Committed)
    stored = await log.last(caller.game_id)
    assert stored is not None
    assert (stored.data, stored.sequence) == (answer.data, answer.sequence)
    commit = parse_commit(KEYS, caller.game_id, answer.data)
    assert [section.kind for section in commit.sections] == [RULES, LEDGER]
    assert (commit.version, commit.command_id, commit.time_ms) == (2, "rent-1", START_MS + 1)
    assert await posted(bank, caller, "seat-1") == 1550


async def test_nothing_is_read_while_the_caller_knows_the_newest_ledger_section() -> None:
    """Commits without money in between do not make the bank read."""
    log = CountingLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    for _ in range(3):
        await caller.append_without_money()
        answer = await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent"))
        assert isinstance(answer, Committed)
    assert log.reads == 0


async def test_a_bank_without_memory_reads_the_log() -> None:
    """Another process takes over where the first one was, and the first one then finds what it missed."""
    log = MemoryLog()
    first, second = bank_on(log), bank_on(log)
    caller = await table(log, first)
    assert isinstance(await caller.commit(second, Transfer("seat-0", "seat-1", 1500, "all")), Committed)
    await caller.append_without_money()
    answer = await caller.commit(first, Transfer("seat-0", "seat-1", 1, "rent"))
    assert isinstance(answer, Refused)
    assert answer.rejection.name == "INSUFFICIENT_FUNDS"
    assert answer.head.version == caller.head.version == 3


async def test_a_refusal_writes_nothing_and_names_the_head() -> None:
    """A refused commit leaves log and ledger as they were."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    answer = await caller.commit(
        bank, PlaceHold("bid", "seat-0", 100), Transfer("seat-0", "seat-1", 1401, "x")
    )
    assert isinstance(answer, Refused)
    assert (answer.rejection.name, answer.rejection.instruction) == ("INSUFFICIENT_FUNDS", 1)
    assert answer.head is caller.head
    assert len(await log.load(caller.game_id)) == 1
    assert isinstance(await caller.commit(bank, Transfer("seat-0", "seat-1", 1500, "x")), Committed)


async def test_a_caller_behind_the_log_is_told_the_newest_head() -> None:
    """Whether the bank knows it or learns it from the refused append, a late caller gets Moved."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    old = caller.head
    await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent"))
    await caller.append_without_money()
    for one in (bank, bank_on(log)):
        answer = await one.commit(caller.ask(Transfer("seat-0", "seat-1", 1, "rent"), head=old))
        assert isinstance(answer, Moved)
        assert (answer.head.version, answer.head.hash) == (3, caller.head.hash)
        assert answer.head.ledger_version == 2
    assert isinstance(await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent")), Committed)


@pytest.mark.parametrize("same_process", [True, False])
async def test_a_command_sent_again_has_one_effect(same_process: bool) -> None:
    """The same command on the same head is answered from the stored commit, by any bank."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    ask = caller.ask(Transfer("seat-0", "seat-1", 1500, "all"), command=caller.command("once"))
    first = await bank.commit(ask)
    again = await (bank if same_process else bank_on(log)).commit(ask)
    assert isinstance(first, Committed)
    assert isinstance(again, Committed)
    assert (again.data, again.sequence, again.replayed) == (first.data, first.sequence, True)
    assert len(await log.load(caller.game_id)) == 2


async def test_a_command_id_with_another_request_is_refused() -> None:
    """The id of a stored command with other content is Reused."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    transfer = Transfer("seat-0", "seat-1", 1, "rent")
    await bank.commit(caller.ask(transfer, command=caller.command("id", b"one")))
    answer = await bank.commit(caller.ask(transfer, command=caller.command("id", b"two")))
    assert isinstance(answer, Reused)
    assert answer.version == 2


@pytest.mark.parametrize("fault", ["lost_ack", "lost", "unavailable", "in_flight"])
async def test_whatever_an_append_suffers_its_outcome_becomes_certain(fault: Any) -> None:
    """A lost message is sent again, a lost ack is found in the log; either way there is one effect."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    log.faults.extend([fault, fault])
    answer = await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent"))
    assert isinstance(answer, Committed)
    assert not answer.replayed
    assert len(await log.load(caller.game_id)) == 2
    assert await posted(bank, caller, "seat-1") == 1501
    assert isinstance(await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent")), Committed)


async def test_a_log_that_does_not_answer_makes_the_outcome_unknown() -> None:
    """After the last try the caller hears LOG_UNAVAILABLE and may send the same command again."""
    log = MemoryLog()
    bank = bank_on(log, retry_seconds_max=0.05)
    caller = await table(log, bank)
    log.faults.append("lost_ack")
    log.faults.extend(["unavailable"] * 50)
    ask = caller.ask(Transfer("seat-0", "seat-1", 1, "rent"), command=caller.command("once"))
    with pytest.raises(LogUnavailableError):
        await bank.commit(ask)
    log.faults.clear()
    assert isinstance(await bank.commit(ask), Committed)
    assert len(await log.load(caller.game_id)) == 2


async def test_commits_of_one_game_are_written_in_the_order_they_came() -> None:
    """Of many that start from the same head the first wins and the others are told."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    asks = [caller.ask(Transfer("seat-0", "seat-1", n, "rent")) for n in range(1, 11)]
    answers = await asyncio.gather(*(bank.commit(ask) for ask in asks))
    assert isinstance(answers[0], Committed)
    assert all(isinstance(answer, Moved) for answer in answers[1:])


async def test_a_full_queue_is_refused() -> None:
    """More commits than may wait for one game are refused at once, and the others go on."""
    log = MemoryLog()
    bank = bank_on(log, queue_per_game_max=2)
    caller = await table(log, bank)
    asks = [caller.ask(Transfer("seat-0", "seat-1", 1, "rent")) for _ in range(3)]
    answers = await asyncio.gather(*(bank.commit(ask) for ask in asks), return_exceptions=True)
    assert [type(answer) for answer in answers] == [Committed, Moved, ExhaustedError]


async def test_those_who_only_look_leave_the_queue_to_commits() -> None:
    """However many ask for balances, nobody's payment is refused for them."""
    log = MemoryLog()
    bank = bank_on(log, queue_per_game_max=2)
    caller = await table(log, bank)
    ask = caller.ask(Transfer("seat-0", "seat-1", 1, "rent"))
    looks = [asyncio.create_task(bank.newest(ask.game_id)) for _ in range(50)]
    await asyncio.sleep(0)
    assert isinstance(await bank.commit(ask), Committed)
    await asyncio.gather(*looks)


async def test_a_batch_tells_each_result() -> None:
    """What was refused of a batch is named; the rest is in the log."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    answer = await bank.commit(
        caller.ask(
            Transfer("seat-0", "seat-1", 1501, "x"), Transfer("seat-0", "seat-1", 1500, "x"), batch=True
        )
    )
    assert isinstance(answer, Committed)
    assert [one.rejection and one.rejection.name for one in answer.results] == ["INSUFFICIENT_FUNDS", None]
    assert await posted(bank, caller, "seat-1") == 3000


async def test_a_commit_without_instructions_has_no_ledger_section() -> None:
    """Nothing to do is done: the commit is written, and the ledger's version stays."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    answer = await caller.commit(bank)
    assert isinstance(answer, Committed)
    assert parse_commit(KEYS, caller.game_id, answer.data).section(LEDGER) is None
    assert caller.head.ledger_version == 1
    assert isinstance(await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent")), Committed)


async def test_secret_sections_are_stored_with_their_salt() -> None:
    """What nobody may see yet goes into the secret part."""
    log = MemoryLog()
    caller = Caller(log, new_game("secret"))
    ask = caller.ask(OpenAccount("bank"))
    ask.secret_sections, ask.salt = [Section(RULES, 1, b"seed")], b"s" * 16
    answer = await bank_on(log).commit(ask)
    assert isinstance(answer, Committed)
    commit = parse_commit(KEYS, caller.game_id, answer.data)
    assert commit.secret_sections() == [Section(RULES, 1, b"seed")]
    assert b"seed" not in commit.public


async def test_malformed_commits_name_the_field() -> None:
    """What no well-behaved service asks is refused with the field's name, and nothing is written."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    head = caller.head
    faults: list[tuple[str, dict[str, Any]]] = [
        ("game_id", {"game_id": "nonsense"}),
        ("command.command_id", {"command": caller.command("not ok")}),
        ("head", {"head": Head(1, 0, head.hash, 0, 1)}),
        ("head", {"head": Head(1, 1, b"short", 0, 1)}),
        ("head", {"head": Head(1, 1, head.hash, 0, 2)}),
        ("head", {"head": Head(1, head.sequence, bytes(32), 0, 1)}),
        ("head.hash", {"head": Head(0, 0, b"1" * 32, 0, 0)}),
        ("head.ledger_version", {"head": Head(1, head.sequence, head.hash, 0, 0)}),
        ("sections", {"sections": [Section(LEDGER, 1, b"forged")]}),
        ("sections", {"sections": [Section(99, 1, b"")]}),
        ("sections", {"sections": [Section(RULES, 1, bytes(300_000))]}),
        ("secret_sections", {"secret_sections": [Section(LEDGER, 1, b"")]}),
        ("salt", {"secret_sections": [Section(RULES, 1, b"")], "salt": b"short"}),
        ("instructions", {"instructions": [OpenAccount("pot-x")] * 1025}),
    ]
    for field, changes in faults:
        ask = caller.ask(Transfer("seat-0", "seat-1", 1, "rent"))
        for name, value in changes.items():
            setattr(ask, name, value)
        with pytest.raises(InvalidArgumentError) as caught:
            await bank.commit(ask)
        assert caught.value.violations[0][0] == field
    assert len(await log.load(caller.game_id)) == 1


async def test_a_head_past_the_log_is_data_loss() -> None:
    """A log that ends before what its own services have seen is not written to."""
    log = MemoryLog()
    bank = bank_on(log)
    caller = await table(log, bank)
    head = Head(2, 9, b"h" * 32, START_MS, 1)
    with pytest.raises(DataLossError, match="sequence 9"):
        await bank.commit(caller.ask(Transfer("seat-0", "seat-1", 1, "rent"), head=head))


async def test_a_snapshot_spares_the_log() -> None:
    """After some hundred commits a fresh bank starts from a snapshot and has the same balances."""
    log = CountingLog()
    bank = bank_on(log, snapshots=LedgerSnapshots())
    caller = await table(log, bank)
    await caller.commit(bank, PlaceHold("bid", "seat-0", 7, START_MS * 2))
    for _ in range(200):
        await caller.commit(bank, Transfer("seat-0", "seat-1", 1, "rent"))
    await bank.close()
    assert await log.snapshot_get("bank", caller.game_id) is not None
    fresh = await bank_on(log, snapshots=LedgerSnapshots()).newest(caller.game_id)
    assert fresh.state.same_as((await bank.newest(caller.game_id)).state)
    assert fresh.state.expiring == 1
    assert fresh.version == 202
