"""Reads games beside the queue of commands.

A command of one service may wait for the answer of another, which may itself be waiting for the first: game
asks auction while auction asks game, each in the middle of a command on the same game. So whoever answers
such a question must not wait for its own queue. A viewer reads the log for itself.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from magnate.kit.limits import GAMES_CACHED_MAX
from magnate.kit.log.fold import Loaded

if TYPE_CHECKING:
    from magnate.kit.log.fold import Loader
    from magnate.kit.transact import Transactor

S = TypeVar("S")


def detached(loaded: Loaded[S]) -> Loaded[S]:
    """Return the same game with a window of its own, so that folding on leaves the original as it is."""
    return Loaded(
        loaded.game_id,
        loaded.state,
        version=loaded.version,
        sequence=loaded.sequence,
        commit_hash=loaded.hash,
        time_ms=loaded.time_ms,
        ledger_version=loaded.ledger_version,
        window=loaded.window.copy(),
    )


class Viewer(Generic[S]):
    """Games as of a version, for those who must not wait for a queue. Not for use from several threads."""

    def __init__(self, transactor: Transactor[S], *, games_cached_max: int = GAMES_CACHED_MAX) -> None:
        self._transactor = transactor
        self._loader: Loader[S] = transactor.loader
        self._games: OrderedDict[str, Loaded[S]] = OrderedDict()
        self._games_cached_max = games_cached_max

    async def at_least(self, game_id: str, version: int) -> Loaded[S]:
        """Return the game at this version or a later one; what is known is not read again.

        An earlier one is returned only if the log itself has no more.
        """
        loaded = self._known(game_id)
        if loaded is not None and loaded.version >= version:
            return loaded
        if not self._transactor.busy(game_id):
            return await self._transactor.view(game_id, newest=False, at_least=version)
        # The leader's word, because a replica may answer a moment behind.
        last = await self._loader.log.last(game_id)
        loaded = await self._loader.load(game_id) if loaded is None else detached(loaded)
        if last is not None and last.sequence > loaded.sequence:
            loaded = await self._loader.refresh(loaded, last.sequence)
        self._keep(loaded)
        return loaded

    def _known(self, game_id: str) -> Loaded[S] | None:
        """Return the newest state this process has, without asking anybody."""
        held = self._transactor.peek(game_id)
        own = self._games.get(game_id)
        if held is None or (own is not None and own.version > held.version):
            return own
        self._games.pop(held.game_id, None)
        return held

    def _keep(self, loaded: Loaded[S]) -> None:
        if loaded.version == 0:
            return
        self._games[loaded.game_id] = loaded
        self._games.move_to_end(loaded.game_id)
        while len(self._games) > self._games_cached_max:
            self._games.popitem(last=False)
