"""Pages of statements: what they are filtered by, and the tokens by which one reads on."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from magnate.bank.domain.accounts import KIND_INVALID, kind_of
from magnate.bank.domain.entries import bad_reason
from magnate.kit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from magnate.bank.domain.statement import Filter, Line

DIGEST_BYTES: Final = 9


def check_account(account: str, field: str = "account") -> None:
    """Raise InvalidArgumentError unless it is empty or the name of an account."""
    if account and kind_of(account) == KIND_INVALID:
        raise InvalidArgumentError(field, f"{account!r} is not bank, seat-<n>, pot-<name> or escrow-<name>")


def check_reason(reason: str) -> None:
    """Raise InvalidArgumentError unless it is empty or what a reason can be."""
    bad = bad_reason(reason) if reason else None
    if bad is not None:
        raise InvalidArgumentError("reason", bad.detail)


def write_token(version: int, last: Line, wanted: Filter) -> str:
    """Return the token of the page after `last`."""
    text = f"{version}.{last.version}.{last.index}.{digest(wanted)}"
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_token(token: str, wanted: Filter) -> tuple[int, int, int]:
    """Return the statement's version and the last record seen; InvalidArgumentError if it is not ours."""
    try:
        text = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
        version, at, index, of = text.split(".")
        found = (int(version), int(at), int(index))
    except (ValueError, Base64Error) as error:
        raise InvalidArgumentError("page_token", "was not issued by this service") from error
    if of != digest(wanted) or not 0 < found[1] <= found[0] or found[2] < 0:
        raise InvalidArgumentError("page_token", "belongs to another statement")
    return found


def digest(wanted: Filter) -> str:
    """Return what stands for a filter in a token: the next page must be of the same statement."""
    text = f"{wanted.account}|{wanted.counterparty}|{wanted.reason}"
    return blake2b(text.encode(), digest_size=DIGEST_BYTES).hexdigest()
