"""Who runs a server: operators, known by tokens of which the server keeps only digests.

A token is `o1.<name>.<secret>`; the setting `operators` has `name:<SHA-256 of the secret, in hex>` for each.
So what a process is configured with lets nobody in, and one operator goes by taking out one entry.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final

from magnate.kit.errors import UnauthenticatedError
from magnate.kit.limits import TOKEN_CHARS_MAX

OPERATOR_PREFIX: Final = "o1."
SECRET_BYTES: Final = 32
_NAME: Final = re.compile(r"[a-z0-9-]{1,32}")
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_NOBODY: Final = "0" * 64


class Operators:
    """The operators of a server, by name. Immutable."""

    __slots__ = ("_digests",)

    def __init__(self, digests: dict[str, str] | None = None) -> None:
        self._digests = dict(digests or {})

    def __repr__(self) -> str:
        return f"Operators({sorted(self._digests)})"

    def __len__(self) -> int:
        return len(self._digests)

    def verify(self, token: str) -> str:
        """Return the name of the operator who shows this token.

        Raises:
            UnauthenticatedError: reason TOKEN_MALFORMED (it cannot be read) or TOKEN_INVALID (not ours).
        """
        parts = token.split(".")
        if len(token) > TOKEN_CHARS_MAX or not token.isascii() or len(parts) != 3:
            raise UnauthenticatedError(
                "the token is not of the form o1.name.secret", reason="TOKEN_MALFORMED"
            )
        _, name, secret = parts
        digest = hashlib.sha256(secret.encode()).hexdigest()
        # A name that is not there and a wrong secret take as long and answer alike.
        if not hmac.compare_digest(digest, self._digests.get(name, _NOBODY)):
            raise UnauthenticatedError("the token is none of an operator here", reason="TOKEN_INVALID")
        return name

    @classmethod
    def parse(cls, text: str) -> Operators:
        """Read `name:digest,name:digest`.

        Raises:
            ValueError: says which entry is wrong and how.
        """
        found: dict[str, str] = {}
        for number, part in enumerate(text.split(","), start=1):
            name, _, digest = part.strip().partition(":")
            if _NAME.fullmatch(name) is None:
                raise ValueError(f"operator number {number} needs a name of 1 to 32 of a-z, 0-9 and -")
            if _DIGEST.fullmatch(digest) is None:
                raise ValueError(f"operator number {number} ({name}) needs 64 lower-case hex digits")
            if name in found:
                raise ValueError(f"operator number {number} has the name {name} of an earlier one")
            found[name] = digest
        return cls(found)


def mint_operator(name: str) -> tuple[str, str]:
    """Return a fresh token for an operator, and the entry by which a server knows it.

    Raises:
        ValueError: the name has other characters than a-z, 0-9 and -, or too many.
    """
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"an operator's name has 1 to 32 of a-z, 0-9 and -, unlike {name!r}")
    secret = secrets.token_hex(SECRET_BYTES)
    return f"{OPERATOR_PREFIX}{name}.{secret}", f"{name}:{hashlib.sha256(secret.encode()).hexdigest()}"
