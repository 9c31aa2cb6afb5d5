"""Watching the auctions of a game: the state of now, then every commit that touches one, and heartbeats."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, final

from magnate.auction.codec import auction_events
from magnate.kit.log.commit import AUCTION, DEADLINES, parse_commit
from magnate.kit.log.port import Beat
from magnate.kit.viewer import detached

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from magnate.auction.service import AuctionService
    from magnate.auction.state import GameState
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.rules.vocabulary import AuctionEvent


@final
class Seen:
    """What a commit did to auctions, and the game after it; no events: a heartbeat or the start."""

    __slots__ = ("events", "loaded")

    def __init__(self, loaded: Loaded[GameState], events: list[AuctionEvent]) -> None:
        self.loaded = loaded
        self.events = events


class Watcher:
    """Follows one game at a time for whoever asks."""

    def __init__(self, service: AuctionService) -> None:
        self._service = service

    async def watch(self, game_id: str, from_version: int) -> AsyncGenerator[Seen, None]:
        """Yield what happens to the auctions of a game until it is over.

        Raises:
            UnknownGameError: there is no such game.
        """
        transactor = self._service.transactor
        loaded = detached(await self._service.view(game_id))
        if 0 < from_version < loaded.version:
            loaded = await transactor.loader.load_at(game_id, from_version, loaded.sequence)
        yield Seen(loaded, [])
        if loaded.state.over:
            return
        async with aclosing(transactor.log.tail(game_id, loaded.sequence)) as tail:
            async for stored in tail:
                if isinstance(stored, Beat):
                    yield Seen(loaded, [])
                    continue
                commit = parse_commit(transactor.keys, game_id, stored.data, stored.sequence)
                loaded = transactor.loader.extend(loaded, [stored])
                if _concerns(commit):
                    yield Seen(loaded, auction_events(commit))
                if loaded.state.over:
                    return


def _concerns(commit: ParsedCommit) -> bool:
    """Tell whether a commit may have changed an auction or its clock."""
    return commit.section(AUCTION) is not None or commit.section(DEADLINES) is not None
