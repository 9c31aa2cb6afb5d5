"""What happened to the ledger, as it is stored. Plain values; read only."""

from typing import TypeAlias


class EntryPosted:
    """Money moved: `debit` paid `amount` to `credit`. Its id is `<version>.<index of the record>`.

    `at_most` is the bound of a transfer "up to", else 0. A reversal names in `reverses` the transfer it takes
    back, and may have a `note`.
    """

    __slots__ = ("amount", "at_most", "credit", "debit", "note", "reason", "reverses", "transfer_id")

    def __init__(
        self,
        debit: str,
        credit: str,
        amount: int,
        reason: str,
        transfer_id: str = "",
        at_most: int = 0,
        reverses: str = "",
        note: str = "",
    ) -> None:
        self.debit = debit
        self.credit = credit
        self.amount = amount
        self.reason = reason
        self.transfer_id = transfer_id
        self.at_most = at_most
        self.reverses = reverses
        self.note = note


class HoldPlaced:
    """Money was reserved; it lapses at `expires_at_ms` (0: never). A concealed one only its seat sees."""

    __slots__ = ("account", "amount", "concealed", "expires_at_ms", "hold_id")

    def __init__(
        self, hold_id: str, account: str, amount: int, expires_at_ms: int, concealed: bool = False
    ) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount
        self.expires_at_ms = expires_at_ms
        self.concealed = concealed


class HoldRevealed:
    """A hold that the commit `placed_version` had placed in secret is an ordinary one from now on."""

    __slots__ = ("account", "amount", "hold_id", "placed_version")

    def __init__(self, hold_id: str, account: str, amount: int, placed_version: int) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount
        self.placed_version = placed_version


class HoldCaptured:
    """`captured` of a hold was paid from `account` to `to`, and `released` was given back. It is an entry."""

    __slots__ = ("account", "captured", "hold_id", "reason", "released", "to", "transfer_id")

    def __init__(
        self,
        hold_id: str,
        account: str,
        to: str,
        captured: int,
        released: int,
        reason: str,
        transfer_id: str = "",
    ) -> None:
        self.hold_id = hold_id
        self.account = account
        self.to = to
        self.captured = captured
        self.released = released
        self.reason = reason
        self.transfer_id = transfer_id


class HoldReleased:
    """What a hold reserved was given back because somebody asked; `concealed`: it was never revealed."""

    __slots__ = ("account", "concealed", "hold_id", "released")

    def __init__(self, hold_id: str, account: str, released: int, concealed: bool = False) -> None:
        self.hold_id = hold_id
        self.account = account
        self.released = released
        self.concealed = concealed


class HoldExpired:
    """What a hold reserved was given back because its time was over."""

    __slots__ = ("account", "hold_id", "released")

    def __init__(self, hold_id: str, account: str, released: int) -> None:
        self.hold_id = hold_id
        self.account = account
        self.released = released


class LedgerOpened:
    """The ledger has this currency; `standalone`: clients post to it, else the rules of a game do."""

    __slots__ = ("scale", "standalone", "unit")

    def __init__(self, unit: str, scale: int, standalone: bool) -> None:
        self.unit = unit
        self.scale = scale
        self.standalone = standalone


class AccountOpened:
    """An account was opened; `kind` is one of the KIND constants of `accounts`."""

    __slots__ = ("account", "kind", "private")

    def __init__(self, account: str, kind: int, private: bool = False) -> None:
        self.account = account
        self.kind = kind
        self.private = private


class AccountClosed:
    """An account was closed."""

    __slots__ = ("account",)

    def __init__(self, account: str) -> None:
        self.account = account


class BalancesDisclosed:
    """No account is private any more."""

    __slots__ = ()


Record: TypeAlias = (
    EntryPosted
    | HoldPlaced
    | HoldRevealed
    | HoldCaptured
    | HoldReleased
    | HoldExpired
    | LedgerOpened
    | AccountOpened
    | AccountClosed
    | BalancesDisclosed
)
"""Anything that can happen to the ledger."""


def is_concealed(record: Record) -> bool:
    """Tell whether a record is stored in the secret part of its commit."""
    if isinstance(record, HoldPlaced):
        return record.concealed
    return isinstance(record, HoldReleased) and record.concealed


class Hidden:
    """A record of a concealed hold, and how many records of the public section come before it."""

    __slots__ = ("place", "record")

    def __init__(self, place: int, record: Record) -> None:
        self.place = place
        self.record = record


def parted(records: list[Record]) -> tuple[list[Record], list[Hidden]]:
    """Return what is stored in public, and what in the secret part."""
    public: list[Record] = []
    hidden: list[Hidden] = []
    for record in records:
        if is_concealed(record):
            hidden.append(Hidden(len(public), record))
        else:
            public.append(record)
    return public, hidden
