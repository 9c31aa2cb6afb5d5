"""Deadlines as clients see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.timer.codec import MISFIRES

if TYPE_CHECKING:
    from google.protobuf.timestamp_pb2 import Timestamp

    from magnate.timer.domain.schedule import Deadline
    from magnate.timer.v1 import timer_pb2


def put_deadline(deadline: Deadline, now_ms: int, message: timer_pb2.Deadline) -> None:
    """Put a deadline into its message, with what is left of it."""
    message.deadline_id = deadline.deadline_id
    message.owner = deadline.owner
    message.kind = deadline.kind
    message.paused = deadline.paused
    message.left_ms = deadline.left_ms
    message.shifted = deadline.shifted
    if not deadline.paused:
        put_time(deadline.due_ms, message.due_time)
        message.remaining_ms = max(0, deadline.due_ms - now_ms)
    terms = deadline.terms
    if terms is not None:
        message.label, message.data, message.set_by = terms.label, terms.data, terms.set_by
        message.misfire = MISFIRES[terms.misfire]
        message.runs_through_pause = terms.runs_through
        message.every_ms, message.times, message.occurrence = (
            terms.every_ms,
            terms.times,
            deadline.occurrence,
        )


def put_time(time_ms: int, message: Timestamp) -> None:
    """Put a time into its message."""
    message.seconds, rest = divmod(time_ms, 1000)
    message.nanos = rest * 1_000_000
