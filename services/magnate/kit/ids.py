"""Ids: where a game lives is written in its id, and ids of internal commands are derived, never drawn.

A game id is `<epoch>-<shard>-<24 hex>`, e.g. `1-3-9f86d081884c7d659a2feaa0`. Epoch and shard name the stream
for ever, so changing the number of shards never moves a game.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from magnate.kit.limits import COMMAND_ID_CHARS_MAX, SHARDS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable

_GAME_ID = re.compile(r"(0|[1-9][0-9]{0,5})-(0|[1-9][0-9]{0,3})-([0-9a-f]{24})")
_TENANT = re.compile(r"[a-z0-9-]{1,32}")
_COMMAND_ID = re.compile(r"[A-Za-z0-9._:-]+")
_EXPIRE = "expire"
PRESENCE = "presence"
"""Begins the ids of the commands by which the game service notes who is there."""


class InvalidIdError(ValueError):
    """A malformed id; says which field, what it was and what it should be."""

    def __init__(self, field: str, value: str, expected: str) -> None:
        shown = value if len(value) <= 80 else value[:77] + "..."
        super().__init__(f"{field} {shown!r} is malformed: {expected}")
        self.field = field
        self.value = value
        self.expected = expected


class GameAddress(NamedTuple):
    """The parts of a game id."""

    epoch: int
    shard: int
    digest: str


@lru_cache(maxsize=16_384)
def parse_game_id(game_id: str) -> GameAddress:
    """Split a game id; InvalidIdError if it is none."""
    match = _GAME_ID.fullmatch(game_id)
    if match is None:
        raise InvalidIdError("game_id", game_id, "expected <epoch>-<shard>-<24 lower-case hex digits>")
    return GameAddress(int(match[1]), int(match[2]), match[3])


def check_tenant(tenant: str) -> str:
    """Return the tenant, or raise InvalidIdError."""
    if _TENANT.fullmatch(tenant) is None:
        raise InvalidIdError("tenant", tenant, "expected 1 to 32 of a-z, 0-9 and -")
    return tenant


def check_command_id(command_id: str) -> str:
    """Return the command id, or raise InvalidIdError."""
    if len(command_id) > COMMAND_ID_CHARS_MAX or _COMMAND_ID.fullmatch(command_id) is None:
        expected = f"expected 1 to {COMMAND_ID_CHARS_MAX} letters, digits and . _ : -"
        raise InvalidIdError("command_id", command_id, expected)
    return command_id


def check_sent_command_id(command_id: str) -> str:
    """Return the id of a command that a client sent, or raise InvalidIdError.

    It must not be one that a deadline's expiry will have: the expiry would be taken for a repetition of the
    client's command, and the deadline would never be dealt with. Nor one of a note of who is there.
    """
    check_command_id(command_id)
    for kind in (_EXPIRE, PRESENCE):
        if command_id.startswith(f"{kind}:"):
            detail = f"ids that begin with {kind}: are not for clients"
            raise InvalidIdError("command_id", command_id, detail)
    return command_id


def derive_game_id(tenant: str, principal: str, command_id: str, *, epoch: int, shards: int) -> str:
    """Return the id of the game that this command creates; the same command always makes the same game.

    Neither a tenant nor a command id may contain `|`, so no two triples give the same text.
    """
    if not 1 <= shards <= SHARDS_MAX:
        raise ValueError(f"shards is {shards}, expected 1 to {SHARDS_MAX}")
    text = f"{check_tenant(tenant)}|{principal}|{check_command_id(command_id)}"
    digest = hashlib.sha256(text.encode()).hexdigest()
    return f"{epoch}-{int(digest, 16) % shards}-{digest[:24]}"


def derived_id(kind: str, *parts: str | int) -> str:
    """Return the id of an internal command, e.g. `expire:<deadline_id>`: resending it cannot act twice."""
    return ":".join((kind, *map(str, parts)))


def expire_id(deadline_id: str) -> str:
    """Return the id of the command that says a deadline is due."""
    return f"{_EXPIRE}:{deadline_id}"


def rendezvous(key: str, members: Iterable[str]) -> str:
    """Return the member preferred for this key; when a member goes, only its own keys move."""
    return max(
        members,
        key=lambda member: (hashlib.blake2b(f"{member}|{key}".encode(), digest_size=8).digest(), member),
    )


def request_hash(*parts: bytes) -> bytes:
    """Return the digest of a request's content; parts are length-prefixed so they cannot run together."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()
