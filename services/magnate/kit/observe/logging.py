"""Logs: one JSON object a line, unless somebody watches at a terminal; never a secret.

What a request is about (`game_id`, `command_id`, …) is bound once, by `bind`, and then stands on every line
that is written on its behalf, including the one canonical line of the request.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, TextIO

import structlog

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor, WrappedLogger

REDACTED: Final = "[redacted]"

_SECRET_NAMES: Final = frozenset(
    {"authorization", "key", "keys", "key_ring", "mac", "password", "pin", "salt", "secret", "seed", "token"}
)
_SECRET_TEXT: Final = re.compile(
    r"\b[vp]1\.[\w-]{8,}\.[\w-]{20,}"  # our tokens
    r"|\b[Bb]earer\s+\S+"
    r"|\b[\w-]{1,32}:[0-9a-f]{32,}"  # a key of a ring
)
_SHORTEST_SECRET: Final = 20  # characters; shorter texts are not searched

# Made once: `json.dumps` with options makes an encoder per call.
_encode: Final = json.JSONEncoder(default=str, ensure_ascii=False, separators=(",", ":")).encode

_fields: ContextVar[dict[str, object] | None] = ContextVar("magnate_log_fields", default=None)


def bind(**fields: object) -> None:
    """Put these fields on every further line of the current request (or task)."""
    bound = _fields.get()
    if bound is None:
        _fields.set(dict(fields))
    else:
        bound.update(fields)


def begin() -> dict[str, object]:
    """Start a fresh set of fields for a request and return it."""
    fresh: dict[str, object] = {}
    _fields.set(fresh)
    return fresh


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Replace what is secret by its name or looks like one of our tokens or keys."""
    for name, value in event.items():
        kind = type(value)
        if kind is int or kind is float or (kind is str and len(value) < _SHORTEST_SECRET):
            if name in _SECRET_NAMES:
                event[name] = REDACTED
        else:
            event[name] = _clean(name, value)
    return event


def _clean(name: str, value: object) -> object:
    """Return a value as it may be written under this name."""
    if name in _SECRET_NAMES:
        return REDACTED
    if isinstance(value, str):
        return _SECRET_TEXT.sub(REDACTED, value) if len(value) >= _SHORTEST_SECRET else value
    if isinstance(value, dict):
        return {key: _clean(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clean("", item) for item in value]
    if isinstance(value, bytes | bytearray):
        return f"{len(value)} bytes"
    if value is None or isinstance(value, bool | int | float):
        return value
    return _SECRET_TEXT.sub(REDACTED, str(value))


def _merge(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    bound = _fields.get()
    if bound:
        for name, value in bound.items():
            event.setdefault(name, value)
    return event


def _render(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
    return _encode(event)


class _Same:
    """Adds the fields that stand on every line of a process, for example its service."""

    def __init__(self, same: dict[str, object]) -> None:
        self._same = same

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        for name, value in self._same.items():
            event.setdefault(name, value)
        return event


def configure(
    level: str = "info",
    style: str = "auto",
    stream: TextIO | None = None,
    *,
    cache: bool = True,
    **same: object,
) -> None:
    """Set up logging for this process, the standard library's included.

    Args:
        level: debug, info, warning or error; what is below costs nothing.
        style: `json`, `console`, or `auto`: console at a terminal.
        stream: where lines go; stderr by default.
        cache: bind loggers on first use; off in tests, which configure again and again.
        same: fields of every line, for example `service="bank"`.
    """
    out = sys.stderr if stream is None else stream
    at_terminal = style == "console" or (style == "auto" and out.isatty())
    threshold = getattr(logging, level.upper())
    shared: list[Processor] = [
        _merge,
        _Same(same),
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: list[Processor]
    if at_terminal:
        last = [redact, structlog.dev.ConsoleRenderer(colors=out.isatty())]
    else:
        last = [structlog.processors.format_exc_info, redact, _render]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=cache,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *last],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(threshold, logging.INFO))
