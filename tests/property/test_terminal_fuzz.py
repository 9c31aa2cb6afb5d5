"""Whatever is done to a unit with card slots, and in whatever order: it keeps its promises."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from loadtests.fuzz_terminal import Desk, check_alive, check_step, check_way_back
from magnate.bank.terminal.edition import EDITIONS, ONE_SLOT, TWO_SLOT
from magnate.bank.terminal.machine import frame, settle
from magnate.bank.terminal.step import ACTIVE, LOCKED, RETIRED, Action, Hold, Insert, Press, Remove
from magnate.bank.terminal.unit import Unit

KEYS = st.sampled_from([*"0123456789", ".", "M", "K", "C", "ARROW", "PLUS", "MINUS", "THREE"])
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    st.builds(Press, KEYS),
    st.builds(Press, KEYS),
    st.builds(Press, st.text(max_size=2)),
    st.builds(Hold, KEYS),
    st.builds(Insert, st.integers(-1, 2), st.integers(-1, 3)),
    st.builds(Remove, st.integers(-1, 2)),
)
TABLE_CHANGES = st.one_of(
    st.tuples(st.just("wait"), st.integers(-5_000, 5_000)),
    st.tuples(st.just("pause"), st.booleans()),
    st.tuples(st.sampled_from([ACTIVE, LOCKED, RETIRED]), st.integers(0, 2)),
)
HAPPENINGS = st.lists(st.one_of(ACTIONS, ACTIONS, ACTIONS, TABLE_CHANGES), max_size=40)
MODELS = st.sampled_from([TWO_SLOT, ONE_SLOT])
EDITION = st.sampled_from(sorted(EDITIONS))


def change(desk: Desk, what: object, value: int) -> None:
    """Let the clock go on or back, pause the table, or lock, retire or free a card."""
    if what == "wait":
        desk.now_ms = max(desk.now_ms + value, 0)
    elif what == "pause":
        desk.paused = bool(value)
    elif isinstance(what, int):
        desk.cards[value] = what


@settings(max_examples=300, deadline=None)
@given(MODELS, EDITION, HAPPENINGS)
def test_a_unit_keeps_its_promises(
    model: str, edition: str, happenings: list[Action | tuple[object, int]]
) -> None:
    """No exception, five digits, no money from nothing, no double booking, and always a way back to idle."""
    desk = Desk(model, EDITIONS[edition], 3)
    for one in happenings:
        if isinstance(one, tuple):
            change(desk, *one)
            continue
        before = desk.unit
        check_step(desk, before, one, desk.do(one))
        check_way_back(desk)
    check_alive(desk)


@settings(max_examples=200, deadline=None)
@given(MODELS, HAPPENINGS, st.integers(0, 10_000))
def test_stored_units_go_on_as_if_nothing_had_been(
    model: str, happenings: list[Action | tuple[object, int]], later: int
) -> None:
    """A unit read back after every press does what the one that was kept in memory does."""
    kept, read = Desk(model, EDITIONS["e-banking"], 3), Desk(model, EDITIONS["e-banking"], 3)
    for one in happenings:
        if isinstance(one, tuple):
            change(kept, *one)
            change(read, *one)
            continue
        first, second = kept.do(one), read.do(one)
        assert first.refusal == second.refusal
        assert len(first.payments) == len(second.payments)
        assert kept.unit.plain() == read.unit.plain()
        read.unit = Unit.of(read.unit.plain())
    assert kept.balances() == read.balances()
    now_ms = kept.now_ms + later
    settled = settle(kept.unit, now_ms)
    assert frame(settled, kept.table(), now_ms).word == frame(kept.unit, kept.table(), now_ms).word
