"""What may be asked of the ledger. Plain values; read only."""

from typing import TypeAlias


class Transfer:
    """Move `amount` from `debit`, which pays, to `credit`, which is paid.

    `up_to`: what is available, at most `amount`. A `transfer_id` is used once in the life of a ledger.
    """

    __slots__ = ("amount", "credit", "debit", "reason", "transfer_id", "up_to")

    def __init__(
        self,
        debit: str,
        credit: str,
        amount: int,
        reason: str,
        transfer_id: str = "",
        up_to: bool = False,
    ) -> None:
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.reason = reason
        self.transfer_id = transfer_id
        self.up_to = up_to


class PlaceHold:
    """Reserve `amount` of `account` under `hold_id`, until `expires_at_ms` (0: for as long as needed).

    `concealed`: only the account's own seat sees it, until it is revealed.
    """

    __slots__ = ("account", "amount", "concealed", "expires_at_ms", "hold_id")

    def __init__(
        self, hold_id: str, account: str, amount: int, expires_at_ms: int = 0, concealed: bool = False
    ) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount
        self.expires_at_ms = expires_at_ms
        self.concealed = concealed


class RevealHold:
    """Make a concealed hold an ordinary one, which everybody sees."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id


class CaptureHold:
    """Pay `amount` of a hold to `to` and give the rest back."""

    __slots__ = ("amount", "hold_id", "reason", "to", "transfer_id")

    def __init__(self, hold_id: str, to: str, amount: int, reason: str, transfer_id: str = "") -> None:
        self.hold_id = hold_id
        self.to = to
        self.amount = amount
        self.reason = reason
        self.transfer_id = transfer_id


class ReleaseHold:
    """Give back what a hold reserves."""

    __slots__ = ("hold_id",)

    def __init__(self, hold_id: str) -> None:
        self.hold_id = hold_id


class Reverse:
    """Take back the transfer or capture `reverses`, as the transfer `transfer_id`; `note` is for people."""

    __slots__ = ("note", "reverses", "transfer_id")

    def __init__(self, transfer_id: str, reverses: str, note: str = "") -> None:
        self.transfer_id = transfer_id
        self.reverses = reverses
        self.note = note


class OpenLedger:
    """Name the currency: `scale` of its `unit` are a whole number. `standalone`: clients post, not rules."""

    __slots__ = ("scale", "standalone", "unit")

    def __init__(self, unit: str, scale: int, standalone: bool = False) -> None:
        self.unit = unit
        self.scale = scale
        self.standalone = standalone


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
    Transfer
    | PlaceHold
    | CaptureHold
    | ReleaseHold
    | RevealHold
    | Reverse
    | OpenLedger
    | OpenAccount
    | CloseAccount
    | DiscloseBalances
)
"""Anything that may be asked of the ledger."""
