"""What the timer asks of the owners of deadlines, and what they answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, final

if TYPE_CHECKING:
    from magnate.timer.domain.agenda import Due


@final
class Done:
    """The owner has dealt with it, now or before."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


@final
class Gone:
    """It is not pending."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


@final
class NotYet:
    """It is not due by the owner's clock."""

    __slots__ = ("remaining_ms",)

    def __init__(self, remaining_ms: int) -> None:
        self.remaining_ms = remaining_ms


Reply: TypeAlias = Done | Gone | NotYet


class OwnerAwayError(Exception):
    """The owner did not answer, or could not; tell it again later."""


class Owners(Protocol):
    """The services that own deadlines."""

    async def expire(self, due: Due, now_ms: int) -> Reply:
        """Tell the owner that a deadline's time has come.

        Raises:
            OwnerAwayError: it did not answer.
        """
        ...
