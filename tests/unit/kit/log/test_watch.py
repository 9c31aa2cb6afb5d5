"""Watching by version: from the middle, live, verified."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from magnate.kit.log.errors import DataLossError
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended
from magnate.kit.log.tail import LiveQueue
from magnate.kit.log.watch import HeadBeat, read_commits, watch_commits
from tests.support.counter import KEYS, chain, game

pytestmark = pytest.mark.asyncio


async def filled(count: int, skip: int = 0) -> MemoryLog:
    """Return a log with a game of that many commits, one version left out."""
    log, sequence = MemoryLog(beat_seconds=0.02), 0
    for commit in chain(game(), count):
        if commit.version != skip:
            result = await log.append(game(), commit.data, sequence)
            assert isinstance(result, Appended)
            sequence = result.sequence
    return log


async def test_a_reader_that_missed_live_messages_looks_at_the_log() -> None:
    """What did not fit may have been the newest there is, so nothing else would tell of it."""
    queue = LiveQueue(1)
    for sequence in (1, 2):
        block = f"NATS/1.0\r\nNats-Sequence: {sequence}\r\nNats-Last-Sequence: 0\r\n\r\n".encode()
        queue.take(b"live.1.0.main.g", b"", b"", block)
    first = await queue.next(5)
    assert first is not None
    assert first.sequence == 1
    async with asyncio.timeout(4):
        assert await queue.next(5) is None


@pytest.mark.parametrize("after", [0, 3, 5])
async def test_commits_after_a_version(after: int) -> None:
    """Stored ones first, then live ones; a beat has the newest version."""
    log = await filled(5)
    live = chain(game(), 7)[5:]
    versions: list[int] = []
    async with asyncio.timeout(30), aclosing(watch_commits(log, KEYS, game(), after)) as watch:
        async for item in watch:
            if isinstance(item, HeadBeat):
                assert item.version == (versions[-1] if versions else after)
                if not live:
                    break
                last = await log.last(game())
                assert last is not None
                await log.append(game(), live.pop(0).data, last.sequence)
            else:
                versions.append(item.version)
    assert versions == list(range(after + 1, 8))
    assert [commit.version for commit in await read_commits(log, KEYS, game(), after)] == versions


async def test_a_version_that_is_not_there_yet_is_waited_for() -> None:
    """A viewer that is ahead of this replica gets nothing twice."""
    log = await filled(2)
    later = chain(game(), 5)[2:]
    seen = []
    async with asyncio.timeout(30), aclosing(watch_commits(log, KEYS, game(), 4)) as watch:
        async for item in watch:
            if isinstance(item, HeadBeat):
                last = await log.last(game())
                assert last is not None
                await log.append(game(), later.pop(0).data, last.sequence)
            else:
                seen.append(item.version)
                break
    assert seen == [5]
    assert await read_commits(log, KEYS, game(), 9) == []


@pytest.mark.parametrize("after", [0, 2, 3])
async def test_a_gap_ends_the_watch(after: int) -> None:
    """A damaged game is an error for its watchers, wherever they begin."""
    log = await filled(5, skip=3)
    with pytest.raises(DataLossError, match="version 3: missing"):
        await read_commits(log, KEYS, game(), after)
    async with aclosing(watch_commits(log, KEYS, game(), after)) as watch:
        with pytest.raises(DataLossError, match="version 3: missing"):
            [item async for item in watch]
