"""Clocks: time comes in as data, in integer milliseconds since the Unix epoch.

The wall clock of a machine may be stepped, by an operator or by its time service; games would then end at
once or stand still. So a process keeps time by its monotonic clock, from what the wall clock said when it
started, and follows the wall clock slowly: it never goes back, and a step is made up for by at most a
twentieth of the time that passes. How far it is off the servers of the log is watched in `kit.log.skew`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

SLEW_PART: Final = 20
"""A step of the wall clock is followed by a twentieth of the time that passes: a second in 20."""
NANOSECONDS: Final = 1_000_000


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Return milliseconds since the Unix epoch."""
        ...


def _wall() -> int:
    return time.time_ns()


def _steady() -> int:
    return time.monotonic_ns()


class AnchoredClock:
    """A monotonic clock that follows the wall clock slowly. Both count nanoseconds."""

    __slots__ = ("_now", "_read", "_steady", "_wall")

    def __init__(self, wall: Callable[[], int] = _wall, steady: Callable[[], int] = _steady) -> None:
        self._wall = wall
        self._steady = steady
        self._read = steady()
        self._now = wall()

    def now_ms(self) -> int:
        """Return milliseconds since the Unix epoch."""
        read = self._steady()
        passed = read - self._read
        now = self._now + passed
        most = passed // SLEW_PART
        self._read = read
        self._now = now + max(-most, min(most, self._wall() - now))
        return self._now // NANOSECONDS

    def behind_ms(self) -> int:
        """Return how far the wall clock is ahead of this one: what is still to be made up for."""
        return self._wall() // NANOSECONDS - self.now_ms()

    def set(self) -> None:
        """Take the wall clock's word at once; only while nothing is decided by this clock."""
        self._read = self._steady()
        self._now = self._wall()


PROCESS: Final = AnchoredClock()
"""The one clock of this process."""


class SystemClock:
    """The clock of this process, which all its parts share."""

    __slots__ = ()

    def now_ms(self) -> int:
        """Return milliseconds since the Unix epoch."""
        return PROCESS.now_ms()


class FakeClock:
    """A clock that stands still until it is moved; for tests and for replays."""

    __slots__ = ("_now_ms",)

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        """Return the time it was last set to."""
        return self._now_ms

    def set(self, now_ms: int) -> None:
        """Set the time; going back is allowed, as wall clocks do it too."""
        self._now_ms = now_ms

    def advance(self, by_ms: int) -> int:
        """Move the time forward and return it."""
        self._now_ms += by_ms
        return self._now_ms
