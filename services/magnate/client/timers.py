"""Calls on the timer service: set timers of a game or a bank table, change them, watch what is pending."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import grpc

from magnate.client.session import (
    RETRY_SECONDS_MAX,
    RETRY_WAIT_SECONDS,
    SILENCE_SECONDS_MAX,
    Connection,
    may_retry,
    refused,
)
from magnate.timer.v1 import timer_pb2, timer_pb2_grpc

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator


class TimerSession(Connection):
    """One connection to a timer service. `async with TimerSession(address) as session: …`.

    Every command is sent again until it is answered, and has one effect (see `Connection.command`).
    """

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = timer_pb2_grpc.TimerServiceStub(self._channel)

    async def schedule(
        self,
        game_id: str,
        token: str,
        *,
        after_ms: int = 0,
        due_ms: int = 0,
        name: str = "",
        label: str = "",
        data: bytes = b"",
        misfire: timer_pb2.Misfire.ValueType = timer_pb2.MISFIRE_UNSPECIFIED,
        runs_through_pause: bool = False,
        every_ms: int = 0,
        times: int = 0,
        command_id: str = "",
        seen_version: int = 0,
    ) -> timer_pb2.ScheduleTimerResponse:
        """Set a timer, due at a time by the server's clock or so long after now; the answer has its id.

        With `every_ms` it is due again and again, `times` in all (0: as often as there may be).
        """
        request = timer_pb2.ScheduleTimerRequest(
            game_id=game_id,
            command_id=command_id,
            seen_version=seen_version,
            name=name,
            label=label,
            data=data,
            misfire=misfire,
            runs_through_pause=runs_through_pause,
            every_ms=every_ms,
            times=times,
        )
        _put_when(request, due_ms, after_ms)
        return await self.command(self.stub.ScheduleTimer, request, token)

    async def reschedule(
        self, game_id: str, token: str, timer_id: str, *, after_ms: int = 0, due_ms: int = 0
    ) -> timer_pb2.RescheduleTimerResponse:
        """Move a running timer."""
        request = timer_pb2.RescheduleTimerRequest(game_id=game_id, timer_id=timer_id)
        _put_when(request, due_ms, after_ms)
        return await self.command(self.stub.RescheduleTimer, request, token)

    async def cancel(self, game_id: str, token: str, timer_id: str) -> timer_pb2.CancelTimerResponse:
        """Forget a timer."""
        request = timer_pb2.CancelTimerRequest(game_id=game_id, timer_id=timer_id)
        return await self.command(self.stub.CancelTimer, request, token)

    async def pause(self, game_id: str, token: str, timer_id: str) -> timer_pb2.PauseTimerResponse:
        """Stop a timer."""
        request = timer_pb2.PauseTimerRequest(game_id=game_id, timer_id=timer_id)
        return await self.command(self.stub.PauseTimer, request, token)

    async def resume(self, game_id: str, token: str, timer_id: str) -> timer_pb2.ResumeTimerResponse:
        """Let a stopped timer run on."""
        request = timer_pb2.ResumeTimerRequest(game_id=game_id, timer_id=timer_id)
        return await self.command(self.stub.ResumeTimer, request, token)

    async def deadlines(self, game_id: str) -> timer_pb2.ListDeadlinesResponse:
        """Return what is pending."""
        request = timer_pb2.ListDeadlinesRequest(game_id=game_id)
        return await self.ask(self.stub.ListDeadlines, request)

    async def watch(self, game_id: str) -> AsyncGenerator[timer_pb2.WatchTimersResponse, None]:
        """Yield what is pending and what changes, for ever; begins again where the stream broke off.

        After a break all that is pending comes first, with all that happened meanwhile.

        Raises:
            RefusedError: a refusal, or no answer for long.
        """
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self._retry_seconds
        request = timer_pb2.WatchTimersRequest(game_id=game_id)
        while True:
            stream = self.stub.WatchTimers(request)
            try:
                while True:
                    async with asyncio.timeout(SILENCE_SECONDS_MAX):
                        message = await stream.read()
                    if not isinstance(message, timer_pb2.WatchTimersResponse):
                        break
                    give_up = loop.time() + self._retry_seconds
                    self.note(game_id, message.version)
                    yield message
                    request.after_version = message.version
            except TimeoutError:
                pass
            except grpc.aio.AioRpcError as error:
                if not may_retry(error) or loop.time() > give_up:
                    raise refused(error) from None
            finally:
                stream.cancel()
            await asyncio.sleep(RETRY_WAIT_SECONDS)


def _put_when(
    request: timer_pb2.ScheduleTimerRequest | timer_pb2.RescheduleTimerRequest, due_ms: int, after_ms: int
) -> None:
    if due_ms:
        request.due_time.FromMilliseconds(due_ms)
    else:
        request.after_ms = after_ms
