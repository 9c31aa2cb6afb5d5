"""Who is there: what streams at one or several processes lead to in the log."""

from __future__ import annotations

import asyncio
import contextlib
import random
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from magnate.game import presence as module
from magnate.game.attendance import Attendance
from magnate.game.compose import Composer
from magnate.game.domain.attendance import AWAY, CONNECTED, UNKNOWN, boot_of, presence_of
from magnate.game.fold import GameFold
from magnate.game.lobby import LobbyFold
from magnate.game.metrics import PresenceMetrics
from magnate.game.presence import Presence
from magnate.game.streams import PLAY, WATCH
from magnate.kit.bulletin import MemoryBulletin
from magnate.kit.log.keeper import HeadKeeper
from magnate.kit.log.watch import watch_commits
from magnate.kit.rpc.call import ANONYMOUS, CURRENT, Call, Method, Principal
from magnate.kit.transact import Transactor
from magnate.rules.vocabulary import Resign, Roll
from tests.support.tables import LocalTable, done

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from magnate.game.domain.standing import Standing
    from magnate.kit.bulletin import Bulletin

pytestmark = pytest.mark.asyncio

GRACE = 0.15
WATCHING = Method("game", "WatchGame", request_streaming=False, response_streaming=True, mutating=False)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what takes seconds take a fraction of one."""
    monkeypatch.setattr(module, "GRACE_SECONDS", GRACE)
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.02)
    monkeypatch.setattr(module, "SILENT_SECONDS", 0.2)
    monkeypatch.setattr(module, "AGAIN_SECONDS", 1.5)
    monkeypatch.setattr(module, "SETTLED_SECONDS", 0.05)
    monkeypatch.setattr(module, "TOGETHER_SECONDS", 0.01)


class Room:
    """A table, and processes of the game service that share its log."""

    def __init__(self) -> None:
        self.table = LocalTable()
        self.bulletin = MemoryBulletin()
        self.registry = CollectorRegistry()  # of the process that was started last
        self._running: list[asyncio.Task[None]] = []

    async def process(self, boot: str, bulletin: Bulletin | None = None) -> Presence:
        """Start one; each has a cache of its own."""
        game = self.table.game
        self.registry = CollectorRegistry()
        transactor = Transactor(self.table.services.log, game.keys, GameFold(), clock=self.table.clock)
        one = Presence(
            Attendance(transactor, Composer(_Nobody(), _Nobody()), self.table.clock),  # type: ignore[arg-type]
            self.table.services.log,
            game.keys,
            bulletin or self.bulletin,
            self.table.clock,
            metrics=PresenceMetrics(self.registry),
            boot=boot,
        )
        await one.start()
        return one

    def run(self, one: Presence) -> asyncio.Task[None]:
        """Let it say that it lives; cancel the task and it is dead."""
        self._running.append(asyncio.get_running_loop().create_task(one.run()))
        return self._running[-1]

    async def standing(self, seat: int) -> Standing:
        """Return how a seat stands by the log."""
        return (await self.table.loaded()).state.table.standing(seat)

    async def until(self, *presences: str) -> None:
        """Wait until the seats are so."""

        async def are_so() -> bool:
            return [presence_of(await self.standing(seat)) for seat in range(len(presences))] == [*presences]

        await self.wait_for(are_so)

    async def wait_for(self, is_so: Callable[[], Awaitable[bool]]) -> None:
        """Ask after each commit, until it is so."""
        commits = watch_commits(self.table.services.log, self.table.game.keys, self.table.game_id)
        async with asyncio.timeout(10), aclosing(commits):
            async for _ in commits:
                if await is_so():
                    return

    async def held_by(self, seat: int, boot: str) -> None:
        """Wait until the log says that this process has the seat's connection."""

        async def is_so() -> bool:
            return boot_of((await self.standing(seat)).connection) == boot

        await self.wait_for(is_so)

    def counted(self, name: str, **labels: str) -> float | None:
        """Return what the process that was started last has counted."""
        return self.registry.get_sample_value(name, labels)

    async def notes(self) -> int:
        """Return how many commits say who is there."""
        return sum(commit.actor == "presence" for commit in await self.table.commits())

    async def heads(self) -> None:
        """Have the heads written, and again when they change, until the room is closed."""
        keeper = HeadKeeper(self.table.services.log, self.table.game.keys, LobbyFold())
        self._running.append(asyncio.get_running_loop().create_task(keeper.run()))

    def seat(self, seat: int) -> Principal:
        """Return who holds a seat."""
        return Principal("seat", game_id=self.table.game_id, seat=seat)

    async def close(self, *presences: Presence) -> None:
        """Stop everything."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for one in presences:
            await one.stop()
        await self.table.close()


class _Nobody:
    """No peer is asked for any of this."""


class Stream:
    """An open stream, served by a task as gRPC does it."""

    def __init__(self, one: Presence, caller: Principal, kind: str = WATCH, name: str = "") -> None:
        self._one, self._caller, self._kind, self._name = one, caller, kind, name
        self.call = Call(WATCHING, {}, asyncio.Event())
        self.opened = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._serve())

    async def _serve(self) -> None:
        CURRENT.set(self.call)
        async with self._one.held(self._caller, self._kind) as held:
            if held is not None and self._name:
                self._one.named(held, self._name)
            self.opened.set()
            await asyncio.Event().wait()

    async def close(self) -> None:
        """Let its client go."""
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task

    @property
    def superseded_by(self) -> str:
        """The name that it was ended in favour of; empty if it lives, or was closed."""
        return "" if self.call.ended is None else str(self.call.ended.metadata["connection"])


@asynccontextmanager
async def opened(
    one: Presence, caller: Principal, kind: str = WATCH, name: str = ""
) -> AsyncIterator[Stream]:
    """Hold a stream open for the length of an `async with`."""
    stream = Stream(one, caller, kind, name)
    await stream.opened.wait()
    try:
        yield stream
    finally:
        await stream.close()


async def begun() -> Room:
    """Return a room with a game for two that has begun."""
    room = Room()
    await room.table.begin(seats=2)
    return room


async def test_a_stream_makes_a_seat_be_there_and_its_end_away() -> None:
    """Two commits in all; a stream without a seat's token makes none."""
    room = await begun()
    one = await room.process("a1")
    before = (await room.table.loaded()).version
    await room.until(UNKNOWN, UNKNOWN)
    async with opened(one, ANONYMOUS), opened(one, room.seat(0)):
        await room.until(CONNECTED, UNKNOWN)
        assert (await room.standing(0)).connection == "a1.1"
        assert room.counted("magnate_game_connected_seats") == 1
    await room.until(AWAY, UNKNOWN)
    await asyncio.sleep(GRACE)  # what is written is counted when the writer has heard of it
    assert room.counted("magnate_game_connected_seats") == 0
    for presence in ("connected", "away"):
        assert room.counted("magnate_game_presence_total", presence=presence) == 1
    commits = (await room.table.commits())[before:]
    assert [commit.actor for commit in commits] == ["presence", "presence"]
    await room.close(one)


