"""PINs: hashed with argon2id over a keyed digest, in a thread, because that shall take its time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from magnate.bank.tables.credentials import pin_digest

if TYPE_CHECKING:
    from magnate.bank.tables.state import Card
    from magnate.kit.keys import KeyRing

# 8 MiB and two passes are some 10 ms. What is hashed is a digest that needs the key ring, so the hash is only
# for the case that log and keys are stolen together.
_HASHER: Final = PasswordHasher(time_cost=2, memory_cost=8 * 1024, parallelism=1)


async def hash_pin(keys: KeyRing, table_id: str, card_id: str, pin: str) -> str:
    """Return what is stored of a PIN, made with the current key."""
    digest = pin_digest(keys, keys.current_id, table_id, card_id, pin)
    return await asyncio.to_thread(_HASHER.hash, digest)


async def pin_holds(keys: KeyRing, table_id: str, card: Card, pin: str) -> bool:
    """Say whether this is the card's PIN."""
    digest = pin_digest(keys, card.pin_key_id, table_id, card.card_id, pin)
    return await asyncio.to_thread(_verify, card.pin_hash, digest)


def _verify(pin_hash: str, digest: bytes) -> bool:
    try:
        return _HASHER.verify(pin_hash, digest)
    except (VerificationError, InvalidHashError):
        return False
