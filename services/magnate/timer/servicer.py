"""Serves `magnate.timer.v1.TimerService`: translation between messages and use cases, nothing else."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.call import principal
from magnate.kit.transact_types import Refused
from magnate.timer.requests import (
    read_caller,
    read_command,
    read_game_id,
    read_timer_id,
    read_when,
    read_wish,
)
from magnate.timer.v1 import timer_pb2, timer_pb2_grpc
from magnate.timer.view import put_deadline, put_time

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.kit.log.commit import Command
    from magnate.kit.rpc.interceptors import Context
    from magnate.kit.transact_types import Done
    from magnate.timer.domain.timers import Table
    from magnate.timer.service import Result, TimerService
    from magnate.timer.watch import Watch


class TimerServicer(timer_pb2_grpc.TimerServiceServicer):
    """The public face of the timer."""

    def __init__(self, service: TimerService, watch: Watch) -> None:
        self._service = service
        self._watch = watch

    async def ScheduleTimer(  # noqa: N802 - the names in the proto
        self, request: timer_pb2.ScheduleTimerRequest, _context: Context
    ) -> timer_pb2.ScheduleTimerResponse:
        """Set a timer."""
        who, command = self._command(request)
        wish = read_wish(request, who)
        done = _done(await self._service.schedule(request.game_id, who, command, wish))
        answer = timer_pb2.ScheduleTimerResponse(version=done.commit.version)
        await self._put(done, wish.timer_id, answer.deadline)
        return answer

    async def RescheduleTimer(  # noqa: N802
        self, request: timer_pb2.RescheduleTimerRequest, _context: Context
    ) -> timer_pb2.RescheduleTimerResponse:
        """Move a timer."""
        who, command = self._command(request)
        timer_id, when = read_timer_id(request.timer_id), read_when(request)
        done = _done(await self._service.reschedule(request.game_id, who, command, timer_id, when))
        answer = timer_pb2.RescheduleTimerResponse(version=done.commit.version)
        await self._put(done, timer_id, answer.deadline)
        return answer

    async def CancelTimer(  # noqa: N802
        self, request: timer_pb2.CancelTimerRequest, _context: Context
    ) -> timer_pb2.CancelTimerResponse:
        """Forget a timer."""
        who, command = self._command(request)
        timer_id = read_timer_id(request.timer_id)
        done = _done(await self._service.cancel(request.game_id, who, command, timer_id))
        return timer_pb2.CancelTimerResponse(version=done.commit.version)

    async def PauseTimer(  # noqa: N802
        self, request: timer_pb2.PauseTimerRequest, _context: Context
    ) -> timer_pb2.PauseTimerResponse:
        """Stop a timer."""
        who, command = self._command(request)
        timer_id = read_timer_id(request.timer_id)
        done = _done(await self._service.pause(request.game_id, who, command, timer_id))
        answer = timer_pb2.PauseTimerResponse(version=done.commit.version)
        await self._put(done, timer_id, answer.deadline)
        return answer

    async def ResumeTimer(  # noqa: N802
        self, request: timer_pb2.ResumeTimerRequest, _context: Context
    ) -> timer_pb2.ResumeTimerResponse:
        """Let a timer run on."""
        who, command = self._command(request)
        timer_id = read_timer_id(request.timer_id)
        done = _done(await self._service.resume(request.game_id, who, command, timer_id))
        answer = timer_pb2.ResumeTimerResponse(version=done.commit.version)
        await self._put(done, timer_id, answer.deadline)
        return answer

    async def ListDeadlines(  # noqa: N802
        self, request: timer_pb2.ListDeadlinesRequest, _context: Context
    ) -> timer_pb2.ListDeadlinesResponse:
        """Return the pending deadlines of a table."""
        loaded = await self._service.deadlines(read_game_id(request.game_id))
        answer = timer_pb2.ListDeadlinesResponse(game_id=request.game_id, version=loaded.version)
        now_ms = self._service.now_ms()
        put_time(now_ms, answer.server_time)
        for deadline in loaded.state.schedule.listed():
            put_deadline(deadline, now_ms, answer.deadlines.add())
        return answer

    async def WatchTimers(  # noqa: N802
        self, request: timer_pb2.WatchTimersRequest, _context: Context
    ) -> AsyncIterator[timer_pb2.WatchTimersResponse]:
        """Yield what is pending, then what changes."""
        loaded = await self._service.deadlines(read_game_id(request.game_id))
        bind(game_id=request.game_id)
        if request.after_version > loaded.version:
            raise InvalidArgumentError("after_version", f"the newest version is {loaded.version}")
        async with aclosing(self._watch.follow(loaded, request.after_version)) as messages:
            async for message in messages:
                yield message

    def _command(
        self,
        request: timer_pb2.ScheduleTimerRequest
        | timer_pb2.RescheduleTimerRequest
        | timer_pb2.CancelTimerRequest
        | timer_pb2.PauseTimerRequest
        | timer_pb2.ResumeTimerRequest,
    ) -> tuple[str, Command]:
        """Return who asks, and the command."""
        received_at_ms = self._service.now_ms()
        who = read_caller(principal(), read_game_id(request.game_id))
        bind(game_id=request.game_id)
        return who, read_command(request, request, who, received_at_ms)

    async def _put(self, done: Done[Table], timer_id: str, message: timer_pb2.Deadline) -> None:
        """Put a timer into an answer as the command left it."""
        timer = (await self._service.after(done)).timer(timer_id)
        assert timer is not None, "the command left it pending"
        put_deadline(timer, self._service.now_ms(), message)


def _done(result: Result) -> Done[Table]:
    """Return what was done, or raise the refusal."""
    if isinstance(result, Refused):
        version = 0 if result.loaded is None else result.loaded.version
        raise RefusedError(result.rejection, {"version": str(version)})
    return result
