"""Commits that somebody else appends for a transaction, as the bank does for games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.kit.log.commit import RULES, Section, build_commit
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended
from magnate.kit.transact_types import (
    CommitMoved,
    CommitOutcome,
    CommitRefused,
    Committed,
    CommitUnknown,
    Done,
    Proposal,
    Refused,
)
from tests.support.counter import (
    KEYS,
    START_MS,
    Counter,
    add,
    command,
    game,
)
from tests.unit.kit.log.counting import transactor

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from magnate.kit.log.fold import Loaded

pytestmark = pytest.mark.filterwarnings("error")


class Bank:
    """Appends for somebody else, as the bank does, and answers as told first."""

    def __init__(self, log: MemoryLog, *first: CommitOutcome[str]) -> None:
        self.log = log
        self.first = list(first)
        self.calls = 0

    def proposal(self, command_id: str) -> Proposal[Counter, str]:
        """Return a proposal that this bank appends."""

        async def commit(loaded: Loaded[Counter]) -> CommitOutcome[str]:
            self.calls += 1
            if self.first:
                return self.first.pop(0)
            built = build_commit(
                KEYS,
                loaded.game_id,
                command(command_id),
                [Section(RULES, 1, b"1")],
                previous_version=loaded.version,
                previous_hash=loaded.hash,
                previous_time_ms=loaded.time_ms,
                now_ms=START_MS,
            )
            result = await self.log.append(loaded.game_id, built.data, loaded.sequence)
            return Committed(built.data, result.sequence) if isinstance(result, Appended) else CommitMoved()

        return Proposal(commit=commit)

    def adding(self, command_id: str) -> Callable[[Loaded[Counter]], Awaitable[Proposal[Counter, str] | str]]:
        """Return a decider whose proposal this bank appends."""

        async def decide(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
            del loaded
            return self.proposal(command_id)

        return decide


@pytest.mark.asyncio
async def test_a_draft_counts_only_for_the_bytes_that_were_made_from_it() -> None:
    """A command sent to two instances: the bank answers the second from the commit of the first."""
    log = MemoryLog()
    one, other = transactor(log), transactor(log)
    first = Bank(log)
    await one.run(game(), command("a"), add(1))
    await other.view(game())
    stored = await one.run(game(), command("b"), first.adding("b"))
    assert isinstance(stored, Done)

    async def replays(loaded: Loaded[Counter]) -> CommitOutcome[str]:
        del loaded
        return Committed(stored.commit.data, stored.commit.sequence, replayed=True)

    async def decide(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
        del loaded
        return Proposal(draft=Counter(99, 99), commit=replays)

    again = await other.run(game(), command("b"), decide)
    assert isinstance(again, Done)
    assert (again.loaded.state.total, again.loaded.version, again.replayed) == (2, 2, True)


@pytest.mark.asyncio
async def test_somebody_else_may_append() -> None:
    """The bank's commit is verified and folded like an own one, also from a stale cache."""
    log = MemoryLog()
    one, other = transactor(log), transactor(log)
    await one.run(game(), command("a"), add(1))
    await other.run(game(), command("b"), add(1))
    bank = Bank(log)
    done = await one.run(game(), command("c"), bank.adding("c"))
    assert isinstance(done, Done)
    assert (done.commit.version, done.loaded.state.total, bank.calls) == (3, 3, 2)


@pytest.mark.asyncio
async def test_somebody_elses_refusal_is_passed_on_from_the_newest_head_only() -> None:
    """A refusal that judged an old head leads to another try; from the newest it stands."""
    log = MemoryLog()
    one, other = transactor(log), transactor(log)
    await one.run(game(), command("a"), add(1))
    await other.run(game(), command("b"), add(1))
    bank = Bank(log, CommitRefused("BROKE", 1), CommitUnknown("no answer"), CommitRefused("BROKE", 2))
    refused = await one.run(game(), command("c"), bank.adding("c"))
    assert isinstance(refused, Refused)
    assert refused.rejection == "BROKE"
    assert bank.calls == 3
    assert len(await log.load(game())) == 2


@pytest.mark.asyncio
async def test_an_answer_that_got_lost_on_the_way_is_found_in_the_window() -> None:
    """The bank appended, the answer was lost, the next call says moved: the stored commit answers."""
    log = MemoryLog()
    one = transactor(log)
    await one.run(game(), command("a"), add(1))
    bank = Bank(log)
    asked = 0

    async def decide(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
        nonlocal asked
        asked += 1
        append = bank.proposal("c").commit
        assert append is not None

        async def commit(loaded: Loaded[Counter]) -> CommitOutcome[str]:
            if bank.calls:
                return CommitMoved()
            await append(loaded)
            return CommitUnknown("connection lost")

        del loaded
        return Proposal(commit=commit)

    done = await one.run(game(), command("c"), decide)
    assert isinstance(done, Done)
    assert (done.commit.version, asked, len(await log.load(game()))) == (2, 1, 2)


@pytest.mark.asyncio
async def test_a_commit_seen_elsewhere_is_folded_without_a_look() -> None:
    """The next one is taken as it is; a later one makes the log be read; an old one changes nothing."""
    log = MemoryLog()
    one, other = transactor(log), transactor(log)
    first = await other.run(game(), command("a"), add(1))
    await one.view(game())
    outcomes = [await other.run(game(), command(f"b{n}"), add(1)) for n in range(3)]
    commits = [outcome.commit for outcome in (first, *outcomes) if isinstance(outcome, Done)]
    before = one.stats.newest_checks
    assert (await one.observe(game(), commits[1])).version == 2
    assert one.stats.newest_checks == before
    assert (await one.observe(game(), commits[3])).state.total == 4
    assert (await one.observe(game(), commits[0])).version == 4
