"""The timer service as clients have it: real processes, games and bank tables, every refusal by its name."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

import grpc
import pytest
import pytest_asyncio

from magnate.bank.v1 import terminal_pb2
from magnate.client.session import RefusedError, bearer, refused
from magnate.kit.clock import SystemClock
from magnate.kit.ids import derive_game_id
from magnate.kit.limits import WINDOW_COMMANDS
from magnate.kit.tokens import mint_table
from magnate.rules.v1 import vocabulary_pb2
from magnate.timer.v1 import timer_pb2
from tests.support.banking import KEYS
from tests.support.cast import Cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.client.timers import TimerSession

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.nats,
    pytest.mark.slow,
    pytest.mark.xdist_group("timer-api"),
]
CLOCK = SystemClock()


class Place:
    """A bank table, a game, and connections to what serves them."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast

    async def open(self) -> None:
        """Open both."""
        self.timers: TimerSession = await self.cast.timers()
        opened = await (await self.cast.bank()).open_table(["Ann", "Bob"])
        self.table, self.banker = opened.table.table_id, opened.banker_token
        self.cards = [mint_table(KEYS, self.table, "card", seat) for seat in range(2)]
        self.games = await self.cast.games()
        self.game = await self.games.create_game(seat_count=2, title="timers")
        self.seats = [(await self.games.join(self.game, name)).token for name in ("Ann", "Bob")]
        await self.games.start(self.game, self.seats[0])


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def place() -> AsyncIterator[Place]:
    """Run one of each service for all tests here."""
    async with Cast({}) as cast:
        await cast.start()
        made = Place(cast)
        await made.open()
        yield made


async def gone(place: Place, table: str, timer_id: str) -> None:
    """Wait, by watching, until a timer is not pending any more."""
    known = {timer_id}
    async with asyncio.timeout(10), aclosing(place.timers.watch(table)) as messages:
        async for message in messages:
            if message.complete:
                known = {one.deadline_id for one in message.deadlines}
            known -= {
                change.deadline_id
                for change in message.changes
                if change.kind in (timer_pb2.TIMER_CHANGE_KIND_FIRED, timer_pb2.TIMER_CHANGE_KIND_CLEARED)
            }
            if timer_id not in known:
                return


async def test_a_timer_of_a_table_fires_once(place: Place) -> None:
    """Set by a card, seen by a watcher before, at and after; on time, and gone then."""
    stub = place.timers.stub
    stream = stub.WatchTimers(timer_pb2.WatchTimersRequest(game_id=place.table))
    first = await stream.read()
    assert isinstance(first, timer_pb2.WatchTimersResponse)
    assert first.complete
    made = await place.timers.schedule(
        place.table, place.cards[1], name="tea", label="Tea!", data=b"\x01", after_ms=700
    )
    assert made.deadline.deadline_id == "t-tea"
    assert made.deadline.set_by == "card-1"
    assert made.deadline.remaining_ms <= 700
    kinds: list[int] = []
    message = first
    async with asyncio.timeout(10):
        while timer_pb2.TIMER_CHANGE_KIND_FIRED not in kinds:
            read = await stream.read()
            assert isinstance(read, timer_pb2.WatchTimersResponse)
            message = read
            kinds += [change.kind for change in message.changes]
    assert kinds == [timer_pb2.TIMER_CHANGE_KIND_SET, timer_pb2.TIMER_CHANGE_KIND_FIRED]
    fired = message.changes[0].deadline
    assert (fired.label, fired.data) == ("Tea!", b"\x01")
    assert message.version == made.version + 1
    commit = (await place.cast.commits(place.table))[-1]
    assert 0 <= commit.time_ms - made.deadline.due_time.ToMilliseconds() < 5000
    assert commit.command_id == "expire:t-tea"
    assert "t-tea" not in {one.deadline_id for one in (await place.timers.deadlines(place.table)).deadlines}
    stream.cancel()


async def test_a_watch_after_a_version_that_is_not_there_is_refused(place: Place) -> None:
    """Who says so has another log in mind, and would wait for what never comes."""
    version = (await place.timers.deadlines(place.table)).version
    ahead = timer_pb2.WatchTimersRequest(game_id=place.table, after_version=version + 1)
    with pytest.raises(grpc.aio.AioRpcError, match="after_version: the newest version is") as caught:
        await place.timers.stub.WatchTimers(ahead).read()
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT


