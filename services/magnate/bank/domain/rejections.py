"""The refusals of the ledger, one name for each precondition, in the order in which they are checked.

An instruction checks only what concerns it, but always in this order, so that of several faults the same one
is always named. What each name means, and its category, is in `magnate.rules.rejections`.
"""

from typing import Final

from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection as NamedRejection

ORDER: Final = (
    names.INVALID_ACCOUNT,
    names.INVALID_HOLD_ID,
    names.INVALID_AMOUNT,
    names.INVALID_REASON,
    names.INVALID_EXPIRY,
    names.UNKNOWN_HOLD,
    names.HOLD_EXISTS,
    names.SAME_ACCOUNT,
    names.UNKNOWN_ACCOUNT,
    names.ACCOUNT_EXISTS,
    names.ACCOUNT_CLOSED,
    names.ACCOUNT_NOT_EMPTY,
    names.TOO_MANY_ACCOUNTS,
    names.TOO_MANY_HOLDS,
    names.HOLD_EXCEEDED,
    names.INSUFFICIENT_FUNDS,
    names.AMOUNT_OVERFLOW,
)
"""All names, in the order in which they are checked."""


class Rejection(NamedRejection):
    """A refusal: a value, not an error. `instruction` counts from 0; `account` may be empty."""

    __slots__ = ("account", "instruction")

    def __init__(self, name: str, detail: str, account: str = "") -> None:
        super().__init__(name, detail)
        self.account = account
        self.instruction = 0
