"""Reading ledgers: any version, page by page, and a clear answer to every wrong question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from magnate.bank.domain.instructions import CaptureHold, PlaceHold, Transfer
from magnate.bank.domain.statement import Filter, trial_balance
from magnate.bank.fold import LedgerFold
from magnate.bank.metrics import BankMetrics
from magnate.bank.queries import Queries, VersionNotReachedError
from magnate.bank.service import Bank
from magnate.bank.snapshot import LedgerSnapshots
from magnate.kit.clock import FakeClock
from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.limits import SNAPSHOT_EVERY_COMMITS
from magnate.kit.log.errors import DataLossError
from magnate.kit.log.fold import Loader
from magnate.kit.log.memory import MemoryLog
from tests.support.banking import KEYS, START_MS, Caller, new_game, opening

if TYPE_CHECKING:
    from magnate.bank.queries import Ledger
    from magnate.kit.log.port import Stored

pytestmark = pytest.mark.asyncio
CLOCK = FakeClock(START_MS)


async def played() -> tuple[Queries, Caller, MemoryLog]:
    """Return a game of five versions: opening, rent, no money, a hold, its capture."""
    log = MemoryLog()
    bank = Bank(log, KEYS, BankMetrics(CollectorRegistry()))
    caller = Caller(log, new_game("read"))
    await caller.commit(bank, *opening())
    await caller.commit(bank, Transfer("seat-0", "seat-1", 50, "rent"), command_id="rent")
    await caller.append_without_money()
    await caller.commit(bank, PlaceHold("bid", "seat-1", 200), command_id="bid")
    await caller.commit(bank, CaptureHold("bid", "bank", 120, "auction"), command_id="close")
    return Queries(bank, log, KEYS, CLOCK), caller, log


def figures(ledger: Ledger, account: str) -> tuple[int, int]:
    """Return posted and held of an account."""
    place = ledger.state.index[account]
    return ledger.state.posted[place], ledger.state.held[place]


async def test_balances_at_every_version() -> None:
    """Each version has its own balances; 0 asks for the newest."""
    queries, caller, _ = await played()
    expected = {1: (1500, 0), 2: (1550, 0), 3: (1550, 0), 4: (1550, 200), 5: (1430, 0), 0: (1430, 0)}
    for version, both in expected.items():
        ledger = await queries.ledger(caller.game_id, version)
        assert ledger.version == (version or 5)
        assert figures(ledger, "seat-1") == both
        assert ledger.time_ms == START_MS + 1
        balance = trial_balance(ledger.state)
        assert balance.debit_total == balance.credit_total


async def test_a_statement_page_by_page() -> None:
    """The pages of an account's statement hold each entry once, with the balance after it and its cause."""
    queries, caller, _ = await played()
    lines, token = [], ""
    for _ in range(3):
        page = await queries.statement(caller.game_id, Filter("seat-1"), page_size=1, page_token=token)
        lines += page.lines
        token = page.next_page_token
        assert page.version == 5
    assert token == ""
    assert [(line.version, line.reason, line.amount, line.balance, line.hold_id) for line in lines] == [
        (1, "start", 1500, 1500, ""),
        (2, "rent", 50, 1550, ""),
        (5, "auction", 120, 1430, "bid"),
    ]
    assert [line.command_id for line in lines[1:]] == ["rent", "close"]


async def test_a_statement_keeps_its_version_while_the_game_goes_on() -> None:
    """Reading on is not disturbed by later entries, and of all accounts each entry is told once."""
    queries, caller, log = await played()
    first = await queries.statement(caller.game_id, Filter(), page_size=3)
    await caller.commit(
        Bank(log, KEYS, BankMetrics(CollectorRegistry())), Transfer("bank", "seat-0", 1, "late")
    )
    rest = await queries.statement(caller.game_id, Filter(), page_size=3, page_token=first.next_page_token)
    assert [line.reason for line in first.lines + rest.lines] == ["start", "start", "rent", "auction"]
    assert rest.next_page_token == ""
    early = await queries.statement(caller.game_id, Filter(), version=2)
    assert [line.reason for line in early.lines] == ["start", "start", "rent"]


