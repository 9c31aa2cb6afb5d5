"""The timer against naive ones: what is pending and due, what clients may do; hypothesis chooses the steps.

The oracles keep a plain list of deadlines and look through all of it whenever they are asked: no heap, no
versions, no folding.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from magnate.kit.keys import KeyRing
from magnate.rules.rejections import Rejection
from magnate.timer.codec import decode_agenda, encode_agenda
from magnate.timer.domain.agenda import Agenda, Due
from magnate.timer.domain.schedule import (
    Change,
    DeadlineCleared,
    DeadlineFired,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    DeadlineShifted,
    Terms,
)
from magnate.timer.domain.timers import (
    FIRE,
    PENDING_MAX,
    SHIFT,
    SKIP,
    Table,
    When,
    Wish,
    decide_cancel,
    decide_pause,
    decide_reschedule,
    decide_resume,
    decide_schedule,
)
from magnate.timer.firing import Firing, decide_due

KEYS = KeyRing("k", {"k": bytes(32)})
GAMES = ["1-0-a", "1-1-b", "1-0-c"]
IDS = [f"d{number}" for number in range(6)]
TIMES = st.integers(1, 60)


@dataclass
class Known:
    """A deadline as the oracle has it: due 0 while paused."""

    due_ms: int
    told: bool = False


class AgendaMachine(RuleBasedStateMachine):
    """The agenda is told commits, late, twice and out of a cache; what is due is told, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.agenda = Agenda()
        self.now_ms = 0
        self.versions = dict.fromkeys(GAMES, 0)
        self.known: dict[tuple[str, str], Known] = {}
        self.history: list[tuple[str, int, list[Change]]] = []

    def commit(self, game_id: str, *changes: Change) -> None:
        """Let a commit be read."""
        self.versions[game_id] += 1
        entry = (game_id, self.versions[game_id], list(changes))
        self.history.append(entry)
        self.agenda.apply(*entry)

    @rule(game_id=st.sampled_from(GAMES), name=st.sampled_from(IDS), after_ms=TIMES)
    def is_set(self, game_id: str, name: str, after_ms: int) -> None:
        """A deadline is set, under an id that nobody had."""
        deadline_id = f"{name}-{self.versions[game_id]}"
        self.known[game_id, deadline_id] = Known(self.now_ms + after_ms)
        self.commit(game_id, DeadlineSet(deadline_id, "game", "test", self.now_ms + after_ms))

    @rule(data=st.data(), how=st.sampled_from([DeadlineCleared, DeadlineFired]))
    def is_over(self, data: st.DataObject, how: type[DeadlineCleared]) -> None:
        """One is cleared, or fires."""
        if self.known:
            key = data.draw(st.sampled_from(sorted(self.known)))
            del self.known[key]
            self.commit(key[0], how(key[1]))

    @rule(data=st.data())
    def is_paused(self, data: st.DataObject) -> None:
        """One is stopped."""
        running = sorted(key for key, one in self.known.items() if one.due_ms)
        if running:
            key = data.draw(st.sampled_from(running))
            self.known[key] = Known(0)
            self.commit(key[0], DeadlinePaused(key[1], 5))

    @rule(data=st.data(), after_ms=TIMES, how=st.sampled_from([DeadlineResumed, DeadlineShifted]))
    def is_moved(self, data: st.DataObject, after_ms: int, how: type[DeadlineResumed]) -> None:
        """One is resumed, moved earlier or later, or shifted."""
        if self.known:
            key = data.draw(st.sampled_from(sorted(self.known)))
            self.known[key] = Known(self.now_ms + after_ms)
            self.commit(key[0], how(key[1], self.now_ms + after_ms))

    @rule(data=st.data())
    def is_read_twice(self, data: st.DataObject) -> None:
        """A commit comes again while anything of its table is pending."""
        history = [one for one in self.history if one[0] in self.agenda.games]
        if history:
            self.agenda.apply(*data.draw(st.sampled_from(history)))

    @rule(by_ms=TIMES, count_max=st.integers(1, 4))
    def time_passes(self, by_ms: int, count_max: int) -> None:
        """What is due is told once, the earliest first."""
        self.now_ms += by_ms
        found: list[Due] = []
        while some := self.agenda.due(self.now_ms, count_max):
            assert len(some) <= count_max
            found += some
        assert [one.deadline.due_ms for one in found] == sorted(one.deadline.due_ms for one in found)
        told = [(one.game_id, one.deadline.deadline_id) for one in found]
        wanted = {key for key, one in self.known.items() if 0 < one.due_ms <= self.now_ms and not one.told}
        assert len(told) == len(set(told))
        assert set(told) == wanted
        for key in told:
            self.known[key].told = True

    @rule(data=st.data(), after_ms=TIMES)
    def is_not_yet(self, data: st.DataObject, after_ms: int) -> None:
        """An owner whose clock is another says when to ask again; until then it is not told."""
        told = sorted(key for key, one in self.known.items() if one.told)
        if told:
            game_id, deadline_id = key = data.draw(st.sampled_from(told))
            deadline = self.agenda.games[game_id].schedule.deadlines[deadline_id]
            self.agenda.retry(Due(game_id, self.versions[game_id], deadline), self.now_ms + after_ms)
            assert key not in {(d.game_id, d.deadline.deadline_id) for d in self.agenda.due(self.now_ms, 999)}
            at_ms = self.now_ms + after_ms
            again = {(d.game_id, d.deadline.deadline_id): d for d in self.agenda.due(at_ms, 999)}
            assert key in again
            for other, due in again.items():
                if other != key:
                    self.agenda.retry(due, due.deadline.due_ms)

    @rule()
    def is_restarted(self) -> None:
        """Another process starts from the cache: it tells what is due again, which is harmless."""
        data = encode_agenda(KEYS, self.agenda, dict.fromkeys(self.agenda.games), 7)
        self.agenda = Agenda()
        assert decode_agenda(KEYS, data, self.agenda) == 7
        for one in self.known.values():
            one.told = False

    @invariant()
    def the_alarm_is_never_late(self) -> None:
        """Of every game it is to be set for the earliest deadline that runs."""
        for game_id in GAMES:
            running = [
                one.due_ms for (other, _), one in self.known.items() if other == game_id and one.due_ms
            ]
            assert self.agenda.alarm_to_set(game_id)[0] == min(running, default=0)

    @invariant()
    def so_many_are_pending(self) -> None:
        """Paused ones included; tables without any are forgotten."""
        assert self.agenda.pending() == len(self.known)
        assert set(self.agenda.games) == {game_id for game_id, _ in self.known}


