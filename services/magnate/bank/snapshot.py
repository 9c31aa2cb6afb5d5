"""A folded ledger as bytes. A cache: whatever is odd about one, the log has the truth."""

from __future__ import annotations

from hashlib import sha256
from typing import Final, final

from magnate.bank.domain.ledger import Hold, State, check
from magnate.bank.v1 import bank_pb2


@final
class LedgerSnapshots:
    """How the bank stores its state of a game."""

    kind: Final = "bank"
    schema_hash: Final = sha256(b"magnate.bank.v1.LedgerState/2").digest()

    def encode(self, state: State) -> bytes:
        """Return the bytes of a ledger."""
        message = bank_pb2.LedgerState()
        message.version = state.version
        message.entries = state.entries
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
        return message.SerializeToString()

    def decode(self, data: bytes) -> State:
        """Return the ledger; raises when anything does not fit, which drops the snapshot."""
        message = bank_pb2.LedgerState.FromString(data)
        state = State()
        state.version = message.version
        state.entries = message.entries
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
                stored.hold_id, stored.account, stored.amount, stored.placed_version, stored.expires_at_ms
            )
        check(state)
        return state
