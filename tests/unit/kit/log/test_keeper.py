"""Heads are written at most once a second a game, and never an older one over a newer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

import pytest

from magnate.kit.log.guard import read_checkpoint
from magnate.kit.log.heads import Head, decode_head, encode_head, list_heads
from magnate.kit.log.keeper import HeadFacts, HeadKeeper
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended
from tests.support.counter import KEYS, chain, game

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.kit.log.commit import ParsedCommit


class TotalFold:
    """The lobby holds the running total as text."""

    def facts(self, before: Head | None, commit: ParsedCommit) -> HeadFacts:
        """Add the commit's number to the total."""
        total = int(before.lobby) if before is not None else 0
        total += int(commit.sections[0].body)
        return HeadFacts("running", str(total).encode(), earliest_deadline_ms=commit.time_ms + 1000)


async def fill(log: MemoryLog, game_id: str, first: int, last: int) -> None:
    """Append the commits of these versions."""
    stored = await log.last(game_id)
    sequence = 0 if stored is None else stored.sequence
    for commit in chain(game_id, last)[first - 1 :]:
        result = await log.append(game_id, commit.data, sequence)
        assert isinstance(result, Appended)
        sequence = result.sequence


@contextlib.asynccontextmanager
async def keeping(log: MemoryLog, write_seconds: float = 0.05) -> AsyncIterator[HeadKeeper]:
    """Run a keeper until it has caught up and for as long as the block takes."""
    keeper = HeadKeeper(log, KEYS, TotalFold(), write_seconds=write_seconds, checkpoint_seconds=0.05)
    task = asyncio.create_task(keeper.run())
    try:
        async with asyncio.timeout(30):
            await keeper.caught_up.wait()
        yield keeper
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def heads_of(log: MemoryLog) -> dict[str, tuple[int, bytes]]:
    """Return version and lobby of every head."""
    return {head.game_id: (head.version, head.lobby) for head in await list_heads(log, KEYS)}


async def headed(log: MemoryLog, wanted: dict[str, tuple[int, bytes]]) -> None:
    """Wait until the heads are these, and no others."""
    async with asyncio.timeout(30):
        while await heads_of(log) != wanted:  # noqa: ASYNC110 - a head that is written tells nobody
            await asyncio.sleep(0.01)


@pytest.mark.asyncio
async def test_heads_follow_the_log_and_a_restart_catches_up() -> None:
    """What was missed while no keeper ran is written by the next."""
    log = MemoryLog()
    await fill(log, game("a"), 1, 3)
    async with keeping(log):
        await fill(log, game("b"), 1, 2)
        await headed(log, {game("a"): (3, b"3"), game("b"): (2, b"2")})
    assert await read_checkpoint(log, KEYS, "heads") == await log.last_sequences()
    await fill(log, game("a"), 4, 9)
    async with keeping(log):
        pass
    assert (await heads_of(log))[game("a")] == (9, b"9")


@pytest.mark.asyncio
async def test_a_busy_game_is_written_at_intervals() -> None:
    """Fifty commits in a row cost a few writes, and the last one is among them."""
    log = MemoryLog()
    async with keeping(log, write_seconds=0.2) as keeper:
        began = time.monotonic()
        for version in range(1, 51):
            await fill(log, game("a"), version, version)
            await asyncio.sleep(0.005)
        await headed(log, {game("a"): (50, b"50")})
        assert keeper.written <= 2 + (time.monotonic() - began) / 0.2


@pytest.mark.asyncio
async def test_a_lost_or_odd_head_is_made_anew() -> None:
    """A head with a broken mac counts as none; its game is read from the start."""
    log = MemoryLog()
    await fill(log, game("a"), 1, 3)
    async with keeping(log):
        pass
    stored = await log.head_get(game("a"))
    assert stored is not None
    await log.head_put(game("a"), stored.data[:-1] + b"?", stored.sequence)
    assert await heads_of(log) == {}
    await fill(log, game("a"), 4, 4)
    async with keeping(log):
        pass
    assert await heads_of(log) == {game("a"): (4, b"4")}


@pytest.mark.asyncio
async def test_two_keepers_never_go_back() -> None:
    """Both write the same heads; an older one never replaces a newer."""
    log = MemoryLog()
    async with keeping(log, 0.01), keeping(log, 0.01):
        seen = 0
        for version in range(1, 60):
            await fill(log, game("a"), version, version)
            stored = await log.head_get(game("a"))
            head = decode_head(KEYS, game("a"), stored.data) if stored else None
            assert head is None or head.version >= seen
            seen = head.version if head else 0
            await asyncio.sleep(0.002)
        await headed(log, {game("a"): (59, b"59")})


@pytest.mark.asyncio
async def test_a_damaged_game_stops_alone() -> None:
    """A gap in one game is noted; the heads of the others go on."""
    log = MemoryLog()
    await fill(log, game("a"), 2, 2)
    await fill(log, game("b"), 1, 1)
    async with keeping(log) as keeper:
        await headed(log, {game("b"): (1, b"1")})
        assert "version 1: missing" in keeper.damaged[game("a")]


@pytest.mark.asyncio
async def test_a_commit_that_does_not_parse_stops_its_game_alone() -> None:
    """The keeper does not verify what it only passes, so its fold may meet anything."""
    log = MemoryLog()
    [odd] = chain(game("a"), 1)
    result = await log.append(game("a"), odd.data.replace(b"\x1a\x011", b"\x1a\x01x"), 0)
    assert isinstance(result, Appended)
    await fill(log, game("b"), 1, 1)
    async with keeping(log) as keeper:
        await headed(log, {game("b"): (1, b"1")})
        assert list(keeper.damaged) == [game("a")]


def test_a_head_of_another_game_is_none() -> None:
    """The bytes of one game's head do not stand for another's, and neither does a changed byte."""
    data = encode_head(KEYS, Head(game("a"), 1, 1, b"h" * 32, time_ms=5))
    assert decode_head(KEYS, game("a"), data) is not None
    assert decode_head(KEYS, game("b"), data) is None
    assert decode_head(KEYS, game("a"), b"\xff" + data) is None
    assert decode_head(KEYS, game("a"), data[:20] + bytes([data[20] ^ 1]) + data[21:]) is None
