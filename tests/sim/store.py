"""The log's server: what is stored, and what may go wrong with it. Adapters of processes are in log.py.

Two flavours, as measured of the real one: a single server checks the expectation first; a cluster of three
checks the message id first (`duplicate`), answers `in flight` while an earlier append waits for its quorum,
has elections, and replicas that are a moment behind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from magnate.kit.limits import (
    ACK_TIMEOUT_SECONDS,
    COMMIT_BYTES_MAX,
    DUPLICATE_WINDOW_SECONDS,
    READ_TIMEOUT_SECONDS,
)
from magnate.kit.log.port import Appended, Conflict, OutcomeUnknown, Stored, Unavailable
from magnate.kit.log.subjects import game_stream, log_stream

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from magnate.kit.log.port import AppendResult
    from tests.sim.process import Process
    from tests.sim.world import World

SERVER: Final = "log"
"""The name under which processes can be parted from the log."""
CRASH_CHANCE: Final = 0.006
"""How often whoever appends is killed before it hears that what it appended is stored."""
RESTART_SECONDS: Final = 0.5


class Stream:
    """The messages of one shard, of which each has its place."""

    def __init__(self) -> None:
        self.last_sequence = 0
        self.messages: list[tuple[int, str, bytes]] = []
        self.games: dict[str, list[Stored]] = {}
        self.seen_at: dict[int, float] = {}  # when the slower replica has it


class Store:
    """What all processes share."""

    def __init__(self, world: World, shards: int) -> None:
        self.world = world
        self.loop = world.loop
        self.chance = world.chance("log")
        self._crashes = world.chance("crashes at appends")
        self.cluster = world.on("cluster")
        self.streams = {log_stream(1, shard): Stream() for shard in range(shards)}
        self.heads: dict[str, Stored] = {}
        self.head_sequence = 0
        self.caches: dict[tuple[str, str], bytes] = {}
        self.election_until = 0.0
        self.watchers: dict[Callable[[], None], None] = {}
        self.on_stored: Callable[[str, bytes, int], None] = lambda _game, _data, _sequence: None
        self._ids: dict[str, tuple[int, float]] = {}
        self._in_flight: dict[str, object] = {}

    def elect(self, seconds: float) -> None:
        """Leave the streams without a leader for a while; what waited for its quorum may be lost."""
        self.world.races.elects()
        self.election_until = max(self.election_until, self.loop.time() + seconds)
        self.world.tell("election", f"{seconds:.2f} s")

    @property
    def leaderless(self) -> bool:
        """Whether nobody takes appends now."""
        return self.loop.time() < self.election_until

    def append(
        self,
        process: Process,
        game_id: str,
        data: bytes,
        expected: int,
        message_id: str,
        answer: asyncio.Future[AppendResult],
    ) -> None:
        """An append is sent; its answer comes, or the sender's time runs out."""
        delay = self.delay()
        if self._cut(process):
            self._answer_late(answer, OutcomeUnknown("no acknowledgement"))
            return
        self._later(delay, self._arrived, process, game_id, data, expected, message_id, answer)

    def delay(self) -> float:
        """Return how long something is under way to the server, or back."""
        usual = 0.0002 + self.chance.random() * 0.001
        if self.world.on("slow_log") and self.chance.random() < 0.05:
            return usual + self.chance.random() ** 3 * 4.0
        return usual

    def _arrived(
        self,
        process: Process,
        game_id: str,
        data: bytes,
        expected: int,
        message_id: str,
        answer: asyncio.Future[AppendResult],
    ) -> None:
        if self.leaderless:
            if self.chance.random() < 0.5:
                self._reply(process, answer, Unavailable("the stream has no leader"))
            else:
                self._answer_late(answer, OutcomeUnknown("no acknowledgement"))
            return
        refused = self._refused(game_id, data, expected, message_id)
        if refused is not None:
            self.world.tell("append refused", f"{process} {refused!r}")
            self._reply(process, answer, refused)
            return
        if not self.cluster:
            self._stored(process, game_id, data, message_id, answer)
            return
        self._in_flight[game_id] = answer
        quorum = 0.0005 + self.chance.random() * 0.003
        self._later(quorum, self._agreed, process, game_id, data, message_id, answer)

    def _refused(self, game_id: str, data: bytes, expected: int, message_id: str) -> AppendResult | None:
        if len(data) > COMMIT_BYTES_MAX:
            return Unavailable(f"{len(data)} bytes are more than the stream takes")
        if self.cluster:
            known = self._ids.get(message_id)
            if known is not None and self.loop.time() - known[1] < DUPLICATE_WINDOW_SECONDS:
                return Appended(known[0], duplicate=True)
            if game_id in self._in_flight:
                return Conflict(None)
        last = self.last_of(game_id)
        sequence = 0 if last is None else last.sequence
        return Conflict(sequence) if sequence != expected else None

    def _agreed(
        self,
        process: Process,
        game_id: str,
        data: bytes,
        message_id: str,
        answer: asyncio.Future[AppendResult],
    ) -> None:
        if self._in_flight.get(game_id) is answer:
            del self._in_flight[game_id]
        if self.leaderless and self.chance.random() < 0.5:
            self.world.tell("append lost", f"{process} in the election")
            self._answer_late(answer, OutcomeUnknown("no acknowledgement"))
            return
        self._stored(process, game_id, data, message_id, answer)

    def _stored(
        self,
        process: Process,
        game_id: str,
        data: bytes,
        message_id: str,
        answer: asyncio.Future[AppendResult],
    ) -> None:
        stream = self.streams[game_stream(game_id)]
        stream.last_sequence += 1
        sequence = stream.last_sequence
        stream.messages.append((sequence, game_id, data))
        stream.games.setdefault(game_id, []).append(Stored(sequence, data))
        if message_id:
            self._ids[message_id] = (sequence, self.loop.time())
        if self.cluster and self.world.on("replicas"):
            stream.seen_at[sequence] = self.loop.time() + self.chance.random() ** 2 * 0.3
        process.parts["unacknowledged"] = answer
        self.on_stored(game_id, data, sequence)
        if self.world.on("crashes") and self._crashes.random() < CRASH_CHANCE:
            self.world.crash(process.name, RESTART_SECONDS)
        for wake in self.watchers:
            if not self.world.happens("late_watch", 0.05):  # else lost: the next beat finds it
                self._later(self.delay(), wake)
        if self.leaderless or self.world.happens("lost_acks", 0.06):
            self.world.tell("ack lost", f"{process} sequence {sequence}")
            self._answer_late(answer, OutcomeUnknown("no acknowledgement"))
            return
        self._reply(process, answer, Appended(sequence))

    def last_of(self, game_id: str) -> Stored | None:
        """Return the newest commit of a game."""
        commits = self.streams[game_stream(game_id)].games.get(game_id)
        return commits[-1] if commits else None

    def read(
        self, process: Process, compute: Callable[[], Any], *, leader: bool, answer: asyncio.Future[Any]
    ) -> None:
        """A read is sent; the answer is what is there when it arrives, None of it if nobody answers."""
        if self._cut(process) or (leader and self.leaderless):
            self.loop.call_later(READ_TIMEOUT_SECONDS, _fail, answer, context=self.world.context)
            return
        self._later(2 * self.delay(), _settle, answer, compute)

    def behind(self, stream: Stream, sequence: int) -> bool:
        """Say whether the replica that answers does not have this yet."""
        seen_at = stream.seen_at.get(sequence)
        return seen_at is not None and seen_at > self.loop.time()

    def _cut(self, process: Process) -> bool:
        return self.world.net.parted_from(process, SERVER)

    def _reply(self, process: Process, answer: asyncio.Future[AppendResult], result: AppendResult) -> None:
        if self._cut(process):
            self._answer_late(answer, OutcomeUnknown("no acknowledgement"))
        else:
            self._later(self.delay(), _set, answer, result)

    def _answer_late(self, answer: asyncio.Future[AppendResult], result: AppendResult) -> None:
        self._later(ACK_TIMEOUT_SECONDS, _set, answer, result)

    def _later(self, seconds: float, do: Callable[..., None], *args: Any) -> None:
        self.loop.call_later(seconds, do, *args, context=self.world.context)


def _set(answer: asyncio.Future[AppendResult], result: AppendResult) -> None:
    if not answer.done():
        answer.set_result(result)


def _settle(answer: asyncio.Future[Any], compute: Callable[[], Any]) -> None:
    if not answer.done():
        answer.set_result(compute())


def _fail(answer: asyncio.Future[Any]) -> None:
    from magnate.kit.log.errors import LogUnavailableError

    if not answer.done():
        answer.set_exception(LogUnavailableError("no answer"))
