"""Timers of clients: what a table knows of them, and what may be done with them. Pure.

The same four words as everywhere. A timer is a deadline whose owner is this service; its id is never used
again, so every id there ever was is remembered.
"""

from __future__ import annotations

from typing import Final

from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.timer.domain.schedule import (
    Change,
    Deadline,
    DeadlineCleared,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    State,
    Terms,
    evolve,
)

OWNER: Final = "timer"
"""The owner of the deadlines that are timers of clients."""
BANKER: Final = "banker"
KIND: Final = "timer"
PREFIX: Final = "t-"

FIRE: Final = "fire"
SKIP: Final = "skip"
SHIFT: Final = "shift"
MISFIRES: Final = (FIRE, SKIP, SHIFT)
"""What becomes of a timer that is missed."""

LEAD_MS_MIN: Final = 100
"""A timer is due this much after it is set or moved, or later."""
LEAD_MS_MAX: Final = 366 * 24 * 3600 * 1000
EVERY_MS_MIN: Final = 5000
"""A timer that repeats does so at most this often; less late than this nothing is passed over."""
TIMES_MAX: Final = 1000
"""How often a timer is due at most, without anybody's asking again."""
PENDING_MAX: Final = 64
"""Timers of one table that are pending."""

MISSING: Final = 0
GAME: Final = 1
BANK_TABLE: Final = 2


class Table:
    """What the timer service knows of a game or a bank table.

    Attributes:
        what: MISSING, GAME, or BANK_TABLE for one that only the bank keeps.
        paused: the game or the table is paused.
        over: the game is over, or the table is closed.
        schedule: what is pending, whoever owns it.
        used: every id that a timer ever had.
        cards: seat by card id.
        gone: seats that have left the game, or whose cards are out of use.
    """

    __slots__ = ("cards", "gone", "over", "paused", "schedule", "used", "what")

    def __init__(self) -> None:
        self.what = MISSING
        self.paused = False
        self.over = False
        self.schedule = State()
        self.used: set[str] = set()
        self.cards: dict[str, int] = {}
        self.gone: set[int] = set()

    @property
    def deadlines(self) -> dict[str, Deadline]:
        """What is pending, by id, whoever owns it."""
        return self.schedule.deadlines

    def copy(self) -> Table:
        """Return an independent copy."""
        twin = Table()
        twin.what = self.what
        twin.paused = self.paused
        twin.over = self.over
        twin.schedule = self.schedule.copy()
        twin.used = set(self.used)
        twin.cards = dict(self.cards)
        twin.gone = set(self.gone)
        return twin

    def take(self, change: Change) -> None:
        """Fold one change of a deadline, in place; ContradictionError if it cannot be."""
        evolve(self.schedule, change)
        if isinstance(change, DeadlineSet) and change.owner == OWNER:
            self.used.add(change.deadline_id)

    def timer(self, timer_id: str) -> Deadline | None:
        """Return a pending timer."""
        found = self.schedule.deadlines.get(timer_id)
        return found if found is not None and found.owner == OWNER else None

    def timers(self) -> list[Deadline]:
        """Return all pending timers."""
        return [one for one in self.schedule.deadlines.values() if one.owner == OWNER]


class Wish:
    """What a client asks for who sets a timer."""

    __slots__ = ("terms", "timer_id", "when")

    def __init__(self, timer_id: str, when: When, terms: Terms) -> None:
        self.timer_id = timer_id
        self.when = when
        self.terms = terms


class When:
    """When a timer shall be due: at a time, or so long after now."""

    __slots__ = ("after_ms", "due_ms")

    def __init__(self, due_ms: int = 0, after_ms: int = 0) -> None:
        self.due_ms = due_ms
        self.after_ms = after_ms

    def at(self, now_ms: int) -> int | Rejection:
        """Return the time, or why it cannot be."""
        due_ms = self.due_ms or now_ms + self.after_ms
        if due_ms < now_ms + LEAD_MS_MIN:
            detail = f"it would be due {due_ms - now_ms} ms from now; the least is {LEAD_MS_MIN}"
            return Rejection(names.SCHEDULE_IN_PAST, detail)
        if due_ms > now_ms + LEAD_MS_MAX:
            detail = f"it would be due {due_ms - now_ms} ms from now; the most is {LEAD_MS_MAX}"
            return Rejection(names.SCHEDULE_TOO_FAR, detail)
        return due_ms