async def test_a_timer_is_moved_stopped_resumed_and_cancelled(place: Place) -> None:
    """Each answer shows it as it was left; the list and the log agree."""
    timers, table, token = place.timers, place.table, place.cards[0]
    timer_id = (await timers.schedule(table, token, after_ms=60_000)).deadline.deadline_id
    assert timer_id.startswith("t-")
    moved = await timers.reschedule(table, token, timer_id, after_ms=30_000)
    assert 20_000 < moved.deadline.remaining_ms <= 30_000
    stopped = await timers.pause(table, place.banker, timer_id)
    assert stopped.deadline.paused
    assert 15_000 < stopped.deadline.left_ms <= 30_000
    listed = (await timers.deadlines(table)).deadlines
    assert [one.left_ms for one in listed if one.deadline_id == timer_id] == [stopped.deadline.left_ms]
    resumed = await timers.resume(table, token, timer_id)
    assert not resumed.deadline.paused
    assert resumed.deadline.remaining_ms <= stopped.deadline.left_ms
    await timers.cancel(table, token, timer_id)
    with pytest.raises(RefusedError, match="UNKNOWN_TIMER"):
        await timers.cancel(table, token, timer_id)


async def test_the_same_command_again_is_answered_again(place: Place) -> None:
    """As it was, also when the timer has fired meanwhile; the same id for something else is refused."""
    first = await place.timers.schedule(place.table, place.banker, after_ms=200, command_id="same-id")
    await gone(place, place.table, first.deadline.deadline_id)
    again = await place.timers.schedule(place.table, place.banker, after_ms=200, command_id="same-id")
    assert again.version == first.version
    assert again.deadline.due_time == first.deadline.due_time
    with pytest.raises(RefusedError, match="COMMAND_ID_REUSED"):
        await place.timers.schedule(place.table, place.banker, after_ms=201, command_id="same-id")


async def test_a_seat_has_timers_in_its_game(place: Place) -> None:
    """They fire like others; the clocks of the game are listed beside them and are nobody's to change."""
    made = await place.timers.schedule(place.game, place.seats[0], name="think", after_ms=300)
    assert made.deadline.set_by == "seat-0"
    listed = (await place.timers.deadlines(place.game)).deadlines
    assert {"timer", "game"} <= {one.owner for one in listed}
    abandon = next(one.deadline_id for one in listed if one.kind == "abandon")
    with pytest.raises(RefusedError, match="timer_id"):
        await place.timers.cancel(place.game, place.seats[0], abandon)
    await gone(place, place.game, "t-think")
    assert await place.cast.fired(place.game) == {(place.game, "t-think"): 1}
    view = await place.games.game(place.game)
    assert view.version >= made.version + 1


def schedule(due: tuple[int, int] | None = None, **fields: object) -> timer_pb2.ScheduleTimerRequest:
    """Return a request that is right but for these fields."""
    request = timer_pb2.ScheduleTimerRequest(command_id="bad", after_ms=5000)
    if due is not None:
        request.due_time.seconds, request.due_time.nanos = due
    for name, value in fields.items():
        if name == "without":
            request.ClearField("after_ms")
        else:
            setattr(request, name, value)
    return request


CODE = grpc.StatusCode
YEAR_MS = 367 * 24 * 3600 * 1000


