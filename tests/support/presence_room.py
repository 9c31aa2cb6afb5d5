"""A table and processes of the game service that share its log, for tests of who is there."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING, Final, Self

from prometheus_client import CollectorRegistry

from magnate.game.attendance import Attendance
from magnate.game.compose import Composer
from magnate.game.domain.attendance import boot_of, presence_of
from magnate.game.fold import GameFold
from magnate.game.lobby import LobbyFold
from magnate.game.metrics import PresenceMetrics
from magnate.game.presence import Presence
from magnate.game.streams import WATCH, while_newest
from magnate.kit.bulletin import MemoryBulletin
from magnate.kit.log.keeper import HeadKeeper
from magnate.kit.log.watch import watch_commits
from magnate.kit.rpc.call import Principal
from magnate.kit.transact import Transactor
from tests.support.tables import LocalTable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

    from magnate.game.domain.standing import Standing
    from magnate.kit.bulletin import Bulletin

GRACE: Final = 0.15
QUICK: Final = {
    "GRACE_SECONDS": GRACE,
    "BEAT_SECONDS": 0.02,
    "SILENT_SECONDS": 0.2,
    "AGAIN_SECONDS": 1.5,
    "SETTLED_SECONDS": 0.05,
    "TOGETHER_SECONDS": 0.01,
}
"""What takes seconds takes a fraction of one."""


class Room:
    """A table, and processes of the game service that share its log; `async with` stops them all."""

    def __init__(self) -> None:
        self.table = LocalTable()
        self.bulletin = MemoryBulletin()
        self.words: list[bytes] = []  # what processes said to each other
        self.registry = CollectorRegistry()  # of the process that was started last
        self._running: list[asyncio.Task[None]] = []
        self._processes: list[Presence] = []

    async def process(self, boot: str, bulletin: Bulletin | None = None) -> Presence:
        """Start one; each has a cache of its own."""
        game = self.table.game
        self.registry = CollectorRegistry()
        transactor = Transactor(self.table.services.log, game.keys, GameFold(), clock=self.table.clock)
        one = Presence(
            Attendance(transactor, Composer(_Nobody(), _Nobody()), self.table.clock),  # type: ignore[arg-type]
            self.table.services.log,
            game.keys,
            bulletin or self.bulletin,
            self.table.clock,
            metrics=PresenceMetrics(self.registry),
            boot=boot,
        )
        self._processes.append(one)
        await one.start()
        return one

    def run(self, one: Presence) -> asyncio.Task[None]:
        """Let it say that it lives; cancel the task and it is dead."""
        self._running.append(asyncio.get_running_loop().create_task(one.run()))
        return self._running[-1]

    async def standing(self, seat: int) -> Standing:
        """Return how a seat stands by the log."""
        return (await self.table.loaded()).state.table.standing(seat)

    async def until(self, *presences: str) -> None:
        """Wait until the seats are so."""

        async def are_so() -> bool:
            return [presence_of(await self.standing(seat)) for seat in range(len(presences))] == [*presences]

        await self.wait_for(are_so)

    async def wait_for(self, is_so: Callable[[], Awaitable[bool]]) -> None:
        """Ask after each commit, until it is so."""
        commits = watch_commits(self.table.services.log, self.table.game.keys, self.table.game_id)
        async with asyncio.timeout(10), aclosing(commits):
            async for _ in commits:
                if await is_so():
                    return

    async def settled(self) -> None:
        """Wait until those who opened a stream before this take its seat over from nobody any more.

        Whoever opens one at another process has the seat for good only after that.
        """
        await asyncio.sleep(GRACE)

    async def held_by(self, seat: int, boot: str) -> None:
        """Wait until the log says that this process has the seat's connection."""

        async def is_so() -> bool:
            return boot_of((await self.standing(seat)).connection) == boot

        await self.wait_for(is_so)

    async def counts(self, value: int, name: str, **labels: str) -> None:
        """Wait until the process that was started last has counted so many: after it has written."""
        async with asyncio.timeout(10):
            while self.registry.get_sample_value(name, labels) != value:  # noqa: ASYNC110 - no event for it
                await asyncio.sleep(0.01)

    async def notes(self) -> int:
        """Return how many commits say who is there."""
        return sum(commit.actor == "presence" for commit in await self.table.commits())

    async def heads(self) -> None:
        """Have the heads written, and again when they change, until the room is closed."""
        keeper = HeadKeeper(self.table.services.log, self.table.game.keys, LobbyFold())
        self._running.append(asyncio.get_running_loop().create_task(keeper.run()))

    def seat(self, seat: int) -> Principal:
        """Return who holds a seat."""
        return Principal("seat", game_id=self.table.game_id, seat=seat)

    async def __aenter__(self) -> Self:
        await self.bulletin.listen(self.words.append)
        return self

    async def __aexit__(self, *_exc: object) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        for one in self._processes:
            await one.stop()
        await self.table.close()


class _Nobody:
    """No peer is asked for any of this."""


class Stream:
    """An open stream, served by a task as gRPC does it."""

    def __init__(self, one: Presence, caller: Principal, kind: str = WATCH, name: str = "") -> None:
        self._one, self._caller, self._kind, self._name = one, caller, kind, name
        self.superseded_by = ""  # the name that it was ended in favour of; empty if it lives, or was closed
        self.opened = asyncio.Event()
        self.task = asyncio.get_running_loop().create_task(self._serve())

    async def _serve(self) -> None:
        async with self._one.held(self._caller, self._kind) as held:
            if held is not None and self._name:
                self._one.named(held, self._name)
            self.opened.set()
            async with aclosing(while_newest(held, _silence(), str)) as messages:
                self.superseded_by = await anext(messages)

    async def close(self) -> None:
        """Let its client go."""
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task


async def _silence() -> AsyncGenerator[str, None]:
    """Yield nothing, for ever."""
    await asyncio.Event().wait()
    yield ""


@asynccontextmanager
async def opened(
    one: Presence, caller: Principal, kind: str = WATCH, name: str = ""
) -> AsyncIterator[Stream]:
    """Hold a stream open for the length of an `async with`."""
    stream = Stream(one, caller, kind, name)
    await stream.opened.wait()
    try:
        yield stream
    finally:
        await stream.close()


@asynccontextmanager
async def begun(options: dict[str, str] | None = None) -> AsyncIterator[Room]:
    """Hold a room with a game for two that has begun."""
    async with Room() as room:
        await room.table.begin(seats=2, options=options)
        yield room


class Sleeper:
    """The bulletin as a process reads it that stands still for a while: later."""

    def __init__(self, bulletin: Bulletin) -> None:
        self._bulletin = bulletin
        self._listener: Callable[[bytes], None] = lambda _data: None
        self._unread: list[bytes] = []
        self.asleep = True

    async def post(self, data: bytes) -> bool:
        """Post, as somebody who is awake."""
        return await self._bulletin.post(data)

    async def listen(self, listener: Callable[[bytes], None]) -> None:
        """Read what is posted, or keep it for later."""
        self._listener = listener
        await self._bulletin.listen(lambda data: self._unread.append(data) if self.asleep else listener(data))

    def wake(self) -> None:
        """Read what has come."""
        self.asleep = False
        for data in self._unread:
            self._listener(data)
