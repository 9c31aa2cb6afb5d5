"""The log in NATS JetStream: a stream a shard, a literal subject a game, an expectation on each append."""

from __future__ import annotations

import asyncio
import json
import re
from typing import TYPE_CHECKING, Any, Final

from magnate.kit.ids import check_tenant
from magnate.kit.limits import ACK_TIMEOUT_SECONDS, BEAT_SECONDS
from magnate.kit.log.connection import Connection, NoAnswerError, NotSentError, Reply
from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.follow import follow_all
from magnate.kit.log.port import (
    Appended,
    AppendResult,
    Beat,
    Conflict,
    Followed,
    OutcomeUnknown,
    Stored,
    Unavailable,
)
from magnate.kit.log.reading import (
    read_after,
    read_all_after,
    read_direct_last,
    read_last,
    read_next,
    read_one,
)
from magnate.kit.log.skew import GUARD
from magnate.kit.log.streams import (
    Inventory,
    ensure_stream,
    inventory,
    last_sequence,
    last_value_config,
    leader_time_ms,
    log_config,
    stream_names,
)
from magnate.kit.log.subjects import (
    CACHE_STREAM,
    HEADS_STREAM,
    LOG_PREFIX,
    checkpoint_subject,
    game_stream,
    game_subject,
    snapshot_subject,
)
from magnate.kit.log.tail import tail_game
from magnate.kit.log.tail_guard import TailGuard

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence

_WRONG_LAST_SEQUENCE: Final = 10071
_IN_FLIGHT: Final = (10164, 10158)  # an append, or a message id, that is not settled yet
_STORED: Final = re.compile(rb'\{"stream":"[^"]*",\s*"seq":(\d+)\}\Z')
_LAST_NUMBER: Final = re.compile(r"(\d+)\s*$")


