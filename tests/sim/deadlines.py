"""What must hold of deadlines and timers: each comes due once, never early, and none is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.kit.log.commit import DEADLINES
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit
    from magnate.timer.domain.schedule import Deadline, State
    from tests.sim.world import World

EXPIRE: Final = "expire:"
ENDS: Final = frozenset({"cleared", "fired", "shifted", "resumed"})
"""What may become of a deadline whose time has come; a clock runs on into its reserve."""
LATE_MS: Final = 8_000
"""So long after its time a deadline may be pending when nothing is faulty: clocks differ by up to 3 s,
another timer gets a second, and whoever was away tries again after five."""
SKEW_MS: Final = 4_500
"""So far the time of a commit may be off: 3 s, and what a clock goes wrong until it is looked at again."""


class Deadlines:
    """Watches the deadlines of one log."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.fail = world.fail
        self.known: set[str] = set()  # every id there ever was
        self.shifted: set[str] = set()

    def take(self, commit: ParsedCommit, before: dict[str, Deadline], schedule: State) -> None:
        """Judge a commit: what was pending before it, and what is after it."""
        section = commit.section(DEADLINES)
        changed = [] if section is None else timer_pb2.DeadlinesSection.FromString(section.body).changes
        changes: dict[str, list[str]] = {}
        for change in changed:
            kind = str(change.WhichOneof("change"))
            deadline_id = getattr(change, kind).deadline_id
            earlier = changes.setdefault(deadline_id, [])
            if kind == "set":
                if deadline_id in self.known:
                    self._again(commit, before.get(deadline_id), schedule.deadlines[deadline_id], earlier)
                self.known.add(deadline_id)
                self.shifted.discard(deadline_id)
            elif kind == "shifted":
                if deadline_id in self.shifted:
                    self.fail("a deadline is shifted once", f"{deadline_id} in version {commit.version}")
                self.shifted.add(deadline_id)
            elif kind == "fired":
                self.world.met["fired"] += 1
                self._came_due(commit, deadline_id, before.get(deadline_id))
            earlier.append(kind)
        if commit.command_id.startswith(EXPIRE):
            deadline_id = commit.command_id.removeprefix(EXPIRE).partition(":")[0]
            self.world.met[f"expired {self._kind(before.get(deadline_id))}"] += 1
            self._came_due(commit, deadline_id, before.get(deadline_id))
            if not ENDS & set(changes.get(deadline_id, ())):
                self.fail("what expired is cleared", f"{deadline_id} in version {commit.version}: {changes}")

    def _again(
        self, commit: ParsedCommit, before: Deadline | None, pending: Deadline, changes: list[str]
    ) -> None:
        """An id comes twice only of a timer that repeats, once its time has come, and it keeps its time."""
        where = f"{pending.deadline_id} in version {commit.version}"
        terms = None if before is None else before.terms
        if before is None or terms is None or not terms.every_ms or not {"fired", "cleared"} & set(changes):
            self.fail("a deadline's id is never reused", where)
            return
        self.world.met["repeated"] += 1
        more = pending.occurrence - before.occurrence
        if more < 1 or pending.occurrence > terms.times:
            self.fail("a timer repeats as often as it was asked to", f"{where}: {more} times more")
        elif pending.due_ms != before.due_ms + more * terms.every_ms:
            late = pending.due_ms - before.due_ms
            self.fail("a timer that repeats keeps its time", f"{where}: {late} ms after {more} times")

    def _kind(self, deadline: Deadline | None) -> str:
        return "nothing" if deadline is None else f"{deadline.owner} {deadline.kind}"

    def _came_due(self, commit: ParsedCommit, deadline_id: str, deadline: Deadline | None) -> None:
        where = f"{deadline_id} in version {commit.version}"
        if deadline is None:
            self.fail("only what is pending expires", where)
        elif deadline.due_ms == 0:
            self.fail("nothing expires while it is paused", where)
        elif commit.time_ms < deadline.due_ms:
            early = deadline.due_ms - commit.time_ms
            self.fail("nothing expires early by the log's clock", f"{where}: {early} ms early")
        elif self.world.now_ms() < deadline.due_ms - SKEW_MS:
            early = deadline.due_ms - self.world.now_ms()
            self.fail("nothing expires early by the server's clock", f"{where}: {early} ms early")

    def overdue(self, schedule: State) -> list[str]:
        """Return the deadlines that should have expired long ago."""
        now_ms = self.world.now_ms()
        return [
            f"{one.deadline_id} ({one.owner} {one.kind}) {now_ms - one.due_ms} ms"
            for one in schedule.deadlines.values()
            if 0 < one.due_ms < now_ms - LATE_MS
        ]
