"""The stored bytes of a ledger section, and its versions.

Version 1 is `magnate.bank.v1.LedgerSection`. An older version is read by an upcaster here, only the
newest is written; bytes of every version that was ever written stay readable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from magnate.bank.domain.accounts import KIND_BANK, KIND_ESCROW
from magnate.bank.domain.ledger import LedgerDamagedError
from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    BalancesDisclosed,
    EntryPosted,
    Hidden,
    HoldCaptured,
    HoldExpired,
    HoldPlaced,
    HoldReleased,
    HoldRevealed,
    LedgerOpened,
    Record,
)
from magnate.bank.v1 import bank_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

SECTION_VERSION: Final = 1
"""The version of the ledger sections this build writes."""


class SectionTooNewError(Exception):
    """A section or a record was written by a later build; it is never skipped."""


def encode(previous_version: int, records: list[Record], refused: Sequence[tuple[int, str]] = ()) -> bytes:
    """Return the body of a ledger section that follows the one of `previous_version`.

    `refused` is what was refused of a batch: places of instructions and names of rejections.
    """
    section = bank_pb2.LedgerSection()
    section.previous_version = previous_version
    add = section.records.add
    for record in records:
        if isinstance(record, EntryPosted):
            entry = add().entry_posted
            entry.debit = record.debit
            entry.credit = record.credit
            entry.amount = record.amount
            entry.reason = record.reason
            if record.transfer_id:
                entry.transfer_id = record.transfer_id
                entry.at_most = record.at_most
                entry.reverses = record.reverses
                entry.note = record.note
        else:
            encode_other(add(), record)
    for place, name in refused:
        added = section.refused.add()
        added.instruction = place
        added.rejection = name
    return section.SerializeToString()


def encode_hidden(hidden: Sequence[Hidden]) -> bytes:
    """Return the body of the secret ledger section that has these records of concealed holds."""
    section = bank_pb2.LedgerSection()
    for one in hidden:
        encode_other(section.records.add(), one.record)
        section.places.append(one.place)
    return section.SerializeToString()


def encode_other(message: bank_pb2.Record, record: Record) -> None:
    """Write a record that is not a plain entry into its message."""
    if isinstance(record, HoldPlaced):
        placed = message.hold_placed
        placed.hold_id = record.hold_id
        placed.account = record.account
        placed.amount = record.amount
        placed.expires_at_ms = record.expires_at_ms
        placed.concealed = record.concealed
    elif isinstance(record, HoldRevealed):
        revealed = message.hold_revealed
        revealed.hold_id = record.hold_id
        revealed.account = record.account
        revealed.amount = record.amount
        revealed.placed_version = record.placed_version
    elif isinstance(record, HoldCaptured):
        captured = message.hold_captured
        captured.hold_id = record.hold_id
        captured.account = record.account
        captured.to = record.to
        captured.captured = record.captured
        captured.released = record.released
        captured.reason = record.reason
        captured.transfer_id = record.transfer_id
    elif isinstance(record, HoldReleased | HoldExpired):
        ended = message.hold_released if isinstance(record, HoldReleased) else message.hold_expired
        ended.hold_id = record.hold_id
        ended.account = record.account
        ended.released = record.released
        if isinstance(record, HoldReleased):
            message.hold_released.concealed = record.concealed
    elif isinstance(record, AccountOpened):
        message.account_opened.account = record.account
        message.account_opened.kind = bank_pb2.AccountKind.ValueType(record.kind)
        message.account_opened.private = record.private
    elif isinstance(record, LedgerOpened):
        message.ledger_opened.unit = record.unit
        message.ledger_opened.scale = record.scale
        message.ledger_opened.standalone = record.standalone
    elif isinstance(record, AccountClosed):
        message.account_closed.account = record.account
    elif isinstance(record, BalancesDisclosed):
        message.balances_disclosed.SetInParent()
    else:
        raise TypeError(f"a record of a kind that has no message: {record!r}")


def decode(section_version: int, body: bytes) -> tuple[int, list[Record]]:
    """Return the version of the ledger section before this one, and the records of this one.

    Raises:
        SectionTooNewError: this build does not know the version or a record; a newer one does.
        LedgerDamagedError: these are not the bytes of a ledger section.
    """
    section = parse(section_version, body)
    return section.previous_version, [decode_record(message) for message in section.records]


def decode_hidden(section_version: int, body: bytes) -> list[Hidden]:
    """Return what a secret ledger section has; raises as `decode` does."""
    section = parse(section_version, body)
    if len(section.places) != len(section.records):
        raise LedgerDamagedError("a secret ledger section says of its records not where they stand")
    return [
        Hidden(place, decode_record(message))
        for place, message in zip(section.places, section.records, strict=True)
    ]


def parse(section_version: int, body: bytes) -> bank_pb2.LedgerSection:
    """Return a section as a message; raises as `decode` does."""
    if section_version > SECTION_VERSION:
        raise SectionTooNewError(
            f"ledger section of version {section_version}; known: up to {SECTION_VERSION}"
        )
    if section_version < 1:
        raise LedgerDamagedError(f"ledger section of version {section_version}")
    try:
        return bank_pb2.LedgerSection.FromString(body)
    except DecodeError as error:
        raise LedgerDamagedError(f"a ledger section of {len(body)} bytes does not parse") from error


def decode_refused(body: bytes) -> list[tuple[int, str]]:
    """Return what was refused of the batch that a ledger section is of, given the body of a sound one."""
    section = bank_pb2.LedgerSection.FromString(body)
    return [(one.instruction, one.rejection) for one in section.refused]


def decode_record(message: bank_pb2.Record) -> Record:
    """Return the record in a message."""
    kind = message.WhichOneof("record")
    if kind == "entry_posted":
        entry = message.entry_posted
        return EntryPosted(
            entry.debit,
            entry.credit,
            entry.amount,
            entry.reason,
            entry.transfer_id,
            entry.at_most,
            entry.reverses,
            entry.note,
        )
    if kind is not None and kind.startswith("hold_"):
        return _decode_hold(kind, message)
    if kind == "account_opened":
        opened = message.account_opened
        if not KIND_BANK <= opened.kind <= KIND_ESCROW:
            raise SectionTooNewError(f"account {opened.account!r} is of kind {opened.kind}, unknown here")
        return AccountOpened(opened.account, opened.kind, opened.private)
    if kind == "ledger_opened":
        ledger = message.ledger_opened
        return LedgerOpened(ledger.unit, ledger.scale, ledger.standalone)
    if kind == "account_closed":
        return AccountClosed(message.account_closed.account)
    if kind == "balances_disclosed":
        return BalancesDisclosed()
    raise SectionTooNewError("a ledger record of a kind unknown here")


def _decode_hold(kind: str, message: bank_pb2.Record) -> Record:
    if kind == "hold_placed":
        placed = message.hold_placed
        return HoldPlaced(
            placed.hold_id, placed.account, placed.amount, placed.expires_at_ms, placed.concealed
        )
    if kind == "hold_captured":
        captured = message.hold_captured
        return HoldCaptured(
            captured.hold_id,
            captured.account,
            captured.to,
            captured.captured,
            captured.released,
            captured.reason,
            captured.transfer_id,
        )
    if kind == "hold_released":
        released = message.hold_released
        return HoldReleased(released.hold_id, released.account, released.released, released.concealed)
    if kind == "hold_revealed":
        revealed = message.hold_revealed
        return HoldRevealed(revealed.hold_id, revealed.account, revealed.amount, revealed.placed_version)
    if kind == "hold_expired":
        expired = message.hold_expired
        return HoldExpired(expired.hold_id, expired.account, expired.released)
    raise SectionTooNewError("a ledger record of a kind unknown here")
