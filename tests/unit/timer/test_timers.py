"""What may be done with timers of clients, and what becomes of them: pure."""

from __future__ import annotations

import pytest

from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.timer.domain.schedule import (
    Change,
    Deadline,
    DeadlineCleared,
    DeadlineFired,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    DeadlineShifted,
    Terms,
)
from magnate.timer.domain.timers import (
    BANK_TABLE,
    FIRE,
    GAME,
    LEAD_MS_MAX,
    LEAD_MS_MIN,
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
from magnate.timer.firing import FIRED, OVER, SHIFTED, SKIPPED, Firing, decide_due, is_shifted

NOW = 1_700_000_000_000
SECOND = 1000


def terms(who: str = "seat-0", misfire: str = FIRE, *, through: bool = False) -> Terms:
    """Return what a client says about its timer."""
    return Terms("tea", b"\x00data", misfire, who, runs_through=through)


def table(*changes: Change, what: int = GAME) -> Table:
    """Return a table with these changes."""
    made = Table()
    made.what = what
    for change in changes:
        made.take(change)
    return made


def timer(
    name: str, due_ms: int, who: str = "seat-0", misfire: str = FIRE, *, through: bool = False
) -> DeadlineSet:
    """Return the change that sets a timer."""
    return DeadlineSet(f"t-{name}", "timer", "timer", due_ms, terms(who, misfire, through=through))


def wish(name: str, when: When, *, through: bool = False) -> Wish:
    """Return what a client asks for."""
    return Wish(f"t-{name}", when, terms(through=through))


def taken(state: Table, decided: list[Change] | Rejection) -> Table:
    """Return the table after what was decided, which is no refusal."""
    assert not isinstance(decided, Rejection), decided
    after = state.copy()
    for change in decided:
        after.take(change)
    return after


def refusal(decided: object) -> str:
    """Return the name of the refusal that this must be."""
    assert isinstance(decided, Rejection), decided
    return decided.name


@pytest.mark.parametrize(
    ("when", "due_ms"),
    [
        (When(due_ms=NOW + LEAD_MS_MIN), NOW + LEAD_MS_MIN),
        (When(due_ms=NOW + LEAD_MS_MAX), NOW + LEAD_MS_MAX),
        (When(after_ms=1500), NOW + 1500),
    ],
)
def test_a_timer_is_set(when: When, due_ms: int) -> None:
    """With all its client said, and not a millisecond beside."""
    state = table()
    after = taken(state, decide_schedule(state, "seat-0", wish("a", when), NOW))
    found = after.timer("t-a")
    assert found == Deadline("t-a", "timer", "timer", due_ms, terms=terms())
    assert not state.deadlines


@pytest.mark.parametrize(
    ("when", "name"),
    [
        (When(due_ms=NOW + LEAD_MS_MIN - 1), names.SCHEDULE_IN_PAST),
        (When(due_ms=NOW - 1), names.SCHEDULE_IN_PAST),
        (When(due_ms=1), names.SCHEDULE_IN_PAST),
        (When(after_ms=0), names.SCHEDULE_IN_PAST),
        (When(after_ms=-5), names.SCHEDULE_IN_PAST),
        (When(due_ms=NOW + LEAD_MS_MAX + 1), names.SCHEDULE_TOO_FAR),
        (When(after_ms=1 << 50), names.SCHEDULE_TOO_FAR),
    ],
)
def test_when_it_cannot_be(when: When, name: str) -> None:
    """Neither set nor moved there."""
    assert refusal(decide_schedule(table(), "seat-0", wish("a", when), NOW)) == name
    state = table(timer("a", NOW + SECOND))
    assert refusal(decide_reschedule(state, "seat-0", "t-a", when, NOW)) == name


@pytest.mark.parametrize(
    "gone", [DeadlineCleared("t-a"), DeadlineFired("t-a"), DeadlinePaused("t-a", 5, held=True)]
)
def test_a_name_is_never_used_again(gone: Change) -> None:
    """Pending, fired, cancelled or stopped: it has been there."""
    state = table(timer("a", NOW + SECOND), gone)
    asked = wish("a", When(after_ms=SECOND))
    assert refusal(decide_schedule(state, "seat-0", asked, NOW)) == names.TIMER_EXISTS


def test_so_many_are_pending_at_most() -> None:
    """Those of services do not count; one that is cancelled makes room."""
    state = table(DeadlineSet("roll-0-1", "game", "roll", NOW + 1))
    for number in range(PENDING_MAX):
        asked = wish(f"n{number}", When(after_ms=SECOND))
        state = taken(state, decide_schedule(state, "seat-0", asked, NOW))
    more = wish("more", When(after_ms=SECOND))
    assert refusal(decide_schedule(state, "seat-1", more, NOW)) == names.TOO_MANY_TIMERS
    state = taken(state, decide_cancel(state, "seat-0", "t-n3"))
    taken(state, decide_schedule(state, "seat-1", more, NOW))


@pytest.mark.parametrize("who", ["seat-0", "banker"])
def test_who_set_it_or_the_banker_changes_it(who: str) -> None:
    """Moved, stopped, resumed, cancelled."""
    state = table(timer("a", NOW + SECOND))
    state = taken(state, decide_reschedule(state, who, "t-a", When(after_ms=9 * SECOND), NOW))
    state = taken(state, decide_pause(state, who, "t-a", NOW + SECOND))
    assert state.timer("t-a") == Deadline("t-a", "timer", "timer", 0, 8 * SECOND, terms=terms(), held=True)
    state = taken(state, decide_resume(state, who, "t-a", NOW + 60 * SECOND))
    assert state.timer("t-a") == Deadline("t-a", "timer", "timer", NOW + 68 * SECOND, terms=terms())
    state = taken(state, decide_cancel(state, who, "t-a"))
    assert state.timer("t-a") is None


def test_nobody_else_changes_it() -> None:
    """Each call refuses by name, and so it does for what is no timer or none any more."""
    state = table(timer("a", NOW + SECOND), DeadlineSet("roll-0-1", "game", "roll", NOW + 1))
    for timer_id, who, name in (
        ("t-a", "seat-1", names.NOT_YOUR_TIMER),
        ("t-a", "card-0", names.NOT_YOUR_TIMER),
        ("t-b", "seat-0", names.UNKNOWN_TIMER),
        ("roll-0-1", "banker", names.UNKNOWN_TIMER),
    ):
        assert refusal(decide_cancel(state, who, timer_id)) == name
        assert refusal(decide_pause(state, who, timer_id, NOW)) == name
        assert refusal(decide_resume(state, who, timer_id, NOW)) == name
        assert refusal(decide_reschedule(state, who, timer_id, When(after_ms=SECOND), NOW)) == name


def test_what_stands_still_and_what_runs() -> None:
    """A stopped timer is neither moved nor stopped again, a running one not resumed."""
    state = table(timer("a", NOW + SECOND))
    assert refusal(decide_resume(state, "seat-0", "t-a", NOW)) == names.TIMER_RUNNING
    state = taken(state, decide_pause(state, "seat-0", "t-a", NOW))
    assert refusal(decide_pause(state, "seat-0", "t-a", NOW)) == names.TIMER_PAUSED
    moved = decide_reschedule(state, "seat-0", "t-a", When(after_ms=SECOND), NOW)
    assert refusal(moved) == names.TIMER_PAUSED


def test_in_a_paused_game_timers_stand_still() -> None:
    """Unless they run through; one that is stopped for itself meanwhile stays so."""
    state = table()
    state.paused = True
    state = taken(state, decide_schedule(state, "seat-0", wish("a", When(after_ms=SECOND)), NOW))
    state = taken(
        state, decide_schedule(state, "seat-0", wish("b", When(after_ms=SECOND), through=True), NOW)
    )
    stands = state.timer("t-a")
    assert stands is not None
    assert (stands.paused, stands.left_ms, stands.held) == (True, SECOND, False)
    assert refusal(decide_resume(state, "seat-0", "t-a", NOW)) == names.GAME_PAUSED
    state = taken(state, decide_pause(state, "seat-0", "t-a", NOW + 5 * SECOND))
    stopped = state.timer("t-a")
    assert stopped is not None
    assert (stopped.left_ms, stopped.held) == (SECOND, True)
    state = taken(state, decide_pause(state, "seat-0", "t-b", NOW))
    taken(state, decide_resume(state, "seat-0", "t-b", NOW))


@pytest.mark.parametrize(("what", "name"), [(GAME, names.GAME_OVER), (BANK_TABLE, names.TABLE_CLOSED)])
def test_when_it_is_over_nothing_is_set(what: int, name: str) -> None:
    """And what is pending still is cleared when its time comes."""
    state = table(timer("a", NOW + SECOND), what=what)
    state.over = True
    assert refusal(decide_schedule(state, "banker", wish("b", When(after_ms=SECOND)), NOW)) == name
    assert refusal(decide_cancel(state, "seat-0", "t-a")) == name
    fates = fated(state, "t-a", NOW + SECOND)
    assert fates == {OVER: ["t-a"]}


def test_a_card_out_of_use_has_no_timers() -> None:
    """Other cards go on."""
    state = table(timer("a", NOW + SECOND, who="card-1"), what=BANK_TABLE)
    state.gone.add(1)
    assert refusal(decide_cancel(state, "card-1", "t-a")) == names.NOT_A_PLAYER
    taken(state, decide_schedule(state, "card-2", wish("b", When(after_ms=SECOND)), NOW))


def test_who_has_left_the_game_has_no_timers() -> None:
    """Neither by the token of the seat nor by its card at the unit of the game; what was set still fires."""
    state = table(timer("a", NOW + SECOND, who="seat-1"), what=GAME)
    state.gone.add(1)
    for who in ("seat-1", "card-1"):
        assert refusal(decide_schedule(state, who, wish("b", When(after_ms=SECOND)), NOW)) == names.SEAT_OUT
        assert refusal(decide_cancel(state, who, "t-a")) == names.SEAT_OUT
    assert list(fated(state, "t-a", NOW + SECOND)) == [FIRED]
    taken(state, decide_schedule(state, "seat-2", wish("b", When(after_ms=SECOND)), NOW))


def fated(state: Table, timer_id: str, now_ms: int, last_ms: int = NOW) -> dict[str, list[str]]:
    """Return which timers had which fate."""
    firing = decide_due(state, timer_id, now_ms, last_ms)
    assert isinstance(firing, Firing), firing
    return {fate: [one.deadline_id for one in timers] for fate, timers in firing.fates.items()}


def test_all_that_are_due_fire_together_in_the_order_of_their_times() -> None:
    """What is not due, stopped, or of others stays."""
    state = table(
        timer("late", NOW + 9),
        timer("b", NOW + 5),
        timer("a", NOW + 5),
        timer("later", NOW + 11),
        timer("stopped", NOW + 1),
        DeadlinePaused("t-stopped", 1, held=True),
        DeadlineSet("roll-0-1", "game", "roll", NOW + 1),
    )
    firing = decide_due(state, "t-b", NOW + 10, NOW)
    assert isinstance(firing, Firing)
    assert [one.deadline_id for one in firing.changes] == ["t-a", "t-b", "t-late"]
    assert all(isinstance(one, DeadlineFired) for one in firing.changes)


@pytest.mark.parametrize("timer_id", ["t-gone", "t-stopped", "roll-0-1"])
def test_what_is_not_pending_is_refused(timer_id: str) -> None:
    """As the announcer has to know."""
    state = table(
        timer("a", NOW),
        timer("stopped", NOW),
        DeadlinePaused("t-stopped", 1, held=True),
        DeadlineSet("roll-0-1", "game", "roll", NOW),
    )
    assert refusal(decide_due(state, timer_id, NOW + 1, NOW)) == names.UNKNOWN_DEADLINE


def test_what_is_not_due_is_refused() -> None:
    """With the milliseconds that are left."""
    decided = decide_due(table(timer("a", NOW + 70)), "t-a", NOW + 1, NOW)
    assert isinstance(decided, Rejection)
    assert (decided.name, decided.detail) == (names.NOT_YET, "69")


def test_after_a_downtime_each_goes_its_way() -> None:
    """Fired, skipped, shifted by what was left when the log was last heard of, once."""
    due_ms = NOW + 4 * SECOND
    state = table(timer("f", due_ms), timer("k", due_ms, misfire=SKIP), timer("s", due_ms, misfire=SHIFT))
    on_time = fated(state, "t-s", due_ms + 5 * SECOND)
    assert on_time == {FIRED: ["t-f", "t-k", "t-s"]}
    back_ms = due_ms + 3600 * SECOND
    asked = state.timer("t-s")
    assert asked is not None
    assert is_shifted(asked, back_ms, NOW, 0)
    firing = decide_due(state, "t-s", back_ms, NOW)
    assert isinstance(firing, Firing)
    fates = {fate: [one.deadline_id for one in found] for fate, found in firing.fates.items()}
    assert fates == {FIRED: ["t-f"], SKIPPED: ["t-k"], SHIFTED: ["t-s"]}
    shifted = next(one for one in firing.changes if isinstance(one, DeadlineShifted))
    assert shifted.due_ms == back_ms + 4 * SECOND
    state = taken(state, firing.changes)
    assert fated(state, "t-s", back_ms + 7200 * SECOND, back_ms) == {FIRED: ["t-s"]}


def test_a_moved_timer_keeps_what_it_is() -> None:
    """Its terms, and that it was shifted once."""
    state = table(
        timer("a", NOW, misfire=SHIFT), DeadlineShifted("t-a", NOW + 5), DeadlineResumed("t-a", NOW + 9)
    )
    assert state.timer("t-a") == Deadline(
        "t-a", "timer", "timer", NOW + 9, terms=terms(misfire=SHIFT), shifted=True
    )
