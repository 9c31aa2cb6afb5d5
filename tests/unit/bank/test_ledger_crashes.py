"""A bank dies between any two steps of a post, at every one in turn, and another goes on from the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from magnate.bank.domain.instructions import (
    CaptureHold,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    Reverse,
    Transfer,
)
from magnate.bank.posting import Batch, Posted, Posting
from magnate.bank.table_snapshot import TableSnapshots
from magnate.bank.tables.fold import TableFold
from magnate.kit.clock import FakeClock
from magnate.kit.ids import request_hash
from magnate.kit.log.commit import Command
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from tests.support.banking import KEYS, START_MS

if TYPE_CHECKING:
    from magnate.bank.domain.ledger import State
    from magnate.bank.tables.state import TableState

pytestmark = pytest.mark.asyncio
STEPS_MAX = 200


class DiedError(Exception):
    """The process was killed here."""


class DyingLog:
    """A log whose process dies at a step: before the log did it, or after it and before anybody heard."""

    def __init__(self, log: MemoryLog, die_at: int, *, after: bool) -> None:
        self._log = log
        self._left = die_at
        self._after = after

    @property
    def died(self) -> bool:
        """Say whether the step was reached."""
        return self._left <= 0

    def __getattr__(self, name: str) -> Any:
        """Count each call, and die at the chosen one."""
        method = getattr(self._log, name)

        async def step(*args: Any, **options: Any) -> Any:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise DiedError
            result = await method(*args, **options)
            if self._left == 0:
                raise DiedError
            return result

        return step


def bank_on(log: Any, clock: FakeClock) -> Posting:
    """Return a bank process without a past; it takes snapshots at every other version."""
    transactor: Transactor[TableState] = Transactor(
        log, KEYS, TableFold(), codec=TableSnapshots(), clock=clock, snapshot_every_commits=2
    )
    return Posting(transactor, clock, tenant="main", epoch=1, shards=4)


def command(command_id: str) -> Command:
    """Return a command of the banker."""
    return Command(command_id, request_hash(command_id.encode()), actor="banker", received_at_ms=START_MS)


BATCHES: list[list[Instruction]] = [
    [Transfer("bank", "seat-0", 100, "start", "s"), PlaceHold("h", "seat-0", 60, START_MS + 5)],
    [Transfer("seat-0", "seat-1", 70, "rent", "too-much"), CaptureHold("h", "seat-1", 20, "price", "c")],
    [Transfer("seat-0", "seat-1", 500, "debt", "d", up_to=True)],
    [Reverse("r", "c"), Transfer("seat-1", "bank", 1, "tax", "t")],
]


async def client(log: MemoryLog, die_at: int, *, after: bool) -> tuple[bool, list[list[str]], State]:
    """Open a ledger and post, each command again until it is answered.

    Return whether the bank got as far as its death, the answers, and the ledger.
    """
    clock, dying = FakeClock(START_MS), DyingLog(log, die_at, after=after)
    bank = bank_on(dying, clock)
    ledger_id = bank.ledger_id("client", "open")

    async def insisted(send: Any) -> Any:
        nonlocal bank
        while True:
            try:
                return await send(bank)
            except DiedError:
                bank = bank_on(log, clock)

    accounts = [OpenAccount("seat-0"), OpenAccount("seat-1")]
    opening = OpenLedger("$", 1, standalone=True)
    opened = await insisted(lambda one: one.open(ledger_id, command("open"), opening, accounts))
    assert isinstance(opened, Done)
    answers = []
    for number, asks in enumerate(BATCHES):
        batch = Batch(ledger_id, asks, [False] * len(asks))
        answer = await insisted(lambda one, sent=batch, name=f"b{number}": one.post(sent, command(name)))
        assert isinstance(answer, Posted)
        answers.append(
            [
                one.rejection.name if one.rejection else f"{one.version}.{one.index}:{one.moved}"
                for one in answer.results
            ]
        )
    await bank.transactor.close()
    fresh = bank_on(log, clock)
    return dying.died, answers, (await fresh.transactor.view(ledger_id)).state.ledger


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
async def test_whatever_step_the_bank_dies_at_the_client_sees_one_history(after: bool) -> None:
    """Every answer, every entry and every balance are those of a bank that never died."""
    _, expected, undisturbed = await client(MemoryLog(), 0, after=after)
    assert expected == [
        ["2.0:100", "2.-1:60"],
        ["INSUFFICIENT_FUNDS", "3.0:20"],
        ["4.0:80"],
        ["5.0:20", "5.1:1"],
    ]
    for step in range(1, STEPS_MAX):
        log = MemoryLog()
        died, answers, ledger = await client(log, step, after=after)
        assert answers == expected, step
        assert ledger.same_as(undisturbed), step
        if not died:
            break
    assert 10 < step < STEPS_MAX - 1


async def test_a_long_ledger_is_loaded_from_its_snapshot() -> None:
    """The snapshot says the same as the log, known transfers included; a damaged one is passed over."""
    log, clock = MemoryLog(), FakeClock(START_MS)
    _, _, live = await client(log, 0, after=False)
    ledger_id = bank_on(log, clock).ledger_id("client", "open")
    data = await log.snapshot_get("table", ledger_id)
    assert data
    loaded, version = await bank_on(log, clock).transactor.loader.load_counted(ledger_id)
    assert version == 4
    assert loaded.state.ledger.same_as(live)
    assert loaded.state.standing == ()
    await log.snapshot_put("table", ledger_id, data[:-1] + bytes([data[-1] ^ 1]))
    loaded, version = await bank_on(log, clock).transactor.loader.load_counted(ledger_id)
    assert version == 0
    assert loaded.state.ledger.same_as(live)
