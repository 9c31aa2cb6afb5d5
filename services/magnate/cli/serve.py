"""`magnate serve SERVICE`: the same as `python -m magnate.SERVICE`."""

from __future__ import annotations

import importlib
import os

from magnate.cli.output import USAGE, fail
from magnate.cli.stack import SERVICES


def run_service(service: str, *, json_mode: bool) -> None:
    """Run one service in this process until it is told to stop."""
    if service not in SERVICES:
        fail(f"there is no service {service!r}; one of {', '.join(sorted(SERVICES))}", USAGE)
    if json_mode:
        os.environ[f"MAGNATE_{service.upper()}_LOG_FORMAT"] = "json"
    raise SystemExit(importlib.import_module(f"magnate.{service}.__main__").main())
