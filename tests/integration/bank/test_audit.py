"""The audit of a table: a sound log has no fault; whatever is wrong is named with its kind and version."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import pytest

from magnate.bank.v1 import bank_pb2
from magnate.cli.audit.deeds import Deeds
from magnate.cli.audit.table import (
    CHAIN,
    CHANCE,
    DEEDS,
    LEDGER_KIND,
    LIST,
    RULES_KIND,
    Fault,
    Finding,
    examine,
)
from magnate.game.v1 import game_pb2
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import LEDGER, RULES, parse_commit
from magnate.kit.log.heads import Head
from magnate.kit.log.port import Stored
from magnate.rules.vocabulary import LoanEnded, LoanTaken, OpenLoan
from tests.golden.states import GAMES, read, verified
from tests.support.banking import START_MS
from tests.support.forging import changed, sealed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from magnate.kit.log.commit import ParsedCommit


FILES = sorted(GAMES.glob("*.jsonl"))


LONG_AGO = START_MS


LATER = START_MS + 10**9


class Recorded:
    """A golden game: its id, its keys, its records and its commits."""

    def __init__(self, path: Path) -> None:
        self.head, self.records = read(path)
        self.keys = KeyRing.parse(self.head["keys"])
        self.table_id: str = self.head["game_id"]

    def stored(self) -> list[Stored]:
        """Return what is stored."""
        return [Stored(one["sequence"], base64.b64decode(one["data"])) for one in self.records]

    def commits(self) -> list[ParsedCommit]:
        """Return commits of one's own to change."""
        return [commit for commit, _ in verified(self.head, self.records)]

    def list_line(self, stored: list[Stored], version: int) -> Head:
        """Return what the list says at a version."""
        commit = parse_commit(self.keys, self.table_id, stored[version - 1].data)
        return Head(self.table_id, version, stored[version - 1].sequence, commit.hash, time_ms=commit.time_ms)

    def examine(self, stored: list[Stored], head: Head | None = None, now_ms: int = LONG_AGO) -> Finding:
        """Examine."""
        return examine(self.keys, self.table_id, stored, head, now_ms)

    def forge(self, kind: int, change: Callable[[bytes], bytes | None], skip: int = 0) -> tuple[int, Finding]:
        """Change one section, seal the log anew, examine it; return the version that was changed, too."""
        commits = self.commits()
        version = changed(commits, kind, change, skip)
        return version, self.examine(sealed(self.keys, self.table_id, commits))


def game(name: str = "classic-us-1") -> Recorded:
    """Return a golden game by its name."""
    return Recorded(GAMES / f"{name}.jsonl")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_sound_game_has_no_fault(path: Path) -> None:
    """Every rule set and every end: all that was stored agrees, entries and draws are counted."""
    one = Recorded(path)
    stored = one.stored()
    finding = one.examine(stored, one.list_line(stored, len(stored)), LATER)
    assert finding.faults == []
    assert (finding.kind, finding.status, finding.version) == ("game", "over", len(stored))
    assert finding.entries > 50
    assert finding.draws > 50


def ledger(change: Callable[[bank_pb2.Record], bool]) -> Callable[[bytes], bytes | None]:
    """Return a change of the first ledger record that `change` takes."""

    def changing(body: bytes) -> bytes | None:
        section = bank_pb2.LedgerSection.FromString(body)
        done = any(change(record) for record in section.records)
        return section.SerializeToString() if done else None

    return changing


def rules(change: Callable[[Any], bool]) -> Callable[[bytes], bytes | None]:
    """Return a change of the first event of the rules that `change` takes."""

    def changing(body: bytes) -> bytes | None:
        section = game_pb2.RulesSection.FromString(body)
        done = any(change(event) for event in section.events)
        return section.SerializeToString() if done else None

    return changing


def amount_of(reason: str, by: int) -> Callable[[bank_pb2.Record], bool]:
    """Return a change of the amount of an entry of this reason."""

    def change(record: bank_pb2.Record) -> bool:
        if not record.HasField("entry_posted") or record.entry_posted.reason != reason:
            return False
        record.entry_posted.amount += by
        return True

    return change


def reason_of(reason: str, other: str) -> Callable[[bank_pb2.Record], bool]:
    """Return a change of the reason of an entry."""

    def change(record: bank_pb2.Record) -> bool:
        if not record.HasField("entry_posted") or record.entry_posted.reason != reason:
            return False
        record.entry_posted.reason = other
        return True

    return change