async def test_wrong_questions_have_clear_answers() -> None:
    """Malformed, unknown and early questions each have their own error."""
    queries, caller, _ = await played()
    game_id = caller.game_id
    page = await queries.statement(game_id, Filter("seat-1"), page_size=1)
    with pytest.raises(RefusedError, match="there is no game") as missing:
        await queries.ledger(new_game("nobody"))
    assert (missing.value.reason, missing.value.category) == ("UNKNOWN_LEDGER", "not_found")
    with pytest.raises(RefusedError):
        await queries.statement(new_game("nobody"), Filter())
    with pytest.raises(VersionNotReachedError, match="the newest is 5"):
        await queries.ledger(game_id, 6)
    with pytest.raises(RefusedError, match="no account"):
        await queries.statement(game_id, Filter("seat-7"))
    for field, ask in {
        "ledger_id": queries.statement("x", Filter()),
        "account": queries.statement(game_id, Filter("Seat 1")),
        "counterparty": queries.statement(game_id, Filter("", "Seat 1")),
        "reason": queries.statement(game_id, Filter(reason="line\nbreak")),
        "page_size": queries.statement(game_id, Filter(), page_size=1001),
        "page_token": queries.statement(game_id, Filter(), page_token="?"),
        "time": queries.ledger(game_id, 1, START_MS),
    }.items():
        with pytest.raises(InvalidArgumentError) as caught:
            await ask
        assert caught.value.violations[0][0] == field
    with pytest.raises(InvalidArgumentError, match="another statement"):
        await queries.statement(game_id, Filter("seat-0"), page_token=page.next_page_token)


async def test_a_damaged_log_is_never_answered_from() -> None:
    """A flipped bit anywhere in the log makes every reading of older versions DATA_LOSS."""
    queries, caller, log = await played()
    stored = (await log.load(caller.game_id))[1]
    stored.data = stored.data[:40] + bytes([stored.data[40] ^ 1]) + stored.data[41:]
    with pytest.raises(DataLossError):
        await queries.ledger(caller.game_id, 1)
    with pytest.raises(DataLossError):
        await queries.statement(caller.game_id, Filter())


class CountingLog(MemoryLog):
    """Counts how many commits are read."""

    read_commits = 0

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Read, then count."""
        found = await super().load(game_id, after_sequence, at_least)
        self.read_commits += len(found)
        return found


async def test_who_reads_page_by_page_does_not_read_the_log_each_time() -> None:
    """A journal is kept, bounded in all, and what comes later is added to it."""
    log = CountingLog()
    bank = Bank(log, KEYS, BankMetrics(CollectorRegistry()))
    queries = Queries(bank, log, KEYS, CLOCK)
    callers = [Caller(log, new_game(f"page-{number}")) for number in range(2)]
    for caller in callers:
        await caller.commit(bank, *opening())
        await queries.statement(caller.game_id, Filter())
    log.read_commits = 0
    for caller in callers:
        await queries.statement(caller.game_id, Filter("seat-0"))
    assert log.read_commits == 0
    await callers[0].commit(bank, Transfer("seat-0", "seat-1", 5, "rent"))
    lines = (await queries.statement(callers[0].game_id, Filter("seat-0"))).lines
    assert [line.balance for line in lines] == [1500, 1495]
    assert log.read_commits == 1
    queries.kept_commits_max = 2
    await queries.statement(callers[0].game_id, Filter())
    log.read_commits = 0
    await queries.statement(callers[0].game_id, Filter())
    assert log.read_commits == 0
    await queries.statement(callers[1].game_id, Filter())
    assert log.read_commits == 1


async def test_a_ledger_that_is_only_read_leaves_a_snapshot() -> None:
    """So the next process that is asked need not fold it from its beginning."""
    log = MemoryLog()
    writer = Bank(log, KEYS, BankMetrics(CollectorRegistry()))
    caller = Caller(log, new_game("read-only"))
    await caller.commit(writer, *opening())
    for number in range(SNAPSHOT_EVERY_COMMITS):
        await caller.commit(writer, Transfer("seat-0", "seat-1", 1 + number % 2, "rent"))
    reader = Bank(log, KEYS, BankMetrics(CollectorRegistry()), snapshots=LedgerSnapshots())
    assert await log.snapshot_get("bank", caller.game_id) is None
    newest = await reader.newest(caller.game_id)
    await reader.close()
    heir = Loader(log, KEYS, LedgerFold(), LedgerSnapshots())
    loaded, version = await heir.load_counted(caller.game_id)
    assert version == newest.version == SNAPSHOT_EVERY_COMMITS + 1
    assert loaded.state.same_as(newest.state)
