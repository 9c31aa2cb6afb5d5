"""A folded table as bytes, as far as it is a ledger alone: those become long, card tables last an evening."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, final

from magnate.bank.snapshot import SCHEMA, decode_ledger, encode_ledger
from magnate.bank.tables.state import MISSING, TableState
from magnate.bank.v1 import bank_pb2


class NoSnapshotError(Exception):
    """There is nothing in it: the table is folded from its log."""


@final
class TableSnapshots:
    """How the bank stores the state of a stand-alone ledger. A card table's is empty, which is none."""

    kind: Final = "table"
    schema_hash: Final = sha256(SCHEMA + b" alone").digest()

    def encode(self, state: TableState) -> bytes:
        """Return the bytes of a stand-alone ledger, none for a table with cards."""
        if state.table.status != MISSING:
            return b""
        return encode_ledger(state.ledger).SerializeToString()

    def decode(self, data: bytes) -> TableState:
        """Return the state; raises when anything does not fit, which drops the snapshot."""
        if not data:
            raise NoSnapshotError
        state = TableState()
        state.ledger = decode_ledger(bank_pb2.LedgerState.FromString(data))
        return state
