"""Clocks: time comes in as data, in integer milliseconds since the Unix epoch."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now_ms(self) -> int:
        """Return milliseconds since the Unix epoch."""
        ...


class SystemClock:
    """The machine's wall clock."""

    __slots__ = ()

    def now_ms(self) -> int:
        """Return milliseconds since the Unix epoch."""
        return time.time_ns() // 1_000_000


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
