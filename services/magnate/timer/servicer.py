"""Serves `magnate.timer.v1.TimerService`: translation between messages and use cases, nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.clock import Clock, SystemClock
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.ids import InvalidIdError, parse_game_id
from magnate.timer.v1 import timer_pb2, timer_pb2_grpc

if TYPE_CHECKING:
    from google.protobuf.timestamp_pb2 import Timestamp

    from magnate.kit.rpc.interceptors import Context
    from magnate.timer.service import TimerService


class TimerServicer(timer_pb2_grpc.TimerServiceServicer):
    """The public face of the timer."""

    def __init__(self, service: TimerService, clock: Clock | None = None) -> None:
        self._service = service
        self._clock = clock or SystemClock()

    async def ListDeadlines(  # noqa: N802 - the name in the proto
        self, request: timer_pb2.ListDeadlinesRequest, context: Context
    ) -> timer_pb2.ListDeadlinesResponse:
        """Return the pending deadlines of a game."""
        del context
        try:
            parse_game_id(request.game_id)
        except InvalidIdError as error:
            raise InvalidArgumentError(error.field, str(error)) from error
        loaded = await self._service.deadlines(request.game_id)
        answer = timer_pb2.ListDeadlinesResponse()
        answer.game_id = request.game_id
        answer.version = loaded.version
        _put_time(self._clock.now_ms(), answer.server_time)
        for deadline in loaded.state.listed():
            one = answer.deadlines.add()
            one.deadline_id = deadline.deadline_id
            one.owner = deadline.owner
            one.kind = deadline.kind
            one.paused = deadline.paused
            one.left_ms = deadline.left_ms
            if not deadline.paused:
                _put_time(deadline.due_ms, one.due_time)
        return answer


def _put_time(time_ms: int, target: Timestamp) -> None:
    target.seconds, rest = divmod(time_ms, 1000)
    target.nanos = rest * 1_000_000
