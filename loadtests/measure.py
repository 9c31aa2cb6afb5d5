"""What is measured: a histogram of latencies, counts, and how late the generator itself was."""

from __future__ import annotations

from typing import Final

from hdrh.histogram import HdrHistogram

MICROSECONDS_MAX: Final = 60_000_000
DIGITS: Final = 3
LATE_P99_MS_MAX: Final = 20.0
PERCENTILES: Final = (50.0, 90.0, 99.0, 99.9)


class Measured:
    """Latencies of accepted commands in microseconds, refusals, and the generator's own lateness."""

    def __init__(self) -> None:
        self.accepted = 0
        self.seconds = 0.0
        self.latency = HdrHistogram(1, MICROSECONDS_MAX, DIGITS)
        self.lateness = HdrHistogram(1, MICROSECONDS_MAX, DIGITS)

    def record(self, seconds: float) -> None:
        """Note one accepted command."""
        self.accepted += 1
        self.latency.record_value(min(MICROSECONDS_MAX, max(1, int(seconds * 1_000_000))))

    def late(self, seconds: float) -> None:
        """Note how long after its planned moment the generator sent one."""
        self.lateness.record_value(min(MICROSECONDS_MAX, max(1, int(seconds * 1_000_000))))

    @property
    def per_second(self) -> float:
        """Return accepted commands a second."""
        return self.accepted / self.seconds if self.seconds else 0.0

    @property
    def trustworthy(self) -> bool:
        """Return whether the generator kept its own plan well enough for an open loop to mean something."""
        return _ms(self.lateness, 99.0) <= LATE_P99_MS_MAX

    def values(self) -> dict[str, object]:
        """Return the figures by name, latencies in milliseconds."""
        named = {f"p{percent:g}_ms": _ms(self.latency, percent) for percent in PERCENTILES}
        return {
            "commands": self.accepted,
            "commands_per_second": round(self.per_second, 1),
            **named,
            "max_ms": round(self.latency.get_max_value() / 1000, 3) if self.accepted else 0.0,
            "generator_late_p99_ms": _ms(self.lateness, 99.0),
        }


def _ms(histogram: HdrHistogram, percent: float) -> float:
    if histogram.get_total_count() == 0:
        return 0.0
    return round(float(histogram.get_value_at_percentile(percent)) / 1000, 3)
