"""The bank as a process: `python -m magnate.bank`."""

import sys

from magnate.bank.settings import BankSettings
from magnate.bank.wiring import wire
from magnate.kit.process import run_service


def main() -> int:
    """Run the bank until it is told to stop; return the exit code."""
    return run_service(BankSettings, wire)


if __name__ == "__main__":
    sys.exit(main())
