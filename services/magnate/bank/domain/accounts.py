"""The chart of accounts: the name of an account says what it is for and whether it may be overdrawn."""

from typing import Final

from magnate.bank.domain.limits import ACCOUNT_NAME_LENGTH_MAX

# The numbers are stored (AccountKind in bank.proto has the same ones): add, never renumber.
KIND_INVALID: Final = 0
"""Not the name of an account."""
KIND_BANK: Final = 1
"""The bank of the game, the source of all money: may be below zero."""
KIND_SEAT: Final = 2
"""A player: never below zero."""
KIND_POT: Final = 3
"""Money on the board: never below zero."""
KIND_ESCROW: Final = 4
"""Money that waits for its owner: never below zero."""

BANK: Final = "bank"
"""The name of the only account that may be below zero."""


def seat_account(seat: int) -> str:
    """Return the account of a seat, counted from 0."""
    return f"seat-{seat}"


def kind_of(name: str) -> int:
    """Return the kind that an account of this name has; KIND_INVALID when it is no name of an account.

    Names are `bank`, `seat-<number without leading zeros>`, `pot-<word>` and `escrow-<word>`, where a word is
    made of lower case letters, digits and `-`.
    """
    if name == BANK:
        return KIND_BANK
    if len(name) > ACCOUNT_NAME_LENGTH_MAX or not name.isascii():
        return KIND_INVALID
    prefix, _, rest = name.partition("-")
    if not rest:
        return KIND_INVALID
    if prefix == "seat":
        return KIND_SEAT if rest.isdigit() and (rest == "0" or rest[0] != "0") else KIND_INVALID
    if prefix in {"pot", "escrow"}:
        plain = rest.replace("-", "")
        if plain.isalnum() and rest == rest.lower():
            return KIND_POT if prefix == "pot" else KIND_ESCROW
    return KIND_INVALID
