"""What the timer service had folded of a table, as stored bytes. A cache: it may be dropped at any time."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, final

from magnate.timer.codec import put_set, terms_of
from magnate.timer.domain.schedule import Deadline
from magnate.timer.domain.timers import Table
from magnate.timer.v1 import timer_pb2

FORMAT: Final = "magnate.timer.v1.TableSnapshot/2"
"""Change the number when the same bytes mean something else."""


@final
class TimerSnapshots:
    """Stores and reads `Table`."""

    kind: Final = "timer"
    schema_hash: Final = sha256(FORMAT.encode()).digest()

    def encode(self, state: Table) -> bytes:
        """Return the state's bytes."""
        message = timer_pb2.TableSnapshot(
            what=state.what,
            paused=state.paused,
            over=state.over,
            used=sorted(state.used),
            cards=state.cards,
            retired=sorted(state.gone),
        )
        for deadline in state.deadlines.values():
            one = message.deadlines.add(
                left_ms=deadline.left_ms, held=deadline.held, shifted=deadline.shifted
            )
            put_set(deadline, one.set)
        return message.SerializeToString()

    def decode(self, data: bytes) -> Table:
        """Return the state; any exception drops the snapshot."""
        message = timer_pb2.TableSnapshot.FromString(data)
        state = Table()
        state.what = message.what
        state.paused = message.paused
        state.over = message.over
        state.used = set(message.used)
        state.cards = dict(message.cards)
        state.gone = set(message.retired)
        for one in message.deadlines:
            state.deadlines[one.set.deadline_id] = Deadline(
                one.set.deadline_id,
                one.set.owner,
                one.set.kind,
                one.set.due_ms,
                one.left_ms,
                terms=terms_of(one.set),
                held=one.held,
                shifted=one.shifted,
                occurrence=one.set.occurrence,
            )
        return state
