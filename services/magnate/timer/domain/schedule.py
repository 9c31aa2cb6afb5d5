"""The deadlines of one table, folded from what its commits say about them.

The same four words as everywhere; what there is to decide is which alarm to set (`alarm_to_set`). What
clients ask of their timers is decided in `timers`.
"""

from __future__ import annotations

from typing import Final


class Terms:
    """What a deadline has that is a client's timer.

    Attributes:
        label: for people.
        data: for the client.
        misfire: what becomes of it if it is missed: "fire", "skip" or "shift".
        set_by: who set it.
        runs_through: no pause of its game stops it.
        every_ms: it is due again so long after it was due; 0 if it fires once.
        times: how often it is due in all; 0 if it fires once.
    """

    __slots__ = ("data", "every_ms", "label", "misfire", "runs_through", "set_by", "times")

    def __init__(
        self,
        label: str,
        data: bytes,
        misfire: str,
        set_by: str,
        *,
        runs_through: bool,
        every_ms: int = 0,
        times: int = 0,
    ) -> None:
        self.label = label
        self.data = data
        self.misfire = misfire
        self.set_by = set_by
        self.runs_through = runs_through
        self.every_ms = every_ms
        self.times = times

    def __repr__(self) -> str:
        more = ", runs through" if self.runs_through else ""
        more += f", {self.times} times every {self.every_ms}" if self.every_ms else ""
        return f"Terms({self.label!r}, {self.data!r}, {self.misfire}, {self.set_by}{more})"


class Deadline:
    """A pending deadline.

    Attributes:
        deadline_id: unique in its log for ever.
        owner: the service that deals with it.
        kind: what it is for.
        due_ms: when it is due; 0 while it is paused.
        left_ms: while it is paused, what was left.
        terms: of a timer, what its client asked for.
        held: it was paused for itself, not with its game.
        shifted: it was missed once and has got the time that was lost.
        occurrence: of a timer that repeats, which of its times is pending, from 1.
    """

    __slots__ = (
        "deadline_id",
        "due_ms",
        "held",
        "kind",
        "left_ms",
        "occurrence",
        "owner",
        "shifted",
        "terms",
    )

    def __init__(
        self,
        deadline_id: str,
        owner: str,
        kind: str,
        due_ms: int,
        left_ms: int = 0,
        *,
        terms: Terms | None = None,
        held: bool = False,
        shifted: bool = False,
        occurrence: int = 0,
    ) -> None:
        self.deadline_id = deadline_id
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms
        self.left_ms = left_ms
        self.terms = terms
        self.held = held
        self.shifted = shifted
        self.occurrence = occurrence

    @property
    def paused(self) -> bool:
        """Whether it stands still."""
        return self.due_ms == 0

    def stopped(self, left_ms: int, *, held: bool) -> Deadline:
        """Return it as it is when it was paused."""
        return Deadline(
            self.deadline_id,
            self.owner,
            self.kind,
            0,
            left_ms,
            terms=self.terms,
            held=held,
            shifted=self.shifted,
            occurrence=self.occurrence,
        )

    def running(self, due_ms: int, *, shifted: bool = False) -> Deadline:
        """Return it as it is with another due time."""
        return Deadline(
            self.deadline_id,
            self.owner,
            self.kind,
            due_ms,
            terms=self.terms,
            shifted=shifted or self.shifted,
            occurrence=self.occurrence,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deadline) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(self.deadline_id)

    def __repr__(self) -> str:
        more = f", {self.terms!r}" if self.terms is not None else ""
        more += ", held" if self.held else ""
        more += ", shifted" if self.shifted else ""
        more += f", occurrence {self.occurrence}" if self.occurrence else ""
        return (
            f"Deadline({self.deadline_id!r}, {self.owner}, {self.kind}, {self.due_ms}, {self.left_ms}{more})"
        )


