"""Timers that repeat: on the grid of their first time, as often as was asked, whatever happens meanwhile."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.kit.clock import FakeClock
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.expiry import Expired, NotYet
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.transact_types import Done
from magnate.rules.rejections import Rejection
from magnate.timer.codec import changes
from magnate.timer.domain.schedule import (
    Deadline,
    DeadlineCleared,
    DeadlineFired,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    Terms,
)
from magnate.timer.domain.timers import (
    FIRE,
    GAME,
    LEAD_MS_MAX,
    SHIFT,
    SKIP,
    Table,
    When,
    Wish,
    decide_cancel,
    decide_reschedule,
    decide_schedule,
)
from magnate.timer.firing import FIRED, OVER, PASSED, SHIFTED, SKIPPED, Firing, decide_due
from magnate.timer.requests import read_wish
from magnate.timer.snapshot import TimerSnapshots
from magnate.timer.v1 import timer_pb2
from magnate.timer.watch import Watch
from tests.support.banking import KEYS
from tests.unit.timer.test_client_timers import House

NOW = 1_700_000_000_000
SECOND = 1000
MINUTE = 60 * SECOND
EVERY = 15 * MINUTE
ID = "t-salary"


def terms(misfire: str = FIRE, times: int = 4, every_ms: int = EVERY) -> Terms:
    """Return what a client says about a timer that repeats."""
    return Terms("Salary", b"200", misfire, "banker", runs_through=False, every_ms=every_ms, times=times)


def table(misfire: str = FIRE, times: int = 4, every_ms: int = EVERY) -> Table:
    """Return a table with one timer, due for the first time at NOW."""
    made = Table()
    made.what = GAME
    made.take(DeadlineSet(ID, "timer", "timer", NOW, terms(misfire, times, every_ms), 1))
    return made


def fire(state: Table, now_ms: int, last_ms: int = NOW) -> Firing:
    """Announce the timer and store what follows."""
    firing = decide_due(state, ID, now_ms, last_ms)
    assert isinstance(firing, Firing), firing
    for change in firing.changes:
        state.take(change)
    return firing


def counted(firing: Firing) -> dict[str, int]:
    """Return how many times had which fate."""
    return {fate: len(found) for fate, found in firing.fates.items()}


def pending(state: Table) -> tuple[int, int] | None:
    """Return which time is pending, and when it is due."""
    found = state.timer(ID)
    return None if found is None else (found.occurrence, found.due_ms)


def test_it_is_set_again_where_it_was_due_and_not_where_it_fired() -> None:
    """Each firing is late by another amount; the grid stays; the last one is the last."""
    state = table()
    for occurrence, late_ms in enumerate((3, 4000, 0), start=1):
        firing = fire(state, NOW + (occurrence - 1) * EVERY + late_ms)
        assert [type(one) for one in firing.changes] == [DeadlineFired, DeadlineSet]
        assert pending(state) == (occurrence + 1, NOW + occurrence * EVERY)
    assert [type(one) for one in fire(state, NOW + 3 * EVERY).changes] == [DeadlineFired]
    assert pending(state) is None


def test_it_keeps_all_that_its_client_said() -> None:
    """Label, data and whose it is, over a firing and in a snapshot."""
    state = table(SKIP)
    fire(state, NOW)
    wanted = Deadline(ID, "timer", "timer", NOW + EVERY, terms=terms(SKIP), occurrence=2)
    assert state.timer(ID) == wanted
    snapshots = TimerSnapshots()
    assert snapshots.decode(snapshots.encode(state)).timer(ID) == wanted


def test_what_was_missed_fires_once() -> None:
    """Away over three times: one firing, the missed ones count, the grid stays."""
    state = table(times=10)
    firing = fire(state, NOW + 2 * EVERY + 7 * MINUTE)
    assert counted(firing) == {PASSED: 2, FIRED: 1}
    assert pending(state) == (4, NOW + 3 * EVERY)


def test_what_was_missed_is_skipped() -> None:
    """It does not fire; the next is on the grid. One that is hardly late fires."""
    state = table(SKIP, times=10)
    firing = fire(state, NOW + 2 * EVERY + 7 * MINUTE)
    assert counted(firing) == {PASSED: 2, SKIPPED: 1}
    assert [type(one) for one in firing.changes] == [DeadlineCleared, DeadlineSet]
    assert pending(state) == (4, NOW + 3 * EVERY)
    assert counted(fire(state, NOW + 5 * EVERY + 5 * SECOND)) == {PASSED: 2, FIRED: 1}
    assert pending(state) == (7, NOW + 6 * EVERY)


def test_what_was_missed_is_shifted_with_all_that_follow() -> None:
    """None of the times is lost, and each is shifted once at most."""
    state = table(SHIFT, times=3)
    back_ms = NOW + 2 * EVERY
    assert counted(fire(state, back_ms, NOW - 20 * SECOND)) == {SHIFTED: 1}
    assert pending(state) == (1, back_ms + 20 * SECOND)
    assert counted(fire(state, back_ms + 40 * SECOND, back_ms)) == {FIRED: 1}
    assert pending(state) == (2, back_ms + 20 * SECOND + EVERY)
    assert counted(fire(state, back_ms + 20 * MINUTE, back_ms + 40 * SECOND)) == {SHIFTED: 1}


def test_after_the_end_of_a_downtime_nothing_is_left() -> None:
    """All its times have passed: it fires or is skipped once and is gone."""
    for misfire, fate in ((FIRE, FIRED), (SKIP, SKIPPED)):
        state = table(misfire)
        assert counted(fire(state, NOW + 100 * EVERY)) == {PASSED: 3, fate: 1}
        assert pending(state) is None
        assert isinstance(decide_cancel(state, "banker", ID), Rejection)


def test_a_pause_and_a_move_take_the_grid_along() -> None:
    """What follows is counted from the new time."""
    state = table()
    state.take(DeadlinePaused(ID, 3 * SECOND))
    state.take(DeadlineResumed(ID, NOW + MINUTE))
    assert pending(state) == (1, NOW + MINUTE)
    moved = decide_reschedule(state, "banker", ID, When(due_ms=NOW + 2 * MINUTE), NOW)
    assert isinstance(moved, list)
    for change in moved:
        state.take(change)
    fire(state, NOW + 2 * MINUTE)
    assert pending(state) == (2, NOW + 2 * MINUTE + EVERY)


def test_a_table_that_is_over_sets_nothing_again() -> None:
    """It is cleared."""
    state = table()
    state.over = True
    assert counted(fire(state, NOW + 3 * EVERY)) == {OVER: 1}
    assert pending(state) is None


@given(
    misfire=st.sampled_from([FIRE, SKIP]),
    times=st.integers(2, 40),
    every_ms=st.integers(5000, 60_000),
    lates=st.lists(st.integers(0, 400_000), min_size=1, max_size=60),
)
def test_each_time_has_one_fate(misfire: str, times: int, every_ms: int, lates: list[int]) -> None:
    """However late it is looked at, fired, skipped and passed times sum up, and none is early or twice."""
    state = table(misfire, times, every_ms)
    fates: dict[str, int] = {}
    now_ms = NOW
    for late_ms in lates:
        timer = state.timer(ID)
        if timer is None:
            break
        assert timer.due_ms == NOW + (timer.occurrence - 1) * every_ms
        now_ms = max(now_ms, timer.due_ms) + late_ms
        firing = fire(state, now_ms)
        for fate, count in counted(firing).items():
            fates[fate] = fates.get(fate, 0) + count
        fired = any(isinstance(one, DeadlineFired) for one in firing.changes)
        newest_ms = NOW + min((now_ms - NOW) // every_ms, times - 1) * every_ms
        assert fired == (misfire == FIRE or now_ms - newest_ms <= 5000)
    timer = state.timer(ID)
    assert sum(fates.values()) == (times if timer is None else timer.occurrence - 1)
    assert timer is None or timer.due_ms > now_ms


def asked(**fields: int) -> timer_pb2.ScheduleTimerRequest:
    """Return a request for a timer."""
    request = timer_pb2.ScheduleTimerRequest(after_ms=1000, name="salary")
    for name, value in fields.items():
        setattr(request, name, value)
    return request


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"every_ms": 4999}, "every_ms"),
        ({"every_ms": -5000}, "every_ms"),
        ({"every_ms": LEAD_MS_MAX + 1}, "every_ms"),
        ({"every_ms": (1 << 63) - 1}, "every_ms"),
        ({"every_ms": 5000, "times": 1001}, "times"),
        ({"every_ms": 5000, "times": 1}, "times"),
        ({"every_ms": 5000, "times": -1}, "times"),
        ({"times": 3}, "times"),
    ],
)
def test_what_cannot_repeat_is_named(fields: dict[str, int], field: str) -> None:
    """By the field that is at fault."""
    with pytest.raises(InvalidArgumentError, match=f"^{field}: "):
        read_wish(asked(**fields), "banker")


@pytest.mark.parametrize(
    ("fields", "repeats", "occurrence"),
    [
        ({}, (0, 0), 0),
        ({"every_ms": 5000}, (5000, 1000), 1),
        ({"every_ms": LEAD_MS_MAX, "times": 1000}, (LEAD_MS_MAX, 1000), 1),
        ({"every_ms": 60_000, "times": 2}, (60_000, 2), 1),
    ],
)
def test_how_often_it_is_due(fields: dict[str, int], repeats: tuple[int, int], occurrence: int) -> None:
    """Without a number, as often as there may be; and it begins with the first."""
    wish = read_wish(asked(**fields), "banker")
    assert (wish.terms.every_ms, wish.terms.times) == repeats
    made = Table()
    made.what = GAME
    changes_ = decide_schedule(made, "banker", wish, NOW)
    assert isinstance(changes_, list)
    first = changes_[0]
    assert isinstance(first, DeadlineSet)
    assert first.occurrence == occurrence


async def repeating(misfire: str = FIRE, times: int = 20) -> House:
    """Return a table over a log in memory with a timer that is due every five seconds."""
    one = House()
    await one.open()
    wish = Wish(ID, When(after_ms=5 * SECOND), terms(misfire, times, 5 * SECOND))
    assert isinstance(await one.service.schedule(one.game_id, "banker", one.command(), wish), Done)
    return one


@pytest.mark.asyncio
async def test_an_announcement_of_a_time_that_is_dealt_with_fires_no_other() -> None:
    """The same one again, at another process and at one that has read nothing since: one effect, and done."""
    one = await repeating()
    stale = one.process(one.clock)
    first = await one.due("salary")
    await stale.deadlines(one.game_id)
    one.clock.advance(5 * SECOND)
    assert isinstance(await one.service.expire(first), Expired)
    assert isinstance(await stale.expire(first), Expired)
    again = await one.service.expire(first)
    assert isinstance(again, NotYet)
    assert again.remaining_ms == 5 * SECOND
    assert await one.effects() == {ID: 1}
    second = await one.due("salary")
    one.clock.advance(5 * SECOND)
    assert isinstance(await one.service.expire(second), Expired)
    assert await one.effects() == {ID: 2}
    assert one.value("fired") == 2
    ids = [
        parse_commit(KEYS, one.game_id, stored.data, stored.sequence).command_id
        for stored in await one.log.load(one.game_id)
    ]
    assert ids[-2:] == ["expire:t-salary:1", "expire:t-salary:2"]


@pytest.mark.asyncio
@pytest.mark.parametrize("seed", range(6))
async def test_any_number_of_processes_fire_each_time_once(seed: int) -> None:
    """Three processes with clocks of their own, over a log that loses answers."""
    random_ = random.Random(seed)
    one = await repeating()
    start_ms = one.clock.now_ms()
    clocks = [FakeClock(start_ms + random_.randrange(-900, 900)) for _ in range(3)]
    processes = [one.process(clock) for clock in clocks]
    for _ in range(400):
        loaded = await one.service.deadlines(one.game_id)
        if loaded.state.timer(ID) is None:
            break
        due = await one.due("salary")
        by_ms = random_.choice((700, 1500, 2000))
        for clock in (*clocks, one.clock):
            clock.advance(by_ms)
        one.log.faults.extend(random_.choices(["lost_ack", "lost", "unavailable", "in_flight"], k=2))
        replies = await asyncio.gather(
            *(process.expire(due) for process in processes), return_exceptions=True
        )
        assert all(isinstance(reply, Expired | NotYet | LogUnavailableError) for reply in replies), replies
    one.log.faults.clear()
    assert await one.effects() == {ID: 20}
    at: list[tuple[int, int]] = []
    due_ms = 0
    for stored in await one.log.load(one.game_id):
        commit = parse_commit(KEYS, one.game_id, stored.data, stored.sequence)
        for change in changes(commit):
            if isinstance(change, DeadlineSet):
                due_ms = change.due_ms
            elif isinstance(change, DeadlineFired):
                at.append((due_ms, commit.time_ms))
    assert [due for due, _ in at] == [start_ms + 5 * SECOND * (number + 1) for number in range(20)]
    assert all(due <= time_ms for due, time_ms in at)


@pytest.mark.asyncio
async def test_watchers_see_it_fire_and_be_set_again() -> None:
    """Under its number each; and one who comes later sees what is pending."""
    one = await repeating(times=2)
    watch = Watch(one.log, KEYS, one.clock)
    messages = watch.follow(await one.service.deadlines(one.game_id))
    first = await anext(messages)
    assert [(d.occurrence, d.times, d.every_ms) for d in first.deadlines] == [(1, 2, 5 * SECOND)]
    seen: list[tuple[int, int, bytes]] = []
    for _ in range(2):
        due = await one.due("salary")
        one.clock.advance(5 * SECOND)
        assert isinstance(await one.service.expire(due), Expired)
        message = await anext(messages)
        while not message.changes:
            message = await anext(messages)
        seen += [(c.kind, c.deadline.occurrence, c.deadline.data) for c in message.changes]
    await messages.aclose()
    fired, set_ = timer_pb2.TIMER_CHANGE_KIND_FIRED, timer_pb2.TIMER_CHANGE_KIND_SET
    assert seen == [(fired, 1, b"200"), (set_, 2, b"200"), (fired, 2, b"200")]
