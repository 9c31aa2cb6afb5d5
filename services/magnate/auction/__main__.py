"""`python -m magnate.auction` runs one process of the auction service."""

from __future__ import annotations

import sys

from magnate.auction.settings import AuctionSettings
from magnate.auction.wiring import wire
from magnate.kit.process import run_service


def main() -> int:
    """Run the auction service until it is told to stop; return the exit code."""
    return run_service(AuctionSettings, wire)


if __name__ == "__main__":
    sys.exit(main())
