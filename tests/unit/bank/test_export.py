"""Ledgers as files: what each format says is exactly what was stored, whatever was stored."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from beancount import loader
from beancount.core import data, realization
from hypothesis import given
from hypothesis import strategies as st

from magnate.bank.domain.ledger import INITIAL, fold
from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    BalancesDisclosed,
    EntryPosted,
    HoldCaptured,
    HoldExpired,
    HoldPlaced,
    HoldReleased,
    LedgerOpened,
    Record,
)
from magnate.bank.domain.statement import Section
from magnate.bank.export.beancount_journal import BeancountWriter
from magnate.bank.export.document import Heading, closings_of, commodity_of, iso_time
from magnate.bank.export.hledger_journal import HledgerWriter
from magnate.bank.export.journal import account_name
from magnate.bank.export.json_document import JsonWriter
from magnate.bank.export.rows import KINDS
from magnate.bank.export.sheet import TEXTS, SheetWriter, safe
from magnate.bank.fold import read_section
from tests.golden.states import GAMES, read, verified
from tests.support.sources import SERVICES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from magnate.bank.domain.ledger import State
    from magnate.bank.export.document import Writer

FILES = sorted(GAMES.glob("*.jsonl"))
SCHEMA = json.loads((SERVICES / "magnate/bank/export/ledger.schema.json").read_text(encoding="utf-8"))
TABLE = "1-0-00112233445566778899aabb"
START_MS = 1_700_000_000_123
every_game = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
NASTY = ['=HYPERLINK("x")', "+1", "-1", "@a", "'quoted", 'say "x"', "a,b;c", "back\\slash", "[=x|y]", "%2C"]


class Ledger:
    """Sections and the state they lead to."""

    def __init__(self, *sections: Section) -> None:
        self.sections = list(sections)
        self.state: State = INITIAL.copy()

    def folded(self) -> Ledger:
        """Fold the sections, as the bank does."""
        for one in self.sections:
            fold(self.state, one.version, self.state.version, list(one.records))
        return self

    def written(self, writer: Writer, scale: int = 1) -> str:
        """Return the whole file."""
        last, state = self.sections[-1], self.state
        heading = Heading(TABLE, last.version, last.time_ms, unit="M", scale=scale)
        closings = closings_of(state, set())
        return "".join(
            [writer.begin(heading), *(writer.section(one) for one in self.sections), writer.end(closings)]
        )

    def balances(self, scale: int = 1) -> dict[str, int]:
        """Return the posted balance of every account."""
        return {
            name: posted * scale for name, posted in zip(self.state.names, self.state.posted, strict=True)
        }


def recorded(path: Path) -> Ledger:
    """Return the ledger of a golden game."""
    head, records = read(path)
    found = []
    for commit, _ in verified(head, records):
        section = read_section(commit)
        if section is not None:
            found.append(section)
    return Ledger(*found).folded()


def section(version: int, *records: Record, command_id: str = "c", actor: str = "banker") -> Section:
    """Return a commit's records, each commit an hour after the one before."""
    return Section(version, START_MS + version * 3_600_000, command_id, version - 1, list(records), actor)


def everything() -> Ledger:
    """Return a stand-alone ledger with every kind of record, over two days, and with odd names."""
    opened = [AccountOpened(name, kind) for name, kind in (("bank", 1), ("seat-0", 2), ("seat-1", 2))]
    opened += [AccountOpened("pot-free-parking", 3), AccountOpened("escrow-9", 4, True)]
    return Ledger(
        section(
            1, LedgerOpened("M", 1000, True), *opened, EntryPosted("bank", "seat-0", 1500, "start", "t1")
        ),
        section(
            2,
            EntryPosted("seat-0", "seat-1", 70, 'say "x", [a=b|c]; d', "=t2", 100),
            HoldPlaced("hold,1;[x]", "seat-0", 200, START_MS + 9_000_000),
            HoldPlaced("h2", "seat-1", 50, 0),
            HoldPlaced("h3", "seat-1", 10, 0),
        ),
        section(3, HoldCaptured("hold,1;[x]", "seat-0", "pot-free-parking", 150, 50, "+fine", "@t3")),
        section(5, HoldReleased("h2", "seat-1", 50), HoldExpired("h3", "seat-1", 10), BalancesDisclosed()),
        section(
            30,
            EntryPosted("seat-1", "seat-0", 70, "reversal", "t4", 0, "=t2", "wrong\\card"),
            AccountClosed("escrow-9"),
        ),
        section(31, EntryPosted("seat-0", "bank", 2, "x" * 64)),
    ).folded()


LEDGERS = [pytest.param(recorded(path), id=path.stem) for path in FILES] + [
    pytest.param(everything(), id="everything")
]
every_ledger = pytest.mark.parametrize("ledger", LEDGERS)


def loaded(text: str) -> list[Any]:
    """Load a journal with beancount; it must find nothing wrong."""
    entries, errors, _ = loader.load_string(text)
    assert errors == []
    return list(entries)


def of_kind(kind: type, text: str) -> list[Any]:
    """Load a journal with beancount and return its directives of one kind."""
    return [one for one in loaded(text) if type(one) is kind]


