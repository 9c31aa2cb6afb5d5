"""The use case of the timer service: list what is pending. Announcing needs nobody to ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.errors import NotFoundError

if TYPE_CHECKING:
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor
    from magnate.timer.domain.schedule import State


class UnknownGameError(NotFoundError):
    """There is no such game."""

    reason = "UNKNOWN_GAME"


class TimerService:
    """Answers from the log, not from the agenda, which may be a moment behind.

    What was asked for last is kept, because reading a long game keeps the deadlines of all others waiting.
    """

    def __init__(self, transactor: Transactor[State]) -> None:
        self._transactor = transactor

    async def deadlines(self, game_id: str) -> Loaded[State]:
        """Return a game's schedule.

        Raises:
            UnknownGameError: there is no such game.
        """
        loaded = await self._transactor.view(game_id)
        if loaded.version == 0:
            raise UnknownGameError(f"there is no game {game_id}")
        return loaded