async def test_a_stream_that_comes_back_in_time_is_never_missed() -> None:
    """Case C053: the stream drops and another opens; nothing more is written, at this process."""
    room = await begun()
    one = await room.process("a1")
    async with opened(one, room.seat(1)):
        await room.until(UNKNOWN, CONNECTED)
    async with opened(one, room.seat(1)):
        await asyncio.sleep(2 * GRACE)  # what must not happen would have
        assert presence_of(await room.standing(1)) == CONNECTED
        assert await room.notes() == 1
    await room.close(one)


async def test_a_stream_elsewhere_keeps_a_seat_there() -> None:
    """The end of an old connection makes nobody away who has a newer one; nor the end of the newer one."""
    room = await begun()
    one, other = await room.process("a1"), await room.process("b2")
    first = Stream(one, room.seat(0))
    await room.until(CONNECTED, UNKNOWN)
    async with opened(other, room.seat(0), PLAY):
        await room.held_by(0, "b2")
        third = Stream(one, room.seat(0))
        await third.opened.wait()
        await first.close()
        await asyncio.sleep(2 * GRACE)
        assert presence_of(await room.standing(0)) == CONNECTED
        await third.close()
        await asyncio.sleep(2 * GRACE)
        assert presence_of(await room.standing(0)) == CONNECTED
    await room.until(AWAY, UNKNOWN)
    since_ms = (await room.standing(0)).since_ms
    assert since_ms
    await room.close(one, other)


