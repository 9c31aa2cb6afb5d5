"""What every command prints: lines for people, or one JSON object; and the exit codes.

0 it worked; 1 a check failed (a scenario, a verification); 2 bad input; 3 a server was not reachable or a
process did not start; 130 interrupted.
"""

from __future__ import annotations

import codecs
import io
import json
import sys
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
UNREACHABLE: Final = 3


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Return letters as escapes."""
    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def print_any_letter() -> None:
    """Print letters that the locale does not have as escapes, which JSON reads, too: names have any."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error("magnate.escaped", _escaped)
        sys.stdout.reconfigure(errors="magnate.escaped")


def say(text: str, *, json_mode: bool = False) -> None:
    """Print a line for people; to stderr where stdout carries JSON."""
    print(text, file=sys.stderr if json_mode else sys.stdout, flush=True)


def result(values: Mapping[str, object], *, json_mode: bool) -> None:
    """Print the outcome: one JSON object as the last line, or `name  value` lines."""
    if json_mode:
        print(json.dumps(dict(values), ensure_ascii=False), flush=True)
        return
    width = max(len(name) for name in values)
    for name, value in values.items():
        print(f"  {name:<{width}}  {value}", flush=True)


def fail(message: str, code: int) -> NoReturn:
    """Print what is wrong and exit."""
    print(f"magnate: {message}", file=sys.stderr, flush=True)
    raise SystemExit(code)
