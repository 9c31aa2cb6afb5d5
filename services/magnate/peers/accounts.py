"""Names of accounts and reasons in the bank, and the ints by which the rules know them."""

from __future__ import annotations

from typing import Final

from magnate.rules.decision import BANK, POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.vocabulary import TRANSFER_REASON_NAMES

SEATS_MAX: Final = 8
BANK_ACCOUNT: Final = "bank"

ACCOUNT_NAMES: Final[dict[int, str]] = {
    BANK: BANK_ACCOUNT,
    POT_PARKING: "pot-parking",
    POT_JACKPOT: "pot-jackpot",
    POT_CHARITY: "pot-charity",
    **{seat: f"seat-{seat}" for seat in range(SEATS_MAX)},
}
ACCOUNTS: Final[dict[str, int]] = {name: account for account, name in ACCOUNT_NAMES.items()}

REASONS: Final[list[str]] = [name.removeprefix("TRANSFER_REASON_").lower() for name in TRANSFER_REASON_NAMES]


def seat_account(seat: int) -> str:
    """Return the name of a seat's account; a table of the bank may have more seats than a game."""
    return ACCOUNT_NAMES.get(seat) or f"seat-{seat}"
