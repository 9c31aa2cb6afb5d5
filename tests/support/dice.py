"""Dice for sandbox games: a test that needs a course says it, instead of hoping for it."""

from __future__ import annotations

from typing import Final

LOT: Final = 6
"""Where `to_a_lot` leads: a street that nobody owns yet."""


def to_a_lot(seats: int = 2, more: int = 40) -> list[int]:
    """Return throws by which seat 0 begins and comes to lot 6 at once; `more` throws of 1 and 2 follow."""
    return [6, 5, *[1, 2] * (seats - 1), 2, 4, *[1, 2] * more]
