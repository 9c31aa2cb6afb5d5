"""One game's deadlines, and the agenda of all games: pure."""

from __future__ import annotations

import pytest

from magnate.timer.domain.agenda import HEAP_MIN, Agenda, Due
from magnate.timer.domain.schedule import (
    INITIAL,
    Change,
    ContradictionError,
    Deadline,
    DeadlineCleared,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    State,
    alarm_to_set,
    evolve,
)


def schedule(*due: int) -> State:
    """Return a schedule with deadlines d0, d1, … due at these times."""
    state = INITIAL.copy()
    for number, due_ms in enumerate(due):
        evolve(state, DeadlineSet(f"d{number}", "game", "test", due_ms))
    return state


def test_the_earliest_running_deadline_counts() -> None:
    """Paused ones do not run, whatever was left of them."""
    state = schedule(300, 100, 200)
    evolve(state, DeadlinePaused("d1", 5))
    earliest = state.earliest()
    assert earliest is not None
    assert earliest.deadline_id == "d2"
    assert [one.deadline_id for one in state.listed()] == ["d2", "d0", "d1"]


def test_a_resumed_deadline_runs_again() -> None:
    """Resuming gives it a new due time and keeps owner and kind."""
    state = schedule(300)
    evolve(state, DeadlinePaused("d0", 40))
    assert state.deadlines["d0"] == Deadline("d0", "game", "test", 0, 40)
    evolve(state, DeadlineResumed("d0", 540))
    assert state.deadlines["d0"] == Deadline("d0", "game", "test", 540)


def test_a_cleared_deadline_is_gone() -> None:
    """Nothing is left of it."""
    state = schedule(300)
    evolve(state, DeadlineCleared("d0"))
    assert state.earliest() is None


@pytest.mark.parametrize("change", [DeadlineCleared("x"), DeadlinePaused("x", 1), DeadlineResumed("x", 1)])
def test_changing_what_is_not_pending_contradicts(change: DeadlineCleared) -> None:
    """A log that does this is damaged."""
    with pytest.raises(ContradictionError):
        evolve(schedule(1), change)


def test_setting_what_is_pending_contradicts() -> None:
    """Ids are never reused."""
    with pytest.raises(ContradictionError):
        evolve(schedule(1), DeadlineSet("d0", "game", "test", 5))


@pytest.mark.parametrize(("armed", "to_set"), [(0, 100), (50, 0), (100, 0), (101, 100)])
def test_an_alarm_is_only_moved_earlier(armed: int, to_set: int) -> None:
    """One that rings too early sets the right one then."""
    assert alarm_to_set(schedule(200, 100), armed) == to_set


def test_no_alarm_without_a_running_deadline() -> None:
    """There is nothing to wait for."""
    assert alarm_to_set(INITIAL, 0) == 0


def ids(found: list[Due]) -> list[str]:
    """Return what is due, by id."""
    return [due.deadline.deadline_id for due in found]


def test_due_deadlines_come_once_and_in_order() -> None:
    """Taken out is taken out, unless it is put back."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("late", "game", "t", 20), DeadlineSet("soon", "game", "t", 10)])
    assert agenda.next_ms() == 10
    assert agenda.due(9, 99) == []
    found = agenda.due(20, 99)
    assert ids(found) == ["soon", "late"]
    assert agenda.due(20, 99) == []
    agenda.retry(found[0], 30)
    assert agenda.due(29, 99) == []
    assert ids(agenda.due(30, 99)) == ["soon"]


def test_what_was_cleared_or_moved_is_not_due() -> None:
    """The heap may hold it still; the schedule decides."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("a", "game", "t", 10), DeadlineSet("b", "game", "t", 10)])
    agenda.apply("g", 2, [DeadlineCleared("a"), DeadlinePaused("b", 3)])
    assert agenda.due(99, 99) == []
    agenda.apply("g", 3, [DeadlineResumed("b", 50)])
    assert agenda.due(49, 99) == []
    assert ids(agenda.due(50, 99)) == ["b"]


