"""The refusals of the ledger, one name for each precondition, in the order in which they are checked.

An instruction checks only what concerns it, but always in this order, so that of several faults the
same one is always named.
"""

from typing import Final

INVALID_ACCOUNT: Final = "INVALID_ACCOUNT"
"""The name is not one an account can have."""
INVALID_HOLD_ID: Final = "INVALID_HOLD_ID"
"""The hold's id is empty or too long."""
INVALID_AMOUNT: Final = "INVALID_AMOUNT"
"""The amount is not above zero, or does not fit into 64 bits."""
INVALID_REASON: Final = "INVALID_REASON"
"""The reason is empty, too long, or not a plain code."""
INVALID_EXPIRY: Final = "INVALID_EXPIRY"
"""The hold would have lapsed already."""
UNKNOWN_HOLD: Final = "UNKNOWN_HOLD"
"""No hold with this id is open."""
HOLD_EXISTS: Final = "HOLD_EXISTS"
"""A hold with this id is open already."""
SAME_ACCOUNT: Final = "SAME_ACCOUNT"
"""Payer and payee are the same account."""
UNKNOWN_ACCOUNT: Final = "UNKNOWN_ACCOUNT"
"""The ledger has no such account."""
ACCOUNT_EXISTS: Final = "ACCOUNT_EXISTS"
"""The account was opened before."""
ACCOUNT_CLOSED: Final = "ACCOUNT_CLOSED"
"""The account is closed."""
ACCOUNT_NOT_EMPTY: Final = "ACCOUNT_NOT_EMPTY"
"""The account still has money or holds."""
TOO_MANY_ACCOUNTS: Final = "TOO_MANY_ACCOUNTS"
"""The ledger has as many accounts as it may have."""
TOO_MANY_HOLDS: Final = "TOO_MANY_HOLDS"
"""As many holds are open as may be."""
HOLD_EXCEEDED: Final = "HOLD_EXCEEDED"
"""More was to be captured than is held."""
INSUFFICIENT_FUNDS: Final = "INSUFFICIENT_FUNDS"
"""Less is available than is needed."""
AMOUNT_OVERFLOW: Final = "AMOUNT_OVERFLOW"
"""A balance would leave the range of 64 bits."""

ORDER: Final = (
    INVALID_ACCOUNT,
    INVALID_HOLD_ID,
    INVALID_AMOUNT,
    INVALID_REASON,
    INVALID_EXPIRY,
    UNKNOWN_HOLD,
    HOLD_EXISTS,
    SAME_ACCOUNT,
    UNKNOWN_ACCOUNT,
    ACCOUNT_EXISTS,
    ACCOUNT_CLOSED,
    ACCOUNT_NOT_EMPTY,
    TOO_MANY_ACCOUNTS,
    TOO_MANY_HOLDS,
    HOLD_EXCEEDED,
    INSUFFICIENT_FUNDS,
    AMOUNT_OVERFLOW,
)
"""All names, in the order in which they are checked."""


class Rejection:
    """A refusal: a value, not an error. `instruction` counts from 0; `account` may be empty."""

    __slots__ = ("account", "detail", "instruction", "name")

    def __init__(self, name: str, detail: str, account: str = "") -> None:
        self.name = name
        self.detail = detail
        self.account = account
        self.instruction = 0