def field_of(kind: str, name: str, by: int) -> Callable[[Any], bool]:
    """Return a change of a number in an event of the rules."""

    def change(event: Any) -> bool:
        if not event.HasField(kind):
            return False
        setattr(getattr(event, kind), name, getattr(getattr(event, kind), name) + by)
        return True

    return change


PAID = [
    ("classic-us-1", "purchase"),
    ("classic-us-1", "mortgage"),
    ("classic-us-1", "redemption"),
    ("classic-us-1", "mortgage_interest"),
    ("classic-us-1", "trade"),
    ("classic-us-1", "building"),
    ("classic-us-1", "building_sale"),
    ("house-penny", "auction"),
    ("millionaire-time", "loan"),
    ("ultimate-banking-first-bankruptcy", "return"),
]


@pytest.mark.parametrize(("name", "reason"), PAID)
def test_a_payment_for_a_deed_that_is_not_what_the_rules_say_is_named(name: str, reason: str) -> None:
    """One unit more, with every hash and mac right: the version and the entry are told."""
    version, finding = game(name).forge(LEDGER, ledger(amount_of(reason, 1)))
    told = [fault for fault in finding.faults if (fault.version, fault.kind) == (version, DEEDS)]
    assert told
    assert f"for {reason};" in told[0].what


@pytest.mark.parametrize(("name", "reason"), PAID)
def test_a_payment_under_another_reason_is_named(name: str, reason: str) -> None:
    """The money is the same; but nothing that happened accounts for it."""
    version, finding = game(name).forge(LEDGER, ledger(reason_of(reason, "rent")))
    assert {(fault.version, fault.kind) for fault in finding.faults} == {(version, DEEDS)}


def test_a_captured_bid_that_is_not_the_price_is_named() -> None:
    """The winner pays a unit less from his hold than the deed cost."""

    def change(record: bank_pb2.Record) -> bool:
        if not record.HasField("hold_captured"):
            return False
        record.hold_captured.captured -= 1
        record.hold_captured.released += 1
        return True

    version, finding = game().forge(LEDGER, ledger(change))
    assert Fault(version, DEEDS, finding.faults[0].what) == finding.faults[0]
    assert "for auction;" in finding.faults[0].what


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("lot_bought", "price"),
        ("lots_mortgaged", "amount"),
        ("lots_redeemed", "amount"),
        ("buildings_built", "cost"),
        ("buildings_sold", "proceeds"),
        ("lot_auctioned", "price"),
        ("mortgage_interest_charged", "amount"),
    ],
)
def test_a_deed_that_was_not_paid_so_is_named(kind: str, name: str) -> None:
    """The event says a unit more than was paid."""
    version, finding = game().forge(RULES, rules(field_of(kind, name, 1)))
    assert {(fault.version, fault.kind) for fault in finding.faults} >= {(version, DEEDS)}


def test_a_loan_that_only_gets_another_creditor_pays_nobody() -> None:
    """Who had lent leaves the game, and his heir is owed instead; a loan that is new must be paid out."""
    old, new = OpenLoan(2, 0, 94, 7), OpenLoan(2, 1, 94, 7)
    assert Deeds().check([LoanEnded(old, due=False), LoanTaken(new)], [], []) == []
    for events in (
        [LoanTaken(new)],
        [LoanEnded(old, due=True), LoanTaken(new)],
        [LoanEnded(OpenLoan(2, 0, 93, 7), due=False), LoanTaken(new)],
    ):
        [fault] = Deeds().check(events, [], [])
        assert fault == "seat-1 paid seat-2 0 for loan; the deeds say 94"


def test_money_from_nowhere_is_named() -> None:
    """An entry that overdraws a seat cannot be folded: ledger and rules stop at that very version."""
    version, finding = game().forge(LEDGER, ledger(amount_of("tax", 10**6)))
    assert (version, LEDGER_KIND) == finding.faults[0][:2]
    assert "overdraws" in finding.faults[0].what


def test_a_hold_that_reserves_more_than_is_there_is_named() -> None:
    """No more can be on hold than an account has."""

    def change(record: bank_pb2.Record) -> bool:
        if record.HasField("hold_placed"):
            record.hold_placed.amount += 10**6
        return record.HasField("hold_placed")

    version, finding = game().forge(LEDGER, ledger(change))
    assert (version, LEDGER_KIND) == finding.faults[0][:2]
    assert "which is not there" in finding.faults[0].what


def test_a_hold_that_ends_and_was_never_placed_is_named() -> None:
    """Each release and each capture is of an open hold."""

    def change(record: bank_pb2.Record) -> bool:
        if record.HasField("hold_released"):
            record.hold_released.hold_id = "another"
        return record.HasField("hold_released")

    version, finding = game("timed-time").forge(LEDGER, ledger(change))
    assert (version, LEDGER_KIND) == finding.faults[0][:2]
    assert "not open" in finding.faults[0].what


