"""A folded table as bytes: its ledger, and the events that make its cards and its unit as they are.

The unit of a game has none: its ledger is in the snapshots of the game.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, final

from magnate.bank.snapshot import SCHEMA, decode_ledger, encode_ledger
from magnate.bank.tables.codec import decode_event, encode_event
from magnate.bank.tables.events import (
    CardClaimed,
    CardIssued,
    CardRetired,
    PinFailed,
    PinSet,
    TableClosed,
    TableOpened,
    TablePaused,
    UnitChanged,
)
from magnate.bank.tables.pending import Pending
from magnate.bank.tables.state import CLOSED, MISSING, PAUSED, Standing, TableState, evolve
from magnate.bank.v1 import terminal_pb2

if TYPE_CHECKING:
    from magnate.bank.tables.events import Event
    from magnate.bank.tables.state import Card, Table


class NoSnapshotError(Exception):
    """There is nothing in it: the table is folded from its log."""


@final
class TableSnapshots:
    """How the bank stores a ledger or a table of its own. That of a game is empty, which is none."""

    kind: Final = "table"
    schema_hash: Final = sha256(SCHEMA + b" magnate.bank.v1.TableState/3").digest()

    def encode(self, state: TableState) -> bytes:
        """Return the bytes of a table, none for the unit of a game."""
        if state.table.in_game:
            return b""
        message = terminal_pb2.TableState(
            ledger=encode_ledger(state.ledger),
            opened_at_ms=state.table.opened_at_ms,
            standing_versions=[one.version for one in state.standing],
            standing_sequences=[one.sequence for one in state.standing],
        )
        for event in events_of(state.table):
            encode_event(event, message.table.events.add())
        for number, label in state.auctions.items():
            message.auctions.add(auction=number, label=label)
        for deadline_id, one in state.pending.items():
            message.pending.add(
                deadline_id=deadline_id,
                due_ms=one.due_ms,
                left_ms=one.left_ms,
                held=one.held,
                runs_through_pause=one.through,
                owner=one.owner,
                kind=one.kind,
                shifted=one.shifted,
            )
        return message.SerializeToString()

    def decode(self, data: bytes) -> TableState:
        """Return the state; raises when anything does not fit, which drops the snapshot."""
        if not data:
            raise NoSnapshotError
        message = terminal_pb2.TableState.FromString(data)
        state = TableState()
        for stored in message.table.events:
            evolve(state.table, decode_event(stored), message.opened_at_ms)
        state.ledger = decode_ledger(message.ledger)
        state.auctions = {one.auction: one.label for one in message.auctions}
        state.pending = {
            one.deadline_id: Pending(
                one.owner, one.kind, one.due_ms, one.left_ms, one.held, one.runs_through_pause, one.shifted
            )
            for one in message.pending
        }
        places = zip(message.standing_versions, message.standing_sequences, strict=True)
        state.standing = tuple(Standing(version, sequence) for version, sequence in places)
        return state


def events_of(table: Table) -> list[Event]:
    """Return the shortest story that makes a table what it is."""
    if table.status == MISSING:
        return []
    money = table.money
    events: list[Event] = [
        TableOpened(
            money.edition_id,
            money.currency,
            money.scale,
            money.opening_amount,
            money.go_amount,
            table.model,
            shared_unit=table.shared_unit,
            in_game=table.in_game,
        )
    ]
    for card in table.cards:
        events += card_events(card)
    if table.unit is not None:
        events.append(UnitChanged(table.unit, []))
    if table.status == PAUSED:
        events.append(TablePaused())
    if table.status == CLOSED:
        events.append(TableClosed(table.ranking))
    return events


def card_events(card: Card) -> list[Event]:
    """Return what makes a card what it is."""
    events: list[Event] = [CardIssued(card.card_id, card.seat, card.name, card.secret_digest, card.key_id)]
    if card.claimed:
        events.append(CardClaimed(card.card_id))
    if card.pin_key_id:
        events.append(PinSet(card.card_id, card.pin_hash, card.pin_key_id))
    if card.failures or card.locked:
        events.append(PinFailed(card.card_id, card.failures, locked=card.locked))
    if card.retired:
        events.append(CardRetired(card.card_id))
    return events