@dataclass
class Model:
    """A timer as its client thinks of it."""

    who: str
    due_ms: int
    misfire: str
    through: bool
    left_ms: int = 0
    held: bool = False
    shifted: bool = False
    fired: int = 0
    gone: bool = field(default=False)


class TimersMachine(RuleBasedStateMachine):
    """Clients do anything with timers of one game; each fires once at most, and never early."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table()
        self.table.what = 1
        self.now_ms = 1_000_000
        self.last_ms = self.now_ms
        self.models: dict[str, Model] = {}

    def take(self, decided: list[Change] | Rejection) -> bool:
        """Store what was decided; say whether it was no refusal."""
        if isinstance(decided, Rejection):
            return False
        for change in decided:
            self.table.take(change)
        self.last_ms = self.now_ms
        return True

    def pending(self, timer_id: str) -> Model | None:
        """Return a timer that is there."""
        found = self.models.get(timer_id)
        return None if found is None or found.gone else found

    @rule(
        name=st.sampled_from("abcdef"),
        who=st.sampled_from(["seat-0", "seat-1", "banker"]),
        after_ms=st.sampled_from([-5, 99, 100, 3_000, 40_000]),
        misfire=st.sampled_from([FIRE, SKIP, SHIFT]),
        through=st.booleans(),
    )
    def schedules(self, name: str, who: str, after_ms: int, misfire: str, *, through: bool) -> None:
        """Somebody sets one."""
        timer_id = f"t-{name}{len(self.models) % 3}"
        terms = Terms("", b"", misfire, who, runs_through=through)
        done = self.take(
            decide_schedule(self.table, who, Wish(timer_id, When(after_ms=after_ms), terms), self.now_ms)
        )
        assert done == (after_ms >= 100 and timer_id not in self.models)
        if done:
            model = self.models[timer_id] = Model(who, self.now_ms + after_ms, misfire, through)
            if self.table.paused and not through:
                model.due_ms, model.left_ms = 0, after_ms

    @rule(data=st.data(), who=st.sampled_from(["seat-0", "seat-1", "banker"]), what=st.integers(0, 3))
    def changes(self, data: st.DataObject, who: str, what: int) -> None:
        """Somebody changes one; the oracle says whether he may."""
        timer_id = data.draw(st.sampled_from([*sorted(self.models), "t-never"]))
        model = self.pending(timer_id)
        mine = model is not None and who in ("banker", model.who)
        table, now_ms = self.table, self.now_ms
        if what == 0:
            if self.take(decide_cancel(table, who, timer_id)):
                assert mine
                assert model is not None
                model.gone = True
            else:
                assert not mine
        elif what == 1:
            done = self.take(decide_reschedule(table, who, timer_id, When(after_ms=7_000), now_ms))
            assert done == (mine and model is not None and model.due_ms > 0)
            if done and model is not None:
                model.due_ms = now_ms + 7_000
        elif what == 2:
            done = self.take(decide_pause(table, who, timer_id, now_ms))
            assert done == (mine and model is not None and not model.held)
            if done and model is not None:
                left_ms = max(0, model.due_ms - now_ms) if model.due_ms else model.left_ms
                model.due_ms, model.left_ms, model.held = 0, left_ms, True
        else:
            done = self.take(decide_resume(table, who, timer_id, now_ms))
            may = mine and model is not None and not model.due_ms and (not table.paused or model.through)
            assert done == may
            if done and model is not None:
                model.due_ms, model.held = now_ms + model.left_ms, False

    @rule()
    def game_pauses_or_resumes(self) -> None:
        """The game does with its timers what the game service does."""
        self.table.paused = not self.table.paused
        for timer_id, model in self.models.items():
            if model.gone or model.through:
                continue
            if self.table.paused and model.due_ms:
                model.left_ms, model.due_ms = max(0, model.due_ms - self.now_ms), 0
                self.table.take(DeadlinePaused(timer_id, model.left_ms))
            elif not self.table.paused and not model.due_ms and not model.held:
                model.due_ms = self.now_ms + model.left_ms
                self.table.take(DeadlineResumed(timer_id, model.due_ms))
        self.last_ms = self.now_ms

    @rule(by_ms=st.sampled_from([1, 500, 3_000, 6_000, 3_600_000]), data=st.data())
    def time_passes_and_one_is_announced(self, by_ms: int, data: st.DataObject) -> None:
        """Any of them may be announced at any time; all that are due have their fate at once."""
        self.now_ms += by_ms
        timer_id = data.draw(st.sampled_from([*sorted(self.models), "t-never"]))
        firing = decide_due(self.table, timer_id, self.now_ms, self.last_ms)
        asked = self.pending(timer_id)
        if isinstance(firing, Rejection):
            assert asked is None or not 0 < asked.due_ms <= self.now_ms
            return
        due = {key for key, one in self.models.items() if not one.gone and 0 < one.due_ms <= self.now_ms}
        assert {change.deadline_id for change in firing.changes} == due
        self.judge(firing)
        self.take(firing.changes)

    def judge(self, firing: Firing) -> None:
        """Each fate is the one that its client asked for."""
        for change in firing.changes:
            model = self.models[change.deadline_id]
            late = self.now_ms - model.due_ms > 5_000
            if isinstance(change, DeadlineFired):
                model.fired, model.gone = model.fired + 1, True
                assert not (late and model.misfire == SKIP)
            elif isinstance(change, DeadlineCleared):
                model.gone = True
                assert late
                assert model.misfire == SKIP
            else:
                assert isinstance(change, DeadlineShifted)
                assert late
                assert model.misfire == SHIFT
                assert not model.shifted
                assert self.now_ms < change.due_ms <= self.now_ms + 60_000
                model.shifted, model.due_ms = True, change.due_ms

    @invariant()
    def both_know_the_same(self) -> None:
        """What is pending, when it is due, and that nothing fired twice."""
        ours = {one.deadline_id: (one.due_ms, one.left_ms) for one in self.table.timers()}
        theirs = {
            key: (one.due_ms, 0 if one.due_ms else one.left_ms)
            for key, one in self.models.items()
            if not one.gone
        }
        assert ours == theirs
        assert all(one.fired <= 1 for one in self.models.values())
        assert len(ours) <= PENDING_MAX


TestAgenda = AgendaMachine.TestCase
TestAgenda.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
TestTimers = TimersMachine.TestCase
TestTimers.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
