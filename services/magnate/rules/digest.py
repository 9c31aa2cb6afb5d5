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


def sparse(fields: list[tuple[str, Canonical, Canonical]]) -> list[Canonical]:
    """Name and value of the fields that are not at their default (name, value, default), by name.

    So a field that is added later, at its default, leaves every older hash as it was.
    """
    kept = sorted([name for name, value, default in fields if value != default])
    values = {name: value for name, value, _ in fields}
    return [[name, values[name]] for name in kept]
