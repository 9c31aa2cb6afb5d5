"""What becomes of timers whose time has come: all that are due at a table go into one commit.

One that repeats is set again in the commit that fires it, due so long after it *was* due: it does not drift.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from magnate.kit import misfire
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.timer.domain.schedule import (
    Deadline,
    DeadlineCleared,
    DeadlineFired,
    DeadlineSet,
    DeadlineShifted,
)
from magnate.timer.domain.timers import FIRE, OWNER, SHIFT

if TYPE_CHECKING:
    from magnate.timer.domain.schedule import Change
    from magnate.timer.domain.timers import Table

FIRED: Final = "fired"
SKIPPED: Final = "skipped"
SHIFTED: Final = "shifted"
PASSED: Final = "passed"
"""A time of a timer that repeats that was missed and had another one after it."""
OVER: Final = "over"


@final
class Firing:
    """What is to be written, and how many timers of each fate it has."""

    __slots__ = ("changes", "fates")

    def __init__(self) -> None:
        self.changes: list[Change] = []
        self.fates: dict[str, list[Deadline]] = {}

    def add(self, fate: str, timer: Deadline, change: Change) -> None:
        """Add one timer."""
        self.changes.append(change)
        self.fates.setdefault(fate, []).append(timer)

    def end(self, fate: str, timer: Deadline, change: DeadlineFired | DeadlineCleared) -> None:
        """Add one timer whose time is dealt with; one that repeats is set again."""
        self.add(fate, timer, change)
        terms = timer.terms
        if terms is not None and timer.occurrence < terms.times:
            due_ms, occurrence = timer.due_ms + terms.every_ms, timer.occurrence + 1
            self.changes.append(
                DeadlineSet(timer.deadline_id, timer.owner, timer.kind, due_ms, terms, occurrence)
            )


def is_shifted(timer: Deadline, now_ms: int, last_ms: int, started_ms: int) -> bool:
    """Say whether a timer was missed and gets the time that was lost."""
    return _again_ms(timer, now_ms, last_ms, started_ms) > 0


def may_be_shifted(timer: Deadline, now_ms: int) -> bool:
    """Say whether a timer is due and, if it was missed, gets what was left of it."""
    return 0 < timer.due_ms <= now_ms and misfire.may_shift(OWNER, _kind(timer), shifted=timer.shifted)


def decide_due(
    table: Table, timer_id: str, now_ms: int, last_ms: int, started_ms: int = 0
) -> Firing | Rejection:
    """Fire a timer and whatever else is due at its table, the earliest first.

    Refusals: UNKNOWN_DEADLINE (it is not pending), NOT_YET. `last_ms` is when the log was last heard of,
    `started_ms` since when this process has been there.
    """
    asked = table.timer(timer_id)
    if asked is None or asked.paused:
        return Rejection(names.UNKNOWN_DEADLINE, f"{timer_id} is not pending")
    if asked.due_ms > now_ms:
        return Rejection(names.NOT_YET, str(asked.due_ms - now_ms))
    firing = Firing()
    due = [one for one in table.timers() if 0 < one.due_ms <= now_ms]
    for pending in sorted(due, key=lambda one: (one.due_ms, one.deadline_id)):
        if table.over:
            firing.add(OVER, pending, DeadlineCleared(pending.deadline_id))
            continue
        timer = _newest(pending, now_ms)
        passed = timer.occurrence - pending.occurrence
        if passed:
            firing.fates.setdefault(PASSED, []).extend([pending] * passed)
        more_ms = _again_ms(timer, now_ms, last_ms, started_ms)
        if misfire.is_skipped(OWNER, _kind(timer), timer.due_ms, now_ms):
            firing.end(SKIPPED, timer, DeadlineCleared(timer.deadline_id))
        elif more_ms:
            firing.add(SHIFTED, timer, DeadlineShifted(timer.deadline_id, now_ms + more_ms))
        else:
            firing.end(FIRED, timer, DeadlineFired(timer.deadline_id))
    return firing


def _newest(pending: Deadline, now_ms: int) -> Deadline:
    """Return a timer at the last of its times that have come; those before it passed unnoticed.

    One that is shifted when it is missed is late with all that follow, and none of them passes.
    """
    terms = pending.terms
    if terms is None or not terms.every_ms or terms.misfire == SHIFT:
        return pending
    passed = min((now_ms - pending.due_ms) // terms.every_ms, terms.times - pending.occurrence)
    due_ms, occurrence = pending.due_ms + passed * terms.every_ms, pending.occurrence + passed
    return Deadline(
        pending.deadline_id, pending.owner, pending.kind, due_ms, terms=terms, occurrence=occurrence
    )


def _again_ms(timer: Deadline, now_ms: int, last_ms: int, started_ms: int) -> int:
    kind = _kind(timer)
    return misfire.again_ms(OWNER, kind, timer.due_ms, now_ms, last_ms, started_ms, shifted=timer.shifted)


def _kind(timer: Deadline) -> str:
    return FIRE if timer.terms is None else timer.terms.misfire