@pytest.mark.parametrize(
    ("request_", "code", "reason"),
    [
        (schedule(after_ms=99), CODE.FAILED_PRECONDITION, "SCHEDULE_IN_PAST"),
        (schedule(after_ms=0), CODE.FAILED_PRECONDITION, "SCHEDULE_IN_PAST"),
        (schedule(after_ms=-(1 << 49)), CODE.FAILED_PRECONDITION, "SCHEDULE_IN_PAST"),
        (schedule(due=(1, 0)), CODE.FAILED_PRECONDITION, "SCHEDULE_IN_PAST"),
        (schedule(after_ms=YEAR_MS), CODE.FAILED_PRECONDITION, "SCHEDULE_TOO_FAR"),
        (schedule(due=((1 << 40) - 1, 0)), CODE.FAILED_PRECONDITION, "SCHEDULE_TOO_FAR"),
        (schedule(after_ms=(1 << 63) - 1), CODE.INVALID_ARGUMENT, "after_ms"),
        (schedule(after_ms=-(1 << 63)), CODE.INVALID_ARGUMENT, "after_ms"),
        (schedule(due=(0, 0)), CODE.INVALID_ARGUMENT, "due_time"),
        (schedule(due=(-5, 0)), CODE.INVALID_ARGUMENT, "due_time"),
        (schedule(due=(1 << 62, 0)), CODE.INVALID_ARGUMENT, "due_time"),
        (schedule(due=(2_000_000_000, -1)), CODE.INVALID_ARGUMENT, "due_time"),
        (schedule(without=1), CODE.INVALID_ARGUMENT, "due_time"),
        (schedule(name="a b"), CODE.INVALID_ARGUMENT, "name"),
        (schedule(name="n" * 41), CODE.INVALID_ARGUMENT, "name"),
        (schedule(name="тee"), CODE.INVALID_ARGUMENT, "name"),
        (schedule(label="l" * 81), CODE.INVALID_ARGUMENT, "label"),
        (schedule(label="two\nlines"), CODE.INVALID_ARGUMENT, "label"),
        (schedule(data=bytes(1025)), CODE.INVALID_ARGUMENT, "data"),
        (schedule(misfire=7), CODE.INVALID_ARGUMENT, "misfire"),
        (schedule(every_ms=4999), CODE.INVALID_ARGUMENT, "every_ms"),
        (schedule(every_ms=-5000), CODE.INVALID_ARGUMENT, "every_ms"),
        (schedule(every_ms=YEAR_MS), CODE.INVALID_ARGUMENT, "every_ms"),
        (schedule(every_ms=5000, times=1001), CODE.INVALID_ARGUMENT, "times"),
        (schedule(times=2), CODE.INVALID_ARGUMENT, "times"),
        (schedule(command_id=""), CODE.INVALID_ARGUMENT, "command_id"),
        (schedule(command_id="expire:t-tea"), CODE.INVALID_ARGUMENT, "command_id"),
        (schedule(game_id="nonsense"), CODE.INVALID_ARGUMENT, "game_id"),
        (schedule(seen_version=10**9), CODE.OUT_OF_RANGE, "SEEN_VERSION_AHEAD"),
    ],
)
async def test_bad_schedules_are_named_and_store_nothing(
    place: Place, request_: timer_pb2.ScheduleTimerRequest, code: grpc.StatusCode, reason: str
) -> None:
    """Each by a reason of its own, or by the field that is at fault."""
    request = timer_pb2.ScheduleTimerRequest()
    request.CopyFrom(request_)
    request.game_id = request.game_id or place.table
    before = len(await place.cast.commits(place.table))
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await place.timers.stub.ScheduleTimer(request, metadata=bearer(place.banker), timeout=10)
    assert failed.value.code() == code, failed.value
    told = refused(failed.value)
    assert reason in (told.reason, told.message.partition(":")[0]), told
    assert len(await place.cast.commits(place.table)) == before


