"""What becomes of deadlines that are late: the table, and that no shift goes on for ever."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.kit import misfire

DUE = 1_000_000_000


@pytest.mark.parametrize(
    ("owner", "kind", "late_ms", "left_ms", "shifted", "verdict"),
    [
        ("auction", "close", 5_000, 4_000, False, misfire.NOW),
        ("auction", "close", 5_001, 4_000, False, misfire.SHIFT),
        ("auction", "close", 86_400_000, 4_000, False, misfire.SHIFT),
        ("auction", "close", 5_001, 4_000, True, misfire.NOW),
        ("auction", "close", 5_001, 0, False, misfire.NOW),
        ("auction", "close", 5_001, -10, False, misfire.NOW),
        ("auction", "call", 60_000, 4_000, False, misfire.NOW),
        ("game", "roll", 60_000, 4_000, False, misfire.SHIFT),
        ("game", "pay", 60_000, 4_000, False, misfire.SHIFT),
        ("game", "deal", 60_000, 4_000, False, misfire.SHIFT),
        ("game", "shortage", 60_000, 4_000, False, misfire.SHIFT),
        ("game", "away", 60_000, 4_000, False, misfire.SHIFT),
        ("game", "stand_in", 60_000, 4_000, False, misfire.NOW),
        ("game", "time", 60_000, 4_000, False, misfire.NOW),
        ("game", "abandon", 60_000, 4_000, False, misfire.NOW),
        ("game", "of-a-later-release", 60_000, 4_000, False, misfire.NOW),
        ("timer", "fire", 60_000, 4_000, False, misfire.NOW),
        ("timer", "skip", 5_000, 4_000, False, misfire.NOW),
        ("timer", "skip", 5_001, 4_000, False, misfire.SKIP),
        ("timer", "skip", 5_001, 4_000, True, misfire.SKIP),
        ("timer", "shift", 5_001, 4_000, False, misfire.SHIFT),
    ],
)
def test_the_table(owner: str, kind: str, late_ms: int, left_ms: int, shifted: bool, verdict: str) -> None:
    """Each kind, on either side of what counts as late."""
    found = misfire.judge(owner, kind, DUE, DUE + late_ms, DUE - left_ms, shifted=shifted)
    assert found == verdict


@given(
    st.sampled_from(sorted(misfire.POLICIES)),
    st.integers(0, 10**12),
    st.integers(-(10**12), 10**12),
)
def test_a_shift_is_bounded_and_positive(kind: tuple[str, str], late_ms: int, left_ms: int) -> None:
    """Never longer than what was left, nor than the kind allows; once only."""
    now_ms, last_ms = DUE + late_ms, DUE - left_ms
    if misfire.judge(*kind, DUE, now_ms, last_ms, shifted=False) == misfire.SHIFT:
        more_ms = misfire.shift_ms(*kind, DUE, last_ms)
        assert 0 < more_ms <= min(left_ms, misfire.POLICIES[kind].shift_ms_max)
        assert misfire.judge(*kind, now_ms + more_ms, 10**15, now_ms, shifted=True) == misfire.NOW


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_two_that_judge_the_same_log_agree_however_far_apart_their_clocks_are(one: int, two: int) -> None:
    """Once both find it late, the time that is given is the log's alone."""
    now = {DUE + misfire.LATE_MS + 1 + off for off in (one, two)}
    verdicts = {misfire.judge("auction", "close", DUE, at, DUE - 8_000, shifted=False) for at in now}
    assert verdicts == {misfire.SHIFT}
    assert misfire.shift_ms("auction", "close", DUE, DUE - 8_000) == 8_000
