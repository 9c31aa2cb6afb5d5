"""Heads: the newest commit of each game, for lists, the sweep for deadlines and the guard of the tail."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from google.protobuf.message import DecodeError

from magnate.kit.log.keys import seal, unseal
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log

_PURPOSE = "head"


@final
class Head:
    """The newest commit of a game and what lists show of it."""

    __slots__ = (
        "earliest_deadline_ms",
        "game_id",
        "hash",
        "lobby",
        "sequence",
        "status",
        "time_ms",
        "version",
    )

    def __init__(
        self,
        game_id: str,
        version: int,
        sequence: int,
        commit_hash: bytes,
        *,
        time_ms: int,
        status: str = "",
        lobby: bytes = b"",
        earliest_deadline_ms: int = 0,
    ) -> None:
        self.game_id = game_id
        self.version = version
        self.sequence = sequence
        self.hash = commit_hash
        self.time_ms = time_ms
        self.status = status
        self.lobby = lobby
        self.earliest_deadline_ms = earliest_deadline_ms


def encode_head(keys: KeyRing, head: Head) -> bytes:
    """Return the bytes of a head, with their mac."""
    message = log_pb2.Head()
    message.game_id = head.game_id
    message.version = head.version
    message.sequence = head.sequence
    message.hash = head.hash
    message.status = head.status
    message.lobby = head.lobby
    message.earliest_deadline_ms = head.earliest_deadline_ms
    message.time_ms = head.time_ms
    return seal(keys, _PURPOSE, message.SerializeToString())


def decode_head(keys: KeyRing, game_id: str, data: bytes) -> Head | None:
    """Return the head, or None if anything is odd: heads can be rebuilt, so an odd one is as none."""
    body = unseal(keys, _PURPOSE, data)
    if body is None:
        return None
    try:
        message = log_pb2.Head.FromString(body)
    except DecodeError:
        return None
    if message.game_id != game_id:
        return None
    return Head(
        game_id,
        message.version,
        message.sequence,
        message.hash,
        time_ms=message.time_ms,
        status=message.status,
        lobby=message.lobby,
        earliest_deadline_ms=message.earliest_deadline_ms,
    )


async def list_heads(log: Log, keys: KeyRing) -> list[Head]:
    """Return the heads of all games that can be read."""
    found = []
    for game_id, stored in await log.heads():
        head = decode_head(keys, game_id, stored.data)
        if head is not None:
            found.append(head)
    return found
