"""What only a real log can suffer: lost acks, kills, elections, flipped bits, missed messages."""

from __future__ import annotations

import asyncio
import signal
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from magnate.kit.log.errors import DataLossError, LogUnavailableError, StreamConfigError
from magnate.kit.log.jetstream import JetStreamLog
from magnate.kit.log.port import Appended, Beat, Conflict, OutcomeUnknown, Stored, Unavailable
from magnate.kit.log.streams import log_config
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import Done
from tests.support.appending import stored
from tests.support.counter import KEYS, Counter, CounterFold, add, chain, command, game
from tests.support.nats import NatsServer, cluster_running, running_server
from tests.support.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.kit.log.connection import Connection
    from tests.contract.conftest import Place

pytestmark = [pytest.mark.asyncio, pytest.mark.nats]


async def opened(*urls: str, replicas: int = 1) -> JetStreamLog:
    """Return a connected log with its streams there."""
    log = JetStreamLog(list(urls), replicas=replicas, beat_seconds=0.3)
    await log.connect()
    await log.ensure()
    return log


def lose_answers(connection: Connection, count: int) -> None:
    """Let the next answers get lost on the way, and their requests fail as on a broken connection."""
    usual = connection._on_reply
    left = count

    def lossy(subject: bytes, reply: bytes, data: bytes, headers: bytes | None) -> None:
        nonlocal left
        if left:
            left -= 1
            connection._fail_all()
            return
        usual(subject, reply, data, headers)

    for sid, handler in connection._client.handlers.items():
        if handler == usual:
            connection._client.handlers[sid] = lossy


def lose_live_messages(connection: Connection, numbers: set[int]) -> None:
    """Let these of the next messages of the newest subscription get lost."""
    handlers = connection._client.handlers
    sid = max(handlers)
    take, count = handlers[sid], 0

    def lossy(subject: bytes, reply: bytes, data: bytes, headers: bytes | None) -> None:
        nonlocal count
        count += 1
        if count not in numbers:
            take(subject, reply, data, headers)

    handlers[sid] = lossy


async def test_a_lost_ack_is_an_unknown_outcome_and_is_found_out(real_place: Place, game_id: str) -> None:
    """Stored, but nobody said so: the same command again is answered from what was stored."""
    log = await real_place.open_jetstream()
    one = Transactor(log, KEYS, CounterFold())
    await one.run(game_id, command("first"), add(1))
    lose_answers(log.connection, 1)
    done = await one.run(game_id, command("a"), add(5))
    assert isinstance(done, Done)
    assert (done.commit.version, done.loaded.state.total, done.replayed) == (2, 6, False)
    assert one.stats.resends == 1
    assert len(await log.load(game_id, 0, done.commit.sequence)) == 2


async def test_an_append_alone_says_that_the_outcome_is_unknown(real_place: Place, game_id: str) -> None:
    """The adapter does not guess."""
    log = await real_place.open_jetstream()
    (commit,) = chain(game_id, 1)
    await log.append(game("warm"), b"x", 0)  # the stream's end is judged before the first append
    await log.append(game_id, b"x", 99)
    lose_answers(log.connection, 1)
    assert isinstance(await log.append(game_id, commit.data, 0, commit.hash.hex()), OutcomeUnknown)
    last = await log.last(game_id)
    assert last is not None
    assert last.data == commit.data


async def test_a_message_id_counts_for_as_long_as_its_window(real_place: Place, game_id: str) -> None:
    """An id seen on another game's subject is a duplicate with a foreign sequence: never taken as success."""
    log = await real_place.open_jetstream()
    sibling = game_id[:-4] + ("beef" if game_id[-4:] != "beef" else "cafe")
    first = await log.append(game_id, b"x", 0, f"same-{game_id}")
    assert isinstance(first, Appended)
    second = await log.append(sibling, b"y", 0, f"same-{game_id}")
    assert isinstance(second, Appended)
    assert (second.duplicate, second.sequence) == (True, first.sequence)
    assert await log.last(sibling) is None


async def test_missed_live_messages_are_read(real_place: Place, game_id: str) -> None:
    """Republished messages that never arrive are found by the next one, or by the beat."""
    log = await real_place.open_jetstream()
    writer = await real_place.open_jetstream()
    commits = chain(game_id, 12)
    sequences = [0]
    seen: list[int] = []
    async with asyncio.timeout(20), aclosing(log.tail(game_id)) as tail:
        async for item in tail:
            if isinstance(item, Stored):
                seen.append(item.sequence)
            elif len(sequences) == 1:
                lose_live_messages(log.connection, {1, 5, 6, 12})  # among them the first and the last
                for commit in commits:
                    sequences.append(await stored(writer, game_id, commit.data, sequences[-1]))
            elif len(seen) == 12:
                break
    assert seen == sequences[1:]


