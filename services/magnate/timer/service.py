"""The use cases of the timer service: timers of clients, what is pending, the owner's part when one is due.

Announcing needs nobody to ask for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from magnate.kit import misfire
from magnate.kit.clock import Clock, SystemClock
from magnate.kit.errors import NotFoundError, RefusedError
from magnate.kit.expiry import Expired, Gone, NotYet
from magnate.kit.ids import expire_id, request_hash
from magnate.kit.log.commit import Command
from magnate.kit.log.heard import heard_ms
from magnate.kit.log.skew import GUARD
from magnate.kit.transact_types import Done, Proposal, Refused
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.timer.codec import deadlines_section
from magnate.timer.domain import timers
from magnate.timer.domain.timers import OWNER
from magnate.timer.firing import Firing, decide_due, is_shifted, may_be_shifted

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.kit.expiry import Expiry
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor
    from magnate.timer.domain.agenda import Due
    from magnate.timer.domain.schedule import Change
    from magnate.timer.domain.timers import Table, When, Wish
    from magnate.timer.metrics import TimerMetrics

Result: TypeAlias = "Done[Table] | Refused[Table, Rejection]"
Decided: TypeAlias = "Proposal[Table, Rejection] | Rejection"


class UnknownGameError(NotFoundError):
    """There is no such game and no such table."""

    reason = "UNKNOWN_GAME"


class TimerService:
    """Answers from the log, not from the agenda, which may be a moment behind.

    What was asked for last is kept, because reading a long game keeps the deadlines of all others waiting.
    """

    def __init__(
        self, transactor: Transactor[Table], metrics: TimerMetrics, clock: Clock | None = None
    ) -> None:
        self.transactor = transactor
        self._metrics = metrics
        self._clock = clock or SystemClock()

    def now_ms(self) -> int:
        """Return the time."""
        return self._clock.now_ms()

    async def deadlines(self, game_id: str) -> Loaded[Table]:
        """Return what is pending in a game or at a table.

        Raises:
            UnknownGameError: there is none.
        """
        loaded = await self.transactor.view(game_id)
        if loaded.version == 0:
            raise UnknownGameError(f"there is no game {game_id}")
        return loaded

    async def schedule(self, game_id: str, who: str, command: Command, wish: Wish) -> Result:
        """Set a timer (refusals: `timers.decide_schedule`)."""
        return await self._run(
            game_id, command, lambda table, now_ms: timers.decide_schedule(table, who, wish, now_ms)
        )

    async def reschedule(self, game_id: str, who: str, command: Command, timer_id: str, when: When) -> Result:
        """Move a running timer (refusals: `timers.decide_reschedule`)."""
        return await self._run(
            game_id,
            command,
            lambda table, now_ms: timers.decide_reschedule(table, who, timer_id, when, now_ms),
        )

    async def cancel(self, game_id: str, who: str, command: Command, timer_id: str) -> Result:
        """Forget a timer (refusals: `timers.decide_cancel`)."""
        return await self._run(
            game_id, command, lambda table, _now_ms: timers.decide_cancel(table, who, timer_id)
        )

    async def pause(self, game_id: str, who: str, command: Command, timer_id: str) -> Result:
        """Stop a timer (refusals: `timers.decide_pause`)."""
        return await self._run(
            game_id, command, lambda table, now_ms: timers.decide_pause(table, who, timer_id, now_ms)
        )

    async def resume(self, game_id: str, who: str, command: Command, timer_id: str) -> Result:
        """Let a stopped timer run on (refusals: `timers.decide_resume`)."""
        return await self._run(
            game_id, command, lambda table, now_ms: timers.decide_resume(table, who, timer_id, now_ms)
        )

    async def expire(self, due: Due) -> Expiry:
        """Fire a timer whose time has come, with all that are due at its table; harmless if it was done.

        An id is never used again: what is missing from a version after the one in which it was pending is
        gone for good. A timer that repeats is pending until its last time has come, each under its number.
        """
        timer_id = due.deadline.deadline_id
        seen = await self.transactor.view(due.game_id, newest=False, at_least=due.version)
        timer = seen.state.timer(timer_id)
        if timer is None:
            return Gone(seen.version)
        GUARD.require()  # now: until it is carried out the clock may have been set right, and not this time
        now_ms = self._clock.now_ms()
        last_ms, started_ms = await self._heard_ms(seen, now_ms), self.transactor.started_ms
        shifts = 0 < timer.due_ms <= now_ms and is_shifted(timer, now_ms, last_ms, started_ms)
        which = f"{timer_id}:{timer.occurrence}" if timer.occurrence else timer_id
        command = Command(
            expire_id(f"{which}:{misfire.SHIFT}" if shifts else which),
            request_hash(b"expire", timer_id.encode()),
            actor=OWNER,
            received_at_ms=now_ms,
            seen_version=seen.version,
            causation_id=timer_id,
        )
        firing = Firing()

        async def decide(loaded: Loaded[Table]) -> Decided:
            nonlocal firing
            before_ms = await self._heard_ms(loaded, now_ms)
            decided = decide_due(loaded.state, timer_id, now_ms, before_ms, started_ms)
            if isinstance(decided, Rejection):
                return decided
            firing = decided
            return _proposal(loaded, decided.changes)

        result = await self.transactor.run(due.game_id, command, decide)
        if isinstance(result, Refused):
            return _reply(result)
        if not result.replayed:
            self._metrics.took(firing.fates)
        pending = result.loaded.state.timer(timer_id)
        if pending is not None and pending.due_ms and pending.occurrence == timer.occurrence:
            return NotYet(max(1, pending.due_ms - self._clock.now_ms()))
        return Expired(result.commit.version)

    async def _heard_ms(self, loaded: Loaded[Table], now_ms: int) -> int:
        """Return when the log was last heard of before the first of the timers that were missed was due."""
        missed = [one.due_ms for one in loaded.state.timers() if may_be_shifted(one, now_ms)]
        return await heard_ms(self.transactor, loaded, min(missed)) if missed else loaded.time_ms

    async def after(self, done: Done[Table]) -> Table:
        """Return the table as a command left it, also if that was long ago."""
        if done.loaded.version == done.commit.version:
            return done.loaded.state
        commit, loader = done.commit, self.transactor.loader
        return (await loader.load_at(commit.game_id, commit.version, commit.sequence)).state

    async def _run(
        self, game_id: str, command: Command, decide: Callable[[Table, int], list[Change] | Rejection]
    ) -> Result:
        """Decide from the newest state and store what changes."""

        async def propose(loaded: Loaded[Table]) -> Decided:
            if loaded.version == 0:
                return Rejection(names.UNKNOWN_GAME, f"there is no game {game_id}")
            decided = decide(loaded.state, max(self._clock.now_ms(), loaded.time_ms))
            return decided if isinstance(decided, Rejection) else _proposal(loaded, decided)

        return await self.transactor.run(game_id, command, propose)


def _proposal(loaded: Loaded[Table], changes: list[Change]) -> Proposal[Table, Rejection]:
    draft = loaded.state.copy()
    for change in changes:
        draft.take(change)
    return Proposal([deadlines_section(changes)], draft=draft)


def _reply(refused: Refused[Table, Rejection]) -> Expiry:
    """Return what the announcer is told of a refusal."""
    name, loaded = refused.rejection.name, refused.loaded
    if name == names.NOT_YET:
        return NotYet(max(1, int(refused.rejection.detail)))
    if name == names.UNKNOWN_DEADLINE and loaded is not None:
        return Gone(loaded.version)
    raise RefusedError(refused.rejection)
