"""The game service as a process: `python -m magnate.game`."""

import sys

from magnate.game.settings import GameSettings
from magnate.game.wiring import wire
from magnate.kit.process import run_service


def main() -> int:
    """Run the game service until it is told to stop; return the exit code."""
    return run_service(GameSettings, wire)


if __name__ == "__main__":
    sys.exit(main())