def refuse_caller(table: Table, who: str) -> Rejection | None:
    """Say why somebody may not have timers here now: GAME_OVER, TABLE_CLOSED, SEAT_OUT, NOT_A_PLAYER."""
    if table.over and table.what == GAME:
        return Rejection(names.GAME_OVER, "the game is over; it has no timers any more")
    if table.over:
        return Rejection(names.TABLE_CLOSED, "the table is closed; it has no timers any more")
    role, _, seat = who.partition("-")
    if seat and int(seat) in table.gone:
        if table.what == GAME:
            return Rejection(names.SEAT_OUT, f"seat {seat} has left the game")
        return Rejection(names.NOT_A_PLAYER, f"this {role} is out of use")
    return None


def decide_schedule(table: Table, who: str, wish: Wish, now_ms: int) -> list[Change] | Rejection:
    """Set a timer; while all is paused it stands still at once, unless it runs through pauses."""
    refused = refuse_caller(table, who)
    if refused is not None:
        return refused
    due_ms = wish.when.at(now_ms)
    if isinstance(due_ms, Rejection):
        return due_ms
    if wish.timer_id in table.used:
        return Rejection(names.TIMER_EXISTS, f"there is or was a timer {wish.timer_id}; take another name")
    if len(table.timers()) >= PENDING_MAX:
        return Rejection(names.TOO_MANY_TIMERS, f"{PENDING_MAX} timers are pending; that is the most")
    first = 1 if wish.terms.every_ms else 0
    found: list[Change] = [DeadlineSet(wish.timer_id, OWNER, KIND, due_ms, wish.terms, first)]
    if table.paused and not wish.terms.runs_through:
        found.append(DeadlinePaused(wish.timer_id, due_ms - now_ms))
    return found


def decide_reschedule(
    table: Table, who: str, timer_id: str, when: When, now_ms: int
) -> list[Change] | Rejection:
    """Move a running timer."""
    timer = _changeable(table, who, timer_id)
    if isinstance(timer, Rejection):
        return timer
    if timer.paused:
        return Rejection(names.TIMER_PAUSED, f"{timer_id} stands still; resume it first")
    due_ms = when.at(now_ms)
    return due_ms if isinstance(due_ms, Rejection) else [DeadlineResumed(timer_id, due_ms)]


def decide_cancel(table: Table, who: str, timer_id: str) -> list[Change] | Rejection:
    """Forget a timer."""
    timer = _changeable(table, who, timer_id)
    return timer if isinstance(timer, Rejection) else [DeadlineCleared(timer_id)]


def decide_pause(table: Table, who: str, timer_id: str, now_ms: int) -> list[Change] | Rejection:
    """Stop a timer; one that stands still with its game then stays stopped when that goes on."""
    timer = _changeable(table, who, timer_id)
    if isinstance(timer, Rejection):
        return timer
    if timer.held:
        return Rejection(names.TIMER_PAUSED, f"{timer_id} has been stopped already")
    left_ms = timer.left_ms if timer.paused else max(0, timer.due_ms - now_ms)
    return [DeadlinePaused(timer_id, left_ms, held=True)]


def decide_resume(table: Table, who: str, timer_id: str, now_ms: int) -> list[Change] | Rejection:
    """Let a stopped timer run on; not while it would stand still with its game or table."""
    timer = _changeable(table, who, timer_id)
    if isinstance(timer, Rejection):
        return timer
    if not timer.paused:
        return Rejection(names.TIMER_RUNNING, f"{timer_id} runs")
    if table.paused and not (timer.terms is not None and timer.terms.runs_through):
        if table.what == GAME:
            return Rejection(names.GAME_PAUSED, f"{timer_id} stands still with its game")
        return Rejection(names.TABLE_PAUSED, f"{timer_id} stands still with its table")
    return [DeadlineResumed(timer_id, now_ms + timer.left_ms)]


def _changeable(table: Table, who: str, timer_id: str) -> Deadline | Rejection:
    """Return a pending timer that this caller may change."""
    refused = refuse_caller(table, who)
    if refused is not None:
        return refused
    timer = table.timer(timer_id)
    if timer is None:
        return Rejection(names.UNKNOWN_TIMER, f"{timer_id} is not pending")
    if who != BANKER and (timer.terms is None or timer.terms.set_by != who):
        setter = "" if timer.terms is None else timer.terms.set_by
        return Rejection(names.NOT_YOUR_TIMER, f"{timer_id} was set by {setter}")
    return timer
