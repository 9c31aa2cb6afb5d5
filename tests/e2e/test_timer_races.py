"""Timers under fire: two of everything, kill -9, an election, a downtime, wrong clocks. One effect each."""

from __future__ import annotations

import asyncio
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from magnate.client.quick import PLAIN
from magnate.client.session import RefusedError
from magnate.client.timers import TimerSession
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.port import Followed
from magnate.rules.v1 import vocabulary_pb2
from magnate.timer.codec import changes
from magnate.timer.domain.schedule import DeadlineCleared, DeadlineFired, DeadlineSet, DeadlineShifted
from magnate.timer.v1 import timer_pb2
from tests.support.banking import KEYS
from tests.support.cast import Cast
from tests.support.dice import to_a_lot

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from magnate.client.session import Session
    from magnate.kit.log.commit import ParsedCommit
    from magnate.timer.domain.schedule import Change

pytestmark = [pytest.mark.asyncio, pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240)]


def now_ms() -> int:
    """Return the time of the right clock."""
    return time.time_ns() // 1_000_000


async def tables(cast: Cast, count: int) -> list[tuple[str, str]]:
    """Open bank tables; return their ids and the bankers' tokens."""
    bank = await cast.bank()
    opened = await asyncio.gather(*(bank.open_table([f"Ann {n}"]) for n in range(count)))
    return [(one.table.table_id, one.banker_token) for one in opened]


async def said(cast: Cast) -> AsyncGenerator[tuple[ParsedCommit, Change], None]:
    """Yield what every commit from now on says about deadlines, for ever."""
    async with aclosing(cast.log.watch_all(await cast.log.last_sequences())) as items:
        async for item in items:
            if isinstance(item, Followed):
                commit = parse_commit(KEYS, item.game_id, item.data, item.sequence)
                for change in changes(commit):
                    yield commit, change


async def auction(session: Session, close_seconds: int, title: str) -> str:
    """Begin a game, throw to a lot and decline it: an auction runs; return the game's id."""
    game_id = await session.create_game(
        seat_count=2,
        title=title,
        options={"auction.close_seconds": str(close_seconds)},
        sandbox=game_pb2.Sandbox(dice=to_a_lot()),
    )
    tokens = [(await session.join(game_id, name)).token for name in ("Ann", "Bob")]
    await session.start(game_id, tokens[0])
    for kind in ("roll", "decline_lot"):
        answer = await session.act(game_id, tokens[0], PLAIN[kind])
    assert answer.situation.phase == vocabulary_pb2.PHASE_AUCTION
    return game_id


async def closes(cast: Cast, game_id: str) -> list[tuple[str, int, int]]:
    """Return the deadlines of auctions that were cleared: id, when due, time of the commit."""
    due: dict[str, int] = {}
    found = []
    for commit, change in await cast.changes(game_id):
        if isinstance(change, DeadlineSet):
            if change.owner == "auction":
                due[change.deadline_id] = change.due_ms
        elif isinstance(change, DeadlineShifted):
            due[change.deadline_id] = change.due_ms
        elif isinstance(change, DeadlineCleared) and change.deadline_id in due:
            found.append((change.deadline_id, due[change.deadline_id], commit.time_ms))
    return found


async def closed(cast: Cast, game_ids: list[str], seconds: float) -> None:
    """Wait until an auction of each game has closed."""
    async with asyncio.timeout(seconds):
        for game_id in game_ids:
            while not await closes(cast, game_id):  # noqa: ASYNC110 - a log has no event
                await asyncio.sleep(0.1)


async def all_fired(cast: Cast, wanted: set[tuple[str, str]], seconds: float) -> Counter[tuple[str, str]]:
    """Wait until all of these have fired, and a little longer for what comes twice."""
    names = sorted({table for table, _ in wanted})
    async with asyncio.timeout(seconds):
        while not wanted <= set(found := await cast.fired(*names)):  # noqa: ASYNC110 - a log has no event
            await asyncio.sleep(0.2)
    await asyncio.sleep(2)
    return await cast.fired(*names) or found


async def test_two_timers_are_killed_in_mid_fire() -> None:
    """Twenty timers at each of twenty tables; both processes are killed again and again as they fire."""
    async with Cast({"timer": 2}) as cast:
        await cast.start()
        session = await cast.timers()
        places = await tables(cast, 20)
        due_ms = now_ms() + 12_000
        await asyncio.gather(
            *(
                session.schedule(table, token, name=f"n{number}", due_ms=due_ms + number * 40)
                for table, token in places
                for number in range(20)
            )
        )
        assert now_ms() < due_ms, "the machine is too slow for this test"
        wanted = {(table, f"t-n{number}") for table, _ in places for number in range(20)}
        kills = 0
        async with asyncio.timeout(60), aclosing(said(cast)) as changes_:
            async for _, change in changes_:
                if isinstance(change, DeadlineFired):
                    kills += 1
                    if kills in (3, 60, 150, 250):
                        cast.kill(f"timer-{kills % 2}")
                    if kills >= 300:
                        break
        assert await all_fired(cast, wanted, 60) == Counter(dict.fromkeys(wanted, 1))
        for table, _ in places[:5]:
            early = [
                (commit.time_ms, change.deadline_id)
                for commit, change in await cast.changes(table)
                if isinstance(change, DeadlineFired)
                and commit.time_ms < due_ms + 40 * int(change.deadline_id.removeprefix("t-n"))
            ]
            assert not early


