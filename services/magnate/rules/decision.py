"""What a command comes to: events, transfers of money, and what is asked of the auction.

Accounts are ints: a seat is 0, 1, …; the bank is -1; a pot is -2 or less. The bank's service names them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.vocabulary import Ask, Event

BANK: Final = -1
POT_PARKING: Final = -2
POT_JACKPOT: Final = -3
POT_CHARITY: Final = -4

NOBODY: Final = -1
"""As an owner, a winner or a lot: there is none."""


class Transfer:
    """`amount` (positive) moves from one account to another; `reason` is a TRANSFER_REASON_…."""

    __slots__ = ("amount", "payee", "payer", "reason")

    def __init__(self, payer: int, payee: int, amount: int, reason: int) -> None:
        self.payer = payer
        self.payee = payee
        self.amount = amount
        self.reason = reason

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Transfer)
            and self.payer == other.payer
            and self.payee == other.payee
            and self.amount == other.amount
            and self.reason == other.reason
        )

    def __hash__(self) -> int:
        return hash((self.payer, self.payee, self.amount, self.reason))

    def __repr__(self) -> str:
        return f"Transfer({self.payer} -> {self.payee}: {self.amount}, reason {self.reason})"


class Decision:
    """Events in order, transfers in order, and what is asked of the auction in order."""

    __slots__ = ("asks", "events", "transfers")

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.transfers: list[Transfer] = []
        self.asks: list[Ask] = []
