"""What the timer counts. Declared once; labels never hold an id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import Counter, Gauge, Histogram

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from prometheus_client import CollectorRegistry

    from magnate.timer.domain.schedule import Deadline

LATENESS_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 600.0, 3600.0)


class TimerMetrics:
    """The metrics of one timer process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.lateness = Histogram(
            "magnate_timer_lateness_seconds",
            "From a deadline to the moment its effect was read in the log; every process reads all of them.",
            ["owner", "kind"],
            buckets=LATENESS_BUCKETS,
            registry=registry,
        )
        self.missed = Counter(
            "magnate_timer_missed_total",
            "Deadlines that were overdue when a process had read the log to its end after its start.",
            registry=registry,
        )
        self.shifted = Counter(
            "magnate_timer_shifted_total",
            "Deadlines that were missed and got the time that was lost, of all owners, as read in the log.",
            registry=registry,
        )
        self.timers = Counter(
            "magnate_timer_timers_total",
            "Timers of clients whose time came, by their fate: fired, skipped, shifted, over; passed: a time"
            " of one that repeats that was missed and whose next one had come as well.",
            ["fate"],
            registry=registry,
        )
        self.fired = Counter(
            "magnate_timer_fired_total",
            "Deadlines announced to their owner, by what made the timer do it.",
            ["source"],
            registry=registry,
        )
        self.answers = Counter(
            "magnate_timer_answers_total", "What owners answered.", ["answer"], registry=registry
        )
        self.swept = Counter(
            "magnate_timer_swept_total",
            "Overdue deadlines that only the sweep over the heads found.",
            registry=registry,
        )
        self.alarms = Counter(
            "magnate_timer_alarms_total",
            "Alarms: set, kept (a newer one was set), spared (gone before it was worth a write), rung.",
            ["event"],
            registry=registry,
        )
        self.damaged = Counter(
            "magnate_timer_damaged_total", "Commits that could not be read.", registry=registry
        )
        self.games = Gauge("magnate_timer_games", "Games with pending deadlines.", registry=registry)
        self.pending = Gauge("magnate_timer_deadlines", "Deadlines that are pending.", registry=registry)
        self.auctions = Gauge(
            "magnate_timer_auctions",
            "Auctions that run, in games and at tables: each has one pending close, paused or not.",
            registry=registry,
        )
        self.caught_up = Gauge(
            "magnate_timer_caught_up", "1 when every stream has been read to its end.", registry=registry
        )

    def late(self, owner: str, kind: str, late_ms: int) -> None:
        """Count how late a deadline was dealt with."""
        self.lateness.labels(owner, kind).observe(max(0, late_ms) / 1000)

    def took(self, fates: Mapping[str, Sequence[Deadline]]) -> None:
        """Count the timers of clients that were dealt with in one commit."""
        for fate, timers in fates.items():
            self.timers.labels(fate).inc(len(timers))
