"""`python -m magnate.timer` runs one process of the timer service."""

from __future__ import annotations

import sys

from magnate.kit.process import run_service
from magnate.timer.settings import TimerSettings
from magnate.timer.wiring import wire


def main() -> int:
    """Run the timer until it is told to stop; return the exit code."""
    return run_service(TimerSettings, wire)


if __name__ == "__main__":
    sys.exit(main())
