"""What a process logs, into a text; afterwards it logs as it did before, and so does the standard library."""

from __future__ import annotations

import io
import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

import structlog

from magnate.kit.observe.logging import configure

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def logged(style: str = "json", stream: io.StringIO | None = None, **same: object) -> Iterator[io.StringIO]:
    """Log into a text while the block runs."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    out = io.StringIO() if stream is None else stream
    configure("info", style, out, cache=False, **same)
    try:
        yield out
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()