@every_ledger
@pytest.mark.parametrize("scale", [1, 1000])
def test_beancount_loads_every_ledger_and_finds_the_same_balances(ledger: Ledger, scale: int) -> None:
    """No error, every transaction balanced, and each account has what the bank says it has."""
    entries = loaded(ledger.written(BeancountWriter(), scale))
    whole: Any = realization
    root, find = whole.realize(entries), whole.get
    found = {}
    for name in ledger.state.names:
        node: Any = find(root, account_name(name))
        assert node is not None
        found[name] = node.balance.get_currency_units("M").number
    assert found == ledger.balances(scale)
    asserted = {one.account: one.amount.number for one in entries if isinstance(one, data.Balance)}
    closed = {
        name for name, is_closed in zip(ledger.state.names, ledger.state.closed, strict=True) if is_closed
    }
    assert asserted == {
        account_name(name): amount for name, amount in ledger.balances(scale).items() if name not in closed
    }


@every_ledger
def test_beancount_has_a_transaction_for_every_commit_that_moves_money(ledger: Ledger) -> None:
    """With version, time and command, and of each posting entry, reason, hold and what it reverses."""
    written = ledger.written(BeancountWriter())
    transactions = {int(one.meta["version"]): one for one in of_kind(data.Transaction, written)}
    expected: dict[int, list[tuple[Any, ...]]] = {}
    for one in ledger.sections:
        for index, record in enumerate(one.records):
            row: tuple[Any, ...] | None = None
            if isinstance(record, EntryPosted):
                row = (record.debit, record.credit, record.amount, record.reason, record.reverses, "")
            elif isinstance(record, HoldCaptured):
                row = (record.account, record.to, record.captured, record.reason, "", record.hold_id)
            if row is not None:
                expected.setdefault(one.version, []).append((f"{one.version}.{index}", *row))
    found: dict[int, list[tuple[Any, ...]]] = {}
    for version, transaction in transactions.items():
        sides = transaction.postings
        for debit, credit in zip(sides[::2], sides[1::2], strict=True):
            assert debit.units.number == -credit.units.number
            meta = debit.meta
            names = [
                next(n for n in ledger.state.names if account_name(n) == side.account)
                for side in (debit, credit)
            ]
            more = (meta["reason"], meta.get("reverses", ""), meta.get("hold", ""))
            found.setdefault(version, []).append((meta["entry"], *names, int(credit.units.number), *more))
    assert found == expected
    times = {one.version: (one.command_id, one.actor, iso_time(one.time_ms)) for one in ledger.sections}
    for version, transaction in transactions.items():
        meta = transaction.meta
        assert (meta["command"], transaction.payee, meta["time"]) == times[version]
        assert str(transaction.date) == meta["time"][:10]


def test_holds_and_openings_are_directives_of_their_days() -> None:
    """Accounts are opened on their first day, closed on their last; a hold says whose and how much."""
    entries = loaded(everything().written(BeancountWriter()))
    opened = {one.account: str(one.date) for one in entries if isinstance(one, data.Open)}
    assert set(opened.values()) == {"2023-11-14"}
    assert len(opened) == 5
    assert [(one.account, str(one.date)) for one in entries if isinstance(one, data.Close)] == [
        ("Assets:Escrow-9", "2023-11-16")
    ]
    holds = [
        (one.values[0].value, one.values[1].value, one.values[2].value, one.values[3].value.number)
        for one in entries
        if isinstance(one, data.Custom)
    ]
    assert holds == [
        ("placed", "hold,1;[x]", "Assets:Seat-0", Decimal(200)),
        ("placed", "h2", "Assets:Seat-1", Decimal(50)),
        ("placed", "h3", "Assets:Seat-1", Decimal(10)),
        ("released", "h2", "Assets:Seat-1", Decimal(50)),
        ("expired", "h3", "Assets:Seat-1", Decimal(10)),
    ]


def test_a_journal_that_was_changed_is_noticed_by_beancount() -> None:
    """The assertions at the end are not for show."""
    text = everything().written(BeancountWriter())
    _, errors, _ = loader.load_string(text.replace("  Assets:Seat-1  70 M", "  Assets:Seat-1  71 M", 1))
    assert errors


@every_ledger
def test_csv_read_again_is_what_was_stored(ledger: Ledger) -> None:
    """A line a record, with every value of it; an apostrophe taken off where one was put on."""
    rows = list(csv.DictReader(io.StringIO(ledger.written(SheetWriter()), newline="")))
    records = [(one, index, record) for one in ledger.sections for index, record in enumerate(one.records)]
    assert len(rows) == len(records)
    for row, (one, index, record) in zip(rows, records, strict=True):
        for name in TEXTS:
            assert not row[name].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
            row[name] = row[name].removeprefix("'")
        assert (row["id"], row["version"]) == (f"{one.version}.{index}", str(one.version))
        assert (row["time"], row["command_id"]) == (iso_time(one.time_ms), one.command_id)
        assert row["record"] == KINDS[type(record)]
        same = {"debit", "credit", "account", "amount", "released", "reason", "hold_id"}
        same |= {"transfer_id", "reverses", "note"}
        skipped = {"account"} if isinstance(record, HoldCaptured) else set()
        for name in {one for one in same if hasattr(record, one)} - skipped:  # compiled: no __slots__
            assert row[name] == str(getattr(record, name)), name
        if isinstance(record, HoldCaptured):
            assert (row["debit"], row["credit"], row["amount"]) == (
                record.account,
                record.to,
                str(record.captured),
            )


