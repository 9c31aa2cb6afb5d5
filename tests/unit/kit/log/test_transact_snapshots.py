"""Snapshots, heads and damage as transactions meet them: the odd is dropped, what is lost stops the game."""

from __future__ import annotations

import pytest

from magnate.kit.log.commit import RULES, Section
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.kit.log.fold import Loaded
from magnate.kit.log.heads import Head, encode_head
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended, Stored
from magnate.kit.transact_types import (
    Done,
    Proposal,
)
from tests.support.counter import (
    KEYS,
    START_MS,
    Counter,
    CounterCodec,
    CounterFold,
    add,
    chain,
    command,
    game,
)
from tests.unit.kit.log.counting import transactor

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.asyncio
async def test_a_snapshot_is_written_and_used() -> None:
    """A cold load folds the tail only; the window comes with the snapshot."""
    log = MemoryLog()
    one = transactor(log, codec=CounterCodec())
    for number in range(25):
        await one.run(game(), command(f"c{number}"), add(1))
    await one.close()
    cold = transactor(log, codec=CounterCodec())
    loaded = await cold.view(game())
    assert (loaded.version, loaded.state.total) == (25, 25)
    assert isinstance(cold.fold, CounterFold)
    assert cold.fold.applied == 5
    replay = await cold.run(game(), command("c3"), add(1))
    assert isinstance(replay, Done)
    assert replay.replayed


@pytest.mark.asyncio
async def test_a_replica_that_is_behind_a_snapshot_is_no_data_loss() -> None:
    """What a snapshot includes was acknowledged, so the leader has it."""

    class Behind(MemoryLog):
        async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
            stored = await super().load(game_id, after_sequence)
            return stored if at_least else [one for one in stored if one.sequence < 10]

    log = Behind()
    one = transactor(log, codec=CounterCodec())
    for number in range(10):
        await one.run(game(), command(f"c{number}"), add(1))
    await one.close()
    loaded = await transactor(log, codec=CounterCodec()).view(game())
    assert (loaded.version, loaded.state.total) == (10, 10)


@pytest.mark.parametrize("spoil", ["mac", "schema", "state", "other commit"])
@pytest.mark.asyncio
async def test_an_odd_snapshot_is_dropped(spoil: str) -> None:
    """Anything odd about a snapshot means the log is folded from its start."""
    log = MemoryLog()
    one = transactor(log, codec=CounterCodec())
    for number in range(20):
        await one.run(game(), command(f"c{number}"), add(1))
    await one.close()
    data = await log.snapshot_get("counter", game())
    assert data is not None
    codec = CounterCodec()
    if spoil == "mac":
        await log.snapshot_put("counter", game(), data[:-1] + bytes([data[-1] ^ 1]))
    elif spoil == "schema":
        codec = CounterCodec(b"2")
    elif spoil == "state":
        codec.decode = int  # type: ignore[method-assign, assignment]
    else:
        loaded = await one.view(game())
        fake = Loaded(game(), Counter(99, 20), version=20, sequence=loaded.sequence, commit_hash=b"x" * 32)
        await log.snapshot_put("counter", game(), one.loader.encode(fake))
    cold = transactor(log, codec=codec)
    assert (await cold.view(game())).state.total == 20
    assert isinstance(cold.fold, CounterFold)
    assert cold.fold.applied == 20


@pytest.mark.asyncio
async def test_a_log_shorter_than_its_head_or_snapshot_is_data_loss() -> None:
    """The shorter prefix has a perfect chain; head and snapshot know better."""
    log = MemoryLog()
    sequence = 0
    for commit in chain(game(), 3):
        result = await log.append(game(), commit.data, sequence)
        assert isinstance(result, Appended)
        sequence = result.sequence
    head = Head(game(), 4, sequence + 1, b"h" * 32, time_ms=START_MS)
    await log.head_put(game(), encode_head(KEYS, head), 0)
    with pytest.raises(DataLossError, match="version 4: missing; the head says version 4"):
        await transactor(log).view(game())

    other = MemoryLog()
    one = transactor(other, codec=CounterCodec())
    for number in range(10):
        await one.run(game(), command(f"c{number}"), add(1))
    await one.close()
    other._streams["LOG_1_" + game().split("-")[1]].games[game()].pop()
    with pytest.raises(DataLossError, match="a snapshot of version 10 exists"):
        await transactor(other, codec=CounterCodec()).view(game())
    with pytest.raises(DataLossError, match="is last"):
        await one.view(game())


@pytest.mark.asyncio
async def test_damaged_and_newer_logs_stop_that_game_alone() -> None:
    """A gap, a flipped bit and an unknown section version are errors that name game and version."""
    log = MemoryLog()
    sequence = 0
    for commit in chain(game(), 3):
        if commit.version != 2:
            result = await log.append(game(), commit.data, sequence)
            assert isinstance(result, Appended)
            sequence = result.sequence
    with pytest.raises(DataLossError, match=f"game {game()} version 2: missing"):
        await transactor(log).run(game(), command("x"), add(1))
    flipped = MemoryLog()
    (only,) = chain(game(), 1)
    await flipped.append(game(), only.data[:40] + bytes([only.data[40] ^ 4]) + only.data[41:], 0)
    with pytest.raises(DataLossError, match=f"game {game()}"):
        await transactor(flipped).view(game())
    newer = MemoryLog()
    one = transactor(newer)

    async def from_the_future(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
        return Proposal([Section(RULES, 9, b"?")], draft=loaded.state)

    await one.run(game(), command("a"), from_the_future)
    with pytest.raises(
        LogNewerError, match="version 1: log newer than this build: rules section of version 9"
    ):
        await transactor(newer).view(game())
    assert isinstance(await one.run(game("other"), command("a"), add(1)), Done)


def test_stored_says_where_it_is() -> None:
    """A stored message shows its sequence, not its bytes."""
    assert repr(Stored(7, b"abc")) == "Stored(7, 3 bytes)"
