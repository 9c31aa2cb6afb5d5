"""The shapes of PromQL that the dashboards are made of."""

from __future__ import annotations

from deploy.grafana.panels import Query


def rate(series: str) -> str:
    """Return the rate of a counter over the interval that fits scrape and zoom."""
    return f"rate({series}[$__rate_interval])"


def quantile(value: float, histogram: str, labels: str = "", by: str = "") -> str:
    """Return a quantile of a classic histogram, for each value of the labels named by `by`."""
    groups = ", ".join(["le", *([by] if by else [])])
    buckets = f"{histogram}_bucket{{{labels}}}" if labels else f"{histogram}_bucket"
    return f"histogram_quantile({value}, sum by ({groups}) ({rate(buckets)}))"


def split(counter: str, *labels: str) -> Query:
    """Return the rate of a counter, a series for each value of its labels."""
    legend = " ".join(f"{{{{{label}}}}}" for label in labels)
    return Query(f"sum by ({', '.join(labels)}) ({rate(counter)})", legend)


def gauge(function: str, gauge_series: str, *labels: str) -> Query:
    """Return a gauge brought together by a function, a series for each value of its labels."""
    legend = " ".join(f"{{{{{label}}}}}" for label in labels)
    return Query(f"{function} by ({', '.join(labels)}) ({gauge_series})", legend)


def quantiles(histogram: str, labels: str = "") -> tuple[Query, ...]:
    """Return the three quantiles that every histogram is shown by."""
    return tuple(
        Query(quantile(value, histogram, labels), name)
        for value, name in ((0.5, "p50"), (0.9, "p90"), (0.99, "p99"))
    )
