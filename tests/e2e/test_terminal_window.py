"""`magnate terminal` as it is started in a terminal window; a bank that is killed amid an amount."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING, Final

import pytest
import pytest_asyncio

from magnate.bank.v1 import terminal_pb2
from magnate.cli.table import book
from magnate.cli.terminal.live import LIVE, LOST
from magnate.client.terminal import TerminalClient
from magnate.kit.keys import KeyRing
from tests.support.bank_process import BankProcess
from tests.support.nats import NatsServer
from tests.support.shell import ALTERNATE_SCREEN_OFF, Shell
from tests.support.terminal_window import window

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

pytestmark = [pytest.mark.nats, pytest.mark.slow, pytest.mark.timeout(240), pytest.mark.asyncio]

GREY: Final = re.compile(r"[34]8;2;(\d+);(\d+);(\d+)")


@pytest_asyncio.fixture
async def bank(tmp_path: Path) -> AsyncIterator[BankProcess]:
    """Run a nats-server that syncs each append, and a bank on it."""
    server = NatsServer(tmp_path / "nats")
    server.start()
    await server.ready()
    process = BankProcess(server.url, tmp_path, KeyRing.generate())
    process.start()
    try:
        yield process
    finally:
        process.stop()
        server.stop()


async def balances(bank: BankProcess, table_id: str, token: str) -> list[int]:
    """Return what is on the cards."""
    async with TerminalClient(bank.address) as client:
        return [card.balance for card in (await client.table(table_id, token)).cards]


async def test_a_newcomer(bank: BankProcess, tmp_path: Path) -> None:
    """Opens a table, puts a card in, takes GO, leaves; comes back as its banker; joins from elsewhere."""
    kept = tmp_path / "data" / "tables.json"
    more = ("--addr", bank.address, "--book", str(kept))
    async with TerminalClient(bank.address) as client:  # waits until the bank is there
        await client.open_table(["Nobody"], edition="classic")
    shell = Shell("terminal", "--open", "e-banking", "--players", "Ada, Bob,Cy", *more)
    try:
        await shell.shows("Ada", "Bob", "Cy", "Online")
        shell.type("\x1bOP")  # F1
        await shell.shows("┏━━━╸")  # the 5 of 15M
        shell.type("\r")
        await shell.shows("passes GO")
        shell.type("q")
        assert await shell.end() == 0, shell.text
    finally:
        shell.close()
    assert ALTERNATE_SCREEN_OFF in shell.text
    (entry,) = book.read(kept)
    assert f"to come back: magnate terminal {entry.join_code}" in shell.text
    assert entry.token not in shell.text
    assert await balances(bank, entry.table_id, entry.token) == [17_000, 15_000, 15_000]
    again = Shell("terminal", entry.join_code, *more, "--lang", "ru", NO_COLOR="1")
    try:
        await again.shows("банкир", "На связи", "Ada")
        os.kill(again.process.pid, signal.SIGTERM)
        assert await again.end() != 0
    finally:
        again.close()
    assert ALTERNATE_SCREEN_OFF in again.text
    colours = GREY.findall(again.text)
    assert len(colours) > 100
    assert all(red == green == blue for red, green, blue in colours)
    other = Shell(
        "terminal",
        entry.join_code.lower(),
        "--addr",
        bank.address,
        "--book",
        str(tmp_path / "other"),
        "--lang",
        "fr",
    )
    try:
        await other.shows("invité", "En ligne")
        other.type("q")
        assert await other.end() == 0
    finally:
        other.close()
    assert any(red != blue for red, _, blue in GREY.findall(other.text))


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (
            ("ABCD-EFGH", "--addr", "127.0.0.1:1"),
            3,
            ("no bank answers at 127.0.0.1:1", "`magnate up`", "--addr"),
        ),
        (("--open", "e-banking", "--players", "A", "--addr", "127.0.0.1:1"), 3, ("`magnate up`",)),
        (("no-such-table",), 2, ("no table 'no-such-table'", "--token")),
        ((), 2, ("magnate terminal --open e-banking --players Ada,Bob,Cy",)),
    ],
)
async def test_without_a_bank(
    tmp_path: Path, arguments: tuple[str, ...], code: int, said: tuple[str, ...]
) -> None:
    """It is said how to get one, and no screen is drawn."""
    shell = Shell("terminal", *arguments, "--book", str(tmp_path / "tables.json"))
    try:
        assert await shell.end() == code, shell.text
    finally:
        shell.close()
    told = " ".join(shell.text.split())
    assert all(one in told for one in said), shell.text
    assert "\x1b[?1049h" not in shell.text
    assert not (tmp_path / "tables.json").exists()


async def test_what_the_bank_refuses(bank: BankProcess, tmp_path: Path) -> None:
    """An unknown edition, a name twice, a code of no table: each by its name, and nothing is kept."""
    kept = tmp_path / "tables.json"
    async with TerminalClient(bank.address) as client:
        await client.open_table(["Nobody"], edition="classic")
    for arguments, named in (
        (("--open", "marbles", "--players", "Ada"), "UNKNOWN_EDITION"),
        (("--open", "classic", "--players", "Ada,Ada"), "players"),
        (("0000-0000",), "UNKNOWN_TABLE"),
    ):
        shell = Shell("terminal", *arguments, "--addr", bank.address, "--book", str(kept))
        try:
            assert await shell.end() == 2, shell.text
        finally:
            shell.close()
        assert named in shell.text
    assert not kept.exists()


@pytest.mark.parametrize(
    ("model", "before", "after", "said"),
    [
        (terminal_pb2.UNIT_MODEL_TWO_SLOT, ("f1", "1", "."), ("5", "m", "m"), [16_500, 15_000]),
        (terminal_pb2.UNIT_MODEL_ONE_SLOT, ("c", "2", "0"), ("0", "k", "f2", "+"), [15_000, 15_200]),
    ],
)
async def test_killed_in_the_middle_of_an_amount(
    bank: BankProcess,
    model: terminal_pb2.UnitModel.ValueType,
    before: tuple[str, ...],
    after: tuple[str, ...],
    said: list[int],
) -> None:
    """The window says so, keeps what is pressed, and goes on where it was; each press acts once."""
    async with TerminalClient(bank.address) as client:
        opened = await client.open_table(["Ada", "Bob"], edition="e-banking", model=model)
    table = opened.table
    async with window(bank.address, table, opened.banker_token) as one:
        await one.done(*before)
        half = one.live.table.unit.frame.text
        await bank.kill()
        await one.until(lambda: one.live.link == LOST)
        await one.shows(one.t("link.lost"))
        await one.press(*after)
        assert len(one.live.waiting) == len(after)
        assert one.live.table.unit.frame.text == half
        bank.start()
        await one.until(lambda: not one.live.waiting and one.live.link == LIVE)
        await one.until(lambda: [card.balance for card in one.live.table.cards] == said, f"{said}")
        await one.until(lambda: len(one.live.operations) == 2)
    assert await balances(bank, table.table_id, opened.banker_token) == said
    async with TerminalClient(bank.address) as client:
        now = await client.table(table.table_id, opened.banker_token)
        assert now.version == 1 + len(before) + len(after)
