"""Snapshots: a service's folded state of a game at one commit. A cache; anything odd about one drops it."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from google.protobuf.message import DecodeError

from magnate.kit.log.keys import seal, unseal
from magnate.kit.log.window import Remembered, Window
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing

_PURPOSE = "snapshot"


@final
class Snapshot:
    """The state's bytes and the commit they stand after."""

    __slots__ = ("game_id", "hash", "ledger_version", "sequence", "state", "time_ms", "version", "window")

    def __init__(
        self,
        game_id: str,
        version: int,
        sequence: int,
        commit_hash: bytes,
        *,
        time_ms: int,
        ledger_version: int,
        window: Window,
        state: bytes,
    ) -> None:
        self.game_id = game_id
        self.version = version
        self.sequence = sequence
        self.hash = commit_hash
        self.time_ms = time_ms
        self.ledger_version = ledger_version
        self.window = window
        self.state = state


def encode_snapshot(keys: KeyRing, schema_hash: bytes, snapshot: Snapshot) -> bytes:
    """Return the bytes of a snapshot, with their mac."""
    message = log_pb2.Snapshot()
    message.game_id = snapshot.game_id
    message.schema_hash = schema_hash
    message.version = snapshot.version
    message.sequence = snapshot.sequence
    message.hash = snapshot.hash
    message.time_ms = snapshot.time_ms
    message.ledger_version = snapshot.ledger_version
    window = snapshot.window
    for command_id, remembered in window.entries.items():
        _fill(message.window.add(), command_id, remembered)
    if window.created is not None:
        _fill(message.created, window.created_id, window.created)
    message.state = snapshot.state
    return seal(keys, _PURPOSE, message.SerializeToString())


def decode_snapshot(keys: KeyRing, schema_hash: bytes, game_id: str, data: bytes) -> Snapshot | None:
    """Return the snapshot, or None if it is odd, of another schema or of another game."""
    body = unseal(keys, _PURPOSE, data)
    if body is None:
        return None
    try:
        message = log_pb2.Snapshot.FromString(body)
    except DecodeError:
        return None
    if message.game_id != game_id or message.schema_hash != schema_hash:
        return None
    window = Window()
    for entry in message.window:
        window.entries[entry.command_id] = Remembered(entry.request_hash, entry.version, entry.sequence)
    created = message.created
    if created.version:
        window.created_id = created.command_id
        window.created = Remembered(created.request_hash, created.version, created.sequence)
    return Snapshot(
        game_id,
        message.version,
        message.sequence,
        message.hash,
        time_ms=message.time_ms,
        ledger_version=message.ledger_version,
        window=window,
        state=message.state,
    )


def _fill(entry: log_pb2.WindowEntry, command_id: str, remembered: Remembered) -> None:
    entry.command_id = command_id
    entry.request_hash = remembered.request_hash
    entry.version = remembered.version
    entry.sequence = remembered.sequence
