"""Adds up a game's money from its log alone: every entry, every hold, every balance.

The bank's own fold is run over the same records; beside it every amount is added here once more, from the raw
records, so that a fault in the one does not hide in the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.fold import LedgerFold
from magnate.kit.log.commit import LEDGER
from magnate.kit.log.errors import DataLossError
from magnate.peers.ledger import ledger_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.v1 import bank_pb2
    from magnate.kit.log.commit import ParsedCommit


class Money:
    """What the records add up to: posted and held balance by account, entries, and what is wrong."""

    def __init__(self, game_id: str) -> None:
        self.balances: dict[str, int] = {}
        self.entries = 0
        self.faults: list[str] = []
        self._holds: dict[str, tuple[str, int]] = {}
        self._fold = LedgerFold()
        self._ledger = self._fold.initial(game_id)

    @property
    def total(self) -> int:
        """Return the sum over all accounts; zero when the books balance."""
        return sum(self.balances.values())

    def held(self, account: str) -> int:
        """Return what open holds reserve of an account."""
        return sum(amount for name, amount in self._holds.values() if name == account)

    def take(self, commit: ParsedCommit) -> bool:
        """Add the ledger records of the next commit; False when they cannot be folded: nothing is added."""
        section = commit.section(LEDGER)
        if section is None:
            return True
        try:
            self._ledger = self._fold.apply(self._ledger, commit)
        except DataLossError as error:
            self.faults.append(str(error))
            return False
        for record in ledger_records(commit, section):
            _add(self, self._holds, record, commit.version)
        self._judge(commit.version)
        return True

    def _judge(self, version: int) -> None:
        """Look at every balance after a commit, and compare the two ways of adding up."""
        for name, posted in self.balances.items():
            if name != "bank" and posted < (held := self.held(name)):
                what = "is below zero" if posted < 0 else f"has {posted}, and {held} is held of it"
                self.faults.append(f"version {version}: {name} {what}")
        if self.total:
            self.faults.append(f"version {version}: the balances add up to {self.total}")
        folded = dict(zip(self._ledger.names, self._ledger.posted, strict=True))
        if folded != self.balances:
            self.faults.append(f"version {version}: the bank's fold {folded} is not the sum {self.balances}")


def add_up(game_id: str, commits: Sequence[ParsedCommit]) -> Money:
    """Add up all ledger records of these commits."""
    money = Money(game_id)
    for commit in commits:
        if not money.take(commit):
            break
    return money


def _add(money: Money, holds: dict[str, tuple[str, int]], record: bank_pb2.Record, version: int) -> None:
    kind = record.WhichOneof("record")
    if kind == "account_opened":
        money.balances[record.account_opened.account] = 0
    elif kind == "entry_posted":
        entry = record.entry_posted
        _move(money, entry.debit, entry.credit, entry.amount, version)
    elif kind == "hold_placed":
        placed = record.hold_placed
        holds[placed.hold_id] = (placed.account, placed.amount)
    elif kind == "hold_revealed":  # who has the secret parts knew of it before
        revealed = record.hold_revealed
        holds.setdefault(revealed.hold_id, (revealed.account, revealed.amount))
    elif kind == "hold_captured":
        captured = record.hold_captured
        _end_hold(money, holds, captured.hold_id, captured.captured + captured.released, version)
        _move(money, captured.account, captured.to, captured.captured, version)
    elif kind == "hold_released":
        _end_hold(money, holds, record.hold_released.hold_id, record.hold_released.released, version)
    elif kind == "hold_expired":
        _end_hold(money, holds, record.hold_expired.hold_id, record.hold_expired.released, version)


def _move(money: Money, debit: str, credit: str, amount: int, version: int) -> None:
    money.entries += 1
    if amount <= 0 or debit == credit or not {debit, credit} <= money.balances.keys():
        money.faults.append(f"version {version}: no entry of {amount} from {debit} to {credit} can be")
        return
    money.balances[debit] -= amount
    money.balances[credit] += amount


def _end_hold(
    money: Money, holds: dict[str, tuple[str, int]], hold_id: str, amount: int, version: int
) -> None:
    _, held = holds.pop(hold_id, ("", -1))
    if held != amount:
        money.faults.append(f"version {version}: hold {hold_id} of {held} ends with {amount}")