def test_a_ledger_section_that_is_missing_is_named() -> None:
    """Somebody left the money out of a commit: the deeds miss it there, the ledger at its next section."""
    one = game()
    commits = one.commits()
    bought = next(
        commit
        for commit in commits
        if (section := commit.section(RULES)) is not None
        and any(
            event.HasField("lot_bought") for event in game_pb2.RulesSection.FromString(section.body).events
        )
    )
    bought.sections = [section for section in bought.sections if section.kind != LEDGER]
    finding = one.examine(sealed(one.keys, one.table_id, commits))
    assert (bought.version, DEEDS) in {fault[:2] for fault in finding.faults}
    [ledger_fault] = [fault for fault in finding.faults if fault.kind == LEDGER_KIND]
    assert ledger_fault.version > bought.version
    assert "follows" in ledger_fault.what


def test_rules_that_contradict_themselves_are_named() -> None:
    """A house too many on a street: the next one would be a hotel's hotel."""

    def change(event: Any) -> bool:
        if event.HasField("buildings_built"):
            event.buildings_built.levels[0].level = 9
        return bool(event.HasField("buildings_built"))

    version, finding = game().forge(RULES, rules(change))
    assert (version, RULES_KIND) in {fault[:2] for fault in finding.faults}


def test_a_throw_that_the_seed_does_not_give_is_named() -> None:
    """Dice turned round: nothing else notices."""

    def change(event: Any) -> bool:
        thrown = event.dice_thrown
        if not event.HasField("dice_thrown") or thrown.first == thrown.second:
            return False
        thrown.first, thrown.second = thrown.second, thrown.first
        return True

    version, finding = game().forge(RULES, rules(change))
    assert finding.kinds() == {CHANCE}
    assert f"version {version}" in finding.faults[0].what


def test_every_damaged_record_is_told_and_nothing_after_the_first_is_folded() -> None:
    """Flipped bytes in two records: both are named, and what is folded ends before the first."""
    one = game()
    stored = one.stored()
    for place in (40, 90):
        data = bytearray(stored[place].data)
        data[len(data) // 2] ^= 1
        stored[place] = Stored(stored[place].sequence, bytes(data))
    finding = one.examine(stored)
    assert [fault[:2] for fault in finding.faults] == [(41, CHAIN), (91, CHAIN)]
    assert finding.version == 40


def test_a_missing_record_a_foreign_one_and_a_wrong_mac_are_named() -> None:
    """Each with the version that should be there."""
    one, other = game(), game("classic-uk-1")
    stored = one.stored()
    finding = one.examine(stored[:50] + stored[51:])
    assert finding.faults == [Fault(51, CHAIN, "missing; next is version 52")]
    finding = one.examine([*stored[:50], other.stored()[50], *stored[51:]])
    assert finding.faults[0][:2] == (51, CHAIN)
    assert other.table_id in finding.faults[0].what
    wrong = KeyRing("local", {"local": b"w" * 32})
    resealed = [*stored[:50], *sealed(wrong, one.table_id, one.commits())[50:]]
    finding = one.examine(resealed)
    assert finding.faults[0][:2] == (51, CHAIN)
    assert "mac" in finding.faults[0].what
    finding = examine(KeyRing("k2", {"k2": b"x" * 32}), one.table_id, stored, None, LONG_AGO)
    assert "not in this process's key ring" in finding.faults[0].what


def test_a_list_that_is_wrong_is_named() -> None:
    """A line that is missing, stands still, names another commit, or knows of more than there is."""
    one = game()
    stored = one.stored()
    last = len(stored)
    assert one.examine(stored, None, LONG_AGO).ok, "a table that was just opened may not be listed yet"
    assert one.examine(stored, None, LATER).faults[0][:2] == (1, LIST)
    before = one.list_line(stored, last - 1)
    assert one.examine(stored, before, LONG_AGO).ok, "the list may be a second behind"
    assert one.examine(stored, before, LATER).faults[0][:2] == (last, LIST)
    before.hash = bytes(32)
    assert one.examine(stored, before, LONG_AGO).faults[0][:2] == (last - 1, LIST)
    finding = one.examine(stored[:-3], one.list_line(stored, last), LONG_AGO)
    assert finding.faults == [Fault(last - 2, LIST, f"missing: the list says version {last} was stored")]
    finding = one.examine([], one.list_line(stored, last), LONG_AGO)
    assert finding.faults[0][:2] == (1, LIST)
