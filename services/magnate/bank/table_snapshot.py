"""A folded table as bytes, as far as it is a ledger alone: those become long, card tables last an evening."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, final

from magnate.bank.snapshot import SCHEMA, decode_ledger, encode_ledger
from magnate.bank.tables.state import MISSING, Standing, TableState
from magnate.bank.v1 import bank_pb2


class NoSnapshotError(Exception):
    """There is nothing in it: the table is folded from its log."""


@final
class TableSnapshots:
    """How the bank stores the state of a stand-alone ledger. A card table's is empty, which is none."""

    kind: Final = "table"
    schema_hash: Final = sha256(SCHEMA + b" magnate.bank.v1.LedgerTableState/1").digest()

    def encode(self, state: TableState) -> bytes:
        """Return the bytes of a stand-alone ledger, none for a table with cards."""
        if state.table.status != MISSING:
            return b""
        message = bank_pb2.LedgerTableState()
        message.ledger.CopyFrom(encode_ledger(state.ledger))
        message.standing_versions.extend(one.version for one in state.standing)
        message.standing_sequences.extend(one.sequence for one in state.standing)
        return message.SerializeToString()

    def decode(self, data: bytes) -> TableState:
        """Return the state; raises when anything does not fit, which drops the snapshot."""
        if not data:
            raise NoSnapshotError
        message = bank_pb2.LedgerTableState.FromString(data)
        state = TableState()
        state.ledger = decode_ledger(message.ledger)
        columns = zip(message.standing_versions, message.standing_sequences, strict=True)
        state.standing = tuple(Standing(version, sequence) for version, sequence in columns)
        return state
