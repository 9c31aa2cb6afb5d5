"""The stored bytes of a terminal section: events of a table, written and read.

Version 1 is `magnate.bank.v1.TerminalSection`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.tables.events import (
    CardClaimed,
    CardIssued,
    CardRetired,
    CardUnlocked,
    OperationUndone,
    PinFailed,
    PinPassed,
    PinSet,
    Rank,
    TableClosed,
    TableOpened,
    TablePaused,
    TableResumed,
    UnitChanged,
)
from magnate.bank.terminal.unit import Unit
from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.commit import TERMINAL, Section

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.tables.events import Event

SECTION_VERSION: Final = 1

SOUNDS: Final = {
    "key": terminal_pb2.SOUND_KEY,
    "card": terminal_pb2.SOUND_CARD,
    "booked": terminal_pb2.SOUND_BOOKED,
    "error": terminal_pb2.SOUND_ERROR,
    "reset": terminal_pb2.SOUND_RESET,
    "volume": terminal_pb2.SOUND_VOLUME,
    "tick": terminal_pb2.SOUND_TICK,
    "fanfare": terminal_pb2.SOUND_FANFARE,
}
_SOUND_WORDS: Final = {number: word for word, number in SOUNDS.items()}


class UnknownEventError(Exception):
    """The section holds an event that this build does not know."""


def terminal_section(events: Sequence[Event]) -> Section:
    """Return the section that stores these events."""
    body = terminal_pb2.TerminalSection()
    for event in events:
        encode_event(event, body.events.add())
    return Section(TERMINAL, SECTION_VERSION, body.SerializeToString())


def decode_section(body: bytes) -> list[Event]:
    """Return the events of a section; DecodeError, ValueError or UnknownEventError if it holds others."""
    return [decode_event(message) for message in terminal_pb2.TerminalSection.FromString(body).events]


def encode_event(event: Event, message: terminal_pb2.TerminalEvent) -> None:
    """Store an event in its message."""
    if isinstance(event, UnitChanged):
        changed = message.unit_changed
        encode_unit(event.unit, changed.state)
        changed.sounds.extend(SOUNDS[word] for word in event.sounds)
        changed.refusal, changed.detail = event.refusal, event.detail
    elif isinstance(event, TableOpened):
        opened = message.table_opened
        opened.edition = event.edition
        opened.currency.unit, opened.currency.scale = event.unit_name, event.scale
        opened.opening_amount, opened.go_amount = event.opening_amount, event.go_amount
        opened.model = terminal_pb2.UnitModel.ValueType(event.model)
        opened.shared_unit, opened.in_game = event.shared_unit, event.in_game
    elif isinstance(event, CardIssued):
        issued = message.card_issued
        issued.card_id, issued.seat, issued.name = event.card_id, event.seat, event.name
        issued.secret_digest, issued.key_id = event.secret_digest, event.key_id
    elif isinstance(event, PinSet):
        message.pin_set.card_id, message.pin_set.hash = event.card_id, event.hash
        message.pin_set.key_id = event.key_id
    elif isinstance(event, PinFailed):
        failed = message.pin_failed
        failed.card_id, failed.failures, failed.locked = event.card_id, event.failures, event.locked
    elif isinstance(event, OperationUndone):
        message.operation_undone.version = event.version
        message.operation_undone.note = event.note
    elif isinstance(event, TablePaused):
        message.table_paused.SetInParent()
    elif isinstance(event, TableResumed):
        message.table_resumed.SetInParent()
    elif isinstance(event, TableClosed):
        message.table_closed.SetInParent()
        put_ranking(event.ranking, message.table_closed)
    else:
        _encode_card_event(event, message)


def _encode_card_event(
    event: CardClaimed | CardRetired | PinPassed | CardUnlocked, message: terminal_pb2.TerminalEvent
) -> None:
    """Store an event that says nothing but which card it is about."""
    if isinstance(event, CardClaimed):
        message.card_claimed.card_id = event.card_id
    elif isinstance(event, CardRetired):
        message.card_retired.card_id = event.card_id
    elif isinstance(event, PinPassed):
        message.pin_passed.card_id = event.card_id
    else:
        message.card_unlocked.card_id = event.card_id


def put_ranking(ranking: Sequence[Rank], message: terminal_pb2.TableClosed | terminal_pb2.Table) -> None:
    """Store a ranking in the message that has one."""
    for rank in ranking:
        message.ranking.add(place=rank.place, seat=rank.seat, total=rank.total)


def decode_event(message: terminal_pb2.TerminalEvent) -> Event:
    """Return the event of a message."""
    kind = message.WhichOneof("event")
    if kind == "unit_changed":
        changed = message.unit_changed
        sounds = [_SOUND_WORDS.get(number, "") for number in changed.sounds]
        return UnitChanged(decode_unit(changed.state), sounds, changed.refusal, changed.detail)
    if kind == "table_opened":
        return _decode_opened(message.table_opened)
    if kind == "card_issued":
        issued = message.card_issued
        return CardIssued(issued.card_id, issued.seat, issued.name, issued.secret_digest, issued.key_id)
    if kind == "card_claimed":
        return CardClaimed(message.card_claimed.card_id)
    if kind == "card_retired":
        return CardRetired(message.card_retired.card_id)
    if kind == "pin_set":
        return PinSet(message.pin_set.card_id, message.pin_set.hash, message.pin_set.key_id)
    if kind == "pin_failed":
        failed = message.pin_failed
        return PinFailed(failed.card_id, failed.failures, locked=failed.locked)
    if kind == "pin_passed":
        return PinPassed(message.pin_passed.card_id)
    if kind == "card_unlocked":
        return CardUnlocked(message.card_unlocked.card_id)
    if kind == "operation_undone":
        return OperationUndone(message.operation_undone.version, message.operation_undone.note)
    if kind == "table_paused":
        return TablePaused()
    if kind == "table_resumed":
        return TableResumed()
    if kind == "table_closed":
        ranking = message.table_closed.ranking
        return TableClosed([Rank(one.place, one.seat, one.total) for one in ranking])
    raise UnknownEventError(f"terminal event {kind}")


def _decode_opened(opened: terminal_pb2.TableOpened) -> TableOpened:
    return TableOpened(
        opened.edition,
        opened.currency.unit,
        opened.currency.scale,
        opened.opening_amount,
        opened.go_amount,
        opened.model,
        shared_unit=opened.shared_unit,
        in_game=opened.in_game,
    )


def encode_unit(unit: Unit, message: terminal_pb2.UnitState) -> None:
    """Store a unit's whole state."""
    message.model = unit.model
    message.awake = unit.awake
    message.slots.extend(unit.slots)
    message.entry = unit.entry
    message.denomination = unit.denomination
    message.remembered = unit.remembered
    message.payer = unit.payer
    message.payer_left = unit.payer_left
    message.volume = unit.volume
    message.word = unit.word
    message.refusal = unit.refusal
    message.until_ms = unit.until_ms
    message.operation = unit.operation
    message.outcome = unit.outcome
    message.booked_by = unit.booked_by
    message.shown = unit.shown
    message.memory.extend(unit.memory)


def decode_unit(message: terminal_pb2.UnitState) -> Unit:
    """Return the unit that was stored."""
    return Unit.of(
        {
            "model": message.model,
            "awake": int(message.awake),
            "slots": list(message.slots),
            "entry": message.entry,
            "denomination": message.denomination,
            "remembered": message.remembered,
            "payer": message.payer,
            "payer_left": int(message.payer_left),
            "volume": message.volume,
            "word": message.word,
            "refusal": message.refusal,
            "until_ms": message.until_ms,
            "operation": message.operation,
            "outcome": message.outcome,
            "booked_by": message.booked_by,
            "shown": message.shown,
            "memory": list(message.memory),
        }
    )
