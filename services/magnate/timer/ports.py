"""What the timer asks of others: the owners of deadlines, and an alarm clock that survives everything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

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


class Rung(Protocol):
    """An alarm that has rung and waits to be acknowledged."""

    @property
    def game_id(self) -> str:
        """Return the game it was set for."""
        ...

    async def ack(self) -> None:
        """Say that it has been dealt with; without, it rings again."""
        ...


class Alarms(Protocol):
    """One durable alarm per game."""

    async def set(self, game_id: str, at_ms: int, version: int) -> bool:
        """Let the game's alarm ring at a time; False if one of a newer version is set already."""
        ...

    def rung(self) -> AsyncGenerator[Rung, None]:
        """Yield alarms as they ring, for ever; each goes to one of the processes that ask."""
        ...
