"""What proves things at a table: cards' secrets, join codes, PINs. All derived from the key ring.

A secret is a mac over the table and the card, so nothing secret is stored, and a repeated `OpenTable` gives
the same secrets again. Which key made them is stored with the card, so they hold
when the ring has a newer one.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final

from magnate.kit.ids import request_hash

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: nothing in it is mistaken for anything else."""

CODE_CHARS: Final = 8
SECRET_CHARS: Final = 26
ALIAS_DIGITS: Final = 32
_ALIKE: Final = str.maketrans({"O": "0", "I": "1", "L": "1", "-": None, " ": None})


def card_id_of(table_id: str, seat: int) -> str:
    """Return the id of a seat's card: not secret, and no other table's card has it."""
    return _base32(hashlib.sha256(f"card|{table_id}|{seat}".encode()).digest(), CODE_CHARS)


def card_secret(keys: KeyRing, key_id: str, table_id: str, card_id: str) -> str:
    """Return the secret of a card."""
    return _base32(keys.mac(key_id, _bound("card", table_id, card_id)), SECRET_CHARS)


def secret_digest(keys: KeyRing, key_id: str, table_id: str, secret: str) -> bytes:
    """Return what is stored of a secret."""
    key = keys.mac(key_id, _bound("card-digest", table_id))
    return hashlib.blake2b(plain(secret).encode(), key=key, digest_size=16).digest()


def secret_holds(keys: KeyRing, key_id: str, table_id: str, secret: str, digest: bytes) -> bool:
    """Say whether this is the secret; in a time that tells nothing about it."""
    return hmac.compare_digest(secret_digest(keys, key_id, table_id, secret), digest)


def join_code(keys: KeyRing, key_id: str, table_id: str) -> str:
    """Return a table's join code, `ABCD-EFGH`."""
    code = _base32(keys.mac(key_id, _bound("join", table_id)), CODE_CHARS)
    return f"{code[:4]}-{code[4:]}"


def join_alias(keys: KeyRing, key_id: str, code: str) -> str:
    """Return under which name the table of a code is found; the log's cache does not tell the code."""
    return f"join-{keys.mac(key_id, _bound('join-alias', code)).hex()[:ALIAS_DIGITS]}"


def read_join_code(text: str) -> str:
    """Return a code that somebody typed as it is written, or an empty text if it can be none."""
    code = plain(text)
    if len(code) != CODE_CHARS or any(char not in ALPHABET for char in code):
        return ""
    return f"{code[:4]}-{code[4:]}"


def plain(text: str) -> str:
    """Return base 32 as people may write it in one spelling."""
    return text.upper().translate(_ALIKE)


def pin_digest(keys: KeyRing, key_id: str, table_id: str, card_id: str, pin: str) -> bytes:
    """Return what is hashed of a PIN: without the key ring, ten thousand PINs cannot be tried."""
    return keys.mac(key_id, _bound("pin", table_id, card_id, pin))


def veiled(keys: KeyRing, key_id: str, table_id: str, *secrets: str) -> bytes:
    """Return what stands for secrets in the stored hash of a request, from which nobody can guess them."""
    return keys.mac(key_id, _bound("request", table_id, *secrets))


def _bound(purpose: str, *parts: str) -> bytes:
    # A commit's mac is over exactly 32 bytes; the prefix keeps these apart from it and from each other.
    return f"magnate/{purpose}/1".encode() + b"\0" + request_hash(*(part.encode() for part in parts))


def _base32(data: bytes, chars: int) -> str:
    """Return the first characters of the data in base 32, five bits each."""
    number = int.from_bytes(data, "big")
    bits = len(data) * 8
    return "".join(ALPHABET[number >> (bits - 5 * place) & 31] for place in range(1, chars + 1))