class JetStreamLog:
    """The log of one tenant over one connection."""

    def __init__(
        self,
        servers: Sequence[str] | Connection,
        *,
        tenant: str = "main",
        epoch: int = 1,
        shards: int = 4,
        replicas: int = 1,
        ack_timeout_seconds: float = ACK_TIMEOUT_SECONDS,
        beat_seconds: float = BEAT_SECONDS,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.connection = servers if isinstance(servers, Connection) else Connection(servers, options)
        self.tenant = check_tenant(tenant)
        self.guard = TailGuard()
        self._epoch = epoch
        self._shards = shards
        self._replicas = replicas
        self._ack_timeout_seconds = ack_timeout_seconds
        self._beat_seconds = beat_seconds
        self._judged: dict[str, int] = {}  # stream -> number of reconnects at which it was judged

    async def connect(self) -> None:
        """Connect to the server; LogUnavailableError if there is none in time."""
        await self.connection.connect()

    async def append(
        self, game_id: str, data: bytes, expected_sequence: int, message_id: str = ""
    ) -> AppendResult:
        """Try once to store the bytes after the game's last sequence."""
        GUARD.require()
        stream = game_stream(game_id)
        if self._judged.get(stream) != self.connection.reconnects:
            try:
                await self._judge(stream)
            except LogUnavailableError as error:
                return Unavailable(str(error))
        self.guard.require(stream, game_id)
        result = await self._put(
            game_subject(LOG_PREFIX, self.tenant, game_id), data, expected_sequence, message_id
        )
        if isinstance(result, Appended):
            self.guard.observe(stream, result.sequence)
        return result

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return the game's commits after a sequence."""
        stream, subject = game_stream(game_id), game_subject(LOG_PREFIX, self.tenant, game_id)
        found = await read_after(self.connection, stream, subject, after_sequence)
        position = found[-1].sequence if found else after_sequence
        while position < at_least:  # that replica is behind: the leader has it
            following = await read_next(self.connection, stream, subject, position)
            if following is None:
                break
            found.append(following[1])
            position = following[1].sequence
        if found:
            self.guard.observe(stream, position)
        return found

    async def read(self, game_id: str, sequence: int) -> Stored | None:
        """Return the game's commit at exactly this sequence."""
        subject = game_subject(LOG_PREFIX, self.tenant, game_id)
        return await read_one(self.connection, game_stream(game_id), subject, sequence)

    async def last(self, game_id: str) -> Stored | None:
        """Return the game's newest commit from the stream's leader."""
        subject = game_subject(LOG_PREFIX, self.tenant, game_id)
        return await read_last(self.connection, game_stream(game_id), subject)

    def tail(self, game_id: str, after_sequence: int = 0) -> AsyncGenerator[Stored | Beat, None]:
        """Yield the game's commits after a sequence, without a gap, for ever."""
        return tail_game(self, self.connection, game_id, after_sequence, self._beat_seconds)

    def watch_all(self, after: Mapping[str, int]) -> AsyncGenerator[Followed | Beat, None]:
        """Yield all games' commits after the given sequences, for ever."""
        return follow_all(self.connection, self.tenant, after, self.guard)

    async def snapshot_put(self, kind: str, game_id: str, data: bytes) -> None:
        """Store a service's snapshot of a game; a failure is of no consequence."""
        await self._put(snapshot_subject(kind, self.tenant, game_id), data, None)

    async def snapshot_get(self, kind: str, game_id: str) -> bytes | None:
        """Return the snapshot, or None."""
        return await self._cached(snapshot_subject(kind, self.tenant, game_id))

    async def snapshot_drop(self, kind: str, game_id: str) -> None:
        """Forget the snapshot: an empty one is none."""
        await self._put(snapshot_subject(kind, self.tenant, game_id), b"", None)

    async def checkpoint_put(self, name: str, data: bytes) -> None:
        """Store how far the named follower has got."""
        await self._put(checkpoint_subject(name, self.tenant), data, None)

    async def checkpoint_get(self, name: str) -> bytes | None:
        """Return what the named follower stored last."""
        stored = await read_last(self.connection, CACHE_STREAM, checkpoint_subject(name, self.tenant))
        return stored.data if stored is not None else None

    async def head_put(self, game_id: str, data: bytes, expected_sequence: int) -> AppendResult:
        """Replace the game's head under an expectation."""
        return await self._put(game_subject("head", self.tenant, game_id), data, expected_sequence)

    async def head_get(self, game_id: str) -> Stored | None:
        """Return the game's head."""
        subject = game_subject("head", self.tenant, game_id)
        return await read_direct_last(self.connection, HEADS_STREAM, subject)

    async def heads(self) -> list[tuple[str, Stored]]:
        """Return all games' heads."""
        heads: dict[str, Stored] = {}
        position, more = 0, True
        while more:
            found, more = await read_all_after(
                self.connection, HEADS_STREAM, f"head.*.*.{self.tenant}.*", position
            )
            for subject, stored in found:
                heads[subject.rpartition(".")[2]] = stored  # one that was replaced meanwhile comes again
                position = stored.sequence
        return list(heads.items())

    async def last_sequences(self) -> dict[str, int]:
        """Return the last sequence of each stream of commits."""
        names = await stream_names(self.connection, f"{LOG_PREFIX}.>")
        return {name: await last_sequence(self.connection, name) for name in names}

    async def server_times_ms(self) -> list[int]:
        """Return what the clock of each leader of a stream of commits says."""
        names = await stream_names(self.connection, f"{LOG_PREFIX}.>")
        times_ms = await asyncio.gather(*(leader_time_ms(self.connection, name) for name in names))
        return [one for one in times_ms if one]

    async def inventory(self) -> dict[str, Inventory]:
        """Return what each stream of commits holds, of all tenants."""
        names = await stream_names(self.connection, f"{LOG_PREFIX}.>")
        return {name: await inventory(self.connection, name, f"{LOG_PREFIX}.>") for name in names}

    async def ensure(self) -> None:
        """Create the streams that are missing and check the ones that are there."""
        for shard in range(self._shards):
            await ensure_stream(self.connection, log_config(self._epoch, shard, self._replicas))
        await ensure_stream(self.connection, last_value_config(HEADS_STREAM, "head.>", self._replicas))
        await ensure_stream(self.connection, last_value_config(CACHE_STREAM, "cache.>", self._replicas))

    async def close(self) -> None:
        """Close the connection; pending appends end as OutcomeUnknown."""
        await self.connection.close()

    async def _judge(self, stream: str) -> None:
        """Compare the stream's end with what was seen: before the first append, and after each reconnect."""
        reconnects = self.connection.reconnects
        seen = self.guard.highest.get(stream, 0)
        self.guard.judge(stream, await last_sequence(self.connection, stream), seen)
        self._judged[stream] = reconnects

    async def _put(
        self, subject: str, data: bytes, expected_sequence: int | None, message_id: str = ""
    ) -> AppendResult:
        headers = b""
        if expected_sequence is not None:
            identity = f"Nats-Msg-Id: {message_id}\r\n" if message_id else ""
            headers = (
                f"NATS/1.0\r\nNats-Expected-Last-Subject-Sequence: {expected_sequence}\r\n{identity}\r\n"
            ).encode()
        try:
            reply = await self.connection.ask(subject, data, headers, self._ack_timeout_seconds)
        except NotSentError:
            return Unavailable("not connected")
        except NoAnswerError:
            return OutcomeUnknown("no acknowledgement")
        return _acknowledgement(reply)

    async def _cached(self, subject: str) -> bytes | None:
        try:
            stored = await read_direct_last(self.connection, CACHE_STREAM, subject)
        except LogUnavailableError:
            return None
        return stored.data if stored is not None and stored.data else None


def _acknowledgement(reply: Reply) -> AppendResult:
    if reply.no_responders:
        return Unavailable("the stream has no leader")
    stored = _STORED.match(reply.data)  # as nearly always: a tenth of what reading the JSON takes
    if stored is not None:
        return Appended(int(stored[1]))
    answer = json.loads(reply.data)
    error = answer.get("error")
    if error is None:
        return Appended(answer["seq"], duplicate=bool(answer.get("duplicate")))
    code, description = error.get("err_code"), str(error.get("description"))
    if code == _WRONG_LAST_SEQUENCE:
        number = _LAST_NUMBER.search(description)
        return Conflict(int(number[1]) if number else None)
    if code in _IN_FLIGHT:
        return Conflict(None)
    if error.get("code") == 500:
        return OutcomeUnknown(description)  # the store failed, and nobody says how far it got
    return Unavailable(description)
