"""What becomes of a deadline that is acted on late, because the services were down: one table, pure.

    now     act on it as soon as one is back
    skip    clear it, and do nothing
    shift   let it run on for as long as was left of it when the log was last heard of before its time, once

Late is more than `LATE_MS` after its time. One that is to be shifted was missed also if its time was over
before the process that acts on it, which the log has not been heard of since, had been there for as long:
so however short a downtime is, nobody loses a decision to it, and a timer that is merely slow gives no time.
All of this is judged from the deadline and the time of the newest commit of its log before it was due (what
comes later was written after the downtime, by whoever was back first), and what was judged is written there:
whoever writes first decides for all, and a replay asks nobody. A deadline is shifted once at most, and by no
more than its kind allows, so nothing goes on for ever, however late everything is.
"""

from __future__ import annotations

from typing import Final, final

LATE_MS: Final = 5000
"""Lateness that is no downtime: a slow timer, an election of a leader of the log."""

NOW: Final = "now"
SKIP: Final = "skip"
SHIFT: Final = "shift"


@final
class Policy:
    """What becomes of a kind of deadlines when they are late; `shift_ms_max` is the most time one gets."""

    __slots__ = ("shift_ms_max", "what")

    def __init__(self, what: str, shift_ms_max: int = 0) -> None:
        self.what = what
        self.shift_ms_max = shift_ms_max


_MINUTE_MS: Final = 60_000
_DAY_MS: Final = 24 * 60 * _MINUTE_MS

POLICIES: Final[dict[tuple[str, str], Policy]] = {
    # Nobody could bid meanwhile.
    ("auction", "close"): Policy(SHIFT, _MINUTE_MS),
    ("auction", "call"): Policy(SHIFT, _MINUTE_MS),
    # Nobody could throw, pay or answer meanwhile; all of it, or a downtime would eat up reserves.
    ("game", "roll"): Policy(SHIFT, _DAY_MS),
    ("game", "pay"): Policy(SHIFT, _DAY_MS),
    ("game", "deal"): Policy(SHIFT, _DAY_MS),
    ("game", "shortage"): Policy(SHIFT, _DAY_MS),
    # Nobody could come back meanwhile; the clock that stood for it gets its time after it.
    ("game", "away"): Policy(SHIFT, _DAY_MS),
    # A stand-in waits for nobody.
    ("game", "stand_in"): Policy(NOW),
    # Ends at an agreed minute, and after days, whoever was away.
    ("game", "time"): Policy(NOW),
    ("game", "rule"): Policy(NOW),
    ("game", "abandon"): Policy(NOW),
    # A proposal that nobody could agree to is made again.
    ("game", "agree"): Policy(NOW),
    # What its client asked for.
    ("timer", "fire"): Policy(NOW),
    ("timer", "skip"): Policy(SKIP),
    ("timer", "shift"): Policy(SHIFT, _MINUTE_MS),
}
"""By owner and kind. Every kind has a line; one of a later release is acted on at once.

Of a timer the kind is its client's wish.
"""

AT_ONCE: Final = Policy(NOW)


def is_skipped(owner: str, kind: str, due_ms: int, now_ms: int) -> bool:
    """Say whether a deadline that is due is cleared, and nothing done."""
    return POLICIES.get((owner, kind), AT_ONCE).what == SKIP and now_ms - due_ms > LATE_MS


def may_shift(owner: str, kind: str, *, shifted: bool) -> bool:
    """Say whether a deadline would get its time again if it was missed."""
    return POLICIES.get((owner, kind), AT_ONCE).what == SHIFT and not shifted


def again_ms(
    owner: str, kind: str, due_ms: int, now_ms: int, last_ms: int, started_ms: int, *, shifted: bool
) -> int:
    """Return the time that a deadline that is due gets again because it was missed; 0: none.

    It is what was left of it at `last_ms`, the time of the newest commit that is not after its due time
    (`kit.log.heard`). `started_ms` is when the process that acts on it began.
    """
    if not may_shift(owner, kind, shifted=shifted):
        return 0
    # One that began later than now had a wrong clock then.
    down = last_ms < started_ms <= now_ms and due_ms < started_ms + LATE_MS
    if not down and now_ms - due_ms <= LATE_MS:
        return 0
    return max(0, min(due_ms - last_ms, POLICIES[owner, kind].shift_ms_max))