class DeadlineSet:
    """A deadline was set; after it fired, as the next of the times of a timer that repeats."""

    __slots__ = ("deadline_id", "due_ms", "kind", "occurrence", "owner", "terms")

    def __init__(
        self,
        deadline_id: str,
        owner: str,
        kind: str,
        due_ms: int,
        terms: Terms | None = None,
        occurrence: int = 0,
    ) -> None:
        self.deadline_id = deadline_id
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms
        self.terms = terms
        self.occurrence = occurrence


class DeadlineCleared:
    """A deadline is no longer waited for."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id


class DeadlinePaused:
    """A deadline was stopped; `held`: for itself, not with its game."""

    __slots__ = ("deadline_id", "held", "left_ms")

    def __init__(self, deadline_id: str, left_ms: int, *, held: bool = False) -> None:
        self.deadline_id = deadline_id
        self.left_ms = left_ms
        self.held = held


class DeadlineResumed:
    """A paused deadline runs on, or a running one was moved."""

    __slots__ = ("deadline_id", "due_ms")

    def __init__(self, deadline_id: str, due_ms: int) -> None:
        self.deadline_id = deadline_id
        self.due_ms = due_ms


class DeadlineFired:
    """A timer's time has come; it is not pending any more."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id


class DeadlineShifted:
    """A deadline was missed while the services were down and gets the time that was lost."""

    __slots__ = ("deadline_id", "due_ms")

    def __init__(self, deadline_id: str, due_ms: int) -> None:
        self.deadline_id = deadline_id
        self.due_ms = due_ms


Change = DeadlineSet | DeadlineCleared | DeadlinePaused | DeadlineResumed | DeadlineFired | DeadlineShifted


class State:
    """The pending deadlines of a table, by id, in the order in which they were set."""

    __slots__ = ("deadlines",)

    def __init__(self) -> None:
        self.deadlines: dict[str, Deadline] = {}

    def copy(self) -> State:
        """Return an independent copy. Deadlines are replaced, never changed, so they are shared."""
        twin = State()
        twin.deadlines = dict(self.deadlines)
        return twin

    def earliest(self) -> Deadline | None:
        """Return the running deadline that is due first."""
        found: Deadline | None = None
        for deadline in self.deadlines.values():
            if deadline.due_ms and (found is None or deadline.due_ms < found.due_ms):
                found = deadline
        return found

    def listed(self) -> list[Deadline]:
        """Return all, the earliest first, paused ones last by what was left."""
        return sorted(
            self.deadlines.values(),
            key=lambda one: (one.paused, one.due_ms, one.left_ms, one.deadline_id),
        )


INITIAL: Final = State()
"""Before the first deadline. Start from a copy."""


class ContradictionError(Exception):
    """The log changes a deadline that is not pending, or sets one that is."""


def evolve(state: State, change: Change) -> None:
    """Fold one change into the state, in place."""
    deadlines = state.deadlines
    deadline_id = change.deadline_id
    if isinstance(change, DeadlineSet):
        if deadline_id in deadlines:
            raise ContradictionError(f"deadline {deadline_id} is set while it is pending")
        deadlines[deadline_id] = Deadline(
            deadline_id,
            change.owner,
            change.kind,
            change.due_ms,
            terms=change.terms,
            occurrence=change.occurrence,
        )
        return
    before = deadlines.get(deadline_id)
    if before is None:
        raise ContradictionError(f"deadline {deadline_id} is changed and is not pending")
    if isinstance(change, DeadlineCleared | DeadlineFired):
        del deadlines[deadline_id]
    elif isinstance(change, DeadlinePaused):
        deadlines[deadline_id] = before.stopped(change.left_ms, held=change.held)
    else:
        shifted = isinstance(change, DeadlineShifted)
        deadlines[deadline_id] = before.running(change.due_ms, shifted=shifted)


def alarm_to_set(state: State, armed_ms: int) -> int:
    """Return when the table's alarm must ring, or 0 if the one that is set will do.

    `armed_ms` is when it rings now, 0 for never. An alarm that rings too early is harmless and sets the right
    one then, so only an earlier deadline is worth a write.
    """
    earliest = state.earliest()
    if earliest is None or (armed_ms and armed_ms <= earliest.due_ms):
        return 0
    return earliest.due_ms