async def test_who_may_not_is_told_why(place: Place) -> None:
    """No token, that of another table, a guest, a foreign seat, somebody else's timer, an unknown table."""
    timers, table = place.timers, place.table
    await timers.schedule(table, place.cards[0], name="mine", after_ms=600_000)
    guest = mint_table(KEYS, table, "guest")
    other = derive_game_id("main", "nobody", "nothing", epoch=1, shards=4)
    cases = [
        (table, "", CODE.UNAUTHENTICATED, "TOKEN_MISSING"),
        (table, "t1.garbage", CODE.UNAUTHENTICATED, "TOKEN_MALFORMED"),
        (table, place.seats[0], CODE.PERMISSION_DENIED, "TOKEN_FOR_OTHER_GAME"),
        (place.game, place.banker, CODE.PERMISSION_DENIED, "TOKEN_FOR_OTHER_TABLE"),
        (table, guest, CODE.PERMISSION_DENIED, "NOT_A_PLAYER"),
        (other, mint_table(KEYS, other, "banker"), CODE.NOT_FOUND, "UNKNOWN_GAME"),
    ]
    before = len(await place.cast.commits(table))
    for game_id, token, code, reason in cases:
        with pytest.raises(RefusedError) as failed:
            await timers.schedule(game_id, token, after_ms=1000)
        assert (failed.value.code, failed.value.reason) == (code, reason)
    with pytest.raises(RefusedError) as failed:
        await timers.cancel(table, place.cards[1], "t-mine")
    assert (failed.value.code, failed.value.reason) == (CODE.PERMISSION_DENIED, "NOT_YOUR_TIMER")
    with pytest.raises(RefusedError) as failed:
        await timers.schedule(table, place.cards[1], name="mine", after_ms=1000)
    assert (failed.value.code, failed.value.reason) == (CODE.ALREADY_EXISTS, "TIMER_EXISTS")
    with pytest.raises(RefusedError) as failed:
        await timers.deadlines(other)
    assert (failed.value.code, failed.value.reason) == (CODE.NOT_FOUND, "UNKNOWN_GAME")
    assert len(await place.cast.commits(table)) == before
    await timers.cancel(table, place.banker, "t-mine")


async def test_who_has_left_the_game_has_no_timers_there(place: Place) -> None:
    """Nothing is stored, and nothing of what was set is changed; the others go on."""
    game = await place.games.create_game(seat_count=3, title="left")
    seats = [(await place.games.join(game, name)).token for name in ("Ann", "Bob", "Cy")]
    await place.games.start(game, seats[0])
    await place.timers.schedule(game, seats[2], name="left", after_ms=600_000)
    await place.games.act(game, seats[2], vocabulary_pb2.Command(resign=vocabulary_pb2.Resign()))
    before = len(await place.cast.commits(game))
    for late in (
        place.timers.schedule(game, seats[2], after_ms=1000),
        place.timers.reschedule(game, seats[2], "t-left", after_ms=1000),
        place.timers.cancel(game, seats[2], "t-left"),
    ):
        with pytest.raises(RefusedError) as failed:
            await late
        assert (failed.value.code, failed.value.reason) == (CODE.FAILED_PRECONDITION, "SEAT_OUT")
    assert len(await place.cast.commits(game)) == before
    await place.timers.schedule(game, seats[1], name="stays", after_ms=600_000)


async def test_a_table_has_so_many_timers_at_most(place: Place) -> None:
    """The one too many is refused at once, not after long trying."""
    opened = await (await place.cast.bank()).open_table(["Ann"])
    table, token = opened.table.table_id, opened.banker_token
    for number in range(64):
        await place.timers.schedule(table, token, name=f"n{number}", after_ms=600_000)
    async with asyncio.timeout(10):
        with pytest.raises(RefusedError) as failed:
            await place.timers.schedule(table, token, after_ms=600_000)
    assert (failed.value.code, failed.value.reason) == (CODE.FAILED_PRECONDITION, "TOO_MANY_TIMERS")


async def test_a_closed_table_has_no_timers(place: Place) -> None:
    """What is pending when it closes is cleared at its time and does not fire."""
    bank = await place.cast.bank()
    opened = await bank.open_table(["Ann"])
    table, token = opened.table.table_id, opened.banker_token
    await place.timers.schedule(table, token, name="late", after_ms=900)
    closing = terminal_pb2.CloseTableRequest(table_id=table, command_id="close-it")
    await bank.stub.CloseTable(closing, metadata=bearer(token), timeout=10)
    with pytest.raises(RefusedError) as failed:
        await place.timers.schedule(table, token, after_ms=1000)
    assert (failed.value.code, failed.value.reason) == (CODE.FAILED_PRECONDITION, "TABLE_CLOSED")
    await gone(place, table, "t-late")
    assert not await place.cast.fired(table)