@every_ledger
def test_json_keeps_to_its_schema_and_says_the_same(ledger: Ledger) -> None:
    """Bookings in order, amounts as texts, balances as the bank has them."""
    document = json.loads(ledger.written(JsonWriter(), 1000))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert [one["version"] for one in document["bookings"]] == [one.version for one in ledger.sections]
    posted = {one["account"]: int(one["posted"]) for one in document["balances"]}
    assert posted == ledger.balances(1000)
    sums = dict.fromkeys(posted, 0)
    for one in document["bookings"]:
        for record in one["records"]:
            if record["record"] in {"entry", "hold_captured"}:
                sums[record["debit"]] -= int(record["amount"])
                sums[record["credit"]] += int(record["amount"])
    assert sums == posted


def test_the_schema_refuses_what_is_not_a_ledger() -> None:
    """A schema that takes everything would prove nothing."""
    document = json.loads(everything().written(JsonWriter()))
    entry = document["bookings"][0]["records"][-1]
    for name, value in (
        ("amount", 1500),
        ("amount", "1.5"),
        ("debit", "Bank"),
        ("surprise", 1),
        ("record", "gift"),
    ):
        wrong = json.loads(json.dumps(document))
        wrong["bookings"][0]["records"][-1] = {**entry, name: value}
        assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(wrong), name


@pytest.mark.skipif(
    shutil.which("hledger") is None, reason="hledger is not installed (apt-get install hledger)"
)
@every_ledger
def test_hledger_reads_every_ledger_and_finds_the_same_balances(ledger: Ledger, tmp_path: Path) -> None:
    """Strictly checked: accounts and commodity declared, every transaction balanced, every assertion true."""
    path = tmp_path / "ledger.journal"
    path.write_text(ledger.written(HledgerWriter()), encoding="utf-8")
    base = ["hledger", "-f", str(path)]
    subprocess.run([*base, "check", "--strict"], check=True, capture_output=True, text=True)
    done = subprocess.run(
        [*base, "balance", "-E", "--flat", "-N", "-O", "csv"], check=True, capture_output=True, text=True
    )
    rows = list(csv.reader(io.StringIO(done.stdout)))[1:]
    found = {name: int(amount.removesuffix(" M")) for name, amount in rows}
    assert found == {account_name(name): amount for name, amount in ledger.balances().items()}


def test_hledger_is_given_nothing_that_it_would_take_for_something_else() -> None:
    """Tags end at a comma, comments begin at a semicolon, dates stand in brackets."""
    text = everything().written(HledgerWriter())
    assert 'reason:say "x"%2C %5Ba=b%7Cc%5D%3B d' in text
    assert "hold:hold%2C1%3B%5Bx%5D" in text
    assert "reverses:=t2, note:wrong\\card" in text
    for line in text.splitlines():
        assert line.count(";") <= 1


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=40)
    | st.sampled_from(NASTY)
)
def test_any_printable_text_survives_every_format(text: str) -> None:
    """Ids and reasons are others' words; no format lets one through that changes what the file says."""
    ledger = Ledger(
        section(1, AccountOpened("bank", 1), AccountOpened("seat-0", 2)),
        section(
            2, EntryPosted("bank", "seat-0", 5, text or "x", text, 0, text, text), actor=text, command_id=text
        ),
    )
    [transaction] = of_kind(data.Transaction, ledger.written(BeancountWriter()))
    assert transaction.postings[0].meta["reason"] == (text or "x")
    assert (transaction.payee or "", transaction.meta["command"]) == (text, text)
    row = list(csv.DictReader(io.StringIO(ledger.written(SheetWriter()), newline="")))[-1]
    assert row["note"] == safe(text)
    assert row["note"].removeprefix("'") == text
    document = json.loads(ledger.written(JsonWriter()))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert document["bookings"][1]["actor"] == text
    assert not any(line.count(";") > 1 for line in ledger.written(HledgerWriter()).split("\n"))


@pytest.mark.parametrize(
    ("unit", "commodity"),
    [("M", "M"), ("$", "MAG"), ("", "MAG"), ("руб.", "MAG"), ("k", "K"), ("Pounds2!", "POUNDS")],
)
def test_a_commodity_is_a_name_for_both_programs(unit: str, commodity: str) -> None:
    """Capital letters only; what has none is called MAG."""
    assert commodity_of(unit) == commodity


def test_account_names_are_one_to_one() -> None:
    """Two accounts never become one in a journal."""
    names: Sequence[str] = [
        "bank",
        "seat-0",
        "seat-10",
        "pot-a",
        "pot--a",
        "pot-a-",
        "escrow-a",
        "escrow-bank",
    ]
    assert len({account_name(name) for name in names}) == len(names)
