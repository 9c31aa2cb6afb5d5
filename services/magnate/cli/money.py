"""Adds up a game's money from its log alone: every entry, every hold, every balance.

The bank's own fold is run over the same records; beside it every amount is added here once more, from the raw
records, so that a fault in the one does not hide in the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.fold import LedgerFold
from magnate.bank.v1 import bank_pb2
from magnate.kit.log.commit import LEDGER
from magnate.kit.log.errors import DataLossError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.log.commit import ParsedCommit


class Money:
    """What the records add up to: posted balance by account, entries, and what is wrong."""

    def __init__(self) -> None:
        self.balances: dict[str, int] = {}
        self.entries = 0
        self.faults: list[str] = []

    @property
    def total(self) -> int:
        """Return the sum over all accounts; zero when the books balance."""
        return sum(self.balances.values())


def add_up(game_id: str, commits: Sequence[ParsedCommit]) -> Money:
    """Add up all ledger records of these commits."""
    money = Money()
    holds: dict[str, tuple[str, int]] = {}
    fold = LedgerFold()
    ledger = fold.initial(game_id)
    for commit in commits:
        section = commit.section(LEDGER)
        if section is None:
            continue
        try:
            ledger = fold.apply(ledger, commit)
        except DataLossError as error:
            money.faults.append(str(error))
            return money
        for record in bank_pb2.LedgerSection.FromString(section.body).records:
            _add(money, holds, record, commit.version)
        overdrawn = [name for name, posted in money.balances.items() if posted < 0 and name != "bank"]
        money.faults.extend(f"version {commit.version}: {name} is below zero" for name in overdrawn)
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