async def test_a_timer_that_repeats(place: Place) -> None:
    """On the grid of its first time, seen by watchers under its numbers; stopped and cancelled like any."""
    timers, table, token = place.timers, place.table, place.banker
    made = await timers.schedule(
        table, token, name="salary", label="Salary", after_ms=300, every_ms=5000, times=2
    )
    assert (made.deadline.every_ms, made.deadline.times, made.deadline.occurrence) == (5000, 2, 1)
    seen: list[tuple[int, int]] = []
    async with asyncio.timeout(20), aclosing(timers.watch(table)) as messages:
        async for message in messages:
            seen += [
                (change.kind, change.deadline.occurrence)
                for change in message.changes
                if change.deadline_id == "t-salary"
            ]
            if (timer_pb2.TIMER_CHANGE_KIND_FIRED, 2) in seen:
                break
    fired, set_ = timer_pb2.TIMER_CHANGE_KIND_FIRED, timer_pb2.TIMER_CHANGE_KIND_SET
    assert seen[-3:] == [(fired, 1), (set_, 2), (fired, 2)]
    first_ms = made.deadline.due_time.ToMilliseconds()
    commits = {commit.command_id: commit for commit in await place.cast.commits(table)}
    for number in (1, 2):
        late_ms = commits[f"expire:t-salary:{number}"].time_ms - first_ms - (number - 1) * 5000
        assert 0 <= late_ms < 4000
    assert "t-salary" not in {one.deadline_id for one in (await timers.deadlines(table)).deadlines}
    await timers.schedule(table, token, name="rent", after_ms=60_000, every_ms=900_000)
    listed = {one.deadline_id: one for one in (await timers.deadlines(table)).deadlines}
    assert (listed["t-rent"].times, listed["t-rent"].occurrence) == (1000, 1)
    await timers.cancel(table, token, "t-rent")


async def test_a_table_with_a_long_log_has_timers(place: Place) -> None:
    """A client that has seen nothing has its command judged by the newest version: the id is new."""
    opened = await (await place.cast.bank()).open_table(["Ann"])
    table, token = opened.table.table_id, opened.banker_token
    timer_id = (await place.timers.schedule(table, token, name="long", after_ms=900_000)).deadline.deadline_id
    for _ in range(WINDOW_COMMANDS // 2):
        await place.timers.pause(table, token, timer_id)
        await place.timers.resume(table, token, timer_id)
    blind = timer_pb2.ScheduleTimerRequest(game_id=table, command_id="blind", after_ms=900_000)
    with pytest.raises(grpc.aio.AioRpcError) as failed:
        await place.timers.stub.ScheduleTimer(blind, metadata=bearer(token), timeout=10)
    assert refused(failed.value).reason == "COMMAND_TOO_OLD"
    fresh = await place.cast.timers()
    await fresh.schedule(table, token, name="more", after_ms=900_000)
    await fresh.reschedule(table, token, "t-more", after_ms=800_000)
    await place.timers.cancel(table, token, "t-more")


async def test_a_paused_table_stops_its_timers(place: Place) -> None:
    """All but those that run through and those that were stopped for themselves; all run on when it does."""
    bank = await place.cast.bank()
    opened = await bank.open_table(["Ann"])
    table, token = opened.table.table_id, opened.banker_token
    for name in ("plain", "held"):
        await place.timers.schedule(table, token, name=name, after_ms=600_000)
    await place.timers.schedule(table, token, name="through", after_ms=600_000, runs_through_pause=True)
    await place.timers.pause(table, token, "t-held")
    pausing = terminal_pb2.PauseTableRequest(table_id=table, command_id="pause-it")
    await bank.stub.PauseTable(pausing, metadata=bearer(token), timeout=10)
    listed = (await place.timers.deadlines(table)).deadlines
    assert {one.deadline_id: one.paused for one in listed} == {
        "t-plain": True,
        "t-held": True,
        "t-through": False,
    }
    with pytest.raises(RefusedError, match="TABLE_PAUSED"):
        await place.timers.resume(table, token, "t-held")
    resuming = terminal_pb2.ResumeTableRequest(table_id=table, command_id="resume-it")
    await bank.stub.ResumeTable(resuming, metadata=bearer(token), timeout=10)
    listed = (await place.timers.deadlines(table)).deadlines
    assert {one.deadline_id for one in listed if one.paused} == {"t-held"}
    await place.timers.resume(table, token, "t-held")
