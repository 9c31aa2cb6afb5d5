"""The audit of a table of cards: a sound log has no fault; whatever is wrong is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.bank.v1 import bank_pb2, terminal_pb2
from magnate.cli.audit.table import (
    CARDS,
    Fault,
    examine,
)
from magnate.kit.log.commit import LEDGER, TERMINAL, Command, Section, build_commit
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Stored
from tests.support.bank_tables import serving
from tests.support.banking import KEYS, START_MS, new_game

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from magnate.kit.log.commit import ParsedCommit


class Table:
    """A stand-alone table, written commit by commit by somebody who has the keys and no scruples."""

    def __init__(self) -> None:
        self.table_id = new_game("audited-table")
        self.stored: list[Stored] = []
        self._ledger_version = 0
        self._last: ParsedCommit | None = None

    def add(self, *events: Message, entries: tuple[tuple[str, str, int], ...] = (), accounts: int = 0) -> int:
        """Write a commit of these terminal events, accounts and entries; return its version."""
        terminal = terminal_pb2.TerminalSection()
        for event in events:
            field = next(
                one.name
                for one in terminal_pb2.TerminalEvent.DESCRIPTOR.fields
                if one.message_type == event.DESCRIPTOR
            )
            getattr(terminal.events.add(), field).CopyFrom(event)
        money = bank_pb2.LedgerSection(previous_version=self._ledger_version)
        for name in ("bank", *(f"seat-{seat}" for seat in range(accounts))) if accounts else ():
            kind = bank_pb2.ACCOUNT_KIND_BANK if name == "bank" else bank_pb2.ACCOUNT_KIND_SEAT
            money.records.add().account_opened.CopyFrom(bank_pb2.AccountOpened(account=name, kind=kind))
        for debit, credit, amount in entries:
            posted = bank_pb2.EntryPosted(debit=debit, credit=credit, amount=amount, reason="transfer")
            money.records.add().entry_posted.CopyFrom(posted)
        last = self._last
        sections = [Section(TERMINAL, 1, terminal.SerializeToString())] if events else []
        sections += [Section(LEDGER, 1, money.SerializeToString())] if money.records else []
        commit = build_commit(
            KEYS,
            self.table_id,
            Command(f"c{len(self.stored)}", b"h" * 32, actor="banker", received_at_ms=START_MS),
            sections,
            previous_version=0 if last is None else last.version,
            previous_hash=bytes(32) if last is None else last.hash,
            previous_time_ms=START_MS,
            now_ms=START_MS,
        )
        if money.records:
            self._ledger_version = commit.version
        self._last = commit
        self.stored.append(Stored(len(self.stored) + 1, commit.data))
        return commit.version

    def opened(self) -> Table:
        """Write the first commit: two cards of 1500."""
        self.add(
            terminal_pb2.TableOpened(edition="classic", opening_amount=1500),
            terminal_pb2.CardIssued(card_id="A", seat=0, name="Ada"),
            terminal_pb2.CardIssued(card_id="B", seat=1, name="Boris"),
            accounts=2,
            entries=(("bank", "seat-0", 1500), ("bank", "seat-1", 1500)),
        )
        return self

    def faults(self) -> list[Fault]:
        """Examine it."""
        return examine(KEYS, self.table_id, self.stored, None, START_MS).faults


def rank(seat: int, total: int) -> terminal_pb2.Rank:
    """Return a place in a ranking."""
    return terminal_pb2.Rank(place=1, seat=seat, total=total)


def test_a_sound_table_of_cards_has_no_fault() -> None:
    """Opened, paid, taken back, a card retired, closed: all agrees."""
    table = Table().opened()
    paid = table.add(terminal_pb2.CardClaimed(card_id="A"), entries=(("seat-0", "seat-1", 100),))
    table.add(terminal_pb2.OperationUndone(version=paid), entries=(("seat-1", "seat-0", 100),))
    table.add(terminal_pb2.CardRetired(card_id="B"), entries=(("seat-1", "bank", 1500),))
    table.add(terminal_pb2.TableClosed(ranking=[rank(0, 1500), rank(1, 0)]))
    finding = examine(KEYS, table.table_id, table.stored, None, START_MS)
    assert (finding.faults, finding.kind, finding.version, finding.entries) == ([], "ledger", 5, 5)


@pytest.mark.parametrize(
    ("event", "what"),
    [
        (terminal_pb2.CardIssued(card_id="C", seat=2), "has no account seat-2"),
        (terminal_pb2.CardIssued(card_id="A", seat=1), "a second time"),
        (terminal_pb2.CardClaimed(card_id="X"), "never issued"),
        (terminal_pb2.CardRetired(card_id="B"), "is retired, and seat-1 has 1500"),
        (terminal_pb2.OperationUndone(version=7), "moved no money"),
        (terminal_pb2.TableClosed(ranking=[rank(0, 1499)]), "ranked with 1499, its account has 1500"),
        (terminal_pb2.UnitChanged(state=terminal_pb2.UnitState(slots=[5, -1], payer=-1)), "of seat 5"),
    ],
    ids=lambda one: one.DESCRIPTOR.name if hasattr(one, "DESCRIPTOR") else "",
)
def test_cards_that_do_not_agree_with_accounts_are_named(event: Message, what: str) -> None:
    """Each event against the ledger as it is after its commit."""
    table = Table().opened()
    version = table.add(event)
    [fault] = table.faults()
    assert fault[:2] == (version, CARDS)
    assert what in fault.what


def test_an_operation_is_taken_back_once() -> None:
    """The second time is a fault."""
    table = Table().opened()
    paid = table.add(terminal_pb2.CardClaimed(card_id="A"), entries=(("seat-0", "seat-1", 100),))
    for _ in range(2):
        version = table.add(terminal_pb2.OperationUndone(version=paid), entries=(("seat-1", "seat-0", 100),))
    assert [fault[:2] for fault in table.faults()] == [(version, CARDS)]


@pytest.mark.asyncio
async def test_what_the_bank_makes_of_an_evening_is_sound() -> None:
    """A real table: money keyed in and taken back, a card joins, another retires, a PIN, a pause, the end."""
    log = MemoryLog()
    async with serving(log) as bank:
        table = await bank.open()
        card = await table.claim(0)
        await table.do("SetPin", card, card_id=table.cards[0], new_pin="1234")
        await table.insert(0, "left", card)
        await table.press("GO")
        await table.insert(1, "right")
        paid = await table.press("2", "M", "M")
        await table.do("UndoOperation", version=paid.operation.version)
        await table.remove("left")
        await table.remove("right")
        await table.do("AddCard", name="Cy")
        await table.do("RetireCard", card_id=table.cards[1])
        await table.do("PauseTable")
        await table.do("ResumeTable")
        await table.hold("C")
        await table.do("CloseTable")
        finding = examine(KEYS, table.table_id, await log.load(table.table_id), None, START_MS)
    assert (finding.faults, finding.kind) == ([], "ledger")
    assert finding.version > 15
    assert finding.entries > 5
