"""`python -m tests.support.skewed SERVICE FILE` runs a service on a machine whose wall clock is wrong.

The file says by how many milliseconds, and may be written while the service runs: that is a step.
"""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path


def main() -> int:
    """Put the wrong clock in the place of the right one, then run the service as ever."""
    service, path = sys.argv[1], Path(sys.argv[2])
    right = time.time_ns
    time.time_ns = lambda: right() + int(path.read_text(encoding="utf-8") or 0) * 1_000_000
    found: int = import_module(f"magnate.{service}.__main__").main()
    return found


if __name__ == "__main__":
    sys.exit(main())
