"""What a mac of the key ring covers besides commits: heads and snapshots, each bound to its purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing


def seal(keys: KeyRing, purpose: str, body: bytes) -> bytes:
    """Return the body with a mac that holds for this purpose only."""
    sealed = log_pb2.Sealed()
    sealed.body = body
    sealed.key_id = keys.current_id
    sealed.mac = keys.sign(_bound(purpose, body))
    return sealed.SerializeToString()


def unseal(keys: KeyRing, purpose: str, data: bytes) -> bytes | None:
    """Return the body, or None if anything about the bytes is odd."""
    try:
        sealed = log_pb2.Sealed.FromString(data)
    except DecodeError:
        return None
    if not keys.knows(sealed.key_id):
        return None
    if not keys.matches(sealed.key_id, _bound(purpose, sealed.body), sealed.mac):
        return None
    return sealed.body


def _bound(purpose: str, body: bytes) -> bytes:
    # A commit's mac is over exactly 32 bytes; the prefix keeps these apart from it and from each other.
    return f"magnate/{purpose}/1".encode() + b"\0" + body
