"""A timer process on the in-memory log and alarms: announce, retry, alarm, sweep, start again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from magnate.kit.alarm.memory import MemoryAlarms
from magnate.kit.clock import FakeClock, SystemClock
from magnate.kit.log.heads import Head, encode_head
from magnate.kit.log.memory import MemoryLog
from magnate.kit.transact import Transactor
from magnate.timer.codec import TimerFold, decode_agenda, encode_agenda
from magnate.timer.domain.agenda import Agenda
from magnate.timer.metrics import TimerMetrics
from magnate.timer.rebuild import rebuild
from magnate.timer.service import TimerService, UnknownGameError
from magnate.timer.wiring import ranking
from tests.support.banking import KEYS
from tests.support.timing import FakeOwners, Game, Timer, cleared, paused, resumed, set_
from tests.support.waiting import until

if TYPE_CHECKING:
    from magnate.kit.expiry import Expiry
    from magnate.timer.domain.agenda import Due

pytestmark = pytest.mark.asyncio
CLOCK = SystemClock()


async def test_a_deadline_is_announced_on_time() -> None:
    """Not before its time, and a few milliseconds after."""
    log = MemoryLog()
    owners = FakeOwners(log)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    game = Game(log, "one")
    await game.commit()
    await timer.start()
    due_ms = CLOCK.now_ms() + 80
    await game.commit(set_("d", due_ms))
    await until(lambda: bool(owners.effects))
    assert owners.effects == [(game.game_id, "d")]
    assert len(owners.told) == 1
    assert 0 <= owners.told[0][2] - due_ms < 2000
    await until(lambda: not timer.agenda.games)
    assert timer.value("magnate_timer_answers_total", answer="done") == 1
    await timer.stop()


async def test_an_owner_that_is_away_is_told_again() -> None:
    """Nothing is lost while an owner restarts."""
    log = MemoryLog()
    owners = FakeOwners(log)
    owners.away = 3
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    game = Game(log, "one")
    await game.commit(set_("d", CLOCK.now_ms() - 5))
    await timer.start()
    await until(lambda: bool(owners.effects))
    assert len(owners.told) == 4
    await timer.stop()


async def test_an_owner_whose_clock_is_behind_is_told_again_later() -> None:
    """NOT_YET: the timer comes back when the owner said."""
    log = MemoryLog()
    slow = FakeClock(CLOCK.now_ms() - 150)
    owners = FakeOwners(log, slow)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    game = Game(log, "one")
    await game.commit(set_("d", CLOCK.now_ms()))
    await timer.start()
    await until(lambda: owners.early == 1)
    slow.advance(1000)
    await until(lambda: bool(owners.effects))
    assert owners.told[1][2] - owners.told[0][2] >= 100
    await timer.stop()


async def test_a_deadline_that_moves_costs_no_alarm() -> None:
    """Set and cleared within the settling time: no alarm is written."""
    log = MemoryLog()
    alarms = MemoryAlarms(CLOCK)
    timer = Timer(log, alarms, FakeOwners(log))
    game = Game(log, "one")
    await game.commit()
    await timer.start()
    for number in range(5):
        await game.commit(set_(f"d{number}", CLOCK.now_ms() + 60_000))
        await game.commit(cleared(f"d{number}"))
    await asyncio.sleep(0.6)
    assert alarms.standing == {}
    await game.commit(set_("kept", CLOCK.now_ms() + 60_000))
    await until(lambda: game.game_id in alarms.standing)
    await timer.stop()


async def test_the_alarm_moves_only_earlier() -> None:
    """A later deadline leaves the alarm alone; an earlier one moves it."""
    log = MemoryLog()
    alarms = MemoryAlarms(CLOCK)
    timer = Timer(log, alarms, FakeOwners(log))
    game = Game(log, "one")
    now = CLOCK.now_ms()
    await game.commit(set_("a", now + 60_000))
    await timer.start()
    await until(lambda: game.game_id in alarms.standing)
    await game.commit(set_("b", now + 90_000))
    await asyncio.sleep(0.5)
    assert alarms.standing[game.game_id].due_ms == now + 60_000
    await game.commit(set_("c", now + 30_000))
    await until(lambda: alarms.standing[game.game_id].due_ms == now + 30_000)
    await timer.stop()


async def test_an_alarm_alone_is_enough() -> None:
    """Without the in-process clock a deadline is announced by its alarm, acknowledged after the answer."""
    log = MemoryLog()
    alarms = MemoryAlarms(CLOCK)
    owners = FakeOwners(log)
    timer = Timer(log, alarms, owners)
    game = Game(log, "one")
    await game.commit(set_("d", CLOCK.now_ms() + 400), set_("later", CLOCK.now_ms() + 60_000))
    await timer.start(announce=False)
    await until(lambda: bool(owners.effects))
    await until(lambda: alarms.delivered == 1)
    assert timer.value("magnate_timer_fired_total", source="alarm") == 1
    await until(lambda: game.game_id in alarms.standing)  # armed again for the later one
    await timer.stop()


async def test_an_alarm_helps_a_timer_whose_clock_is_slow() -> None:
    """It rings by the server's clock: the owner, whose clock is right, is asked then, and once."""
    log = MemoryLog()
    alarms = MemoryAlarms(CLOCK)
    owners = FakeOwners(log)
    timer = Timer(log, alarms, owners, FakeClock(CLOCK.now_ms() - 3_600_000))
    game = Game(log, "one")
    due_ms = CLOCK.now_ms() + 500
    await game.commit(set_("d", due_ms))
    await timer.start()
    await until(lambda: bool(owners.effects))
    assert 0 <= CLOCK.now_ms() - due_ms < 5000
    assert len(owners.told) == 1
    assert timer.value("magnate_timer_fired_total", source="alarm") == 1
    await timer.stop()


