"""`python -m magnate.gateway` runs one process of the gateway."""

from __future__ import annotations

import sys

from magnate.gateway.settings import GatewaySettings
from magnate.gateway.wiring import wire
from magnate.kit.process import run_service


def main() -> int:
    """Run the gateway until it is told to stop; return the exit code."""
    return run_service(GatewaySettings, wire)


if __name__ == "__main__":
    sys.exit(main())
