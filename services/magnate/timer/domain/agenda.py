"""All games' deadlines, and the order in which they are due. Pure: the time comes in as data.

Knowledge here is only ever late, never wrong: what the log has cleared meanwhile is announced in vain, which
the owner notices. So changes that contradict each other (a stale cache) are passed over.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Final

from magnate.timer.domain.schedule import ContradictionError, Deadline, State, alarm_to_set, evolve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.timer.domain.schedule import Change

HEAP_MIN: Final = 4096
"""A heap smaller than this is not worth rebuilding."""


class Due:
    """A deadline whose time has come, with a version of the game in which it was pending."""

    __slots__ = ("deadline", "game_id", "version")

    def __init__(self, game_id: str, version: int, deadline: Deadline) -> None:
        self.game_id = game_id
        self.version = version
        self.deadline = deadline


class Game:
    """One game with pending deadlines: its schedule as of a version, and its alarm (0: none)."""

    __slots__ = ("answered", "armed_ms", "schedule", "version")

    def __init__(self, version: int, schedule: State) -> None:
        self.version = version
        self.schedule = schedule
        self.armed_ms = 0
        self.answered: set[str] = set()  # dealt with by the owner; the log will say so


class Agenda:
    """What is pending in all games."""

    def __init__(self) -> None:
        self.games: dict[str, Game] = {}
        self._heap: list[tuple[int, str, int, Deadline]] = []  # when, a table's together, in order, what
        self._pushed = 0
        self._rebuild_at = HEAP_MIN

    def apply(self, game_id: str, version: int, changes: Iterable[Change]) -> None:
        """Take what a commit says about deadlines; one that is known already changes nothing."""
        game = self.games.get(game_id)
        if game is None:
            game = self.games[game_id] = Game(0, State())
        if version <= game.version:
            return
        game.version = version
        for change in changes:
            try:
                evolve(game.schedule, change)
            except ContradictionError:
                continue
            game.answered.discard(change.deadline_id)  # that it is paused is what the answer meant
            self._push(game_id, game.schedule.deadlines.get(change.deadline_id))
        self._settle(game_id, game)

    def replace(self, game_id: str, version: int, schedule: State) -> None:
        """Take a whole schedule, as read from the log, unless a newer one is known."""
        game = self.games.get(game_id)
        if game is not None and version <= game.version:
            return
        fresh = self.games[game_id] = Game(version, schedule)
        if game is not None:
            fresh.armed_ms = game.armed_ms
        for deadline in schedule.deadlines.values():
            self._push(game_id, deadline)
        self._settle(game_id, fresh)

    def due(self, now_ms: int, count_max: int) -> list[Due]:
        """Take out what is due now, the earliest first; nothing twice unless `retry` puts it back."""
        found: list[Due] = []
        heap = self._heap
        while heap and heap[0][0] <= now_ms and len(found) < count_max:
            _, game_id, _, deadline = heapq.heappop(heap)
            game = self.games.get(game_id)
            if game is None or deadline.deadline_id in game.answered:
                continue
            if game.schedule.deadlines.get(deadline.deadline_id) is deadline:  # else it was moved since
                found.append(Due(game_id, game.version, deadline))
        return found

    def due_in(self, game_id: str, now_ms: int) -> list[Due]:
        """Return what is due in one game, without taking it out."""
        game = self.games.get(game_id)
        if game is None:
            return []
        return [
            Due(game_id, game.version, deadline)
            for deadline in game.schedule.listed()
            if 0 < deadline.due_ms <= now_ms and deadline.deadline_id not in game.answered
        ]

    def retry(self, due: Due, at_ms: int) -> None:
        """Announce a deadline again at this time, if it is still pending then.

        That may be before it is due by the clock here: the owner's is another one. One that was moved since
        the owner was asked is announced when it is due.
        """
        game = self.games.get(due.game_id)
        pending = None if game is None else game.schedule.deadlines.get(due.deadline.deadline_id)
        if pending is due.deadline:
            self._put(at_ms, due.game_id, due.deadline)
        else:
            self._push(due.game_id, pending)

    def answered(self, due: Due) -> None:
        """Remember that the owner has dealt with a deadline, which the log will say in a moment.

        One that was paused or resumed since the owner was told is announced again when it is due.
        """
        game = self.games.get(due.game_id)
        pending = None if game is None else game.schedule.deadlines.get(due.deadline.deadline_id)
        if game is not None and pending is due.deadline:
            game.answered.add(due.deadline.deadline_id)
        else:
            self._push(due.game_id, pending)

    def next_ms(self) -> int | None:
        """Return when something is due next, at the earliest."""
        return self._heap[0][0] if self._heap else None

    def alarm_to_set(self, game_id: str) -> tuple[int, int]:
        """Return when this game's alarm must be set to (0: it need not be) and the version that says so."""
        game = self.games.get(game_id)
        if game is None:
            return 0, 0
        if game.answered:
            open_ones = State()
            open_ones.deadlines = {
                key: one for key, one in game.schedule.deadlines.items() if key not in game.answered
            }
            return alarm_to_set(open_ones, game.armed_ms), game.version
        return alarm_to_set(game.schedule, game.armed_ms), game.version

    def armed(self, game_id: str, at_ms: int) -> None:
        """Remember when the game's alarm rings; 0 after it has rung."""
        game = self.games.get(game_id)
        if game is not None:
            game.armed_ms = at_ms

    def overdue(self, now_ms: int) -> int:
        """Return how many running deadlines are due."""
        return sum(
            0 < deadline.due_ms <= now_ms
            for game in self.games.values()
            for deadline in game.schedule.deadlines.values()
        )

    def pending_of(self, owner: str, kind: str) -> int:
        """Return how many deadlines of a kind are pending, paused ones included."""
        return sum(
            one.owner == owner and one.kind == kind
            for game in self.games.values()
            for one in game.schedule.deadlines.values()
        )

    def pending(self) -> int:
        """Return how many deadlines are pending, paused ones included."""
        return sum(len(game.schedule.deadlines) for game in self.games.values())

    def _push(self, game_id: str, deadline: Deadline | None) -> None:
        if deadline is not None and deadline.due_ms:
            self._put(deadline.due_ms, game_id, deadline)

    def _put(self, at_ms: int, game_id: str, deadline: Deadline) -> None:
        self._pushed += 1
        heapq.heappush(self._heap, (at_ms, game_id, self._pushed, deadline))

    def _settle(self, game_id: str, game: Game) -> None:
        """Forget what is over, and rebuild the heap when it is mostly about what is."""
        game.answered &= game.schedule.deadlines.keys()
        if not game.schedule.deadlines:
            del self.games[game_id]  # an alarm that is still set rings in vain
        if len(self._heap) > self._rebuild_at:
            self._heap.clear()
            for other_id, other in self.games.items():
                for deadline in other.schedule.deadlines.values():
                    self._push(other_id, deadline)
            self._rebuild_at = max(HEAP_MIN, 4 * len(self._heap))
