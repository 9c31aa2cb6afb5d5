"""Processes of the simulation: which callbacks belong to one, and what its wall clock shows."""

from __future__ import annotations

import contextvars
from typing import TYPE_CHECKING, Any, Final

from magnate.kit.log.skew import ClockGuard

if TYPE_CHECKING:
    from magnate.kit.clock import AnchoredClock
    from tests.sim.loop import Step

EPOCH_MS: Final = 1_700_000_000_000
"""The true time, in milliseconds since the Unix epoch, when the loop's time is 0."""


class Wall:
    """The wall clock of one machine: off by so much, running a little fast or slow, set now and then."""

    __slots__ = ("drift", "offset_seconds")

    def __init__(self, offset_seconds: float = 0.0, drift: float = 0.0) -> None:
        self.offset_seconds = offset_seconds
        self.drift = drift

    def run_by(self, drift: float, at: float) -> None:
        """Run so much faster or slower from a time of the loop on."""
        self.offset_seconds += at * (self.drift - drift)
        self.drift = drift

    def set_right(self) -> None:
        """Show the true time again."""
        self.offset_seconds = self.drift = 0.0

    def now_ns(self, at: float) -> int:
        """Return what it shows at a time of the loop, in nanoseconds since the Unix epoch."""
        shown = at * (1.0 + self.drift) + self.offset_seconds
        return EPOCH_MS * 1_000_000 + int(shown * 1_000_000) * 1000


class Process:
    """One process: every callback that runs in its context is its own, and stops when it is killed."""

    def __init__(self, name: str, service: str, worker: int, wall: Wall) -> None:
        self.name = name
        self.service = service
        self.worker = worker
        self.wall = wall
        self.clock: AnchoredClock | None = None
        self.guard = ClockGuard()
        self.alive = True
        self.stalled = False
        self.parked: list[Step] = []
        self.handlers: dict[str, Any] = {}  # served methods by path, once it serves
        self.parts: dict[str, Any] = {}  # what the checks look at
        self.context = contextvars.Context()
        self.context.run(PROCESS.set, self)

    def __repr__(self) -> str:
        return self.name


PROCESS: contextvars.ContextVar[Process] = contextvars.ContextVar("sim_process")
"""The process whose code runs; unset for the world: network, log server, clients, checks."""
