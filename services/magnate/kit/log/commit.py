"""The envelope of a commit: built, parsed and verified over the stored bytes.

    hash = SHA-256(previous_hash | SHA-256(public) | SHA-256(secret))        mac = HMAC-SHA-256(key, hash)

The first previous_hash is 32 zero bytes. A commit is parsed about as fast as it is read, because a cold game
of some thousand commits is folded while somebody waits.
"""

from __future__ import annotations

import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Final, final

from google.protobuf.message import DecodeError

from magnate.kit.log.errors import DataLossError, LogNewerError, UnknownKeyError
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

    from magnate.kit.keys import KeyRing

TABLE: Final = 1
RULES: Final = 2
LEDGER: Final = 3
AUCTION: Final = 4
TERMINAL: Final = 5
DEADLINES: Final = 6
KIND_NAMES: Final = {
    TABLE: "table",
    RULES: "rules",
    LEDGER: "ledger",
    AUCTION: "auction",
    TERMINAL: "terminal",
    DEADLINES: "deadlines",
}

ZERO_HASH: Final = bytes(32)
SALT_BYTES: Final = 16
_EMPTY_DIGEST: Final = sha256(b"").digest()


@final
class Section:
    """One service's bytes in a commit, with the version of their format."""

    __slots__ = ("body", "kind", "version")

    def __init__(self, kind: int, version: int, body: bytes) -> None:
        self.kind = kind
        self.version = version
        self.body = body

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Section):
            return NotImplemented
        return (self.kind, self.version, self.body) == (other.kind, other.version, other.body)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"Section({KIND_NAMES.get(self.kind, self.kind)}, version={self.version}, {len(self.body)} bytes)"
        )


@final
class Command:
    """The attempt that a commit is the effect of. `seen_version` 0 means the sender has seen nothing.

    With an `expected_version` it has an effect at this version of the game only.
    """

    __slots__ = (
        "actor",
        "causation_id",
        "command_id",
        "correlation_id",
        "expected_version",
        "received_at_ms",
        "request_hash",
        "seen_version",
    )

    def __init__(
        self,
        command_id: str,
        request_hash: bytes,
        *,
        actor: str,
        received_at_ms: int,
        seen_version: int = 0,
        expected_version: int = 0,
        causation_id: str = "",
        correlation_id: str = "",
    ) -> None:
        self.command_id = command_id
        self.request_hash = request_hash
        self.actor = actor
        self.received_at_ms = received_at_ms
        self.seen_version = seen_version
        self.expected_version = expected_version
        self.causation_id = causation_id
        self.correlation_id = correlation_id


@final
class ParsedCommit:
    """A verified commit. `sequence` is its place in the stream, 0 while unknown."""

    __slots__ = (
        "actor",
        "causation_id",
        "command_id",
        "correlation_id",
        "data",
        "game_id",
        "hash",
        "key_id",
        "mac",
        "previous_hash",
        "public",
        "received_at_ms",
        "request_hash",
        "secret",
        "sections",
        "sequence",
        "time_ms",
        "version",
    )

    game_id: str
    version: int
    command_id: str
    request_hash: bytes
    actor: str
    causation_id: str
    correlation_id: str
    received_at_ms: int
    time_ms: int
    sections: list[Section]
    public: bytes
    secret: bytes
    previous_hash: bytes
    hash: bytes
    key_id: str
    mac: bytes
    data: bytes
    sequence: int

    def section(self, kind: int) -> Section | None:
        """Return the first section of this kind."""
        for section in self.sections:
            if section.kind == kind:
                return section
        return None

    def secret_sections(self) -> list[Section]:
        """Parse what nobody may see yet; empty if there is nothing."""
        if not self.secret:
            return []
        try:
            part = log_pb2.SecretPart.FromString(self.secret)
        except DecodeError as error:
            raise DataLossError(self.game_id, self.version, "secret bytes are not a secret part") from error
        return [Section(section.kind, section.version, section.body) for section in part.sections]

    def secret_digest(self) -> bytes:
        """Return the digest that stands for the secret part in the chain."""
        return sha256(self.secret).digest() if self.secret else _EMPTY_DIGEST


def chain_hash(previous_hash: bytes, public: bytes, secret: bytes) -> bytes:
    """Return the hash of a commit from its stored bytes."""
    secret_digest = sha256(secret).digest() if secret else _EMPTY_DIGEST
    return sha256(previous_hash + sha256(public).digest() + secret_digest).digest()


def public_chain_hash(previous_hash: bytes, public: bytes, secret_digest: bytes) -> bytes:
    """Return the hash of a commit as a viewer computes it, who has only the digest of the secret."""
    return sha256(previous_hash + sha256(public).digest() + secret_digest).digest()


