"""What may be asked of the ledger. Plain values; read only."""

from typing import TypeAlias


class Transfer:
    """Move `amount` from `debit`, which pays, to `credit`, which is paid."""

    __slots__ = ("amount", "credit", "debit", "reason")

    def __init__(self, debit: str, credit: str, amount: int, reason: str) -> None:
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.reason = reason


class PlaceHold:
    """Reserve `amount` of `account` under `hold_id`, until `expires_at_ms` (0: for as long as needed)."""

    __slots__ = ("account", "amount", "expires_at_ms", "hold_id")

    def __init__(self, hold_id: str, account: str, amount: int, expires_at_ms: int = 0) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount
        self.expires_at_ms = expires_at_ms


class CaptureHold:
    """Pay `amount` of a hold to `to` and give the rest back."""

    __slots__ = ("amount", "hold_id", "reason", "to")

    def __init__(self, hold_id: str, to: str, amount: int, reason: str) -> None:
        self.hold_id = hold_id
        self.to = to
        self.amount = amount
        self.reason = reason


class ReleaseHold:
    """Give back what a hold reserves."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id


class OpenAccount:
    """Open an account with nothing on it; its name says what it is for.

    `private`: what is on it only its seat may see, until balances are disclosed.
    """

    __slots__ = ("account", "private")

    def __init__(self, account: str, private: bool = False) -> None:
        self.account = account
        self.private = private


class CloseAccount:
    """Close an account that has neither money nor holds."""

    __slots__ = ("account",)

    def __init__(self, account: str) -> None:
        self.account = account


class DiscloseBalances:
    """Let everybody see what private accounts have and had: the game is over."""

    __slots__ = ()


Instruction: TypeAlias = (
    Transfer | PlaceHold | CaptureHold | ReleaseHold | OpenAccount | CloseAccount | DiscloseBalances
)
"""Anything that may be asked of the ledger."""
