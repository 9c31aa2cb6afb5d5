"""What watchers of timers get: all that is pending at first, then what each commit changes."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from magnate.kit.log.watch import HeadBeat, read_commits, watch_commits
from magnate.timer.codec import TimerFold, changes
from magnate.timer.domain.schedule import (
    DeadlineCleared,
    DeadlineFired,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
)
from magnate.timer.domain.timers import Table
from magnate.timer.v1 import timer_pb2
from magnate.timer.view import put_deadline, put_time

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log
    from magnate.timer.domain.schedule import Change, Deadline

_KINDS: Final[dict[type[Change], timer_pb2.TimerChangeKind.ValueType]] = {
    DeadlineSet: timer_pb2.TIMER_CHANGE_KIND_SET,
    DeadlineCleared: timer_pb2.TIMER_CHANGE_KIND_CLEARED,
    DeadlinePaused: timer_pb2.TIMER_CHANGE_KIND_PAUSED,
    DeadlineResumed: timer_pb2.TIMER_CHANGE_KIND_RESUMED,
    DeadlineFired: timer_pb2.TIMER_CHANGE_KIND_FIRED,
}


class Watch:
    """Reads the logs of tables for those who look at their timers."""

    def __init__(self, log: Log, keys: KeyRing, clock: Clock) -> None:
        self._log = log
        self._keys = keys
        self._clock = clock

    async def follow(
        self, loaded: Loaded[Table], after_version: int = 0
    ) -> AsyncGenerator[timer_pb2.WatchTimersResponse, None]:
        """Yield what is pending, with what happened after a version (0: nothing), then what changes.

        Raises:
            DataLossError: the log does not verify; nothing after the damage is sent.
        """
        fold = TimerFold()
        state, version = fold.copy(loaded.state), loaded.version
        first = self._message(version, state)
        if 0 < after_version < version:
            await self._add_missed(loaded, after_version, first)
        yield first
        commits = watch_commits(self._log, self._keys, loaded.game_id, version)
        async with aclosing(commits):
            async for item in commits:
                if isinstance(item, HeadBeat):
                    yield self._message(version, None)
                    continue
                before = dict(state.schedule.deadlines)
                state, version = fold.apply(state, item), item.version
                message = self._changed(state, before, item)
                if message.changes:
                    yield message

    async def _add_missed(
        self, loaded: Loaded[Table], after_version: int, message: timer_pb2.WatchTimersResponse
    ) -> None:
        """Add what happened after a version, up to what is loaded."""
        fold, state = TimerFold(), Table()
        for commit in await read_commits(self._log, self._keys, loaded.game_id):
            before = dict(state.schedule.deadlines)
            state = fold.apply(state, commit)
            if commit.version > loaded.version:
                return
            if commit.version > after_version:
                message.changes.extend(self._changed(state, before, commit).changes)

    def _changed(
        self, state: Table, before: Mapping[str, Deadline], commit: ParsedCommit
    ) -> timer_pb2.WatchTimersResponse:
        found = changes(commit)
        gone = all(isinstance(change, DeadlineCleared | DeadlineFired) for change in found)
        message = self._message(commit.version, None if gone else state)
        now_ms = self._clock.now_ms()
        for change in found:
            one = message.changes.add(deadline_id=change.deadline_id)
            one.kind = _KINDS.get(type(change), timer_pb2.TIMER_CHANGE_KIND_SHIFTED)
            deadline = before.get(change.deadline_id)
            if not isinstance(change, DeadlineCleared | DeadlineFired):
                deadline = state.schedule.deadlines.get(change.deadline_id, deadline)
            if deadline is not None:
                put_deadline(deadline, now_ms, one.deadline)
        return message

    def _message(self, version: int, state: Table | None) -> timer_pb2.WatchTimersResponse:
        now_ms = self._clock.now_ms()
        message = timer_pb2.WatchTimersResponse(version=version, complete=state is not None)
        put_time(now_ms, message.server_time)
        for deadline in () if state is None else state.schedule.listed():
            put_deadline(deadline, now_ms, message.deadlines.add())
        return message
