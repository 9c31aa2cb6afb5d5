"""The guard of the tail judges by what was known when the question was asked."""

from __future__ import annotations

from magnate.kit.log.tail_guard import TailGuard


def test_an_answer_that_is_overtaken_stops_nothing() -> None:
    """Appends that are acknowledged while the end is asked for make the answer old, not the stream short."""
    guard = TailGuard()
    guard.observe("LOG_1_0", 32)
    seen = guard.highest["LOG_1_0"]
    guard.observe("LOG_1_0", 35)
    guard.judge("LOG_1_0", 32, seen)
    assert not guard.stopped
    assert guard.highest["LOG_1_0"] == 35


def test_a_stream_that_ends_before_what_was_seen_is_stopped() -> None:
    """What was seen before the question and is not there is lost."""
    guard = TailGuard()
    guard.observe("LOG_1_0", 35)
    guard.judge("LOG_1_0", 32, 35)
    assert "ends at sequence 32" in guard.stopped["LOG_1_0"]