async def test_the_seat_of_a_dead_process_becomes_away_or_is_taken_over() -> None:
    """Silence is death: a seat whose only stream was there is away, one with another stays."""
    room = await begun()
    await room.heads()
    dead_bulletin = MemoryBulletin()  # nobody hears it any more when it is dead
    dead = await room.process("d0", dead_bulletin)
    async with opened(dead, room.seat(0)), opened(dead, room.seat(1)):
        await room.until(CONNECTED, CONNECTED)
        heir = await room.process("h1")
        async with opened(heir, room.seat(1)):
            room.run(heir)
            await room.until(AWAY, CONNECTED)
            assert boot_of((await room.standing(1)).connection) == "h1"
    await room.close(heir)


class Sleeper:
    """The bulletin as a process reads it that stands still for a while: later."""

    def __init__(self, bulletin: Bulletin) -> None:
        self._bulletin = bulletin
        self._listener: Callable[[bytes], None] = lambda _data: None
        self._unread: list[bytes] = []
        self.asleep = True

    async def post(self, data: bytes) -> bool:
        """Post, as somebody who is awake."""
        return await self._bulletin.post(data)

    async def listen(self, listener: Callable[[bytes], None]) -> None:
        """Read what is posted, or keep it for later."""
        self._listener = listener
        await self._bulletin.listen(lambda data: self._unread.append(data) if self.asleep else listener(data))

    def wake(self) -> None:
        """Read what has come."""
        self.asleep = False
        for data in self._unread:
            self._listener(data)


async def test_a_process_that_is_taken_for_dead_says_that_it_lives() -> None:
    """Nobody has heard it; asked, it answers, and nothing is written."""
    room = await begun()
    one = await room.process("a1")
    async with opened(one, room.seat(0)):
        await room.until(CONNECTED, UNKNOWN)
        other = await room.process("b2")
        await room.heads()
        room.run(other)
        await asyncio.sleep(2.5)
        assert await room.notes() == 1
    await room.close(one, other)


async def test_a_process_that_was_only_slow_takes_its_seats_back() -> None:
    """It stood still, was taken for dead, and its streams are still open."""
    room = await begun()
    sleeper = Sleeper(room.bulletin)
    one = await room.process("a1", sleeper)
    async with opened(one, room.seat(0)):
        await room.until(CONNECTED, UNKNOWN)
        other = await room.process("b2")
        await room.heads()
        other_runs = room.run(other)  # and hears nothing of the first
        await room.until(AWAY, UNKNOWN)
        sleeper.wake()
        await room.held_by(0, "a1")
        other_runs.cancel()
    await room.close(one, other)


async def test_streams_opened_in_a_loop_here_and_there_do_not_fill_the_log() -> None:
    """Whoever keeps one open for a moment takes the seat over; the end of short ones makes nobody away."""
    room = await begun()
    one, other = await room.process("a1"), await room.process("b2")

    async def loop(process: Presence) -> None:
        for _ in range(25):
            async with opened(process, room.seat(0)):
                await asyncio.sleep(0.012)

    await asyncio.gather(loop(one), loop(other), loop(one), loop(other))
    assert 1 <= await room.notes() <= 3  # a turn of the loops may take long enough to settle
    async with opened(other, room.seat(0)):
        await room.held_by(0, "b2")
        await asyncio.sleep(2 * GRACE)
        assert presence_of(await room.standing(0)) == CONNECTED
        assert await room.notes() <= 4
    await room.until(AWAY, UNKNOWN)
    await room.close(one, other)


async def test_the_newest_named_stream_of_a_seat_wins() -> None:
    """Of its kind, at whichever process; those without a name, of the other kind or seat stay open."""
    room = await begun()
    one, other = await room.process("a1"), await room.process("b2")
    async with (
        opened(one, room.seat(0), WATCH, "phone") as old,
        opened(one, room.seat(0), PLAY, "phone") as playing,
        opened(one, room.seat(0)) as nameless,
        opened(one, room.seat(1), WATCH, "phone") as neighbour,
        opened(one, room.seat(0), WATCH, "tablet") as newer,
    ):
        await asyncio.wait([old.task])
        assert old.superseded_by == "tablet"
        room.table.clock.advance(10)
        async with opened(other, room.seat(0), WATCH, "laptop") as newest:
            await asyncio.wait([newer.task])
            assert newer.superseded_by == "laptop"
            assert not any(one.task.done() for one in (playing, nameless, neighbour, newest))
        await room.until(CONNECTED, CONNECTED)
    await room.close(one, other)


