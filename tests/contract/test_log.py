"""What every log must do, wherever it is: the same suite on memory, one server and a cluster."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from magnate.kit.log.errors import DataLossError
from magnate.kit.log.guard import raise_guard
from magnate.kit.log.heads import Head, encode_head, list_heads
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended, Beat, Conflict, Followed, Log, Stored, Unavailable
from magnate.kit.log.subjects import game_stream
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from tests.support.appending import certain, stored
from tests.support.counter import KEYS, START_MS, CounterCodec, CounterFold, add, chain, command, game

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

    from tests.contract.conftest import Place

pytestmark = pytest.mark.asyncio


async def fill(log: Log, game_id: str, count: int) -> list[int]:
    """Append that many commits and return their sequences."""
    sequences = [0]
    for commit in chain(game_id, count):
        sequences.append(await stored(log, game_id, commit.data, sequences[-1], commit.hash.hex()))
    return sequences[1:]


async def test_commits_come_back_in_order(place: Place, game_id: str) -> None:
    """What was appended is read, from the start, from the middle, one alone and the last."""
    log = await place.open()
    commits = chain(game_id, 5)
    sequences = await fill(log, game_id, 5)
    assert sequences == sorted(sequences)
    everything = await log.load(game_id, 0, sequences[-1])
    assert [(one.sequence, one.data) for one in everything] == [
        (sequence, commit.data) for sequence, commit in zip(sequences, commits, strict=True)
    ]
    assert [one.sequence for one in await log.load(game_id, sequences[2], sequences[-1])] == sequences[3:]
    assert await log.load(game_id, sequences[-1]) == []
    third = await log.read(game_id, sequences[2])
    assert third is not None
    assert third.data == commits[2].data
    last = await log.last(game_id)
    assert last is not None
    assert (last.sequence, last.data) == (sequences[-1], commits[-1].data)


async def test_an_unknown_game_is_empty(place: Place, game_id: str) -> None:
    """Nothing is found, and nothing is an error; another game's message is not taken for this one's."""
    log = await place.open()
    other = game(uuid.uuid4().hex, shards=1)
    (sequence,) = await fill(log, other, 1)
    alone = other.split("-")[0] + "-0-" + game_id.split("-")[2]
    assert await log.load(alone) == []
    assert await log.last(alone) is None
    assert await log.read(alone, sequence) is None
    assert await log.read(other, sequence + 1000) is None
    assert await log.head_get(alone) is None
    assert await log.snapshot_get("counter", alone) is None


async def test_an_append_after_the_wrong_sequence_is_a_conflict(place: Place, game_id: str) -> None:
    """The conflict names the last sequence, and nothing is stored."""
    log = await place.open()
    (sequence,) = await fill(log, game_id, 1)
    for wrong in (0, sequence - 1 or sequence + 7, sequence + 1):
        result = await certain(log, game_id, b"x", wrong)
        assert isinstance(result, Conflict)
        assert result.last_sequence == sequence
    assert len(await log.load(game_id, at_least=sequence)) == 1


async def test_of_many_racing_writers_exactly_one_wins(place: Place) -> None:
    """In every round one append is stored, and it is the one that was told so."""
    logs = [await place.open() for _ in range(3)]
    in_flight = 0
    for _ in range(15):
        game_id = game(uuid.uuid4().hex)
        attempts = [(logs[n % 3], f"{n}".encode()) for n in range(12)]
        results = await asyncio.gather(
            *[log.append(game_id, data, 0, f"{game_id}-{data.hex()}") for log, data in attempts]
        )
        winners = [
            data for (_, data), result in zip(attempts, results, strict=True) if isinstance(result, Appended)
        ]
        assert len(winners) == 1
        losers = [result for result in results if not isinstance(result, Appended)]
        assert all(isinstance(result, Conflict) for result in losers)
        in_flight += sum(isinstance(result, Conflict) and result.last_sequence is None for result in losers)
        last = await logs[0].last(game_id)
        assert last is not None
        assert last.data == winners[0]
        assert len(await logs[1].load(game_id, 0, last.sequence)) == 1
    if place.kind == "cluster":
        assert in_flight > 0, "a cluster tells some losers that another append is in flight (10164)"


async def test_a_long_game_is_read_whole(place: Place, game_id: str) -> None:
    """More commits than fit in one batch come back in order."""
    log = await place.open()
    sequences = await fill(log, game_id, 1500)
    assert [one.sequence for one in await log.load(game_id, 0, sequences[-1])] == sequences


async def test_a_tail_has_no_gap_and_beats(place: Place, game_id: str) -> None:
    """Stored commits first, then live ones, refused appends never, and a beat when nothing happens."""
    log = await place.open()
    writer = await place.open()
    sequences = await fill(log, game_id, 3)
    seen: list[int] = []
    beats: list[int] = []
    async with asyncio.timeout(20), aclosing(log.tail(game_id, sequences[0])) as tail:
        async for item in tail:
            if isinstance(item, Beat):
                beats.append(item.sequence)
                if len(beats) == 1:
                    assert isinstance(await writer.append(game_id, b"refused", 0), Conflict)
                    for number in range(40):
                        result = await writer.append(game_id, b"%d" % number, sequences[-1])
                        assert isinstance(result, Appended)
                        sequences.append(result.sequence)
                elif len(seen) == len(sequences) - 1:
                    break
            else:
                assert isinstance(item, Stored)
                seen.append(item.sequence)
    assert seen == sequences[1:]
    assert beats[-1] == sequences[-1]


async def test_a_follower_sees_all_games_and_resumes(place: Place) -> None:
    """Every commit of every stream comes once and in order, and again only from where it is asked for."""
    log = await place.open()
    before = await log.last_sequences()
    games = [game(uuid.uuid4().hex) for _ in range(8)]
    for game_id in games[:4]:
        await fill(log, game_id, 3)
    positions, seen = dict(before), []
    async with asyncio.timeout(20), aclosing(log.watch_all(before)) as follower:
        async for item in follower:
            if isinstance(item, Followed):
                assert item.sequence > positions[item.stream]
                positions[item.stream] = item.sequence
                seen.append(item.game_id)
                if len(seen) == 12:
                    for game_id in games[4:]:
                        await fill(log, game_id, 2)
            if len(seen) >= 20:
                break
    assert sorted(seen) == sorted(games[:4] * 3 + games[4:] * 2)
    await fill(log, games[0].replace(games[0][-4:], "beef"), 1)
    async with asyncio.timeout(20), aclosing(log.watch_all(positions)) as follower:
        again = [item async for item in _first(follower, 1)]
    assert [item.game_id[-4:] for item in again] == ["beef"]


async def _first(follower: AsyncGenerator[Followed | Beat, None], count: int) -> AsyncIterator[Followed]:
    async for item in follower:
        if isinstance(item, Followed):
            count -= 1
            yield item
            if not count:
                return


async def test_snapshots_and_checkpoints_are_kept_and_dropped(place: Place, game_id: str) -> None:
    """The last value counts; a dropped one is none."""
    log = await place.open()
    await log.snapshot_put("counter", game_id, b"one")
    await log.snapshot_put("counter", game_id, b"two")
    await log.snapshot_put("other", game_id, b"three")
    assert await _settles(lambda: log.snapshot_get("counter", game_id), b"two")
    await log.snapshot_drop("counter", game_id)
    assert await _settles(lambda: log.snapshot_get("counter", game_id), None)
    assert await _settles(lambda: log.snapshot_get("other", game_id), b"three")
    name = f"f-{game_id[-8:]}"
    assert await log.checkpoint_get(name) is None
    await log.checkpoint_put(name, b"here")
    assert await log.checkpoint_get(name) == b"here"


async def _settles(read: Callable[[], Awaitable[object]], wanted: object) -> bool:
    """Read until a replica that is a moment behind has caught up."""
    for _ in range(100):
        if await read() == wanted:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_heads_are_replaced_under_an_expectation(place: Place) -> None:
    """Two writers of one head: the second is told; the list has each game once."""
    log = await place.open()
    ids = [game(uuid.uuid4().hex) for _ in range(3)]
    for game_id in ids:
        head = Head(
            game_id, 1, 7, b"h" * 32, time_ms=START_MS, status="lobby", lobby=b"L", earliest_deadline_ms=5
        )
        first = await log.head_put(game_id, encode_head(KEYS, head), 0)
        assert isinstance(first, Appended)
        head.version = 2
        assert isinstance(await log.head_put(game_id, encode_head(KEYS, head), 0), Conflict)
        assert isinstance(await log.head_put(game_id, encode_head(KEYS, head), first.sequence), Appended)

    async def listed() -> list[tuple[str, int]]:
        return sorted(
            (head.game_id, head.version) for head in await list_heads(log, KEYS) if head.game_id in ids
        )

    assert await _settles(listed, sorted((game_id, 2) for game_id in ids))
    stored = await log.head_get(ids[0])
    assert stored is not None


async def test_an_oversized_message_is_refused_and_harms_nothing(place: Place, game_id: str) -> None:
    """It is certain that it was not stored, and the game goes on."""
    log = await place.open()
    assert isinstance(await log.append(game_id, b"x" * 300_000, 0), Unavailable)
    assert len(await fill(log, game_id, 2)) == 2


async def test_a_snapshot_larger_than_the_server_takes_harms_nothing(place: Place, game_id: str) -> None:
    """It is not kept, the connection stays, and so does the snapshot there was."""
    log = await place.open()
    if isinstance(log, MemoryLog):
        return  # takes any
    await log.snapshot_put("counter", game_id, b"small")
    await log.snapshot_put("counter", game_id, bytes(9 << 20))
    async with asyncio.timeout(10):  # a replica may answer that has not heard of it yet
        while (found := await log.snapshot_get("counter", game_id)) is None:  # noqa: ASYNC110 - a cache has no event
            await asyncio.sleep(0.05)
    assert found == b"small"
    assert len(await fill(log, game_id, 2)) == 2


async def test_a_stream_that_lost_its_tail_takes_no_appends(place: Place, game_id: str) -> None:
    """Whoever has seen a higher sequence than the stream has stops before its first append."""
    log = await place.open()
    (sequence,) = await fill(log, game_id, 1)
    late = await place.open()
    head = Head(game_id, 9, sequence + 100_000, b"h" * 32, time_ms=START_MS)
    result = await late.head_put(game_id, encode_head(KEYS, head), 0)
    assert isinstance(result, Appended)

    async def stopped() -> bool:
        await raise_guard(late, KEYS)
        return game_stream(game_id) in late.guard.stopped

    try:
        assert await _settles(stopped, True)
        with pytest.raises(DataLossError, match=f"stream {game_stream(game_id)} ends at sequence"):
            await late.append(game_id, b"x", sequence)
    finally:
        await late.head_put(game_id, b"", result.sequence)  # the store is shared with other tests


async def test_commands_race_through_three_instances(place: Place, game_id: str) -> None:
    """Every command lands once, with one gapless chain, and a cold load agrees with the live state."""
    logs = [await place.open() for _ in range(3)]
    instances = [
        Transactor(log, KEYS, CounterFold(), codec=CounterCodec(), snapshot_every_commits=10) for log in logs
    ]
    for batch in range(4):
        commands = [(instances[n % 3], command(f"c{batch}-{n}")) for n in range(12)]
        outcomes = await asyncio.gather(*[one.run(game_id, c, add(1)) for one, c in commands])
        assert all(isinstance(outcome, Done) for outcome in outcomes)
    for one in instances:
        await one.close()
    cold = await Transactor(logs[0], KEYS, CounterFold(), codec=CounterCodec()).view(game_id)
    assert (cold.version, cold.state.total) == (48, 48)
    assert (await instances[1].view(game_id)).hash == cold.hash


async def test_an_append_sent_again_is_found_out(place: Place, game_id: str) -> None:
    """The same bytes with the same id again: told as duplicate or as conflict, stored once in any case."""
    log = await place.open()
    (commit,) = chain(game_id, 1)
    first = await log.append(game_id, commit.data, 0, commit.hash.hex())
    again = await certain(log, game_id, commit.data, 0, commit.hash.hex())
    assert isinstance(first, Appended)
    if place.kind == "cluster":
        assert isinstance(again, Appended), "a cluster looks at the message id first"
        assert (again.duplicate, again.sequence) == (True, first.sequence)
    else:
        assert isinstance(again, Conflict), "a server on its own looks at the expectation first"
        assert again.last_sequence == first.sequence
    assert len(await log.load(game_id, 0, first.sequence)) == 1
