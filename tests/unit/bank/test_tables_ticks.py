"""When the last seconds of an auction are heard."""

from __future__ import annotations

from magnate.bank.tables.watch import next_tick

DUE_MS = 60_000


def heard(woken_late_ms: int) -> list[int]:
    """Return the ticks of a watcher that wakes so much too late each time."""
    ticks, now_ms = [], DUE_MS - 10_000
    while (tick := next_tick(DUE_MS, now_ms)) != 0:
        ticks.append(tick)
        now_ms = tick + woken_late_ms
    return ticks


def test_the_last_three_seconds_are_heard() -> None:
    """One tick for each, none after the end."""
    assert heard(0) == [57_000, 58_000, 59_000]
    assert heard(999) == [57_000, 58_000, 59_000]


def test_a_tick_that_is_past_is_not_made_up_for() -> None:
    """A watcher that was held up hears what is still to come."""
    assert heard(1_000) == [57_000, 59_000]
    assert heard(2_500) == [57_000]


def test_an_auction_that_is_over_or_not_there_has_none() -> None:
    """Zero means never."""
    assert next_tick(DUE_MS, DUE_MS) == 0
    assert next_tick(0, DUE_MS) == 0
