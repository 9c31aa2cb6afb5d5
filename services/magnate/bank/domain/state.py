"""The state of a ledger: balances as lists of ints, one place for each account."""

from typing import Final

from magnate.bank.domain.accounts import KIND_BANK
from magnate.bank.domain.known import KnownTransfers
from magnate.bank.domain.limits import AMOUNT_MAX


class LedgerDamagedError(Exception):
    """Stored records contradict each other: the log is damaged. Never raised for what somebody asks."""


class Hold:
    """An open hold. Read only, so that copies of a state may share it. A concealed one only its seat sees."""

    __slots__ = ("account", "amount", "concealed", "expires_at_ms", "hold_id", "placed_version")

    def __init__(
        self,
        hold_id: str,
        account: int,
        amount: int,
        placed_version: int,
        expires_at_ms: int,
        concealed: bool = False,
    ) -> None:
        self.hold_id = hold_id
        self.account = account
        self.amount = amount
        self.placed_version = placed_version
        self.expires_at_ms = expires_at_ms
        self.concealed = concealed


class State:
    """Balances and holds of one ledger. `version` is that of its newest ledger section, 0 before the first.

    `scale` is 0 while no record has named a currency; `standalone`: clients post to it, not the rules of a
    game. The chart (`index`, `names`, `kinds`, `private`) is shared between copies and replaced, never
    changed, when it grows.
    """

    __slots__ = (
        "closed", "entries", "expiring", "held", "holds", "index", "kinds", "known", "names", "posted",
        "private", "scale", "standalone", "unit", "version",
    )  # fmt: skip

    def __init__(self) -> None:
        self.version: int = 0
        self.entries: int = 0
        self.expiring: int = 0
        self.unit: str = ""
        self.scale: int = 0
        self.standalone: bool = False
        self.index: dict[str, int] = {}
        self.names: list[str] = []
        self.kinds: list[int] = []
        self.private: list[bool] = []
        self.posted: list[int] = []
        self.held: list[int] = []
        self.closed: list[bool] = []
        self.holds: dict[str, Hold] = {}
        self.known: KnownTransfers = KnownTransfers()

    def copy(self) -> "State":
        """Return a state that can be changed without changing this one."""
        other = State()
        other.version = self.version
        other.entries = self.entries
        other.expiring = self.expiring
        other.unit = self.unit
        other.scale = self.scale
        other.standalone = self.standalone
        other.index = self.index
        other.names = self.names
        other.kinds = self.kinds
        other.private = self.private
        other.posted = self.posted.copy()
        other.held = self.held.copy()
        other.closed = self.closed.copy()
        other.holds = self.holds.copy()
        other.known = self.known.copy()
        return other

    def same_as(self, other: "State") -> bool:
        """Tell whether both states are the same in everything that matters."""
        return self.canonical() == other.canonical()

    def canonical(self) -> list[object]:
        """Return the state as plain lists whose order never changes."""
        accounts: list[object] = [
            [name, self.kinds[i], self.posted[i], self.held[i], self.closed[i], self.private[i]]
            for i, name in enumerate(self.names)
        ]
        holds: list[object] = [
            [
                hold.hold_id, hold.account, hold.amount, hold.placed_version, hold.expires_at_ms,
                hold.concealed,
            ]
            for hold in self.holds.values()
        ]  # fmt: skip
        known: list[object] = [
            [
                transfer_id, one.kind, one.version, one.index, one.debit, one.credit, one.amount, one.bound,
                one.reason, one.reference, one.reversed_by,
            ]
            for transfer_id, one in self.known.items()
        ]  # fmt: skip
        currency: list[object] = [self.unit, self.scale, self.standalone]
        return [self.version, self.entries, currency, accounts, holds, known]

    def available(self, account: int) -> int:
        """Return what may be spent or held now: everything for the bank, posted - held for the others."""
        if self.kinds[account] == KIND_BANK:
            return AMOUNT_MAX
        return self.posted[account] - self.held[account]

    def seen(self, account: str = "") -> "State":
        """Return the ledger as the seat of an account sees it: without others' concealed holds."""
        hidden: list[Hold] = [
            hold for hold in self.holds.values() if hold.concealed and self.names[hold.account] != account
        ]
        if not hidden:
            return self
        other = self.copy()
        for hold in hidden:
            del other.holds[hold.hold_id]
            other.held[hold.account] -= hold.amount
        return other


def check(state: State) -> None:
    """Raise LedgerDamagedError unless balances sum to zero and each account is as its kind allows."""
    if sum(state.posted) != 0:
        raise LedgerDamagedError(f"balances sum to {sum(state.posted)} at version {state.version}")
    for account, posted in enumerate(state.posted):
        if state.kinds[account] != KIND_BANK and (posted < state.held[account] or state.held[account] < 0):
            raise LedgerDamagedError(
                f"{state.names[account]} has posted {posted} and held {state.held[account]} "
                f"at version {state.version}"
            )


INITIAL: Final = State()
"""The ledger of a game that does not exist yet. Copy it before you fold into it."""
