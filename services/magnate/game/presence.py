"""Who is there: streams with a seat's token, noted in the log of its game (docs/presence.md).

The log is what counts; words between the processes (`kit.bulletin`) make it quick. A process that opens a
stream writes that the seat is there, by this connection; the one whose connection the log names writes, after
a grace, that the seat is away. One that closes its last stream of a seat says so at once, and whoever has
another takes over before the grace is over. Each process says every second that it lives. When one is silent
for a while, the others, and each one that starts, look through the heads for seats whose connection it held.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import structlog

from magnate.game.domain.attendance import ANYBODY, Sighting, boot_of
from magnate.game.streams import Streams
from magnate.game.v1 import game_pb2
from magnate.kit.errors import KitError, UnavailableError
from magnate.kit.log.commit import TABLE
from magnate.kit.log.heads import list_heads
from magnate.kit.transact_types import Done, Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from magnate.game.attendance import Attendance
    from magnate.game.metrics import PresenceMetrics
    from magnate.game.state import GameState
    from magnate.game.streams import Held, Key
    from magnate.kit.bulletin import Bulletin
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log
    from magnate.kit.rpc.call import Principal

GRACE_SECONDS: Final = 3.0
BEAT_SECONDS: Final = 1.0
SILENT_SECONDS: Final = 5.0
"""A process that has not been heard of for so long is dead."""
AGAIN_SECONDS: Final = 15.0
"""After a process has died the heads are read a second time, for what they did not have yet."""
SETTLED_SECONDS: Final = 1.0
"""A seat that another process holds is taken over when streams were open here for so long without a break."""
TOGETHER_SECONDS: Final = 0.02
"""Seats that come or go within so long share a commit."""
WRITERS_MAX: Final = 32
RETRY_SECONDS: Final = 0.5
RETRIES_MAX: Final = 60

_log = structlog.get_logger("magnate.presence")


class Presence:
    """The streams of this process, and what the log says of them."""

    def __init__(
        self,
        attendance: Attendance,
        log: Log,
        keys: KeyRing,
        bulletin: Bulletin,
        clock: Clock,
        *,
        metrics: PresenceMetrics | None = None,
        boot: str = "",
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        self.boot = boot or secrets.token_hex(6)
        self._attendance = attendance
        self._store = log
        self._keys = keys
        self._bulletin = bulletin
        self._clock = clock
        self._metrics = metrics
        self._monotonic = monotonic or asyncio.get_running_loop().time
        self._streams = Streams(self._monotonic)
        self._graces: dict[Key, asyncio.TimerHandle] = {}
        self._settling: dict[tuple[Key, str], tuple[int, asyncio.TimerHandle]] = {}
        self._due: dict[str, dict[int, set[str]]] = {}
        self._writers: dict[str, asyncio.Task[None]] = {}
        self._gate = asyncio.Semaphore(WRITERS_MAX)
        self._tasks: set[asyncio.Task[object]] = set()
        self._alive: dict[str, float] = {}
        self._listening_since = 0.0
        self._sweeps: list[float] = []
        self._stopped = False

    @asynccontextmanager
    async def held(self, caller: Principal, kind: str) -> AsyncIterator[Held | None]:
        """Count a stream as long as this is open; None if it carries no seat's token."""
        if caller.kind != "seat":
            yield None
            return
        held = self._streams.open((caller.game_id, caller.seat), kind)
        self._opened(held.key)
        try:
            yield held
        finally:
            if self._streams.close(held):
                self._left(held.key)
            self._count()

    def named(self, held: Held, name: str) -> None:
        """Its client has a name: older streams of its kind end, here and elsewhere."""
        now_ms = self._clock.now_ms()
        self._superseded(self._streams.name(held, name, now_ms))
        game_id, seat = held.key
        self._say("open", g=game_id, s=seat, k=held.kind, c=name, t=now_ms)

    def begun(self, game_id: str) -> None:
        """A game has begun: whoever has streams of its seats is to note it."""
        self._look_at(game_id)
        self._say("begun", g=game_id)

    async def start(self) -> None:
        """Listen, and tell the others."""
        await self._bulletin.listen(self._heard)
        now = self._monotonic()
        self._listening_since = now
        self._sweeps = [now + SILENT_SECONDS, now + SILENT_SECONDS + AGAIN_SECONDS]
        await self._post("beat")

    async def run(self) -> None:
        """Say that this process lives, and notice when another does not; for ever."""
        beaten = self._monotonic()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            now = self._monotonic()
            heard = await self._post("beat")
            if not heard or now - beaten > SILENT_SECONDS:
                # What the others said meanwhile was missed, and they may take this process for dead.
                self._listening_since = now
                for key in self._streams.keys():  # noqa: SIM118 - it is no dict
                    self._mark(key, "")
            beaten = now
            self._bury(now)
            if self._sweeps and now >= self._sweeps[0]:
                self._sweeps = [at for at in self._sweeps if at > now]
                await self._sweep()

    async def stop(self) -> None:
        """Say farewell, so that nobody waits for this process; it writes and says nothing after that."""
        self._stopped = True
        await self._post("bye")
        for handle in [*self._graces.values(), *(handle for _, handle in self._settling.values())]:
            handle.cancel()
        tasks = [*self._writers.values(), *self._tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ---------------------------------------------------------------------------------------- streams

    def _opened(self, key: Key) -> None:
        grace = self._graces.pop(key, None)
        if grace is not None:
            grace.cancel()
        self._mark(key, "")
        self._take_over(key, ANYBODY)
        self._count()

    def _take_over(self, key: Key, instead_of: str) -> None:
        """Take a seat over from another process unless its streams here end soon.

        So a client that opens streams in a loop, at one process after the other, does not fill the log.
        """
        first = self._streams.first(key)
        pending, handle = self._settling.get((key, instead_of), (0, None))
        if handle is not None and pending == first:
            return
        if handle is not None:
            handle.cancel()
        loop = asyncio.get_running_loop()
        handle = loop.call_later(SETTLED_SECONDS, self._settled, key, instead_of)
        self._settling[key, instead_of] = first, handle

    def _settled(self, key: Key, instead_of: str) -> None:
        first, _ = self._settling.pop((key, instead_of))
        if first == self._streams.first(key):
            self._mark(key, instead_of)

    def _left(self, key: Key) -> None:
        game_id, seat = key
        loop = asyncio.get_running_loop()
        self._graces[key] = loop.call_later(GRACE_SECONDS, self._gone, key)
        self._say("left", g=game_id, s=seat, o=self.boot)

    def _gone(self, key: Key) -> None:
        self._graces.pop(key, None)
        self._mark(key, self.boot)

    def _superseded(self, count: int) -> None:
        if self._metrics is not None and count:
            self._metrics.superseded.inc(count)

    def _count(self) -> None:
        if self._metrics is not None:
            self._metrics.connected.set(len(self._streams))

    # ------------------------------------------------------------------------------------ other processes

    def _heard(self, data: bytes) -> None:
        try:
            word = json.loads(data)
            boot = str(word["b"])
            if boot != self.boot:
                self._take(str(word["w"]), boot, word)
        except (ValueError, KeyError, TypeError):
            _log.warning("a word of another process cannot be read", bytes=len(data))

    def _take(self, what: str, boot: str, word: dict[str, Any]) -> None:
        now = self._monotonic()
        if what == "bye":
            self._alive.pop(boot, None)
            self._sweeps = sorted([*self._sweeps, now + GRACE_SECONDS, now + AGAIN_SECONDS])
            return
        self._alive[boot] = now
        if what == "begun":
            self._look_at(str(word["g"]))
        elif what in {"left", "open"}:
            key = (str(word["g"]), int(word["s"]))
            if what == "open":
                kind, name, at_ms = str(word["k"]), str(word["c"]), int(word["t"])
                ended = self._streams.opened_elsewhere(key, kind, name, at_ms, boot, self.boot)
                self._superseded(ended)
            elif self._streams.newest(key):
                self._orphaned(key, str(word["o"]), dead=str(word["o"]) != boot)

    def _orphaned(self, key: Key, boot: str, *, dead: bool) -> None:
        """Take over a seat whose connection is gone; if it is ours, we are wrongly taken for dead.

        One that is not `dead` but has told so itself waits for longer than it takes to settle.
        """
        if boot != self.boot:
            if dead:
                self._mark(key, boot)
            else:
                self._take_over(key, boot)
            return
        self._say("beat")
        self._mark(key, "")
        asyncio.get_running_loop().call_later(GRACE_SECONDS, self._mark, key, "")

    def _look_at(self, game_id: str) -> None:
        for seat in self._streams.seats(game_id):
            self._mark((game_id, seat), "")

    def _bury(self, now: float) -> None:
        """Forget the processes that are silent, and have their seats looked for."""
        for boot, heard in list(self._alive.items()):
            if now - max(heard, self._listening_since) > SILENT_SECONDS:
                del self._alive[boot]
                self._sweeps = sorted([*self._sweeps, now, now + AGAIN_SECONDS])
                _log.warning("a process is silent; its seats are looked for", boot=boot)

    async def _sweep(self) -> None:
        """Take over from processes that are dead, or write that their seats are away."""
        try:
            heads = await list_heads(self._store, self._keys)
        except UnavailableError:
            self._sweeps = sorted([*self._sweeps, self._monotonic() + AGAIN_SECONDS])
            return
        orphans: list[tuple[Key, str]] = []
        for head in heads:
            if head.status not in {"running", "paused"}:
                continue
            for seat, connection in game_pb2.LobbyRecord.FromString(head.lobby).connections.items():
                boot = boot_of(connection)
                if boot != self.boot and boot not in self._alive:
                    orphans.append(((head.game_id, seat), boot))
        if not orphans:
            return
        for (game_id, seat), boot in orphans:
            await self._post("left", g=game_id, s=seat, o=boot)
        # Whoever has a stream of them takes over first; and not all who look write at once.
        await asyncio.sleep(BEAT_SECONDS + zlib.crc32(self.boot.encode()) % 1000 / 1000)
        for key, boot in orphans:
            if boot not in self._alive:
                self._mark(key, boot)

    def _say(self, what: str, **more: object) -> None:
        if self._stopped:
            return
        task: asyncio.Task[object] = asyncio.get_running_loop().create_task(self._post(what, **more))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _post(self, what: str, **more: object) -> bool:
        word = {"w": what, "b": self.boot, **more}
        return await self._bulletin.post(json.dumps(word, separators=(",", ":")).encode())

    # --------------------------------------------------------------------------------------------- the log

    def _mark(self, key: Key, instead_of: str) -> None:
        """Have it noted whether a seat is there; `instead_of` as in `Sighting`."""
        if self._stopped:
            return
        game_id, seat = key
        self._due.setdefault(game_id, {}).setdefault(seat, set()).add(instead_of)
        if game_id not in self._writers:
            self._writers[game_id] = asyncio.get_running_loop().create_task(self._write(game_id))

    async def _write(self, game_id: str) -> None:
        try:
            await asyncio.sleep(TOGETHER_SECONDS)
            while due := self._due.pop(game_id, None):
                async with self._gate:
                    await self._note(game_id, due)
        finally:
            del self._writers[game_id]

    async def _note(self, game_id: str, due: dict[int, set[str]]) -> None:
        for _ in range(RETRIES_MAX):
            sightings = [one for seat, of in due.items() for one in self._sightings(game_id, seat, of)]
            try:
                result = await self._attendance.note(game_id, self.boot, sightings)
            except UnavailableError:
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except KitError as error:
                _log.warning("presence is not noted", game_id=game_id, error=str(error))
                return
            if isinstance(result, Refused) and result.rejection.category == "exhausted":
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if isinstance(result, Done):
                self._count_noted(result)
            return
        _log.error("presence is not noted: the log does not answer", game_id=game_id)

    def _sightings(self, game_id: str, seat: int, instead_of: set[str]) -> list[Sighting]:
        """Return what is to be said of a seat as it is now: nothing while its grace lasts."""
        number = self._streams.newest((game_id, seat))
        if number:
            return [Sighting(seat, f"{self.boot}.{number}", other) for other in sorted(instead_of)]
        if (game_id, seat) in self._graces:
            return []
        return [Sighting(seat, "", other) for other in sorted(instead_of - {"", ANYBODY})]

    def _count_noted(self, done: Done[GameState]) -> None:
        section = done.commit.section(TABLE)
        if self._metrics is None or section is None:
            return
        for event in game_pb2.TableSection.FromString(section.body).events:
            if event.HasField("seat_presence"):
                self._metrics.noted(connected=event.seat_presence.connected)
