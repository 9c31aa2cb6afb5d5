"""One record of a ledger as names and texts: what a line of CSV and an object of JSON say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    BalancesDisclosed,
    EntryPosted,
    HoldCaptured,
    HoldExpired,
    HoldPlaced,
    HoldReleased,
    HoldRevealed,
    LedgerOpened,
)
from magnate.bank.export.document import iso_time

if TYPE_CHECKING:
    from magnate.bank.domain.records import Record

ENTRY: Final = "entry"
KINDS: Final[dict[type[Record], str]] = {
    EntryPosted: ENTRY,
    HoldPlaced: "hold_placed",
    HoldRevealed: "hold_revealed",
    HoldCaptured: "hold_captured",
    HoldReleased: "hold_released",
    HoldExpired: "hold_expired",
    AccountOpened: "account_opened",
    AccountClosed: "account_closed",
    BalancesDisclosed: "balances_disclosed",
    LedgerOpened: "ledger_opened",
}
"""The word for each kind of record."""


def fields_of(record: Record, scale: int) -> dict[str, str]:
    """Return what a record says, by name, empty values left out; amounts are in the currency."""
    fields: dict[str, str]
    if isinstance(record, EntryPosted):
        fields = {"debit": record.debit, "credit": record.credit, "amount": str(record.amount * scale)}
        fields["at_most"] = str(record.at_most * scale) if record.at_most else ""
        fields |= {"reason": record.reason, "transfer_id": record.transfer_id}
        fields |= {"reverses": record.reverses, "note": record.note}
    elif isinstance(record, HoldPlaced):
        fields = {"account": record.account, "amount": str(record.amount * scale)}
        fields["hold_id"] = record.hold_id
        fields["expire_time"] = iso_time(record.expires_at_ms) if record.expires_at_ms else ""
    elif isinstance(record, HoldRevealed):
        fields = {"account": record.account, "amount": str(record.amount * scale)}
        fields |= {"hold_id": record.hold_id, "placed_version": str(record.placed_version)}
    elif isinstance(record, HoldCaptured):
        fields = {"debit": record.account, "credit": record.to, "amount": str(record.captured * scale)}
        fields["released"] = str(record.released * scale)
        fields |= {"reason": record.reason, "transfer_id": record.transfer_id, "hold_id": record.hold_id}
    elif isinstance(record, HoldReleased | HoldExpired):
        fields = {"account": record.account, "hold_id": record.hold_id}
        fields["released"] = str(record.released * scale)
    elif isinstance(record, AccountOpened):
        fields = {"account": record.account, "private": "yes" if record.private else ""}
    elif isinstance(record, AccountClosed):
        fields = {"account": record.account}
    else:
        fields = {}
    return {name: value for name, value in fields.items() if value}
