"""The content hash of data that a game carries with it, so that equal data is known to be equal."""

import hashlib
import json
from typing import TypeAlias

Canonical: TypeAlias = "int | str | list[Canonical]"
"""Nested lists of whole numbers and texts: one writing for each value, so a hash over it is stable."""


def content_hash(kind: str, value: list[Canonical]) -> str:
    """SHA-256 in hex over the kind and the value, written as JSON without spaces in UTF-8."""
    text = json.dumps([kind, value], ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
