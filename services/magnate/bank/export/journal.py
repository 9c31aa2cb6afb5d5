"""What both plain-text accounting journals have in common: names of accounts, sums of a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from magnate.bank.domain.accounts import BANK
from magnate.bank.domain.records import EntryPosted, HoldCaptured
from magnate.bank.export.document import record_id

if TYPE_CHECKING:
    from magnate.bank.domain.statement import Section

ROOT_OF_BANK: Final = "Equity"
ROOT_OF_OTHERS: Final = "Assets"


def account_name(account: str) -> str:
    """Return an account's name in a journal: `Equity:Bank`, `Assets:Seat-0`, `Assets:Pot-parking`.

    Names of ours are small letters, digits and `-`, and begin with a letter, so this is one to one and both
    programs take it.
    """
    root = ROOT_OF_BANK if account == BANK else ROOT_OF_OTHERS
    return f"{root}:{account.capitalize()}"


@final
class Posting:
    """One side of an entry: `amount` is below zero for who pays."""

    __slots__ = ("account", "amount", "notes", "reason")

    def __init__(self, account: str, amount: int, reason: str, notes: dict[str, str]) -> None:
        self.account = account
        self.amount = amount
        self.reason = reason
        self.notes = notes


def postings(section: Section) -> list[Posting]:
    """Return both sides of each entry of a commit, in order; they add up to zero."""
    found = []
    for index, record in enumerate(section.records):
        if isinstance(record, EntryPosted):
            debit, credit, amount = record.debit, record.credit, record.amount
            more = {"transfer": record.transfer_id, "reverses": record.reverses, "note": record.note}
        elif isinstance(record, HoldCaptured):
            debit, credit, amount = record.account, record.to, record.captured
            more = {"transfer": record.transfer_id, "hold": record.hold_id}
        else:
            continue
        notes = {"entry": record_id(section, index), "reason": record.reason, **more}
        notes = {name: value for name, value in notes.items() if value}
        found.append(Posting(debit, -amount, record.reason, notes))
        found.append(Posting(credit, amount, record.reason, notes))
    return found


def summary(sides: list[Posting]) -> str:
    """Return the reasons of a commit, each once."""
    return ", ".join(dict.fromkeys(side.reason for side in sides))
