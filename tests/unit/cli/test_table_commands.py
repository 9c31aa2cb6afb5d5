"""`magnate table` against a bank over gRPC: what it prints, what it keeps, what it refuses."""

from __future__ import annotations

import asyncio
import json
import stat
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from magnate.bank.v1 import terminal_pb2
from magnate.cli.__main__ import app
from magnate.cli.table import book, words
from tests.support.bank_tables import Bank, serving

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

pytestmark = pytest.mark.asyncio


class Desk:
    """The command line of somebody with a book of tables."""

    def __init__(self, bank: Bank, folder: Path) -> None:
        self.bank = bank
        self.book = folder / "kept" / "tables.json"

    async def run(self, *arguments: str) -> Result:
        """Run `magnate table …` in a thread of its own, as a process would run it."""
        more = ("--book", str(self.book), "--addr", f"127.0.0.1:{self.bank.port}")
        return await asyncio.to_thread(CliRunner().invoke, app, ["table", *arguments, *more])

    async def told(self, *arguments: str) -> Any:
        """Run a command that works, and return the JSON it prints."""
        done = await self.run(*arguments, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout.splitlines()[-1])


async def test_from_open_to_close(tmp_path: Path) -> None:
    """A table is opened, worked by others, shown, taken back, closed; its token stays in the book."""
    async with serving() as bank:
        desk = Desk(bank, tmp_path)
        opened = await desk.run("open", "Ann", "Bob", "--edition", "e-banking", "--page", "http://page:1")
        assert opened.exit_code == 0, opened.output
        assert "http://page:1/#join=" in opened.output
        assert opened.output.count("http://page:1/#card=") == 2
        assert "▄" in opened.output
        assert stat.S_IMODE(desk.book.stat().st_mode) == 0o600
        (kept,) = book.read(desk.book)
        assert kept.join_code in opened.output
        shown = await desk.told("show", kept.join_code.lower())
        cards = shown["table"]["cards"]
        insert = terminal_pb2.InsertCard(slot=terminal_pb2.SLOT_LEFT, card_id=cards[0]["card_id"])
        press = terminal_pb2.Press(key=terminal_pb2.KEY_ARROW)
        actions: list[dict[str, Any]] = [{"insert": insert}, {"press": press}]
        for number, action in enumerate(actions):
            request = terminal_pb2.OperateRequest(table_id=kept.table_id, command_id=f"c{number}", **action)
            await bank.call("Operate", request, kept.token)
        people = await desk.run("show", kept.table_id[:12])
        assert "Ann" in people.output
        assert "bank -> Ann 2M" in people.output
        undone = await desk.told("undo", kept.table_id, "--note", "not yet")
        assert undone["operation"]["note"] == "not yet"
        nothing = await desk.run("undo", kept.table_id)
        assert (nothing.exit_code, "no operation is left" in nothing.output) == (2, True)
        closed = await desk.told("close", kept.table_id)
        assert [rank["place"] for rank in closed["ranking"]] == [1, 1]
        listed = await desk.run("list")
        assert f"{kept.table_id}  {kept.join_code}  closed  Ann, Bob" in listed.output
        watched = await desk.run("watch", kept.table_id)
        assert watched.exit_code == 0
        assert "(takes back 3: not yet)" in watched.output
        assert "1. Bob" in watched.output
        again = await desk.run("close", kept.table_id)
        assert (again.exit_code, "TABLE_CLOSED" in again.output) == (2, True)


async def test_own_amounts_and_a_token_of_its_own(tmp_path: Path) -> None:
    """A table that is not in the book is named by its id, with a token."""
    async with serving() as bank:
        desk = Desk(bank, tmp_path)
        opened = await desk.told(
            "open", "Ann", "--opening", "7", "--go", "2", "--unit", "Taler", "--model", "one-slot", "--shared"
        )
        table = opened["table"]
        assert (table["edition"], table["opening_amount"], table["shared_unit"]) == ("", "7", True)
        assert table["model"] == "UNIT_MODEL_ONE_SLOT"
        desk.book.unlink()
        missing = await desk.run("show", table["table_id"])
        assert (missing.exit_code, "--token" in missing.output) == (2, True)
        shown = await desk.told("show", table["table_id"], "--token", opened["banker_token"])
        assert shown["table"]["table_id"] == table["table_id"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("open", "Ann", "--edition", "banana"), "UNKNOWN_EDITION"),
        (("open", "Ann", "--model", "banana"), "two-slot"),
        (("open", "Ann", "Ann"), "players[1]"),
        (("open", "Ann", "--scale", "7"), "currency.scale"),
        (("show", "nothing"), "no table"),
        (("show", "1-1-000000000000000000000000", "--token", "t1.x.y"), "TOKEN_MALFORMED"),
    ],
)
async def test_bad_input_ends_with_2(arguments: tuple[str, ...], told: str, tmp_path: Path) -> None:
    """One line says what is wrong."""
    async with serving() as bank:
        done = await Desk(bank, tmp_path).run(*arguments)
        assert (done.exit_code, told in done.output) == (2, True), done.output


async def test_a_book_that_is_none(tmp_path: Path) -> None:
    """It is neither read nor written over, and no table is opened whose token could not be kept."""
    async with serving() as bank:
        desk = Desk(bank, tmp_path)
        desk.book.parent.mkdir()
        desk.book.write_text("{}}")
        done = await desk.run("open", "Ann")
        assert (done.exit_code, "is not a book of tables" in done.output) == (2, True)
        assert desk.book.read_text() == "{}}"
        assert bank.metric("magnate_bank_operations_total", kind="open", model="two-slot") == 0


async def test_no_bank_ends_with_3(tmp_path: Path) -> None:
    """A bank that is not there is told from a table that is not there."""
    kept = book.Kept("1-1-" + "0" * 24, "ABCD-EFGH", "t1.x.y")
    book.add(tmp_path / "b.json", kept)
    for arguments in (["open", "Ann"], ["list"], ["show", "ABCD"], ["watch", "ABCD"], ["undo", "ABCD"]):
        more = ["--book", str(tmp_path / "b.json"), "--addr", "127.0.0.1:1"]
        done = await asyncio.to_thread(CliRunner().invoke, app, ["table", *arguments, *more])
        assert (done.exit_code, "127.0.0.1:1" in done.output) == (3, True), done.output


async def test_a_book_finds_what_is_meant(tmp_path: Path) -> None:
    """By the beginning of an id or a code; what may be two is refused."""
    path = tmp_path / "b.json"
    for number in (1, 2):
        book.add(path, book.Kept(f"1-{number}-{'ab' * 12}", f"ABC{number}-WXYZ", f"t{number}"))
    book.add(path, book.Kept(f"1-2-{'ab' * 12}", "ABC2-WXYZ", "newer"))
    assert book.find(path, "abc1", "").token == "t1"
    assert book.find(path, "1-2-abab", "").token == "newer"
    for which in ("ABC", "1", ""):
        with pytest.raises(book.BookError):
            book.find(path, which, "")


async def test_words_for_people() -> None:
    """What is wrong with a card is said beside it; accounts without a seat keep their names."""
    table = terminal_pb2.Table(currency=terminal_pb2.Currency(scale=1))
    table.cards.add(name="Ann", balance=123_456, locked=True, has_pin=True)
    assert words.card(table, table.cards[0]).endswith("locked PIN")
    assert words.money(table, 123_456) == "123.45K>"
    assert [words.who(table, name) for name in ("seat-0", "seat-7", "pot-parking")] == [
        "Ann",
        "seat-7",
        "pot-parking",
    ]
