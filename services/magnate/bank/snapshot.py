"""A folded ledger as bytes. A cache: whatever is odd about one, the log has the truth."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, final

from magnate.bank.domain.known import Known, Layer
from magnate.bank.domain.ledger import Hold, State, check
from magnate.bank.v1 import bank_pb2

SCHEMA: Final = b"magnate.bank.v1.LedgerState/5"


@final
class LedgerSnapshots:
    """How the bank stores its state of a ledger."""

    kind: Final = "bank"
    schema_hash: Final = sha256(SCHEMA).digest()

    def encode(self, state: State) -> bytes:
        """Return the bytes of a ledger."""
        return encode_ledger(state).SerializeToString()

    def decode(self, data: bytes) -> State:
        """Return the ledger; raises when anything does not fit, which drops the snapshot."""
        return decode_ledger(bank_pb2.LedgerState.FromString(data))


def encode_ledger(state: State) -> bank_pb2.LedgerState:
    """Return a ledger as a message."""
    message = bank_pb2.LedgerState()
    message.version = state.version
    message.entries = state.entries
    if state.scale:
        message.opened.unit = state.unit
        message.opened.scale = state.scale
        message.opened.standalone = state.standalone
    for place, name in enumerate(state.names):
        account = message.accounts.add()
        account.account = name
        account.kind = bank_pb2.AccountKind.ValueType(state.kinds[place])
        account.posted = state.posted[place]
        account.closed = state.closed[place]
        account.private = state.private[place]
    for hold in state.holds.values():
        stored = message.holds.add()
        stored.hold_id = hold.hold_id
        stored.account = hold.account
        stored.amount = hold.amount
        stored.placed_version = hold.placed_version
        stored.expires_at_ms = hold.expires_at_ms
        stored.concealed = hold.concealed
    state.known.settle()
    for layer in state.known.layers:
        layer.encoded = layer.encoded or encode_layer(layer)
        message.transfer_layers.append(layer.encoded)
    return message


def encode_layer(layer: Layer) -> bytes:
    """Store known transfers, a column at a time: there may be tens of thousands."""
    message = bank_pb2.TransferStates()
    items = list(layer.entries.items())
    message.transfer_ids.extend(transfer_id for transfer_id, _ in items)
    message.kinds.extend(one.kind for _, one in items)
    message.versions.extend(one.version for _, one in items)
    message.indexes.extend(one.index for _, one in items)
    message.debits.extend(one.debit for _, one in items)
    message.credits.extend(one.credit for _, one in items)
    message.amounts.extend(one.amount for _, one in items)
    message.bounds.extend(one.bound for _, one in items)
    message.reasons.extend(one.reason for _, one in items)
    message.references.extend(one.reference for _, one in items)
    message.reversed_by.extend(one.reversed_by for _, one in items)
    return message.SerializeToString()


def decode_ledger(message: bank_pb2.LedgerState) -> State:
    """Return the ledger in a message; raises when anything does not fit."""
    state = State()
    state.version = message.version
    state.entries = message.entries
    opened = message.opened
    state.unit, state.scale, state.standalone = opened.unit, opened.scale, opened.standalone
    for account in message.accounts:
        state.names.append(account.account)
        state.kinds.append(account.kind)
        state.posted.append(account.posted)
        state.held.append(0)
        state.closed.append(account.closed)
        state.private.append(account.private)
    state.index = {name: place for place, name in enumerate(state.names)}
    for stored in message.holds:
        state.held[stored.account] += stored.amount
        state.expiring += 1 if stored.expires_at_ms else 0
        state.holds[stored.hold_id] = Hold(
            stored.hold_id,
            stored.account,
            stored.amount,
            stored.placed_version,
            stored.expires_at_ms,
            stored.concealed,
        )
    known = state.known
    known.layers = [decode_layer(data) for data in message.transfer_layers]
    known.size = len(known.items())
    check(state)
    return state


def decode_layer(data: bytes) -> Layer:
    """Read known transfers; raises when the columns are of different lengths."""
    message = bank_pb2.TransferStates.FromString(data)
    rows = zip(
        message.kinds,
        message.versions,
        message.indexes,
        message.debits,
        message.credits,
        message.amounts,
        message.bounds,
        message.reasons,
        message.references,
        message.reversed_by,
        strict=True,
    )
    pairs = zip(message.transfer_ids, rows, strict=True)
    return Layer({transfer_id: Known(*row) for transfer_id, row in pairs}, data)
