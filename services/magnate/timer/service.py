"""The use case of the timer service: list what is pending. Announcing needs nobody to ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.errors import NotFoundError

if TYPE_CHECKING:
    from magnate.kit.log.fold import Loaded, Loader
    from magnate.timer.domain.schedule import State


class UnknownGameError(NotFoundError):
    """There is no such game."""

    reason = "UNKNOWN_GAME"


class TimerService:
    """Answers from the log, not from the agenda, which may be a moment behind."""

    def __init__(self, loader: Loader[State]) -> None:
        self._loader = loader

    async def deadlines(self, game_id: str) -> Loaded[State]:
        """Return a game's schedule.

        Raises:
            UnknownGameError: there is no such game.
        """
        loaded = await self._loader.load(game_id)
        if loaded.version == 0:
            raise UnknownGameError(f"there is no game {game_id}")
        return loaded
