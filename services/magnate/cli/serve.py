"""`magnate serve SERVICE`: the same as `python -m magnate.SERVICE`."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING

from magnate.cli.output import USAGE, fail
from magnate.cli.stack import GATEWAY, SERVICES

if TYPE_CHECKING:
    from pathlib import Path


def run_service(service: str, rules: Path | None = None, *, json_mode: bool) -> None:
    """Run one service in this process until it is told to stop."""
    known = (*SERVICES, GATEWAY)
    if service not in known:
        fail(f"there is no service {service!r}; one of {', '.join(sorted(known))}", USAGE)
    if rules is not None:
        if service != "game":
            fail(f"--rules is for the game service; {service} needs no rules", USAGE)
        os.environ["MAGNATE_GAME_RULES"] = str(rules)
    if json_mode:
        os.environ[f"MAGNATE_{service.upper()}_LOG_FORMAT"] = "json"
    raise SystemExit(importlib.import_module(f"magnate.{service}.__main__").main())
