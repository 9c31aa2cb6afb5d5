"""What the timer counts. Declared once; labels never hold an id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import Counter, Gauge, Histogram

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

LATENESS_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0, 600.0, 3600.0)


class TimerMetrics:
    """The metrics of one timer process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.lateness = Histogram(
            "magnate_timer_lateness_seconds",
            "From a deadline to the moment its owner was told.",
            buckets=LATENESS_BUCKETS,
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
        self.caught_up = Gauge(
            "magnate_timer_caught_up", "1 when every stream has been read to its end.", registry=registry
        )
