"""A bug while folding must not leave half a state behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.kit.clock import FakeClock
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from tests.support.counter import KEYS, START_MS, Counter, CounterFold, add, command, game

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit


class FoldWithABug(CounterFold):
    """Fails on one commit, once."""

    def __init__(self, version: int) -> None:
        super().__init__()
        self.fails_at = version

    def apply(self, state: Counter, commit: ParsedCommit) -> Counter:
        """Fold, or fail."""
        if commit.version == self.fails_at:
            self.fails_at = 0
            raise ZeroDivisionError
        return super().apply(state, commit)


def opened(log: MemoryLog, fold: CounterFold) -> Transactor[Counter]:
    """Return a process of the counter service."""
    return Transactor(log, KEYS, fold, clock=FakeClock(START_MS))


@pytest.mark.asyncio
async def test_a_bug_while_catching_up_leaves_nothing_half_folded() -> None:
    """The failed command is a bug's error; the next one sees the whole log, and each id once."""
    log = MemoryLog()
    here, there = opened(log, FoldWithABug(3)), opened(log, CounterFold())
    await here.run(game(), command("c1"), add(1))
    for number in range(2, 6):
        await there.run(game(), command(f"c{number}", seen_version=1), add(1))
    with pytest.raises(ZeroDivisionError):
        await here.run(game(), command("c6", seen_version=1), add(1))
    again = await here.run(game(), command("c2", seen_version=1), add(1))
    assert isinstance(again, Done)
    assert (again.replayed, again.commit.version) == (True, 2)
    assert again.loaded.version >= 2, "the answer is older than what it answers with"
    last = await here.run(game(), command("c6", seen_version=1), add(1))
    assert isinstance(last, Done)
    assert (last.commit.version, last.loaded.state.total) == (6, 6)
