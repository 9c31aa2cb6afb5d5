"""The clock of a process: steps of the wall clock do not move it, it never goes back, and follows slowly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.kit.clock import NANOSECONDS, SLEW_PART, AnchoredClock

SECOND = 1_000_000_000
START_MS = 1_700_000_000_000


class Machine:
    """A machine's two clocks, moved by hand."""

    def __init__(self) -> None:
        self.steady_ns = 5 * SECOND
        self.wall_ns = START_MS * NANOSECONDS
        self.clock = AnchoredClock(lambda: self.wall_ns, lambda: self.steady_ns)

    def pass_ms(self, milliseconds: int) -> None:
        """Let time pass on both."""
        self.steady_ns += milliseconds * NANOSECONDS
        self.wall_ns += milliseconds * NANOSECONDS

    def step_ms(self, milliseconds: int) -> None:
        """Step the wall clock."""
        self.wall_ns += milliseconds * NANOSECONDS


def test_without_a_step_it_is_the_wall_clock() -> None:
    """To the millisecond, whatever the intervals at which it is read."""
    machine = Machine()
    for passed in (0, 1, 7, 999, 60_000, 86_400_000):
        machine.pass_ms(passed)
        assert machine.clock.now_ms() == machine.wall_ns // NANOSECONDS
    assert machine.clock.behind_ms() == 0


@pytest.mark.parametrize("step_ms", [3_600_000, -3_600_000])
def test_a_step_of_an_hour_moves_it_by_a_twentieth_of_what_passes(step_ms: int) -> None:
    """Not at once, and in the direction of the step."""
    machine = Machine()
    machine.step_ms(step_ms)
    assert machine.clock.now_ms() == START_MS
    machine.pass_ms(10_000)
    sign = 1 if step_ms > 0 else -1
    assert machine.clock.now_ms() == START_MS + 10_000 + sign * 10_000 // SLEW_PART
    assert machine.clock.behind_ms() == step_ms - sign * 10_000 // SLEW_PART


@pytest.mark.parametrize("step_ms", [1000, -1000])
def test_a_step_is_made_up_for_and_not_overshot(step_ms: int) -> None:
    """A second takes twenty; after that both are the same again."""
    machine = Machine()
    machine.step_ms(step_ms)
    for _ in range(19):
        machine.pass_ms(1000)
        assert machine.clock.now_ms() != machine.wall_ns // NANOSECONDS
    for _ in range(3):
        machine.pass_ms(1000)
        machine.clock.now_ms()
    assert machine.clock.now_ms() == machine.wall_ns // NANOSECONDS


def test_it_can_be_set() -> None:
    """Then it is the wall clock at once."""
    machine = Machine()
    machine.step_ms(-5_000)
    machine.clock.set()
    assert machine.clock.now_ms() == START_MS - 5_000


@given(st.lists(st.tuples(st.integers(0, 5_000), st.integers(-100_000, 100_000)), max_size=40))
def test_it_never_goes_back_and_never_runs_wild(moves: list[tuple[int, int]]) -> None:
    """Whatever the wall clock does, between 95 and 105 per cent of the time passes."""
    machine = Machine()
    for passed, step in moves:
        before = machine.clock.now_ms()
        machine.pass_ms(passed)
        machine.step_ms(step)
        went = machine.clock.now_ms() - before
        assert passed - passed // SLEW_PART - 2 <= went <= passed + passed // SLEW_PART + 2
        assert went >= 0
