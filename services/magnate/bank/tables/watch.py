"""What watchers of a table get: all of it at first, then all of it again with every change."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from magnate.bank.tables.codec import SOUNDS
from magnate.bank.tables.events import UnitChanged
from magnate.bank.tables.fold import TableFold, read_events
from magnate.bank.tables.history import Operation, operation_of, portions
from magnate.bank.tables.limits import WATCH_OPERATIONS_MAX, WATCH_QUEUE_MAX
from magnate.bank.tables.view import Seen, put_operation, put_table
from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.damage import noticing
from magnate.kit.log.watch import HeadBeat, watch_commits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping

    from magnate.bank.games.client import Games
    from magnate.bank.tables.history import Histories
    from magnate.bank.tables.metrics import TableMetrics
    from magnate.bank.tables.state import TableState
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log

TICKS_MS: Final = (3_000, 2_000, 1_000)
"""How long before the end of an auction the unit ticks."""


class _Due:
    """What is shown changes by itself now: the display goes back, or a hold lapses."""


class _Shown:
    """What a watcher was shown last; `until_ms` is when that changes by itself, 0 for never.

    `tick_ms` is when the unit is heard next, in the last seconds of an auction.
    """

    def __init__(self, table_id: str, state: TableState, version: int, viewer: int) -> None:
        self.table_id = table_id
        self.viewer = viewer
        self.state = state
        self.version = version
        self.until_ms = 0
        self.tick_ms = 0


class Watch:
    """Reads tables' logs for those who look at them."""

    def __init__(
        self,
        log: Log,
        keys: KeyRing,
        clock: Clock,
        histories: Histories,
        metrics: TableMetrics,
        games: Games | None = None,
    ) -> None:
        self._games = games
        self._log = log
        self._keys = keys
        self._clock = clock
        self._histories = histories
        self._metrics = metrics

    async def follow(
        self, loaded: Loaded[TableState], after_version: int, viewer: int = -1
    ) -> AsyncGenerator[terminal_pb2.WatchTableResponse, None]:
        """Yield the table with the operations after a version, then with each change, for ever.

        In a game whatever happens there is a change: debts and balances are of the game. `viewer` is the seat
        whose card the watcher has, -1 for none.

        Raises:
            DataLossError: the log does not verify; nothing after the damage is sent.
        """
        fold = TableFold()
        shown = _Shown(loaded.game_id, fold.copy(loaded.state), loaded.version, viewer)
        self._metrics.watchers.inc()
        try:
            async for first in self._first(shown, loaded.sequence, after_version):
                yield first
            commits = watch_commits(self._log, self._keys, shown.table_id, shown.version)
            async with aclosing(paced(commits, lambda: self._due_in(shown))) as items:
                with noticing(self._histories.on_damage):
                    async for item in items:
                        if isinstance(item, HeadBeat):
                            yield terminal_pb2.WatchTableResponse(version=shown.version)
                        elif isinstance(item, _Due):
                            ticked = 0 < shown.tick_ms <= self._clock.now_ms()
                            message = await self._message(shown)
                            message.sounds.extend([terminal_pb2.SOUND_TICK] * ticked)
                            yield message
                        else:
                            sold = shown.state.auctions
                            shown.state = fold.apply(shown.state, item)
                            shown.version = item.version
                            yield await self._changed(shown, item, sold)
        finally:
            self._metrics.watchers.dec()

    async def _first(
        self, shown: _Shown, sequence: int, after_version: int
    ) -> AsyncIterator[terminal_pb2.WatchTableResponse]:
        found = await self._histories.until(shown.table_id, shown.version, sequence)
        found = [one for one in found if one.version > after_version]
        for portion in portions(found, WATCH_OPERATIONS_MAX) if found else [[]]:
            message = await self._message(shown)
            for operation in portion:
                put_operation(operation, message.operations.add())
            yield message

    async def _changed(
        self, shown: _Shown, commit: ParsedCommit, sold: Mapping[int, str]
    ) -> terminal_pb2.WatchTableResponse:
        message = await self._message(shown)
        operation: Operation | None = operation_of(commit, shown.state.version_of, sold)
        if operation is not None:
            put_operation(operation, message.operations.add())
        for event in read_events(commit):
            if isinstance(event, UnitChanged):
                message.sounds.extend(SOUNDS[word] for word in event.sounds)
        return message

    async def _message(self, shown: _Shown) -> terminal_pb2.WatchTableResponse:
        message = terminal_pb2.WatchTableResponse(version=shown.version)
        seen = Seen(shown.viewer)
        if shown.state.table.in_game and self._games is not None:
            seen.game = await self._games.view(shown.table_id, shown.version)
        now_ms = self._clock.now_ms()
        put_table(shown.state, shown.table_id, shown.version, self._keys, now_ms, message.table, seen)
        unit = shown.state.table.unit
        ends = (0 if unit is None else unit.until_ms, shown.state.at(now_ms).lapses_ms())
        shown.until_ms = min((one for one in ends if one > now_ms), default=0)
        shown.tick_ms = 0 if seen.game is None else next_tick(seen.game.auction_due_ms, now_ms)
        return message

    def _due_in(self, shown: _Shown) -> float | None:
        """Return in how many seconds what is shown changes by itself; None if it does not."""
        dues = [due_ms for due_ms in (shown.until_ms, shown.tick_ms) if due_ms]
        return max(min(dues) - self._clock.now_ms(), 0) / 1000 if dues else None


def next_tick(due_ms: int, now_ms: int) -> int:
    """Return when an auction that ends at `due_ms` is heard next, 0 if not again."""
    ticks = [due_ms - before for before in TICKS_MS if due_ms - before > now_ms]
    return min(ticks, default=0)


async def paced(
    commits: AsyncGenerator[ParsedCommit | HeadBeat, None], due_in: Callable[[], float | None]
) -> AsyncGenerator[ParsedCommit | HeadBeat | _Due, None]:
    """Yield what comes, and a _Due when nothing came for as many seconds as `due_in` says."""
    queue: asyncio.Queue[ParsedCommit | HeadBeat | None] = asyncio.Queue(WATCH_QUEUE_MAX)

    async def read() -> None:
        try:
            async with aclosing(commits):
                async for item in commits:
                    await queue.put(item)
        finally:
            if queue.full():  # make room for the end
                queue.get_nowait()
            queue.put_nowait(None)

    reader = asyncio.create_task(read())
    try:
        while True:
            try:
                async with asyncio.timeout(due_in()):
                    item = await queue.get()
            except TimeoutError:
                yield _Due()
                continue
            if item is None:
                await reader  # raises what ended it
                return
            yield item
    finally:
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
