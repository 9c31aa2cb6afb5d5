"""What the owner of a deadline answers when the timer tells it that its time has come."""

from __future__ import annotations

from typing import TypeAlias, final


@final
class Expired:
    """It is dealt with, now or before, in this version."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


@final
class Gone:
    """It is not pending; judged on this version, 0 if there is no such log."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


@final
class NotYet:
    """It is pending, and due in so many milliseconds by the owner's clock."""

    __slots__ = ("remaining_ms",)

    def __init__(self, remaining_ms: int) -> None:
        self.remaining_ms = remaining_ms


Expiry: TypeAlias = Expired | Gone | NotYet
