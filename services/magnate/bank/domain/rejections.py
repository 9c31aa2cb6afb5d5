"""The refusals of the ledger, one name for each precondition, in the order in which they are checked.

An instruction checks only what concerns it, but always in this order, so that of several faults the same one
is always named. What each name means, and its category, is in `magnate.rules.rejections`.
"""

from typing import Final

from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection as NamedRejection

ORDER: Final = (
    names.INVALID_CURRENCY,
    names.INVALID_ACCOUNT,
    names.INVALID_TRANSFER_ID,
    names.INVALID_HOLD_ID,
    names.INVALID_AMOUNT,
    names.INVALID_REASON,
    names.INVALID_NOTE,
    names.INVALID_EXPIRY,
    names.LEDGER_EXISTS,
    names.TRANSFER_ID_REUSED,
    names.UNKNOWN_TRANSFER,
    names.NOT_REVERSIBLE,
    names.ALREADY_REVERSED,
    names.UNKNOWN_HOLD,
    names.HOLD_CONCEALED,
    names.HOLD_EXISTS,
    names.SAME_ACCOUNT,
    names.UNKNOWN_ACCOUNT,
    names.ACCOUNT_EXISTS,
    names.ACCOUNT_CLOSED,
    names.ACCOUNT_NOT_EMPTY,
    names.TOO_MANY_ACCOUNTS,
    names.TOO_MANY_TRANSFERS,
    names.TOO_MANY_HOLDS,
    names.HOLD_EXCEEDED,
    names.NOTHING_TO_MOVE,
    names.INSUFFICIENT_FUNDS,
    names.AMOUNT_OVERFLOW,
)
"""All names, in the order in which they are checked."""

CHAIN: Final = (names.LINKED_CHAIN_OPEN, names.LINKED_REFUSED)
"""What a linked instruction of a batch may be refused with besides."""


class Rejection(NamedRejection):
    """A refusal: a value, not an error. `instruction` counts from 0; `account` may be empty."""

    __slots__ = ("account", "instruction")

    def __init__(self, name: str, detail: str, account: str = "") -> None:
        super().__init__(name, detail)
        self.account = account
        self.instruction = 0