async def test_two_timers_and_two_owners_close_an_auction_once() -> None:
    """Auctions that end at one instant; an owner and a timer are killed at that moment."""
    async with Cast({"timer": 2, "auction": 2}) as cast:
        await cast.start()
        session = await cast.games()
        games = await asyncio.gather(*(auction(session, 4, f"race-{n}") for n in range(12)))
        first = True
        async with asyncio.timeout(30), aclosing(said(cast)) as changes_:
            async for _, change in changes_:
                if isinstance(change, DeadlineCleared) and change.deadline_id.startswith("a") and first:
                    cast.kill("auction-0")
                    cast.kill("timer-1")
                    first = False
                    break
        await closed(cast, games, 60)
        await asyncio.sleep(2)
        for game_id in games:
            ends = await closes(cast, game_id)
            assert len(ends) == 1, ends
            assert ends[0][2] >= ends[0][1], "closed before its time, by the log's own"


async def test_a_timer_that_stood_still_goes_on_with_what_it_knew() -> None:
    """Meanwhile another one fires, moves, cancels and goes away: nothing fires twice, early or in vain."""
    async with Cast({"timer": 2}) as cast:
        await cast.start()
        session = await cast.timers(1)
        places = await tables(cast, 8)
        begun_ms = now_ms()
        for name, times in (("row", 3), ("moved", 0), ("gone", 0), ("plain", 0)):
            every_ms = 5_000 if times else 0
            await asyncio.gather(
                *(
                    session.schedule(*place, name=name, after_ms=5_000, every_ms=every_ms, times=times)
                    for place in places
                )
            )
        await asyncio.sleep(1)
        cast.stand("timer-0", still=True)
        await asyncio.gather(*(session.cancel(*place, "t-gone") for place in places))
        answers = await asyncio.gather(
            *(session.reschedule(*place, "t-moved", after_ms=8_000) for place in places)
        )
        assert now_ms() < begun_ms + 5_000, "the machine is too slow for this test"
        moved = {
            table: answer.deadline.due_time.ToMilliseconds()
            for (table, _), answer in zip(places, answers, strict=True)
        }
        first = {(table, name) for table, _ in places for name in ("t-row", "t-plain")}
        assert await all_fired(cast, first, 30) == Counter(dict.fromkeys(first, 1))
        cast.stand("timer-0", still=False)
        await cast.stop("timer-1")
        often = {"t-row": 3, "t-moved": 1, "t-plain": 1}
        wanted = Counter({(table, name): often[name] for table in moved for name in often})
        async with asyncio.timeout(40):
            while sum((await cast.fired(*moved)).values()) < sum(wanted.values()):  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.2)
        await asyncio.sleep(2)
        assert await cast.fired(*moved) == wanted
        for table, due_ms in moved.items():
            fired = [(c, one) for c, one in await cast.changes(table) if isinstance(one, DeadlineFired)]
            assert [c.time_ms >= due_ms for c, one in fired if one.deadline_id == "t-moved"] == [True]


@pytest.mark.cluster
async def test_the_leader_of_the_log_dies_in_the_last_second() -> None:
    """Kill -9 of the server that leads a shard just before; an election later each has fired once."""
    async with Cast({"timer": 2}, cluster=True) as cast:
        await cast.start()
        assert cast.cluster is not None
        session = await cast.timers()
        places = await tables(cast, 12)
        due_ms = now_ms() + 6_000
        await asyncio.gather(
            *(
                session.schedule(table, token, name=f"n{number}", due_ms=due_ms)
                for table, token in places
                for number in range(3)
            )
        )
        shard = places[0][0].split("-")[1]
        info = await cast.log.connection.api(f"STREAM.INFO.LOG_1_{shard}")
        leader = cast.cluster.named(info["cluster"]["leader"])
        await asyncio.sleep(max(0, (due_ms - 300 - now_ms()) / 1000))
        leader.kill()
        await asyncio.sleep(6)
        leader.start()
        await leader.ready()
        wanted = {(table, f"t-n{number}") for table, _ in places for number in range(3)}
        assert await all_fired(cast, wanted, 60) == Counter(dict.fromkeys(wanted, 1))