async def until_connected(log: JetStreamLog, *, connected: bool) -> None:
    """Wait until the connection is lost, or back."""
    await until(lambda: log.connection.is_connected == connected)


async def test_nothing_is_written_behind_our_back() -> None:
    """An append without a connection is certainly not stored, now or after the server is back."""
    async with running_server() as server:
        log = await opened(server.url)
        (commit,) = chain(game(), 1)
        server.kill()
        await until_connected(log, connected=False)
        results = [await log.append(game(), commit.data, 0) for _ in range(20)]
        assert all(isinstance(result, Unavailable) for result in results)
        with pytest.raises(LogUnavailableError):
            await log.load(game())
        server.start()
        await server.ready()
        await until_connected(log, connected=True)
        await asyncio.sleep(0.5)
        assert await log.load(game()) == []
        assert isinstance(await log.append(game(), commit.data, 0), Appended)
        await log.close()


async def hammer(
    instances: list[Transactor[Counter]], acknowledged: dict[str, list[str]], stop: asyncio.Event, name: str
) -> None:
    """Send commands to the games until told to stop; note the acknowledged ids of each game."""

    async def play(game_id: str, one: Transactor[Counter]) -> None:
        number = 0
        while not stop.is_set():
            number += 1
            again = command(f"{name}-{number}", seen_version=max(0, number - 100))
            while True:
                try:
                    outcome = await one.run(game_id, again, add(1))
                    break
                except LogUnavailableError:
                    continue  # the same id again: that is what a client does
            assert isinstance(outcome, Done), outcome
            acknowledged[game_id].append(again.command_id)
            await asyncio.sleep(0.002)

    await asyncio.gather(
        *[play(game_id, instances[index % len(instances)]) for index, game_id in enumerate(acknowledged)]
    )


async def grown(acknowledged: dict[str, list[str]], count: int) -> None:
    """Wait until so many commands of each game are acknowledged."""
    await until(lambda: all(len(ids) >= count for ids in acknowledged.values()), 60)


async def check(log: JetStreamLog, acknowledged: dict[str, list[str]]) -> None:
    """Every acknowledged command is in its game's log exactly once, and the chain is whole."""
    for game_id, ids in acknowledged.items():
        one = Transactor(log, KEYS, CounterFold())
        loaded = await one.view(game_id)
        assert loaded.version == loaded.state.total == len(ids)
        assert len(set(ids)) == len(ids)


async def test_a_server_killed_under_load_loses_and_doubles_nothing() -> None:
    """Three times kill -9 in the middle of appends: every acknowledged command is there once."""
    async with running_server() as server:
        logs = [await opened(server.url) for _ in range(2)]
        instances = [Transactor(log, KEYS, CounterFold()) for log in logs]
        stop = asyncio.Event()
        acknowledged: dict[str, list[str]] = {game(f"g{n}"): [] for n in range(8)}
        playing = asyncio.create_task(hammer(instances, acknowledged, stop, "c"))
        for kills in range(3):
            await grown(acknowledged, 15 * (kills + 1))
            server.kill()
            await asyncio.sleep(0.2)
            server.start()
            await server.ready()
        await grown(acknowledged, 60)
        stop.set()
        await playing
        await check(logs[0], acknowledged)
        for log in logs:
            await log.close()


@pytest.mark.cluster
@pytest.mark.slow
async def test_a_leader_killed_under_load_loses_and_doubles_nothing() -> None:
    """Kill -9 of the server that leads a shard: commands wait for the election and land once."""
    with cluster_running() as cluster:
        logs = [await opened(*cluster.urls, replicas=3) for _ in range(2)]
        instances = [Transactor(log, KEYS, CounterFold(), retry_seconds_max=20.0) for log in logs]
        stop = asyncio.Event()
        acknowledged: dict[str, list[str]] = {game(f"g{n}"): [] for n in range(6)}
        playing = asyncio.create_task(hammer(instances, acknowledged, stop, "c"))
        await grown(acknowledged, 25)
        info = await logs[0].connection.api(f"STREAM.INFO.LOG_1_{game('g0').split('-')[1]}")
        leader = cluster.named(info["cluster"]["leader"])
        leader.kill()
        await asyncio.sleep(8)
        leader.start()
        await leader.ready()
        await grown(acknowledged, 60)
        stop.set()
        await playing
        await check(logs[0], acknowledged)
        for log in logs:
            await log.close()


