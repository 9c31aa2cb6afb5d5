"""Games that have nothing but deadlines, and owners that answer as a test wants."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry

from magnate.kit.clock import SystemClock
from magnate.kit.expiry import Expired, Gone, NotYet
from magnate.kit.ids import derive_game_id, request_hash
from magnate.kit.log.commit import DEADLINES, RULES, ZERO_HASH, Command, Section, build_commit, parse_commit
from magnate.kit.log.fold import Loader
from magnate.kit.log.port import Appended
from magnate.timer.announcer import Announcer
from magnate.timer.codec import TimerFold
from magnate.timer.domain.agenda import Agenda
from magnate.timer.follower import Follower
from magnate.timer.keeper import AlarmKeeper
from magnate.timer.metrics import TimerMetrics
from magnate.timer.ports import OwnerAwayError
from magnate.timer.sweeper import Sweeper
from magnate.timer.v1 import timer_pb2
from tests.support.banking import KEYS

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from magnate.kit.alarm.port import Alarms
    from magnate.kit.clock import Clock
    from magnate.kit.expiry import Expiry
    from magnate.kit.log.port import Log
    from magnate.timer.domain.agenda import Due


def set_(deadline_id: str, due_ms: int, owner: str = "game", kind: str = "test") -> timer_pb2.DeadlineChange:
    """Return the change that sets a deadline."""
    change = timer_pb2.DeadlineChange()
    change.set.deadline_id = deadline_id
    change.set.owner = owner
    change.set.kind = kind
    change.set.due_ms = due_ms
    return change


def cleared(deadline_id: str) -> timer_pb2.DeadlineChange:
    """Return the change that clears a deadline."""
    change = timer_pb2.DeadlineChange()
    change.cleared.deadline_id = deadline_id
    return change


def paused(deadline_id: str, left_ms: int) -> timer_pb2.DeadlineChange:
    """Return the change that stops a deadline."""
    change = timer_pb2.DeadlineChange()
    change.paused.deadline_id = deadline_id
    change.paused.left_ms = left_ms
    return change


def resumed(deadline_id: str, due_ms: int) -> timer_pb2.DeadlineChange:
    """Return the change that lets a deadline run on."""
    change = timer_pb2.DeadlineChange()
    change.resumed.deadline_id = deadline_id
    change.resumed.due_ms = due_ms
    return change


class Game:
    """A game whose commits only change deadlines."""

    def __init__(self, log: Log, name: str) -> None:
        self.log = log
        self.game_id = derive_game_id("main", "timing", name, epoch=1, shards=4)
        self.version = 0
        self.sequence = 0
        self.hash = ZERO_HASH
        self.time_ms = 0

    async def commit(self, *changes: timer_pb2.DeadlineChange, command_id: str = "") -> None:
        """Append a commit with these changes."""
        section = timer_pb2.DeadlinesSection(changes=changes)
        sections = [Section(RULES, 1, b"")]
        if changes:
            sections.append(Section(DEADLINES, 1, section.SerializeToString()))
        commit = build_commit(
            KEYS,
            self.game_id,
            Command(command_id or f"c{self.version}", request_hash(b""), actor="test", received_at_ms=1),
            sections,
            previous_version=self.version,
            previous_hash=self.hash,
            previous_time_ms=self.time_ms,
            now_ms=SystemClock().now_ms(),
        )
        result = await self.log.append(self.game_id, commit.data, self.sequence)
        assert isinstance(result, Appended), result
        self.version, self.sequence = commit.version, result.sequence
        self.hash, self.time_ms = commit.hash, commit.time_ms

    async def catch_up(self) -> None:
        """Read what others appended."""
        for stored in await self.log.load(self.game_id, self.sequence):
            commit = parse_commit(KEYS, self.game_id, stored.data, stored.sequence)
            self.version, self.sequence = commit.version, stored.sequence
            self.hash, self.time_ms = commit.hash, commit.time_ms


class FakeOwners:
    """Owners that do what an owner does: look at the log, and clear a deadline that is due."""

    def __init__(self, log: Log, clock: Clock | None = None) -> None:
        self.log = log
        self.clock = clock or SystemClock()
        self.told: list[tuple[str, str, int]] = []
        self.away = 0
        self.early = 0
        self.effects: list[tuple[str, str]] = []

    async def expire(self, due: Due, now_ms: int) -> Expiry:
        """Judge by the log and this clock; a due deadline is cleared by a commit."""
        self.told.append((due.game_id, due.deadline.deadline_id, now_ms))
        if self.away:
            self.away -= 1
            raise OwnerAwayError("away")
        while True:
            loaded = await Loader(self.log, KEYS, TimerFold()).load(due.game_id)
            deadline = loaded.state.deadlines.get(due.deadline.deadline_id)
            if deadline is None or deadline.paused:
                return Gone(loaded.version)
            remaining = deadline.due_ms - self.clock.now_ms()
            if remaining > 0:
                self.early += 1
                return NotYet(remaining)
            game = Game(self.log, "any")
            game.game_id, game.version, game.sequence = due.game_id, loaded.version, loaded.sequence
            game.hash, game.time_ms = loaded.hash, loaded.time_ms
            with contextlib.suppress(AssertionError):
                await game.commit(cleared(deadline.deadline_id), command_id=f"expire:{deadline.deadline_id}")
                self.effects.append((due.game_id, deadline.deadline_id))
                return Expired(game.version)


class Timer:
    """One timer process without its network: everything but the servicer."""

    def __init__(self, log: Log, alarms: Alarms, owners: FakeOwners, clock: Clock | None = None) -> None:
        self.registry = CollectorRegistry()
        self.metrics = TimerMetrics(self.registry)
        self.agenda = Agenda()
        self.announcer = Announcer(self.agenda, owners, self.metrics, clock)
        self.follower = Follower(log, KEYS, self.agenda, self.metrics, self._changed)
        self.keeper = AlarmKeeper(self.agenda, alarms, self.announcer, self.follower, self.metrics, clock)
        loader = Loader(log, KEYS, TimerFold())
        self.sweeper = Sweeper(loader, KEYS, self.agenda, self.announcer, self.metrics, 3600, clock)
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self, *, announce: bool = True) -> None:
        """Start all its tasks."""
        await self.follower.restore()
        work: list[Coroutine[None, None, None]] = [
            self.follower.run(),
            self.keeper.run(),
            self.keeper.ring(),
        ]
        if announce:
            work.append(self.announcer.run(self.follower.caught_up))
        self._tasks = [asyncio.create_task(one) for one in work]

    async def stop(self) -> None:
        """End its tasks as a crash would: nothing is remembered."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.announcer.close()

    def value(self, name: str, **labels: str) -> float:
        """Return a metric's value."""
        return self.registry.get_sample_value(name, labels) or 0.0

    def _changed(self, game_id: str) -> None:
        self.announcer.stir()
        self.keeper.changed(game_id)