async def test_after_a_downtime_an_auction_goes_on_and_timers_go_their_ways() -> None:
    """Timer and auction are stopped over the due time: the close is put off once, timers as they asked."""
    async with Cast({}) as cast:
        await cast.start()
        session, timers = await cast.games(), await cast.timers()
        ((table, token),) = await tables(cast, 1)
        game_id = await auction(session, 6, "downtime")
        for name, what in (
            ("fire", timer_pb2.MISFIRE_FIRE),
            ("skip", timer_pb2.MISFIRE_SKIP),
            ("shift", timer_pb2.MISFIRE_SHIFT),
        ):
            await timers.schedule(table, token, name=name, after_ms=4_000, misfire=what)
        await cast.stop("timer-0", "auction-0")
        await asyncio.sleep(12)
        await cast.start("auction-0", "timer-0")
        wanted = {(table, "t-fire"), (table, "t-shift")}
        assert await all_fired(cast, wanted, 30) == Counter(dict.fromkeys(wanted, 1))
        await closed(cast, [game_id], 30)
        shifts = [
            (commit, change)
            for game in (game_id, table)
            for commit, change in await cast.changes(game)
            if isinstance(change, DeadlineShifted)
        ]
        assert [change.deadline_id for _, change in shifts] == ["a1-1", "t-shift"]
        ends = await closes(cast, game_id)
        assert len(ends) == 1
        (commit, change), _ = shifts
        assert isinstance(change, DeadlineShifted)
        assert 0 < change.due_ms - commit.time_ms <= 6_000
        assert 0 <= ends[0][2] - change.due_ms < 5_000


async def test_owners_five_seconds_apart_starve_nobody_and_double_nothing() -> None:
    """One owner is ahead, one behind, the timer another: every auction closes once, not early by the log."""
    async with Cast({"auction": 2}, MAGNATE_CLOCK_SKEW_SECONDS="10") as cast:
        await cast.start("game-0", "bank-0")
        await asyncio.gather(
            cast.start("auction-0", off_ms=5_000),
            cast.start("auction-1", off_ms=-5_000),
            cast.start("timer-0", off_ms=-3_000),
        )
        session = await cast.games()
        games = await asyncio.gather(*(auction(session, 2, f"apart-{n}") for n in range(8)))
        await closed(cast, games, 40)
        await asyncio.sleep(2)
        for game_id in games:
            ends = await closes(cast, game_id)
            assert len(ends) == 1, ends
            assert ends[0][2] >= ends[0][1], "closed before its time, by the log's own"


def health(cast: Cast, name: str) -> tuple[int, str]:
    """Return what a process says of its health."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{cast.ports[name][1]}/healthz", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def skewed(cast: Cast, name: str) -> None:
    """Wait until a process says that its clock is an hour ahead."""
    async with asyncio.timeout(30):
        while True:
            try:
                status, why = await asyncio.to_thread(health, cast, name)
            except OSError:
                status, why = 0, ""
            if status == 503 and "3600.0 s ahead" in why:
                return
            await asyncio.sleep(0.1)


async def test_processes_an_hour_ahead_append_nothing() -> None:
    """They say why; the others do their work, and no log's time is pulled ahead. Once right they serve."""
    async with Cast({"timer": 2, "auction": 2}) as cast:
        await cast.start("game-0", "bank-0", "auction-0", "timer-0")
        ((table, token),) = await tables(cast, 1)
        mad = asyncio.create_task(cast.start("timer-1", "auction-1", off_ms=3_600_000))
        try:
            await asyncio.gather(skewed(cast, "timer-1"), skewed(cast, "auction-1"))
            async with TimerSession(cast.addresses("timer")[1], retry_seconds=0.5) as wrong:
                with pytest.raises(RefusedError) as failed:
                    await wrong.schedule(table, token, after_ms=5_000)
            assert failed.value.reason == "CLOCK_SKEWED", failed.value
            right = await cast.timers()
            await right.schedule(table, token, name="right", after_ms=500)
            assert await all_fired(cast, {(table, "t-right")}, 20) == {(table, "t-right"): 1}
            session = await cast.games()
            games = await asyncio.gather(*(auction(session, 2, f"mad-{n}") for n in range(6)))
            await closed(cast, games, 20)
            for name in (table, *games):
                assert abs((await cast.commits(name))[-1].time_ms - now_ms()) < 60_000
            cast.step("timer-1", 0)
            cast.step("auction-1", 0)
            await asyncio.wait_for(mad, 30)
        finally:
            mad.cancel()
            await asyncio.gather(mad, return_exceptions=True)


async def test_a_step_of_the_wall_clock_moves_no_deadline() -> None:
    """The only timer's machine is set an hour ahead, and back: what is due in seconds fires in seconds."""
    async with Cast({}) as cast:
        await cast.start("game-0", "bank-0", "auction-0")
        await cast.start("timer-0", off_ms=0)
        timers = await cast.timers()
        ((table, token),) = await tables(cast, 1)
        await timers.schedule(table, token, name="soon", after_ms=6_000)
        await timers.schedule(table, token, name="later", after_ms=900_000)
        cast.step("timer-0", 3_600_000)
        await asyncio.sleep(1)
        cast.step("timer-0", -3_600_000)
        await asyncio.sleep(1)
        cast.step("timer-0", 0)
        assert not await cast.fired(table)
        assert await all_fired(cast, {(table, "t-soon")}, 15) == {(table, "t-soon"): 1}
        assert {one.deadline_id for one in (await timers.deadlines(table)).deadlines} == {"t-later"}
