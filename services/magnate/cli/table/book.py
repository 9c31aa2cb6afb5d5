"""The tables that were opened from this machine, with their tokens: a file that only its owner can read."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Kept(NamedTuple):
    """A table of the book."""

    table_id: str
    join_code: str
    token: str


class BookError(Exception):
    """The book cannot be read or written, or does not have what was looked for."""


def read(path: Path) -> list[Kept]:
    """Return the tables of a book, the one opened last at the end; none if there is no book yet."""
    if not path.exists():
        return []
    try:
        entries = json.loads(path.read_text())
        return [Kept(one["table_id"], one["join_code"], one["token"]) for one in entries]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BookError(f"{path} is not a book of tables: {error}") from None


def add(path: Path, kept: Kept) -> None:
    """Add a table to a book; the file is replaced whole."""
    entries = [one for one in read(path) if one.table_id != kept.table_id]
    text = json.dumps([one._asdict() for one in (*entries, kept)], indent=2) + "\n"
    fresh = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        fresh.replace(path)
    except OSError as error:
        raise BookError(f"{path} cannot be written: {error.strerror}") from None


def find(path: Path, which: str, token: str) -> Kept:
    """Return the table that is meant: by its id or join code, or by how one of them begins.

    With a token of its own, the id has to be whole.
    """
    if token:
        return Kept(which, "", token)
    sought = which.replace("-", "").upper()
    found = [
        one
        for one in read(path)
        if sought
        and (
            one.table_id.replace("-", "").upper().startswith(sought)
            or one.join_code.replace("-", "").startswith(sought)
        )
    ]
    if not found:
        raise BookError(f"no table {which!r} is in {path}; name it by id and give --token")
    if len(found) > 1:
        raise BookError(f"{which!r} may be {', '.join(one.table_id for one in found)}; name it in full")
    return found[0]