def build_commit(
    keys: KeyRing,
    game_id: str,
    command: Command,
    sections: Sequence[Section],
    *,
    previous_version: int,
    previous_hash: bytes,
    previous_time_ms: int,
    now_ms: int,
    secret_sections: Sequence[Section] = (),
    salt: bytes | None = None,
) -> ParsedCommit:
    """Build the commit that follows the given one; its stored bytes are in `data`.

    The salt is drawn here unless given (tests and replays give it).
    """
    time_ms = max(previous_time_ms, now_ms)
    public_bytes = _public_bytes(game_id, previous_version + 1, command, time_ms, sections)
    secret_bytes = _secret_bytes(secret_sections, salt) if secret_sections else b""

    commit = log_pb2.Commit()
    commit.public = public_bytes
    commit.secret = secret_bytes
    commit.previous_hash = previous_hash
    commit.hash = commit_hash = chain_hash(previous_hash, public_bytes, secret_bytes)
    commit.key_id = keys.current_id
    commit.mac = keys.sign(commit_hash)

    built = ParsedCommit()
    built.data = commit.SerializeToString()
    built.game_id = game_id
    built.version = previous_version + 1
    built.command_id = command.command_id
    built.request_hash = command.request_hash
    built.actor = command.actor
    built.causation_id = command.causation_id
    built.correlation_id = command.correlation_id
    built.received_at_ms = command.received_at_ms
    built.time_ms = time_ms
    built.sections = list(sections)
    built.public = public_bytes
    built.secret = secret_bytes
    built.previous_hash = previous_hash
    built.hash = commit_hash
    built.key_id = keys.current_id
    built.mac = commit.mac
    built.sequence = 0
    return built


def parse_commit(keys: KeyRing, game_id: str, data: bytes, sequence: int = 0) -> ParsedCommit:
    """Parse and verify stored bytes of this game: hash over the bytes, mac, game id.

    Raises DataLossError, or UnknownKeyError if the ring lacks the key.
    """
    parsed = read_commit(game_id, data, sequence)
    verify_commit(keys, parsed)
    return parsed


def read_commit(game_id: str, data: bytes, sequence: int = 0) -> ParsedCommit:
    """Parse stored bytes without verifying them, for followers that verify only what they act on.

    Raises DataLossError if they are no commit.
    """
    try:
        message = log_pb2.Commit.FromString(data)
        public_bytes = message.public
        public = log_pb2.PublicPart.FromString(public_bytes)
    except DecodeError as error:
        raise DataLossError(game_id, None, f"stored bytes at sequence {sequence} are not a commit") from error
    parsed = ParsedCommit()
    parsed.game_id = public.game_id
    parsed.version = public.version
    reference = public.command
    parsed.command_id = reference.command_id
    parsed.request_hash = reference.request_hash
    parsed.actor = reference.actor
    parsed.causation_id = reference.causation_id
    parsed.correlation_id = reference.correlation_id
    parsed.received_at_ms = public.received_at_ms
    parsed.time_ms = public.time_ms
    parsed.sections = [Section(section.kind, section.version, section.body) for section in public.sections]
    parsed.public = public_bytes
    parsed.secret = message.secret
    parsed.previous_hash = message.previous_hash
    parsed.hash = message.hash
    parsed.key_id = message.key_id
    parsed.mac = message.mac
    parsed.data = data
    parsed.sequence = sequence
    if parsed.game_id != game_id:
        other = f"commit at sequence {sequence} belongs to game {parsed.game_id!r}"
        raise DataLossError(game_id, parsed.version, other)
    return parsed


def verify_commit(keys: KeyRing, commit: ParsedCommit) -> None:
    """Verify the hash over the bytes and the mac over the hash; raises as `parse_commit` does."""
    game_id, version, previous_hash = commit.game_id, commit.version, commit.previous_hash
    if len(previous_hash) != 32 or chain_hash(previous_hash, commit.public, commit.secret) != commit.hash:
        raise DataLossError(game_id, version or None, f"hash at sequence {commit.sequence} does not match")
    key_id = commit.key_id
    if not keys.knows(key_id):
        raise UnknownKeyError(game_id, version, f"log key {key_id!r} is not in this process's key ring")
    if not keys.matches(key_id, commit.hash, commit.mac):
        raise DataLossError(game_id, version, f"mac under key {key_id!r} does not match")


def check_follows(commit: ParsedCommit, version: int, previous_hash: bytes, time_ms: int) -> None:
    """Check that the commit is the very next one: no gap, chain unbroken, time not going back."""
    if commit.version != version + 1:
        raise DataLossError(commit.game_id, version + 1, f"missing; next is version {commit.version}")
    if commit.previous_hash != previous_hash:
        raise DataLossError(
            commit.game_id, commit.version, "chain broken: previous_hash is not the last hash"
        )
    if commit.time_ms < time_ms:
        raise DataLossError(commit.game_id, commit.version, "time goes back")


def require_version(commit: ParsedCommit, section: Section, *known: int) -> None:
    """Refuse a section whose format version the folding service does not know: LogNewerError."""
    if section.version not in known:
        kind = KIND_NAMES.get(section.kind, str(section.kind))
        raise LogNewerError(commit.game_id, commit.version, f"{kind} section of version {section.version}")


def _public_bytes(
    game_id: str, version: int, command: Command, time_ms: int, sections: Sequence[Section]
) -> bytes:
    public = log_pb2.PublicPart()
    public.game_id = game_id
    public.version = version
    reference = public.command
    reference.command_id = command.command_id
    reference.request_hash = command.request_hash
    reference.actor = command.actor
    reference.causation_id = command.causation_id
    reference.correlation_id = command.correlation_id
    public.received_at_ms = command.received_at_ms
    public.time_ms = time_ms
    _add_sections(public.sections, sections)
    return public.SerializeToString()


def _secret_bytes(sections: Sequence[Section], salt: bytes | None) -> bytes:
    secret = log_pb2.SecretPart()
    secret.salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    _add_sections(secret.sections, sections)
    return secret.SerializeToString()


def _add_sections(
    target: RepeatedCompositeFieldContainer[log_pb2.Section], sections: Sequence[Section]
) -> None:
    for section in sections:
        added = target.add()
        added.kind = section.kind  # type: ignore[assignment]  # an int that stays one
        added.version = section.version
        added.body = section.body
