"""What is stored of a table: every event as bytes and back, old bytes for ever, damage by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.bank.tables.codec import SECTION_VERSION, SOUNDS, decode_section, terminal_section
from magnate.bank.tables.events import (
    CardClaimed,
    CardIssued,
    CardRetired,
    CardUnlocked,
    Event,
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
from magnate.bank.tables.fold import TableFold
from magnate.bank.terminal.unit import Unit
from magnate.bank.v1 import terminal_pb2
from magnate.kit.log.commit import TERMINAL, Command, Section, build_commit
from magnate.kit.log.errors import DataLossError, LogNewerError
from tests.support.banking import KEYS, START_MS, new_game

if TYPE_CHECKING:
    from magnate.bank.tables.state import TableState

TABLE_ID = new_game("stored")


def unit() -> Unit:
    """Return a unit of which nothing is as it comes out of the box."""
    made = Unit("one-slot", 1)
    made.awake, made.slots, made.entry, made.denomination = True, [3], "1.50", "M"
    made.remembered, made.payer, made.payer_left = 1_500, 2, True
    made.volume, made.word, made.refusal, made.until_ms = 0, "error", "NO_CARD", START_MS
    made.operation, made.outcome, made.booked_by, made.shown, made.memory = 7, "open", "PLUS", 2, [4, -1]
    return made


EVENTS: list[Event] = [
    TableOpened("e-banking", "$", 1000, 15_000, 2_000, 2, shared_unit=True, in_game=True),
    TableOpened("", "Taler", 1, 0, 0, 1, shared_unit=False),
    CardIssued("8AS89VG9", 0, "Ann", b"digest", "k1"),
    CardClaimed("8AS89VG9"),
    CardRetired("8AS89VG9"),
    PinSet("8AS89VG9", "$argon2id$…", "k1"),
    PinSet("8AS89VG9", "", ""),
    PinFailed("8AS89VG9", 5, locked=True),
    PinPassed("8AS89VG9"),
    CardUnlocked("8AS89VG9"),
    UnitChanged(unit(), list(SOUNDS), "NO_CARD", "no card is in"),
    OperationUndone(12, "too much"),
    TablePaused(),
    TableResumed(),
    TableClosed([Rank(1, 0, 7), Rank(1, 1, 7), Rank(3, 2, 0)]),
]


def plain(value: object) -> object:
    """Return an event as values that can be compared."""
    if isinstance(value, Unit):
        return value.plain()
    if isinstance(value, list):
        return [plain(one) for one in value]
    slots = getattr(type(value), "__slots__", None)
    return value if slots is None else {name: plain(getattr(value, name)) for name in slots}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_event_is_read_as_it_was_written(event: Event) -> None:
    """No field is lost, whatever the event."""
    (found,) = decode_section(terminal_section([event]).body)
    assert type(found) is type(event)
    assert plain(found) == plain(event)


def test_every_kind_of_event_is_among_them() -> None:
    """A new event in the proto is stored and read by a test."""
    written = terminal_pb2.TerminalSection.FromString(terminal_section(EVENTS).body)
    kinds = {event.WhichOneof("event") for event in written.events}
    assert kinds == {field.name for field in terminal_pb2.TerminalEvent.DESCRIPTOR.fields}


def test_every_sound_of_the_proto_has_a_word() -> None:
    """A unit that makes a new sound can store it."""
    assert {*SOUNDS.values(), 0} == {value.number for value in terminal_pb2.Sound.DESCRIPTOR.values}


FIRST_RELEASE = bytes.fromhex(
    "0a210a1f0a09652d62616e6b696e6712060a012410e80718987520d00f2802300138010a0f0a0d12090a0554616c6572"
    "100128010a1d121b0a0838415338395647391a03416e6e22066469676573742a026b310a0c1a0a0a0838415338395647"
    "390a0c220a0a0838415338395647390a1f2a1d0a083841533839564739120d246172676f6e32696424e280a61a026b31"
    "0a0c2a0a0a0838415338395647390a10320e0a083841533839564739100518010a0c6a0a0a0838415338395647390a0c"
    "3a0a0a0838415338395647390a7b42790a550a086f6e652d736c6f7410011a01062204312e35302a014d30dc0b380440"
    "0152056572726f725a074e4f5f434152446080d095ffbc31680772046f70656e7a04504c55538001048a010b04ffffff"
    "ffffffffffff01120801020304050607081a074e4f5f43415244220d6e6f206361726420697320696e0a0e4a0c080c12"
    "08746f6f206d7563680a0252000a025a000a1662140a04080118070a060801100118070a0408031002"
)
"""The events above as the first release that had tables stored them. Never change it, add others."""


def test_what_the_first_release_stored_is_read_for_ever() -> None:
    """The same bytes mean the same events."""
    assert [plain(one) for one in decode_section(FIRST_RELEASE)] == [plain(one) for one in EVENTS]


def folded(*sections: Section) -> TableState:
    """Fold a first commit with these sections."""
    commit = build_commit(
        KEYS,
        TABLE_ID,
        Command("c", bytes(32), actor="banker", received_at_ms=START_MS),
        sections,
        previous_version=0,
        previous_hash=bytes(32),
        previous_time_ms=0,
        now_ms=START_MS,
    )
    return TableFold().apply(TableFold().initial(TABLE_ID), commit)


def test_a_section_of_a_later_release_is_not_skipped() -> None:
    """Neither a newer version nor an event that this build does not know."""
    with pytest.raises(LogNewerError):
        folded(Section(TERMINAL, SECTION_VERSION + 1, b""))
    unknown = terminal_pb2.TerminalSection(events=[terminal_pb2.TerminalEvent()]).SerializeToString()
    with pytest.raises(LogNewerError):
        folded(Section(TERMINAL, SECTION_VERSION, unknown))


@pytest.mark.parametrize(
    "events",
    [
        [CardClaimed("nobody")],
        [CardIssued("X", 1, "Ann", b"", "k1")],
        [CardIssued("X", 0, "Ann", b"", "k1"), CardIssued("Y", 0, "Bob", b"", "k1")],
    ],
    ids=["a card that is not there", "a seat left out", "a seat twice"],
)
def test_events_that_do_not_follow_are_damage(events: list[Event]) -> None:
    """Folding decides nothing, but it does not take what contradicts itself."""
    with pytest.raises(DataLossError):
        folded(terminal_section(events))


def test_bytes_that_are_no_section_are_damage() -> None:
    """They are named, not skipped."""
    with pytest.raises(DataLossError):
        folded(Section(TERMINAL, SECTION_VERSION, b"\xff\xff"))