async def test_of_two_streams_opened_at_once_one_stays() -> None:
    """At two processes whose clocks say the same: the words about both cross, and one of them ends."""
    room = await begun()
    one, other = await room.process("a1"), await room.process("b2")
    streams = [Stream(each, room.seat(0), WATCH, "phone") for each in (one, other)]
    for stream in streams:
        await stream.opened.wait()
    await asyncio.wait([stream.task for stream in streams], return_when=asyncio.FIRST_COMPLETED)
    await asyncio.sleep(GRACE)
    assert [stream.superseded_by for stream in streams] == ["phone", ""]
    await streams[1].close()
    await room.close(one, other)


async def test_streams_opened_before_the_game_are_noted_when_it_begins() -> None:
    """Before that nothing is written; several seats share a commit; over and done with, nothing either."""
    room = Room()
    done(await room.table.open(seats=2))
    for seat in range(2):
        done(await room.table.join(f"player {seat}"))
    one, other = await room.process("a1"), await room.process("b2")
    async with opened(one, room.seat(0)), opened(one, room.seat(1)):
        await asyncio.sleep(GRACE)
        assert len(await room.table.commits()) == 3
        done(await room.table.start())
        other.begun(room.table.game_id)
        await room.until(CONNECTED, CONNECTED)
        assert await room.notes() == 1
        await room.table.act(0, Resign())
        over = len(await room.table.commits())
    await asyncio.sleep(2 * GRACE)
    assert len(await room.table.commits()) == over
    await room.close(one, other)


async def test_who_acts_is_there_with_a_stream_or_without() -> None:
    """In the same commit; and nobody knows whether it stays."""
    room = await begun()
    one = await room.process("a1")
    async with opened(one, room.seat(0)):
        await room.until(CONNECTED, UNKNOWN)
    await room.until(AWAY, UNKNOWN)
    turn = (await room.table.rules()).turn_seat
    if turn == 0:
        before = (await room.table.loaded()).version
        await room.table.act(0, Roll())
        assert (await room.table.loaded()).version == before + 1
        await room.until(UNKNOWN, UNKNOWN)
    await room.close(one)


async def test_a_stand_in_leaves_for_who_comes_back_and_not_for_who_only_moves() -> None:
    """A stream that is opened anew while the seat is there says nothing of who sits before it."""
    room = Room()
    options = {"timers.roll_seconds": "20", "timers.expiry": "default_action", "timers.misses_max": "1"}
    await room.table.begin(seats=2, options=options)
    seat = (await room.table.rules()).turn_seat
    one, other = await room.process("a1"), await room.process("b2")
    async with opened(one, room.seat(seat)):
        await room.held_by(seat, "a1")
        await room.table.services.advance(room.table.game_id, 20_000)
        assert (await room.standing(seat)).stand_in
        async with opened(other, room.seat(seat)):
            await room.held_by(seat, "b2")
            assert (await room.standing(seat)).stand_in

    async def is_away() -> bool:
        return presence_of(await room.standing(seat)) == AWAY

    await room.wait_for(is_away)
    assert (await room.standing(seat)).stand_in
    async with opened(one, room.seat(seat)):
        await room.held_by(seat, "a1")
        assert not (await room.standing(seat)).stand_in
    await room.close(one, other)


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_comes_and_goes_the_log_ends_up_right(seed: int) -> None:
    """Three processes, streams at random for two seats: in the end a seat is there if it has one."""
    rng = random.Random(seed)
    room = await begun()
    processes = [await room.process(boot) for boot in ("a1", "b2", "c3")]
    for one in processes:
        room.run(one)
    streams: list[tuple[int, Stream]] = []
    for _ in range(60):
        if streams and rng.random() < 0.5:
            await streams.pop(rng.randrange(len(streams)))[1].close()
        else:
            seat = rng.randrange(2)
            stream = Stream(rng.choice(processes), room.seat(seat), rng.choice([WATCH, PLAY]))
            await stream.opened.wait()
            streams.append((seat, stream))
        await asyncio.sleep(rng.choice([0, 0, 0.01, 0.04, GRACE]))
    holding = {seat for seat, _ in streams}
    await room.until(*(CONNECTED if seat in holding else AWAY for seat in range(2)))
    await asyncio.sleep(3 * GRACE)  # and stays so
    await room.until(*(CONNECTED if seat in holding else AWAY for seat in range(2)))
    for _, stream in streams:
        await stream.close()
    await room.until(AWAY, AWAY)
    await room.close(*processes)