async def test_what_was_missed_is_counted_once_after_the_start() -> None:
    """Overdue when the log has been read, not before."""
    log = MemoryLog()
    owners = FakeOwners(log)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    for name, after_ms in (("one", -5000), ("two", -10), ("three", 60_000)):
        await Game(log, name).commit(set_("d", CLOCK.now_ms() + after_ms))
    await timer.start()
    await until(lambda: len(owners.effects) == 2)
    assert timer.value("magnate_timer_missed_total") == 2
    of = {"owner": "game", "kind": "test"}
    await until(lambda: timer.value("magnate_timer_lateness_seconds_count", **of) == 2)
    assert 5 < timer.value("magnate_timer_lateness_seconds_sum", **of) < 10
    await timer.stop()


async def test_an_owner_that_is_away_keeps_no_other_waiting() -> None:
    """Each has places of its own: five hundred that wait for one do not stand before those of another."""
    log = MemoryLog()

    class OneAway(FakeOwners):
        """The auction hangs; the game answers."""

        async def expire(self, due: Due, now_ms: int) -> Expiry:
            if due.deadline.owner == "auction":
                await asyncio.Event().wait()
            return await super().expire(due, now_ms)

    owners = OneAway(log)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    due_ms = CLOCK.now_ms() + 100
    for number in range(500):
        await Game(log, f"a{number}").commit(set_("d", due_ms, owner="auction"))
    game = Game(log, "game")
    await game.commit(set_("d", due_ms + 50))
    await timer.start()
    await until(lambda: owners.effects == [(game.game_id, "d")])
    await timer.stop()


async def test_alarms_and_memory_are_rebuilt_from_the_log() -> None:
    """Every table with a running deadline has its alarm, the earliest; damage is counted and passed over."""
    log = MemoryLog()
    alarms = MemoryAlarms(CLOCK)
    now = CLOCK.now_ms()
    one, two, stopped, over = (Game(log, name) for name in ("one", "two", "stopped", "over"))
    await one.commit(set_("a", now + 90_000), set_("b", now + 60_000))
    await two.commit(set_("a", now + 70_000))
    await stopped.commit(set_("a", now + 70_000), paused("a", 5))
    await over.commit(set_("a", now + 70_000))
    await over.commit(cleared("a"))
    await log.append(Game(log, "bad").game_id, b"\xff\xff not a commit", 0)
    done = await rebuild(log, alarms, KEYS)
    assert (done.games, done.deadlines, done.set, done.kept, done.damaged) == (3, 4, 2, 0, 1)
    assert {key: alarm.due_ms for key, alarm in alarms.standing.items()} == {
        one.game_id: now + 60_000,
        two.game_id: now + 70_000,
    }
    timer = Timer(log, alarms, FakeOwners(log))
    await timer.follower.restore()
    assert set(timer.agenda.games) == {one.game_id, two.game_id, stopped.game_id}
    again = await rebuild(log, alarms, KEYS)
    assert (again.set, again.kept) == (2, 0)


async def test_pause_and_resume() -> None:
    """A paused deadline is not announced; a resumed one at its new time."""
    log = MemoryLog()
    owners = FakeOwners(log)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    game = Game(log, "one")
    await game.commit(set_("d", CLOCK.now_ms() + 60))
    await game.commit(paused("d", 60))
    await timer.start()
    await asyncio.sleep(0.2)
    assert owners.told == []
    due_ms = CLOCK.now_ms() + 60
    await game.commit(resumed("d", due_ms))
    await until(lambda: bool(owners.effects))
    assert owners.told[0][2] >= due_ms
    await timer.stop()