def flip_a_bit(store: Path, needle: bytes) -> None:
    """Change one bit of what a server has stored, right after the given bytes."""
    for block in store.rglob("*.blk"):
        content = bytearray(block.read_bytes())
        place = content.find(needle)
        if place >= 0:
            content[place + len(needle) - 1] ^= 1
            block.write_bytes(content)
            return
    pytest.fail("the bytes are in no block")


@pytest.mark.parametrize("version", [5, 10], ids=["in the middle", "the last"])
async def test_a_flipped_bit_is_noticed_on_load(version: int) -> None:
    """A server passes over what it cannot read without a word; version, chain or guard notice it."""
    async with running_server() as server:
        log = await opened(server.url)
        warm = Transactor(log, KEYS, CounterFold())
        for number in range(10):
            await warm.run(game(), command(f"c{number}"), add(1))
        for number in range(3):
            await warm.run(game("other"), command(f"c{number}"), add(1))
        damaged = chain_at(await log.load(game()), version)
        await flip(server, damaged.data[-40:])
        await until(lambda: log.connection.reconnects > 0)
        if version == 5:
            with pytest.raises(DataLossError, match=f"game {game()} version 5: missing"):
                await Transactor(log, KEYS, CounterFold()).view(game())
        else:
            with pytest.raises(DataLossError, match="version 10"):
                await warm.view(game())
        assert (await Transactor(log, KEYS, CounterFold()).view(game("other"))).version == 3
        await log.close()


async def flip(server: NatsServer, needle: bytes) -> None:
    """Stop the server, flip a bit in its store, start it again."""
    server.stop(signal.SIGTERM)
    flip_a_bit(server.directory / "store", needle)
    server.start()
    await server.ready()


def chain_at(stored: list[Stored], version: int) -> Stored:
    """Return the stored commit of a version."""
    return stored[version - 1]


async def test_a_stream_that_could_lose_facts_is_refused() -> None:
    """A stream with an age limit or that discards old messages is named, with every option at fault."""
    async with running_server() as server:
        log = JetStreamLog([server.url])
        await log.connect()
        wrong = log_config(1, 0, 1) | {"max_age": 60_000_000_000, "discard": "old", "deny_purge": False}
        answer = await log.connection.api("STREAM.CREATE.LOG_1_0", wrong)
        assert "error" not in answer
        with pytest.raises(StreamConfigError, match="stream LOG_1_0: ") as refused:
            await log.ensure()
        for fault in ("max_age is 60000000000, must be 0", "discard is 'old'", "deny_purge is"):
            assert fault in str(refused.value)
        await log.close()


async def test_streams_can_be_ensured_by_all_services_at_once(real_place: Place) -> None:
    """Creating is idempotent, whoever comes first; facts can neither be deleted nor purged."""
    logs = [await real_place.open_jetstream() for _ in range(2)]
    await asyncio.gather(*[log.ensure() for log in logs * 3])
    purged = await logs[0].connection.api("STREAM.PURGE.LOG_1_0")
    assert "error" in purged


async def test_nobody_home_is_said_in_time() -> None:
    """A log without streams, and a server that is not there, are errors and not a hang."""
    async with running_server() as server:
        log = JetStreamLog([server.url])
        await log.connect()
        assert isinstance(await log.append(game(), b"x", 0), Unavailable)
        with pytest.raises(LogUnavailableError, match="LOG_1_"):
            await log.load(game())
        assert await log.last_sequences() == {}
        await log.close()


async def until_settled(log: JetStreamLog, data: bytes, expected_sequence: int) -> None:
    """Append, again and again until it is certain that it is stored."""
    while True:
        result = await log.append(game(), data, expected_sequence)
        if isinstance(result, (Appended, Conflict)):
            return
        await asyncio.sleep(0.1)


async def test_a_follower_goes_on_after_a_restart_of_the_server() -> None:
    """What was stored while the follower was cut off comes as soon as it is back."""
    async with running_server() as server:
        log, writer = await opened(server.url), await opened(server.url)
        first, second = chain(game(), 2)
        seen: list[bytes] = []
        async with asyncio.timeout(30), aclosing(log.watch_all({})) as follower:
            async for item in follower:
                if isinstance(item, Beat):
                    if not seen:
                        assert isinstance(await writer.append(game(), first.data, 0), Appended)
                    continue
                seen.append(item.data)
                if len(seen) == 2:
                    break
                server.kill()
                server.start()
                await server.ready()
                await until_settled(writer, second.data, item.sequence)
        assert seen == [first.data, second.data]
        await log.close()
        await writer.close()
