"""Who is there, over real processes: streams at two workers, reconnects, and a worker that is killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from magnate.client.batching import StreamBrokenError
from magnate.client.session import RefusedError, Session
from magnate.client.stream import PlayStream
from magnate.game.v1 import game_pb2
from magnate.kit.rpc.status import remote_error
from tests.support.dice import to_a_lot
from tests.support.game_api import CALL_SECONDS, act_request, bearer, fill, new_id, refused, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.game_api import Api, Running, Table

pytestmark = [
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("game-api"),
    pytest.mark.asyncio(loop_scope="session"),
]

UNKNOWN = game_pb2.PRESENCE_UNKNOWN
CONNECTED = game_pb2.PRESENCE_CONNECTED
AWAY = game_pb2.PRESENCE_AWAY
GRACE_MS = 3000
DEATH_SECONDS = 60.0
"""After a kill the seats are looked for within 10 s, and again 15 s later; more on a machine that is busy."""


class Stream:
    """A WatchGame stream of a seat that is read until it ends."""

    def __init__(self, api: Api, table: Table, seat: int, connection: str = "") -> None:
        request = game_pb2.WatchGameRequest(game_id=table.game_id, connection=connection)
        self._call = api.stub.WatchGame(request, metadata=bearer(table.tokens[seat]))
        self.first: asyncio.Future[game_pb2.WatchGameResponse] = asyncio.get_running_loop().create_future()
        self.last = game_pb2.WatchGameResponse()
        self.reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for update in self._call:
            self.last = update
            if not self.first.done():
                self.first.set_result(update)

    async def begun(self) -> None:
        """Wait for the first message, or raise what the stream ended with."""
        either: list[asyncio.Future[Any]] = [self.first, self.reading]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not self.first.done():
            await self.reading

    async def close(self) -> None:
        """Hang up."""
        self._call.cancel()
        await asyncio.gather(self.reading, return_exceptions=True)

    async def end(self) -> grpc.aio.AioRpcError:
        """Return how the server ended it."""
        async with asyncio.timeout(CALL_SECONDS):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await self.reading
        return caught.value


@contextlib.asynccontextmanager
async def opened(api: Api, table: Table, seat: int, connection: str = "") -> AsyncIterator[Stream]:
    """Hold a stream of a seat open for the length of an `async with`."""
    stream = Stream(api, table, seat, connection)
    await stream.begun()
    try:
        yield stream
    finally:
        await stream.close()


async def until(api: Api, table: Table, *presences: int, seconds: float = 10.0) -> game_pb2.Standing:
    """Watch as a stranger until the seats are so; return how the game stands then."""
    request = game_pb2.WatchGameRequest(game_id=table.game_id)
    stream = api.stub.WatchGame(request, wait_for_ready=True)
    try:
        async with asyncio.timeout(seconds):
            async for update in stream:
                seen = [seat.presence for seat in update.standing.seats]
                if seen == [*presences]:
                    return update.standing
    finally:
        stream.cancel()
    raise AssertionError("the stream ended")


async def notes(api: Api, table: Table) -> list[game_pb2.SeatPresence]:
    """Return what the log says of who came and went."""
    newest = (await api.view(table)).version
    request = game_pb2.WatchGameRequest(game_id=table.game_id)
    stream = api.stub.WatchGame(request, timeout=CALL_SECONDS)
    found: list[game_pb2.SeatPresence] = []
    async for update in stream:
        found.extend(
            event.seat_presence for event in update.commit.table_events if event.HasField("seat_presence")
        )
        if update.commit.version == newest:
            break
    stream.cancel()
    return found


async def test_a_seat_is_there_while_it_has_a_stream(pair: Running) -> None:
    """At whichever worker, and for viewers at either; those who only call are known to nobody."""
    one, other = pair.workers
    table = await one.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    await one.act(table, 0, roll={})
    view = await other.view(table)
    assert [seat.standing.presence for seat in view.seats] == [UNKNOWN, UNKNOWN]
    assert not view.seats[0].standing.HasField("since_time")
    async with opened(one, table, 0):
        there = await until(other, table, CONNECTED, UNKNOWN)
    gone = await until(other, table, AWAY, UNKNOWN)
    since = [one.seats[0].since_time.ToMilliseconds() for one in (there, gone)]
    assert since[1] - since[0] >= GRACE_MS - 100
    async with opened(other, table, 0):
        await until(one, table, CONNECTED, UNKNOWN)
        view = await one.view(table)
        assert [seat.standing.presence for seat in view.seats] == [CONNECTED, UNKNOWN]
        assert len(await notes(one, table)) == 3


async def test_play_streams_count_too_and_those_for_others_do_not(pair: Running) -> None:
    """The token of the call counts, the tokens of its commands do not."""
    table = await pair.api.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    async with Session(pair.api.address) as session:
        async with PlayStream(session) as stream:
            act = act_request(table, token=table.tokens[0])
            fill(act.command, "roll", {})
            assert (await stream.act(act)).HasField("accepted")
        assert await notes(pair.api, table) == []
        async with PlayStream(session, table.tokens[1]):
            await until(pair.api, table, UNKNOWN, CONNECTED)


async def test_the_newest_stream_of_a_seat_wins(pair: Running) -> None:
    """Case C053: it comes back while the old one is open, here or elsewhere; nobody leaves or resigns."""
    one, other = pair.workers
    table = await one.begun()
    async with opened(one, table, 1, "phone") as old, opened(one, table, 1) as nameless:
        await until(one, table, UNKNOWN, CONNECTED)
        async with opened(one, table, 1, "phone") as again:
            ended = await old.end()
            assert ended.code() is grpc.StatusCode.FAILED_PRECONDITION
            assert remote_error(ended).reason == "SUPERSEDED"
            assert remote_error(ended).metadata["connection"] == "phone"
            assert old.last.superseded.connection == "phone"
            async with opened(other, table, 1, "laptop") as newest:
                assert remote_error(await again.end()).metadata["connection"] == "laptop"
                assert not newest.reading.done()
                assert not nameless.reading.done()
        await asyncio.sleep(GRACE_MS / 1000 + 1)  # what must not happen would have
        view = await one.view(table)
        assert [seat.standing.presence for seat in view.seats] == [UNKNOWN, CONNECTED]
        assert not view.seats[1].out
        assert all(note.connected for note in await notes(one, table))


async def test_two_streams_never_act_twice(pair: Running) -> None:
    """The old stream of a seat ends before it can, and a command that went over both has one effect."""
    table = await pair.api.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    act = act_request(table)
    fill(act.command, "roll", {})
    old: Any = pair.api.stub.Play(metadata=bearer(table.tokens[0]), timeout=CALL_SECONDS)
    await old.write(game_pb2.PlayRequest(acts=[act], connection="phone"))
    [first] = (await old.read()).results
    async with (
        Session(pair.workers[1].address) as session,
        PlayStream(session, table.tokens[0], "tablet") as new,
    ):
        second = await new.act(act)
        # Which one it is depends on when it is written down that the seat is there.
        assert first.accepted.version == second.accepted.version > 0
        assert (first.accepted.replayed, second.accepted.replayed) == (False, True)
        assert (await old.read()).superseded.connection == "tablet"
        assert (await refused(old.read())).reason == "SUPERSEDED"
        with pytest.raises(asyncio.InvalidStateError):
            await old.write(game_pb2.PlayRequest(acts=[act]))


async def test_a_client_that_writes_while_it_is_superseded_learns_why(pair: Running) -> None:
    """The last message comes before the status, which a client that writes at that moment may not see."""
    table = await pair.api.begun(sandbox=game_pb2.Sandbox(dice=to_a_lot()))
    act = act_request(table)
    fill(act.command, "roll", {})

    async def press(stream: PlayStream) -> None:
        """Send the same command until the stream is over."""
        while True:
            await stream.act(act)

    address = pair.workers[0].address  # of both: of two processes the clocks decide which is newer
    async with Session(address) as session, Session(address) as elsewhere:
        for _ in range(10):
            async with PlayStream(session, table.tokens[0], "phone") as old:
                await old.act(act)
                pressing = asyncio.create_task(press(old))
                async with PlayStream(elsewhere, table.tokens[0], "tablet") as new:
                    await new.act(act)
                    async with asyncio.timeout(CALL_SECONDS):
                        with pytest.raises(StreamBrokenError) as caught:
                            await pressing
                    assert caught.value.reason == "SUPERSEDED"


async def test_a_client_that_was_superseded_does_not_come_back(pair: Running) -> None:
    """Else two clients of a seat would take turns for ever."""
    table = await pair.api.begun()
    async with Session(pair.api.address) as session:

        async def watch() -> None:
            async for _ in session.watch(table.game_id, token=table.tokens[0], connection="phone"):
                seen.set()

        seen = asyncio.Event()
        watching = asyncio.create_task(watch())
        await seen.wait()
        async with opened(pair.api, table, 0, "tablet") as newer:
            with pytest.raises(RefusedError, match="SUPERSEDED"):
                await watching
            assert not newer.reading.done()


@pytest.mark.parametrize(
    ("connection", "whose", "code", "reason"),
    [
        ("a b", "own", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
        ("x" * 65, "own", grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
        ("phone", "", grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING"),
        ("phone", "other", grpc.StatusCode.PERMISSION_DENIED, "TOKEN_FOR_OTHER_GAME"),
        ("phone", "forged", grpc.StatusCode.UNAUTHENTICATED, "TOKEN_INVALID"),
    ],
)
async def test_a_name_that_is_none_or_nobodys_is_refused(
    pair: Running, connection: str, whose: str, code: grpc.StatusCode, reason: str
) -> None:
    """For watching and playing alike; nothing is written."""
    table, stranger = await pair.api.begun(), await pair.api.begun()
    tokens = {"own": table.tokens[0], "other": stranger.tokens[0], "forged": table.tokens[0][:-4] + "AAAA"}
    request = game_pb2.WatchGameRequest(game_id=table.game_id, connection=connection)
    watching = pair.api.stub.WatchGame(request, metadata=bearer(tokens.get(whose, "")))
    error = await refused(anext(aiter(watching)))
    assert (error.code, error.reason) == (code, reason)
    if whose != "other":  # a Play stream is for any game
        playing = pair.api.play(game_pb2.PlayRequest(connection=connection), token=tokens.get(whose, ""))
        error = await refused(playing)
        assert (error.code, error.reason) == (code, reason)
    assert await notes(pair.api, table) == []


async def test_before_the_start_and_after_the_end_nobody_is_noted(pair: Running) -> None:
    """A stream that was opened before is noted when the game begins, by whichever worker begins it."""
    table = await pair.api.full_table()
    async with opened(pair.api, table, 0):
        assert (await pair.api.view(table)).version == 3
        start = game_pb2.StartGameRequest(command_id=new_id(), game_id=table.game_id)
        await pair.workers[1].call("StartGame", start, table.tokens[0])
        await until(pair.workers[1], table, CONNECTED, UNKNOWN)
        await pair.api.act(table, 1, resign={})
        over = (await pair.api.view(table)).version
        async with opened(pair.api, table, 1):
            pass
    await asyncio.sleep(GRACE_MS / 1000 + 1)
    assert (await pair.api.view(table)).version == over


async def test_the_seats_of_a_killed_worker_become_away(tmp_path: Path) -> None:
    """With kill -9: who had a stream there alone is away in a while, who comes back elsewhere is not."""
    async with running(tmp_path, workers=2, sandbox=False) as server:
        one, other = server.workers
        table = await one.begun(3)
        streams = [Stream(other, table, seat) for seat in range(3)]
        await asyncio.gather(*(stream.begun() for stream in streams))
        async with opened(one, table, 1):
            await until(one, table, CONNECTED, CONNECTED, CONNECTED)
            pid = server.stack.processes["game-1"].pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            await asyncio.gather(*(stream.reading for stream in streams), return_exceptions=True)
            async with opened(one, table, 2):
                await until(one, table, AWAY, CONNECTED, CONNECTED, seconds=DEATH_SECONDS)
                gone = [note.seat for note in await notes(one, table) if not note.connected]
                assert gone == [0]


async def test_a_process_that_starts_finds_the_seats_of_the_one_that_died(tmp_path: Path) -> None:
    """The only one is killed and started again: whoever does not come back is away, who does is not."""
    async with running(tmp_path, workers=1, sandbox=False) as server:
        table = await server.api.begun()
        watching = asyncio.create_task(watch_for_ever(server.api.address, table, 1))
        async with opened(server.api, table, 0):
            await until(server.api, table, CONNECTED, CONNECTED)
            pid = server.stack.processes["game-0"].pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
        await server.stack.processes["game-0"].next_start()
        await until(server.api, table, AWAY, CONNECTED, seconds=DEATH_SECONDS)
        assert [note.seat for note in await notes(server.api, table) if not note.connected] == [0]
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


async def watch_for_ever(address: str, table: Table, seat: int) -> None:
    """Watch as a client does: over reconnects, under a name."""
    async with Session(address) as session:
        async for _ in session.watch(table.game_id, token=table.tokens[seat], connection="phone"):
            pass