async def test_late_after_downtime() -> None:
    """What fell due while no timer ran is announced at once by the next one, with or without a memory."""
    log = MemoryLog()
    owners = FakeOwners(log)
    alarms = MemoryAlarms(CLOCK)
    first = Timer(log, alarms, owners)
    one, two = Game(log, "one"), Game(log, "two")
    await one.commit(set_("d", CLOCK.now_ms() + 250))
    await first.start()
    await first.follower.caught_up.wait()
    await first.follower.remember()
    await first.stop()
    await two.commit(set_("e", CLOCK.now_ms() + 10))
    await asyncio.sleep(0.3)
    second = Timer(log, alarms, owners)
    await second.start()
    await until(lambda: len(owners.effects) == 2)
    assert set(owners.effects) == {(one.game_id, "d"), (two.game_id, "e")}
    await second.stop()


async def test_two_timers_have_one_effect() -> None:
    """Both announce; the owner acts once."""
    log = MemoryLog()
    owners = FakeOwners(log)
    alarms = MemoryAlarms(CLOCK)
    timers = [Timer(log, alarms, owners), Timer(log, alarms, owners)]
    games = [Game(log, f"g{n}") for n in range(20)]
    due_ms = CLOCK.now_ms() + 150
    for game in games:
        await game.commit(set_("d", due_ms))
    for timer in timers:
        await timer.start()
    await until(lambda: len(owners.effects) == 20)
    await until(lambda: not timers[0].agenda.games and not timers[1].agenda.games)
    assert len(set(owners.effects)) == len(owners.effects) == 20
    for timer in timers:
        # Whoever was first: each process tells of each effect, and of its lateness by the log.
        assert timer.value("magnate_timer_lateness_seconds_count", owner="game", kind="test") == 20
        assert timer.value("magnate_timer_lateness_seconds_sum", owner="game", kind="test") < 20
        await timer.stop()


async def test_the_sweep_finds_what_the_agenda_lost() -> None:
    """An overdue head whose deadline nobody knows of is read from the log and announced."""
    log = MemoryLog()
    owners = FakeOwners(log)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    game = Game(log, "lost")
    due_ms = CLOCK.now_ms() - 5000
    await game.commit(set_("d", due_ms))
    await timer.start(announce=False)
    await timer.follower.caught_up.wait()
    timer.agenda.games.clear()
    head = Head(
        game.game_id, game.version, game.sequence, game.hash, time_ms=due_ms, earliest_deadline_ms=due_ms
    )
    await log.head_put(game.game_id, encode_head(KEYS, head), 0)
    assert await timer.sweeper.sweep() == 1
    await until(lambda: bool(owners.effects))
    assert timer.value("magnate_timer_swept_total") == 1
    assert await timer.sweeper.sweep() == 0
    assert len(owners.effects) == 1
    await timer.stop()


async def test_a_damaged_commit_stops_only_its_game() -> None:
    """The others go on."""
    log = MemoryLog()
    owners = FakeOwners(log)
    timer = Timer(log, MemoryAlarms(CLOCK), owners)
    await log.append(Game(log, "bad").game_id, b"\xff\xff not a commit", 0)
    game = Game(log, "good")
    await game.commit(set_("d", CLOCK.now_ms()))
    await timer.start()
    await until(lambda: bool(owners.effects))
    assert timer.value("magnate_timer_damaged_total") == 1
    await timer.stop()


async def test_a_cached_agenda_is_dropped_when_it_is_odd() -> None:
    """A flipped bit or another key: the stream is read from its beginning."""
    agenda = Agenda()
    log = MemoryLog()
    game = Game(log, "one")
    timer = Timer(log, MemoryAlarms(CLOCK), FakeOwners(log))
    await game.commit(set_("d", CLOCK.now_ms() + 60_000), set_("p", 5), paused("p", 77))
    await timer.start()
    await until(lambda: bool(timer.agenda.games))
    data = encode_agenda(KEYS, timer.agenda, {game.game_id: None}, 12)
    assert decode_agenda(KEYS, data, agenda) == 12
    assert agenda.games[game.game_id].schedule.deadlines == (
        timer.agenda.games[game.game_id].schedule.deadlines
    )
    broken = bytearray(data)
    broken[len(broken) // 2] ^= 1
    assert decode_agenda(KEYS, bytes(broken), Agenda()) == 0
    await timer.stop()


async def test_listing() -> None:
    """The list comes from the log; an unknown game has none."""
    log = MemoryLog()
    game = Game(log, "one")
    service = TimerService(Transactor(log, KEYS, TimerFold()), TimerMetrics(CollectorRegistry()))
    with pytest.raises(UnknownGameError):
        await service.deadlines(game.game_id)
    await game.commit(set_("b", 200), set_("a", 100))
    loaded = await service.deadlines(game.game_id)
    assert [one.deadline_id for one in loaded.state.schedule.listed()] == ["a", "b"]


async def test_every_game_has_one_first_process() -> None:
    """Ranks are a permutation of the processes for every game."""
    ranks = [ranking(worker, 3) for worker in range(3)]
    for number in range(20):
        assert sorted(rank(f"game-{number}") for rank in ranks) == [0, 1, 2]
    assert ranking(0, 1)("any") == 0
