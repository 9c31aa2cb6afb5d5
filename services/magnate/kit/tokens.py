"""Bearer tokens: who a caller is, signed by a key of the ring.

A seat token is `v1.<payload>.<mac>`: payload = `game_id|seat|key_id`, mac = HMAC-SHA256 over the text
`v1.<payload>`, both in base64url without padding. A table token, for tables that only the bank keeps, is the
same with `t1` and `table_id|role|seat|key_id`; a peer token, by which our own services know each other, with
`p1` and `service|key_id`. The prefix is signed too, so no kind passes as another.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Final

from magnate.kit.errors import UnauthenticatedError
from magnate.kit.limits import TOKEN_CHARS_MAX

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing

_SEAT: Final = "v1"
PEER_PREFIX: Final = "p1."
_PEER: Final = "p1"
TABLE_PREFIX: Final = "t1."
_TABLE: Final = "t1"
TABLE_ROLES: Final = frozenset({"banker", "card", "guest"})
"""Who may be at a table that only the bank keeps; a card belongs to a seat."""
NO_SEAT: Final = -1
_MAC_BYTES: Final = 32


class SeatToken:
    """What a verified seat token says."""

    __slots__ = ("game_id", "key_id", "seat")

    def __init__(self, game_id: str, seat: int, key_id: str) -> None:
        self.game_id = game_id
        self.seat = seat
        self.key_id = key_id

    def __repr__(self) -> str:
        return f"SeatToken({self.game_id!r}, seat={self.seat}, key_id={self.key_id!r})"


class TableToken:
    """What a verified table token says; `seat` is NO_SEAT but for a card."""

    __slots__ = ("key_id", "role", "seat", "table_id")

    def __init__(self, table_id: str, role: str, seat: int, key_id: str) -> None:
        self.table_id = table_id
        self.role = role
        self.seat = seat
        self.key_id = key_id

    def __repr__(self) -> str:
        return f"TableToken({self.table_id!r}, {self.role}, seat={self.seat}, key_id={self.key_id!r})"


def mint_seat(keys: KeyRing, game_id: str, seat: int) -> str:
    """Return the token that acts for one seat of one game, signed by the current key."""
    if "|" in game_id or not game_id or seat < 0:
        raise ValueError(f"no token for game {game_id!r}, seat {seat}")
    return _mint(keys, _SEAT, f"{game_id}|{seat}|{keys.current_id}")


def mint_table(keys: KeyRing, table_id: str, role: str, seat: int = NO_SEAT) -> str:
    """Return the token of a role at a table; a card's names the seat it belongs to, no other does."""
    if "|" in table_id or not table_id or role not in TABLE_ROLES or (role == "card") != (seat >= 0):
        raise ValueError(f"no token for table {table_id!r}, role {role!r}, seat {seat}")
    return _mint(keys, _TABLE, f"{table_id}|{role}|{seat}|{keys.current_id}")


def mint_peer(keys: KeyRing, service: str) -> str:
    """Return the token by which a service of ours shows itself to another, signed by the current key."""
    if "|" in service or not service:
        raise ValueError(f"no token for service {service!r}")
    return _mint(keys, _PEER, f"{service}|{keys.current_id}")


def verify_seat(keys: KeyRing, token: str) -> SeatToken:
    """Return what a seat token says.

    Raises:
        UnauthenticatedError: reason TOKEN_MALFORMED (it cannot be read) or TOKEN_INVALID (not signed by us).
    """
    fields = _verify(keys, _SEAT, token)
    if len(fields) != 3 or not fields[1].isdecimal():
        raise UnauthenticatedError("the token's payload is not a seat's", reason="TOKEN_MALFORMED")
    return SeatToken(fields[0], int(fields[1]), fields[2])


def game_named_in(token: str) -> str:
    """Return the game that a seat token says it is for, without a key: nothing is proved by it.

    Raises:
        UnauthenticatedError: reason TOKEN_MALFORMED.
    """
    return _decode(token.split(".")[1]).decode("utf-8", "replace").split("|")[0]


def verify_table(keys: KeyRing, token: str) -> TableToken:
    """Return what a table token says; raises like `verify_seat`."""
    fields = _verify(keys, _TABLE, token)
    if len(fields) == 4 and fields[1] in TABLE_ROLES:
        table_id, role, seat, key_id = fields
        if role == "card" and seat.isdecimal():
            return TableToken(table_id, role, int(seat), key_id)
        if role != "card" and seat == str(NO_SEAT):
            return TableToken(table_id, role, NO_SEAT, key_id)
    raise UnauthenticatedError("the token's payload is not a table's", reason="TOKEN_MALFORMED")


def verify_peer(keys: KeyRing, token: str) -> str:
    """Return the name of the service a peer token was minted for; raises like `verify_seat`."""
    fields = _verify(keys, _PEER, token)
    if len(fields) != 2:
        raise UnauthenticatedError("the token's payload is not a service's", reason="TOKEN_MALFORMED")
    return fields[0]


def _mint(keys: KeyRing, prefix: str, payload: str) -> str:
    signed = f"{prefix}.{_encode(payload.encode())}"
    return f"{signed}.{_encode(keys.sign(signed.encode()))}"


def _verify(keys: KeyRing, prefix: str, token: str) -> list[str]:
    """Return the payload's fields; the last is always the key id. Compares macs in constant time."""
    if len(token) > TOKEN_CHARS_MAX or not token.isascii():
        raise UnauthenticatedError(
            f"the token is not ASCII of at most {TOKEN_CHARS_MAX} characters", reason="TOKEN_MALFORMED"
        )
    parts = token.split(".")
    if len(parts) != 3 or parts[0] != prefix:
        raise UnauthenticatedError(
            f"the token is not of the form {prefix}.payload.signature", reason="TOKEN_MALFORMED"
        )
    payload, mac = _decode(parts[1]), _decode(parts[2])
    fields = payload.decode("utf-8", "replace").split("|")
    signed = f"{prefix}.{parts[1]}".encode()
    # A key that is not in the ring and a wrong mac answer alike.
    if len(mac) != _MAC_BYTES or not keys.knows(fields[-1]) or not keys.matches(fields[-1], signed, mac):
        raise UnauthenticatedError("the token was not signed by a key of this server", reason="TOKEN_INVALID")
    return fields


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decode(text: str) -> bytes:
    """Decode base64url without padding; strictly, so that one token has one spelling."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise UnauthenticatedError("the token is not base64url", reason="TOKEN_MALFORMED") from None
    if _encode(data) != text:
        raise UnauthenticatedError("the token is not base64url", reason="TOKEN_MALFORMED")
    return data