def test_one_that_was_moved_while_its_owner_was_asked_is_announced_when_it_is_due() -> None:
    """Its new time had come here and was taken out, for it was being announced; the owner says: not yet."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("a", "game", "t", 10)])
    [asked] = agenda.due(10, 99)
    agenda.apply("g", 2, [DeadlineResumed("a", 50)])
    assert ids(agenda.due(50, 99)) == ["a"]
    agenda.retry(asked, 52)
    [again] = agenda.due(50, 99)
    assert again.deadline.due_ms == 50
    agenda.retry(again, 52)
    assert agenda.due(51, 99) == []
    assert ids(agenda.due(52, 99)) == ["a"]
    agenda.apply("g", 3, [DeadlineCleared("a")])
    agenda.retry(again, 60)
    assert agenda.next_ms() is None


def test_known_versions_change_nothing() -> None:
    """A commit read twice, or after a newer schedule was read, is passed over."""
    agenda = Agenda()
    agenda.apply("g", 5, [DeadlineSet("a", "game", "t", 10)])
    agenda.apply("g", 5, [DeadlineCleared("a")])
    agenda.apply("g", 4, [DeadlineCleared("a")])
    agenda.replace("g", 3, State())
    assert ids(agenda.due_in("g", 10)) == ["a"]
    agenda.replace("g", 7, schedule(8))
    assert ids(agenda.due_in("g", 10)) == ["d0"]


def test_contradictions_are_passed_over() -> None:
    """An agenda is a cache; it takes what it can."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineCleared("x"), DeadlineSet("a", "game", "t", 10)])
    assert ids(agenda.due_in("g", 10)) == ["a"]


def test_an_answered_deadline_needs_no_alarm() -> None:
    """The owner has dealt with it; the log will say so in a moment."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("a", "game", "t", 10), DeadlineSet("b", "game", "t", 90)])
    assert agenda.alarm_to_set("g") == (10, 1)
    (due,) = agenda.due(10, 99)
    agenda.answered(due)
    assert agenda.alarm_to_set("g") == (90, 1)
    assert agenda.due_in("g", 10) == []
    agenda.armed("g", 90)
    assert agenda.alarm_to_set("g") == (0, 1)


@pytest.mark.parametrize("answer_after", [1, 2, 3])
def test_a_deadline_that_was_paused_when_it_was_announced_comes_again(answer_after: int) -> None:
    """The owner calls it gone while it is paused; that does not hold for when it runs again."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("a", "game", "t", 10)])
    (due,) = agenda.due(10, 99)
    changes: dict[int, Change] = {2: DeadlinePaused("a", 5), 3: DeadlineResumed("a", 40)}
    for version in (1, 2, 3):
        if version in changes:
            agenda.apply("g", version, [changes[version]])
        if version == answer_after:
            agenda.answered(due)
    assert agenda.alarm_to_set("g") == (40, 3)
    assert ids(agenda.due_in("g", 40)) == ["a"]
    assert ids(agenda.due(40, 99))[:1] == ["a"]


def test_games_without_deadlines_are_forgotten() -> None:
    """Nothing is kept of a game that waits for nothing."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("a", "game", "t", 10)])
    assert agenda.pending() == 1
    agenda.apply("g", 2, [DeadlineCleared("a")])
    assert agenda.games == {}
    assert agenda.alarm_to_set("g") == (0, 0)


def test_the_heap_does_not_grow_with_what_is_over() -> None:
    """A deadline moved a hundred thousand times leaves no trace."""
    agenda = Agenda()
    agenda.apply("g", 1, [DeadlineSet("d0", "game", "t", 10)])
    for number in range(1, 20_000):
        agenda.apply(
            "g",
            number + 1,
            [DeadlineCleared(f"d{number - 1}"), DeadlineSet(f"d{number}", "game", "t", 10 + number)],
        )
    assert len(agenda._heap) <= HEAP_MIN + 1
    assert ids(agenda.due(100_000, 99)) == ["d19999"]
