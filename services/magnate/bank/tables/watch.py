"""What watchers of a table get: all of it at first, then all of it again with every change."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from magnate.bank.tables.codec import SOUNDS
from magnate.bank.tables.events import UnitChanged
from magnate.bank.tables.fold import TableFold, read_events
from magnate.bank.tables.history import Operation, operation_of
from magnate.bank.tables.limits import WATCH_OPERATIONS_MAX, WATCH_QUEUE_MAX
from magnate.bank.tables.view import put_operation, put_table
from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.watch import HeadBeat, watch_commits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable

    from magnate.bank.tables.history import Histories
    from magnate.bank.tables.metrics import TableMetrics
    from magnate.bank.tables.state import TableState
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log


class _Due:
    """The display changes by itself now."""


class _Shown:
    """What a watcher was shown last."""

    def __init__(self, state: TableState, version: int) -> None:
        self.state = state
        self.version = version


class Watch:
    """Reads tables' logs for those who look at them."""

    def __init__(
        self, log: Log, keys: KeyRing, clock: Clock, histories: Histories, metrics: TableMetrics
    ) -> None:
        self._log = log
        self._keys = keys
        self._clock = clock
        self._histories = histories
        self._metrics = metrics

    async def follow(
        self, loaded: Loaded[TableState], after_version: int
    ) -> AsyncGenerator[terminal_pb2.WatchTableResponse, None]:
        """Yield the table with the operations after a version, then with each change, for ever.

        Raises:
            DataLossError: the log does not verify; nothing after the damage is sent.
        """
        table_id = loaded.game_id
        fold = TableFold()
        shown = _Shown(fold.copy(loaded.state), loaded.version)
        self._metrics.watchers.inc()
        try:
            async for first in self._first(loaded, after_version):
                yield first
            commits = watch_commits(self._log, self._keys, table_id, loaded.version)
            async with aclosing(paced(commits, lambda: self._due_in(shown.state))) as items:
                async for item in items:
                    if isinstance(item, HeadBeat):
                        yield terminal_pb2.WatchTableResponse(version=shown.version)
                    elif isinstance(item, _Due):
                        yield self._message(shown.state, table_id, shown.version)
                    else:
                        shown.state = fold.apply(shown.state, item)
                        shown.version = item.version
                        yield self._changed(shown.state, item)
        finally:
            self._metrics.watchers.dec()

    async def _first(
        self, loaded: Loaded[TableState], after_version: int
    ) -> AsyncIterator[terminal_pb2.WatchTableResponse]:
        found = await self._histories.until(loaded.game_id, loaded.version, loaded.sequence)
        found = [one for one in found if one.version > after_version]
        for start in range(0, max(len(found), 1), WATCH_OPERATIONS_MAX):
            message = self._message(loaded.state, loaded.game_id, loaded.version)
            for operation in found[start : start + WATCH_OPERATIONS_MAX]:
                put_operation(operation, message.operations.add())
            yield message

    def _changed(self, state: TableState, commit: ParsedCommit) -> terminal_pb2.WatchTableResponse:
        message = self._message(state, commit.game_id, commit.version)
        operation: Operation | None = operation_of(commit)
        if operation is not None:
            put_operation(operation, message.operations.add())
        for event in read_events(commit):
            if isinstance(event, UnitChanged):
                message.sounds.extend(SOUNDS[word] for word in event.sounds)
        return message

    def _message(self, state: TableState, table_id: str, version: int) -> terminal_pb2.WatchTableResponse:
        message = terminal_pb2.WatchTableResponse(version=version)
        put_table(state, table_id, version, self._keys, self._clock.now_ms(), message.table)
        return message

    def _due_in(self, state: TableState) -> float | None:
        """Return in how many seconds the display changes by itself; None if it does not."""
        unit = state.table.unit
        if unit is None or unit.until_ms == 0:
            return None
        left = (unit.until_ms - self._clock.now_ms()) / 1000
        return left if left > 0 else None


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
