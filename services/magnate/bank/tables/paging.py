"""Tokens of pages of a history: newest first, so a page goes on before the last operation that was shown."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error

from magnate.kit.errors import InvalidArgumentError


def write_page_token(version: int) -> str:
    """Return the token of the page with what was before this version."""
    return urlsafe_b64encode(f"before.{version}".encode()).decode().rstrip("=")


def read_page_token(token: str) -> int:
    """Return the version before which the page begins, 0 for the first page."""
    if not token:
        return 0
    try:
        word, version = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode().split(".")
        before = int(version)
    except (ValueError, Base64Error):
        before, word = 0, ""
    if word != "before" or before < 1 or write_page_token(before) != token:
        raise InvalidArgumentError("page_token", "was not issued by this service")
    return before
