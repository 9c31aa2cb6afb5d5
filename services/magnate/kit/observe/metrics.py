"""Metrics: a registry per process, what the process tells about itself, and the endpoint that shows it.

Names follow Prometheus (base units, `_total`, `_seconds`); no label ever holds an id. `docs/metrics.md` lists
every metric, and a test compares the two.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from prometheus_client import GC_COLLECTOR, CollectorRegistry, Gauge, Histogram
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

# From a hop inside the machine to a client that has long given up.
SECONDS_BUCKETS: Final = (
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
)  # fmt: skip
LAG_PERIOD_SECONDS: Final = 0.25


def new_registry() -> CollectorRegistry:
    """Return a registry that already tells about process, platform and garbage collection."""
    registry = CollectorRegistry(auto_describe=True)
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    registry.register(GC_COLLECTOR)
    return registry


class ProcessMetrics:
    """How the process itself does: how late its event loop is, which part runs, whether it is healthy."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.loop_lag = Histogram(
            "magnate_event_loop_lag_seconds",
            "How much later than asked the event loop woke a sleeper.",
            buckets=(0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0),
            registry=registry,
        )
        self.healthy = Gauge(
            "magnate_healthy",
            "1 while the process serves, 0 while it starts, drains or fails.",
            registry=registry,
        )
        self.info = Gauge(
            "magnate_build_info",
            "Always 1; the labels say which service and release this is.",
            ["service", "version"],
            registry=registry,
        )

    async def watch_loop(self) -> None:
        """Measure the event loop for ever; run it as a background task."""
        while True:
            due = time.perf_counter() + LAG_PERIOD_SECONDS
            await asyncio.sleep(LAG_PERIOD_SECONDS)
            self.loop_lag.observe(max(0.0, time.perf_counter() - due))


def families(registry: CollectorRegistry) -> list[Metric]:
    """Return everything a registry declares, for the test that compares it with the documentation."""
    return sorted(registry.collect(), key=lambda family: family.name)
