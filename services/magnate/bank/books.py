"""The ledgers one bank process keeps in memory, each with the queue of those who want to write to it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, final

from magnate.kit.errors import ExhaustedError
from magnate.kit.log.fold import Loaded

if TYPE_CHECKING:
    from magnate.bank.asks import Head
    from magnate.bank.domain.ledger import State


@final
class Book:
    """One game's ledger. `loaded` may skip commits without a ledger section; None until it is needed."""

    __slots__ = ("game_id", "loaded", "lock", "reading", "snapshot_version", "waiting")

    def __init__(self, game_id: str) -> None:
        self.game_id = game_id
        self.lock = asyncio.Lock()  # wakes its waiters in the order in which they came
        self.waiting = 0  # commits, whose number is bounded
        self.reading = 0
        self.loaded: Loaded[State] | None = None
        self.snapshot_version = 0

    @property
    def idle(self) -> bool:
        """Say whether nobody waits for this ledger or works on it."""
        return self.waiting == 0 and self.reading == 0

    def offer(self, loaded: Loaded[State]) -> None:
        """Keep what was read, unless something newer was learned meanwhile."""
        if self.loaded is None or self.loaded.version < loaded.version:
            self.loaded = loaded


@final
class Books:
    """All of them, the least recently used one first; at most `cached_max` that nobody waits for."""

    def __init__(self, cached_max: int, queue_max: int) -> None:
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._cached_max = cached_max
        self._queue_max = queue_max

    def __len__(self) -> int:
        return len(self._books)

    def enter(self, game_id: str, *, to_read: bool = False) -> Book:
        """Return a game's book and count the caller in; ExhaustedError when too many wait to write."""
        book = self._books.get(game_id)
        if book is None:
            book = self._books[game_id] = Book(game_id)
        else:
            self._books.move_to_end(game_id)
        if to_read:
            book.reading += 1
            return book
        if book.waiting >= self._queue_max:
            raise ExhaustedError(
                f"{book.waiting} commits already wait for this game", reason="GAME_QUEUE_FULL"
            )
        book.waiting += 1
        return book

    def leave(self, book: Book, *, to_read: bool = False) -> None:
        """Count the caller out; forget what need not be kept."""
        if to_read:
            book.reading -= 1
        else:
            book.waiting -= 1
        if book.idle and book.loaded is None:
            self._books.pop(book.game_id, None)
        while len(self._books) > self._cached_max:
            oldest = next((one for one in self._books.values() if one.idle), None)
            if oldest is None:
                return
            del self._books[oldest.game_id]


def at_head(game_id: str, state: State, head: Head) -> Loaded[State]:
    """Return a ledger as of a head that another service vouches for."""
    return Loaded(
        game_id,
        state,
        version=head.version,
        sequence=head.sequence,
        commit_hash=head.hash,
        time_ms=head.time_ms,
        ledger_version=state.version,
    )
