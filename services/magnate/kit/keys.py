"""The key ring: which secret signs now, and which older ones are still believed.

It signs seat tokens, peer tokens and the hashes of commits. Written `k2:<hex>,k1:<hex>`: the first is
current, the others only verify, so a key is rotated by putting a new one in front. A secret never shows in
`repr`, logs or errors.
"""

from __future__ import annotations

import hmac
import secrets
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY_BYTES_MIN: Final = 16
KEY_ID_MAX: Final = 32


class KeyRing:
    """Signs with the current key and verifies with any key it holds. Immutable."""

    __slots__ = ("_current", "_keys", "current_id")

    def __init__(self, current_id: str, keys: Mapping[str, bytes]) -> None:
        for key_id, key in keys.items():
            if not 0 < len(key_id) <= KEY_ID_MAX or not key_id.isascii() or "|" in key_id:
                raise ValueError(f"key id {key_id!r} is not 1 to {KEY_ID_MAX} ASCII characters without |")
            if len(key) < KEY_BYTES_MIN:
                raise ValueError(f"key {key_id!r} has {len(key)} bytes, not {KEY_BYTES_MIN} or more")
        if current_id not in keys:
            raise ValueError(f"current key {current_id!r} is not among the keys {sorted(keys)}")
        self.current_id = current_id
        self._keys = dict(keys)
        self._current = self._keys[current_id]

    def __repr__(self) -> str:
        return f"KeyRing(current_id={self.current_id!r}, ids={sorted(self._keys)})"

    def sign(self, message: bytes) -> bytes:
        """Return the mac of the message under the current key: HMAC-SHA256, 32 bytes."""
        return hmac.digest(self._current, message, "sha256")

    @property
    def ids(self) -> tuple[str, ...]:
        """Return the ids of all keys, the order in which they were given."""
        return tuple(self._keys)

    def mac(self, key_id: str, message: bytes) -> bytes:
        """Return the mac of the message under any key of the ring; KeyError if the ring lacks it."""
        return hmac.digest(self._keys[key_id], message, "sha256")

    def knows(self, key_id: str) -> bool:
        """Say whether what was signed with this key can be verified."""
        return key_id in self._keys

    def matches(self, key_id: str, message: bytes, mac: bytes) -> bool:
        """Say whether this is the mac of the message; KeyError if the ring lacks the key."""
        return hmac.compare_digest(hmac.digest(self._keys[key_id], message, "sha256"), mac)

    @classmethod
    def parse(cls, text: str) -> KeyRing:
        """Read `id:hex,id:hex`; the first is current.

        Raises:
            ValueError: says which key is wrong and how, never what it was.
        """
        found: dict[str, bytes] = {}
        for number, part in enumerate(text.split(","), start=1):
            key_id, colon, digits = part.strip().partition(":")
            if not colon:
                raise ValueError(f"key number {number} is not of the form id:hex")
            if key_id in found:
                raise ValueError(f"key number {number} has the id {key_id!r} of an earlier one")
            try:
                found[key_id] = bytes.fromhex(digits)
            except ValueError:
                raise ValueError(f"key number {number} ({key_id!r}) is not hexadecimal") from None
        return cls(next(iter(found)), found)

    @staticmethod
    def generate(key_id: str = "k1") -> str:
        """Return a fresh ring of one key, as text for a settings variable or a file."""
        return f"{key_id}:{secrets.token_hex(32)}"
