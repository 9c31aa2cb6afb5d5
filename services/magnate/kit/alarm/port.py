"""The port to the alarm clock. An alarm is a reminder and never a fact: whoever it wakes looks at the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


@final
class Alarm:
    """A game's alarm: when, and from which version of the log it was taken."""

    __slots__ = ("due_ms", "game_id", "version")

    def __init__(self, game_id: str, due_ms: int, version: int) -> None:
        self.game_id = game_id
        self.due_ms = due_ms
        self.version = version

    def __repr__(self) -> str:
        return f"Alarm({self.game_id}, due_ms={self.due_ms}, version={self.version})"


# Carries out a fired alarm. Returning means that the owner has answered; an exception brings it again.
Handler: TypeAlias = "Callable[[Alarm], Awaitable[None]]"


class Alarms(Protocol):
    """The alarms of all games of one tenant. They outlive every process."""

    async def set(self, alarm: Alarm) -> bool:
        """Set the game's one alarm, in place of the one that stands; a time that has passed fires at once.

        False if the standing alarm was taken from a newer version of the log, which is then left alone.
        LogUnavailableError if nobody answers: set it again.
        """
        ...

    async def run(self, handler: Handler) -> None:
        """Hand fired alarms to the handler, for ever, several at a time; each fires at least once."""
        ...

    async def ensure(self) -> None:
        """Create what is missing."""
        ...

    async def close(self) -> None:
        """Let go of the connection."""
        ...
