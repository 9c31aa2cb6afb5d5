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
        ("auction", "close", 5_000, 4_000, False, "now"),
        ("auction", "close", 5_001, 4_000, False, "shift"),
        ("auction", "close", 86_400_000, 4_000, False, "shift"),
        ("auction", "close", 5_001, 4_000, True, "now"),
        ("auction", "close", 5_001, 0, False, "now"),
        ("auction", "close", 5_001, -10, False, "now"),
        ("auction", "call", 60_000, 4_000, False, "shift"),
        ("auction", "unknown", 60_000, 4_000, False, "now"),
        ("game", "roll", 60_000, 4_000, False, "shift"),
        ("game", "pay", 60_000, 4_000, False, "shift"),
        ("game", "deal", 60_000, 4_000, False, "shift"),
        ("game", "shortage", 60_000, 4_000, False, "shift"),
        ("game", "away", 60_000, 4_000, False, "shift"),
        ("game", "stand_in", 60_000, 4_000, False, "now"),
        ("game", "time", 60_000, 4_000, False, "now"),
        ("game", "abandon", 60_000, 4_000, False, "now"),
        ("game", "of-a-later-release", 60_000, 4_000, False, "now"),
        ("timer", "fire", 60_000, 4_000, False, "now"),
        ("timer", "skip", 5_000, 4_000, False, "now"),
        ("timer", "skip", 5_001, 4_000, False, "skip"),
        ("timer", "skip", 5_001, 4_000, True, "skip"),
        ("timer", "shift", 5_001, 4_000, False, "shift"),
    ],
)
def test_the_table(owner: str, kind: str, late_ms: int, left_ms: int, shifted: bool, verdict: str) -> None:
    """Each kind, on either side of what counts as late, where the process has been there all the time."""
    more_ms = misfire.again_ms(owner, kind, DUE, DUE + late_ms, DUE - left_ms, 0, shifted=shifted)
    assert more_ms == (left_ms if verdict == "shift" else 0)
    assert misfire.is_skipped(owner, kind, DUE, DUE + late_ms) == (verdict == "skip")


@pytest.mark.parametrize(
    ("kind", "started", "now", "last", "shifted", "again"),
    [
        ("roll", 1_000, 1_100, -9_000, False, 9_000),
        ("roll", 1_000, 1_100, -9_000, True, 0),
        ("roll", -3_000, 0, -9_000, False, 9_000),
        ("roll", -4_999, 0, -9_000, False, 9_000),
        ("roll", -5_000, 0, -9_000, False, 0),
        ("roll", -3_000, 0, -2_999, False, 0),
        ("roll", -9_001, 5_000, -9_000, False, 0),
        ("roll", 3_600_000, 1_100, -9_000, False, 0),
        ("stand_in", 1_000, 1_100, -9_000, False, 0),
        ("time", 1_000, 1_100, -9_000, False, 0),
    ],
)
def test_a_short_downtime(kind: str, started: int, now: int, last: int, shifted: bool, again: int) -> None:
    """All from the due time: what was over before a process began, or just after, was missed.

    Not if the log has been heard of since, and no timer is late enough without a downtime.
    """
    found = misfire.again_ms("game", kind, DUE, DUE + now, DUE + last, DUE + started, shifted=shifted)
    assert found == again


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
    st.integers(-(10**12), 10**12),
)
def test_a_shift_is_bounded(kind: tuple[str, str], late_ms: int, left_ms: int, started: int) -> None:
    """Never longer than what was left, nor than the kind allows; once only."""
    now_ms, last_ms = DUE + late_ms, DUE - left_ms
    more_ms = misfire.again_ms(*kind, DUE, now_ms, last_ms, DUE + started, shifted=False)
    assert 0 <= more_ms <= max(0, min(left_ms, misfire.POLICIES[kind].shift_ms_max))
    assert misfire.again_ms(*kind, DUE, now_ms, last_ms, DUE + started, shifted=True) == 0


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_two_that_judge_the_same_log_agree_however_far_apart_their_clocks_are(one: int, two: int) -> None:
    """Once both find it missed, the time that is given is the log's alone."""
    late = {DUE + misfire.LATE_MS + 1 + off for off in (one, two)}
    began = {0, DUE - 7_000 + one}
    found = {
        misfire.again_ms("auction", "close", DUE, now_ms, DUE - 8_000, started_ms, shifted=False)
        for now_ms in late
        for started_ms in began
    }
    assert found == {8_000}
