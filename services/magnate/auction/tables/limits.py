"""Every bound of auctions at tables, with the reason for its size."""

from __future__ import annotations

from typing import Final

LABEL_CHARS_MAX: Final = 80  # fits on one line of a phone
SEATS_MAX: Final = 1024  # more than a ledger has accounts; a seat beyond does not bid
AUCTIONS_MAX: Final = 16  # at once at one table
AUCTIONS_EVER_MAX: Final = 10_000  # at one table; the ids of their holds are remembered by the ledger
CLOSE_MS_MIN: Final = 1_000
CLOSE_MS_MAX: Final = 86_400_000  # a day
EXTEND_MS_MIN: Final = 500  # bids that are made for others by themselves come no faster
EXTENSIONS_MAX: Final = 100_000
TICK_MS_MIN: Final = 100  # a Dutch price falls no faster than people can follow
