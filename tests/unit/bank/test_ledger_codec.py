"""The stored bytes of ledger sections: they come back as they went in, old ones too."""

from __future__ import annotations

import pytest

from magnate.bank import codec
from magnate.bank.domain.accounts import KIND_BANK, KIND_SEAT
from magnate.bank.domain.ledger import LedgerDamagedError
from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    EntryPosted,
    HoldCaptured,
    HoldExpired,
    HoldPlaced,
    HoldReleased,
    Record,
)
from magnate.bank.v1 import bank_pb2

RECORDS: list[Record] = [
    AccountOpened("bank", KIND_BANK),
    AccountOpened("seat-0", KIND_SEAT),
    EntryPosted("bank", "seat-0", 2**63 - 1, "start"),
    HoldPlaced("h1", "seat-0", 5, 1_700_000_000_000),
    HoldPlaced("h2", "seat-0", 5, 0),
    HoldPlaced("h3", "seat-0", 5, 0),
    HoldCaptured("h1", "seat-0", "bank", 3, 2, "auction"),
    HoldReleased("h2", "seat-0", 5),
    HoldExpired("h3", "seat-0", 5),
    AccountClosed("pot-parking"),
]

GOLDEN = bytes.fromhex(
    "0829120a32080a0462616e6b1001120c320a0a06736561742d30100212210a1f0a0462616e6b1206736561742d"
    "3018ffffffffffffffff7f22057374617274121712150a0268311206736561742d3018052080d095ffbc311210"
    "120e0a0268321206736561742d3018051210120e0a0268331206736561742d30180512211a1f0a026831120673"
    "6561742d301a0462616e6b20032802320761756374696f6e1210220e0a0268321206736561742d30180512102a"
    "0e0a0268331206736561742d301805120f3a0d0a0b706f742d7061726b696e67"
)


def plain(record: Record) -> tuple[object, ...]:
    """Return a record as its kind and its fields."""
    names = [name for name in dir(record) if not name.startswith("_")]
    return (type(record).__name__, *((name, getattr(record, name)) for name in names))


def test_records_come_back_as_they_were() -> None:
    """Every kind of record survives the way to bytes and back."""
    previous, records = codec.decode(1, codec.encode(41, RECORDS))
    assert previous == 41
    assert [plain(record) for record in records] == [plain(record) for record in RECORDS]


def test_old_bytes_stay_readable() -> None:
    """Bytes as the first release wrote them are read and written the same way for ever."""
    previous, records = codec.decode(1, GOLDEN)
    assert previous == 41
    assert [plain(record) for record in records] == [plain(record) for record in RECORDS]
    assert codec.encode(41, RECORDS) == GOLDEN


def test_later_versions_are_never_skipped() -> None:
    """A section version, a kind of account or a kind of record unknown here is refused."""
    with pytest.raises(codec.SectionTooNewError, match="version 2"):
        codec.decode(2, b"")
    with pytest.raises(codec.SectionTooNewError, match="kind unknown here"):
        codec.decode(1, bank_pb2.LedgerSection(records=[bank_pb2.Record()]).SerializeToString())
    odd = bank_pb2.Record(account_opened=bank_pb2.AccountOpened(account="x-1"))
    with pytest.raises(codec.SectionTooNewError, match="kind 0"):
        codec.decode(1, bank_pb2.LedgerSection(records=[odd]).SerializeToString())


@pytest.mark.parametrize(("version", "body"), [(0, b""), (1, b"\xff\xff")])
def test_bytes_that_are_no_section_are_damage(version: int, body: bytes) -> None:
    """Bytes that do not parse, or a version that never was, stop the game."""
    with pytest.raises(LedgerDamagedError):
        codec.decode(version, body)
