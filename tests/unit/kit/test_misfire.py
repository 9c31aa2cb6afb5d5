"""What becomes of deadlines that are late: the table, and that no shift goes on for ever."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.auction.domain import decision
from magnate.game import clocks, idle
from magnate.game.domain import attendance
from magnate.kit import misfire
from magnate.timer.domain import timers

SERVICES = Path(misfire.__file__).parents[1]

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
        ("auction", "call", 60_000, 4_000, False, misfire.SHIFT),
        ("auction", "unknown", 60_000, 4_000, False, misfire.NOW),
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


def _kinds_set() -> dict[str, set[str]]:
    """Return, by source file, how the kind is written wherever a deadline is set."""
    found: dict[str, set[str]] = {}
    for path in sorted(SERVICES.rglob("*.py")):
        if path.name.endswith(("_pb2.py", "_pb2_grpc.py")):
            continue
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name | ast.Attribute):
                continue
            name = call.func.id if isinstance(call.func, ast.Name) else call.func.attr
            written = {one.arg: ast.unparse(one.value) for one in call.keywords}
            places = [ast.unparse(one) for one in call.args]
            if name == "DeadlineChange" and places[:1] == ["'set'"]:
                kind = written["kind"]
            elif name == "DeadlineSet":
                kind = (places[2:] or [written.get("kind", "KIND_CLOSE")])[0]
            else:
                continue
            found.setdefault(str(path.relative_to(SERVICES)), set()).add(kind)
    return found


def test_every_kind_of_deadline_has_a_line() -> None:
    """All places where one is set are known here, and so are the kinds that are set there."""
    known: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
        "game/clockwork.py": ("game", {"kind": clocks.KINDS}),
        "game/idle.py": ("game", {"ABANDON": (idle.ABANDON,)}),
        "game/attendance.py": ("game", {"attendance.AGREE": (attendance.AGREE,)}),
        "auction/domain/draft.py": (
            "auction", {"KIND_CLOSE": (decision.KIND_CLOSE,), "KIND_CALL": (decision.KIND_CALL,)},
        ),
        "timer/domain/timers.py": ("timer", {"KIND": timers.MISFIRES}),
    }  # fmt: skip
    # What is set elsewhere, told on or set again.
    copies = {"game/peers.py", "timer/codec.py", "timer/firing.py", "cli/bench_timers.py"}
    found = {path: kinds for path, kinds in _kinds_set().items() if path not in copies}
    assert found == {path: set(kinds) for path, (_, kinds) in known.items()}
    every = {(owner, kind) for owner, kinds in known.values() for names in kinds.values() for kind in names}
    assert every == set(misfire.POLICIES)


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
