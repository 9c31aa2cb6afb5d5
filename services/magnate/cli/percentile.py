"""What benches say of many measurements."""


def percentile(values: list[float], percent: float) -> float:
    """Return the value below which so many per cent of them lie; 0 if there are none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
