"""The deadlines of one game, folded from what its commits say about them.

The same four words as everywhere; what there is to decide is which alarm to set (`alarm_to_set`).
"""

from __future__ import annotations

from typing import Final


class Deadline:
    """A pending deadline.

    Attributes:
        deadline_id: unique in its game for ever.
        owner: the service that deals with it.
        kind: what it is for.
        due_ms: when it is due; 0 while it is paused.
        left_ms: while it is paused, what was left.
    """

    __slots__ = ("deadline_id", "due_ms", "kind", "left_ms", "owner")

    def __init__(self, deadline_id: str, owner: str, kind: str, due_ms: int, left_ms: int = 0) -> None:
        self.deadline_id = deadline_id
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms
        self.left_ms = left_ms

    @property
    def paused(self) -> bool:
        """Whether it stands still."""
        return self.due_ms == 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deadline) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(self.deadline_id)

    def __repr__(self) -> str:
        return f"Deadline({self.deadline_id!r}, {self.owner}, {self.kind}, {self.due_ms}, {self.left_ms})"


class DeadlineSet:
    """A deadline was set."""

    __slots__ = ("deadline_id", "due_ms", "kind", "owner")

    def __init__(self, deadline_id: str, owner: str, kind: str, due_ms: int) -> None:
        self.deadline_id = deadline_id
        self.owner = owner
        self.kind = kind
        self.due_ms = due_ms


class DeadlineCleared:
    """A deadline is no longer waited for."""

    __slots__ = ("deadline_id",)

    def __init__(self, deadline_id: str) -> None:
        self.deadline_id = deadline_id


class DeadlinePaused:
    """A deadline was stopped."""

    __slots__ = ("deadline_id", "left_ms")

    def __init__(self, deadline_id: str, left_ms: int) -> None:
        self.deadline_id = deadline_id
        self.left_ms = left_ms


class DeadlineResumed:
    """A paused deadline runs on."""

    __slots__ = ("deadline_id", "due_ms")

    def __init__(self, deadline_id: str, due_ms: int) -> None:
        self.deadline_id = deadline_id
        self.due_ms = due_ms


Change = DeadlineSet | DeadlineCleared | DeadlinePaused | DeadlineResumed


class State:
    """The pending deadlines of a game, by id, in the order in which they were set."""

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
    if isinstance(change, DeadlineSet):
        if change.deadline_id in deadlines:
            raise ContradictionError(f"deadline {change.deadline_id} is set while it is pending")
        deadlines[change.deadline_id] = Deadline(change.deadline_id, change.owner, change.kind, change.due_ms)
        return
    before = deadlines.get(change.deadline_id)
    if before is None:
        raise ContradictionError(f"deadline {change.deadline_id} is changed and is not pending")
    if isinstance(change, DeadlineCleared):
        del deadlines[change.deadline_id]
    elif isinstance(change, DeadlinePaused):
        deadlines[change.deadline_id] = Deadline(
            before.deadline_id, before.owner, before.kind, 0, change.left_ms
        )
    else:
        deadlines[change.deadline_id] = Deadline(before.deadline_id, before.owner, before.kind, change.due_ms)


def alarm_to_set(state: State, armed_ms: int) -> int:
    """Return when the game's alarm must ring, or 0 if the one that is set will do.

    `armed_ms` is when it rings now, 0 for never. An alarm that rings too early is harmless and sets the right
    one then, so only an earlier deadline is worth a write.
    """
    earliest = state.earliest()
    if earliest is None or (armed_ms and armed_ms <= earliest.due_ms):
        return 0
    return earliest.due_ms
