"""Many quick games at once on a running server: for `magnate bench` and the load tests."""

from __future__ import annotations

import asyncio
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final, Self

from magnate.cli.check import check_game
from magnate.client.quick import QuickTable, Unary, open_table
from magnate.client.session import Session
from magnate.client.stream import PlayStream

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.client.quick import Sender

GAMES: Final = 64
STREAM: Final = "stream"
UNARY: Final = "unary"
VERIFIED_AT_ONCE: Final = 4


class Tables:
    """Tables on one server, each with its own stream unless `streams` is less; ended ones are replaced."""

    def __init__(
        self, address: str, games: int = GAMES, *, seats: int = 4, connections: int = 8, streams: int = 0
    ) -> None:
        self._address = address
        self._games = games
        self._seats = seats
        self._connections = min(connections, games)
        self._stream_count = min(streams or games, games)
        self._exit = AsyncExitStack()
        self._sessions: list[Session] = []
        self._streams: list[PlayStream] = []
        self.tables: list[QuickTable] = []
        self.ended: list[QuickTable] = []

    async def __aenter__(self) -> Self:
        for _ in range(self._connections):
            self._sessions.append(await self._exit.enter_async_context(Session(self._address)))
        await self.session().reach()
        for place in range(self._stream_count):
            self._streams.append(await self._exit.enter_async_context(PlayStream(self.session(place))))
        self.tables = list(await asyncio.gather(*(self._open(place) for place in range(self._games))))
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._exit.aclose()

    def session(self, place: int = 0) -> Session:
        """Return the connection of a table."""
        return self._sessions[place % self._connections]

    def sender(self, place: int, how: str) -> Sender:
        """Return how a table's commands travel: STREAM or UNARY."""
        return self._streams[place % self._stream_count] if how == STREAM else Unary(self.session(place))

    async def step(self, place: int, sender: Sender) -> bool:
        """Carry out one command of a table, a new one if its game has ended; True if it was accepted."""
        if self.tables[place].over:
            self.ended.append(self.tables[place])
            self.tables[place] = await self._open(place)
        return await self.tables[place].step(self.session(place), sender)

    async def verify(self, bank_address: str = "") -> list[str]:
        """Examine every game that was played; returns what is wrong, one line each."""
        gate = asyncio.Semaphore(VERIFIED_AT_ONCE)
        faults: list[str] = []

        async def one(table: QuickTable) -> None:
            async with gate:
                checked = await check_game(self.session(), table.game_id, bank_address)
                if checked.commits < table.version:
                    faults.append(f"{table.game_id}: version {table.version} was answered and is not there")
                faults.extend(f"{table.game_id}: {fault}" for fault in checked.faults)

        await asyncio.gather(*(one(table) for table in [*self.tables, *self.ended]))
        return faults

    async def _open(self, place: int) -> QuickTable:
        return await open_table(self.session(place), seats=self._seats)


async def closed_loop(
    tables: Tables, how: str, going: Callable[[], bool], record: Callable[[float], None], *, games: int = 0
) -> int:
    """Play with one command in flight a table while `going()`; returns how many were accepted.

    `record` gets the seconds that each accepted command took.
    """
    clock = time.perf_counter

    async def play(place: int) -> int:
        accepted = 0
        sender = tables.sender(place, how)
        while going():
            started = clock()
            if await tables.step(place, sender):
                record(clock() - started)
                accepted += 1
        return accepted

    counts = await asyncio.gather(*(play(place) for place in range(games or len(tables.tables))))
    return sum(counts)


def until(seconds: float) -> Callable[[], bool]:
    """Return a question that is true for so long."""
    end = time.perf_counter() + seconds
    return lambda: time.perf_counter() < end
