"""`magnate terminal`: opens a table or joins one, then shows it in this window."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from magnate.cli.output import OK, UNREACHABLE, USAGE, fail, say
from magnate.cli.table import book as books
from magnate.cli.table.words import MODELS
from magnate.cli.terminal.live import LiveTable
from magnate.cli.terminal.texts import LANGUAGES, Texts, language_of
from magnate.client.session import RefusedError, is_passing
from magnate.client.terminal import TerminalClient

if TYPE_CHECKING:
    from pathlib import Path

    from magnate.bank.v1.terminal_pb2 import Table

REACH_SECONDS: Final = 3.0
_CODE: Final = re.compile(r"[0-9A-Za-z]{4}-?[0-9A-Za-z]{4}")
HOW: Final = """\
open a table:  magnate terminal --open e-banking --players Ada,Bob,Cy
join a table:  magnate terminal ABCD-EFGH
Editions are classic, e-banking, roubles and ultimate-banking; all options: magnate terminal --help"""


@dataclass(frozen=True)
class TerminalOptions:
    """What the command line says."""

    table: str
    addr: str
    book: Path
    token: str = ""
    edition: str = ""
    players: tuple[str, ...] = ()
    model: str = ""
    shared: bool = False
    language: str = ""
    bell: bool = False

    def fault(self) -> str:
        """Say what is wrong; empty if nothing is."""
        if self.language and self.language not in LANGUAGES:
            return f"--lang {self.language}: must be one of {', '.join(LANGUAGES)}"
        if self.model not in MODELS:
            return f"--model {self.model}: must be one of {', '.join(filter(None, MODELS))}"
        if self.edition and self.table:
            return f"{self.table}: a table is either opened (--open) or joined"
        if self.edition and not self.players:
            return "--players: name who plays, such as Ada,Bob,Cy"
        if self.edition and self.token:
            return "--token: a table that is opened gives one"
        if self.edition:
            return ""
        if not self.table:
            return f"name a table or open one\n{HOW}"
        unused = (("--players", bool(self.players)), ("--model", bool(self.model)), ("--shared", self.shared))
        wrong = next((name for name, given in unused if given), "")
        return f"{wrong} is for a table that is opened with --open" if wrong else ""


@dataclass(frozen=True)
class Entered:
    """A table, a token for it and, where it is known, whose that is."""

    table: Table
    token: str
    role: str


async def run_terminal(options: TerminalOptions) -> int:
    """Open or join the table, show it until the window is left. Returns the exit code."""
    fault = options.fault()
    if fault:
        fail(fault, USAGE)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        fail("the unit is drawn in a terminal window, and here is none", USAGE)
    try:
        async with TerminalClient(options.addr, retry_seconds=REACH_SECONDS) as bank:
            entered = await enter(bank, options)
    except books.BookError as error:
        fail(str(error), USAGE)
    except RefusedError as error:
        if not is_passing(error):
            fail(str(error), USAGE)
        told = f"no bank answers at {options.addr}. Start one in another window with `magnate up`"
        fail(f"{told}, or say with --addr HOST:PORT where one runs", UNREACHABLE)
    from magnate.cli.terminal.app import TerminalApp

    async with TerminalClient(options.addr) as bank:
        live = LiveTable(bank, entered.table, entered.token, entered.role)
        app = TerminalApp(live, Texts(language_of(options.language)), bell=options.bell)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):  # the shell gets its screen back
            loop.add_signal_handler(number, partial(app.exit, return_code=128 + number))
        await app.run_async()
    if not app.return_code:
        say(f"to come back: magnate terminal {entered.table.join_code or entered.table.table_id}")
    return app.return_code or OK


async def enter(bank: TerminalClient, options: TerminalOptions) -> Entered:
    """Open the table, or find it in the book or by its code; raises BookError and RefusedError."""
    if options.edition:
        books.read(options.book)  # before there is a table whose token could not be kept
        opened = await bank.open_table(
            options.players,
            edition=options.edition,
            model=MODELS[options.model],
            shared_unit=options.shared,
        )
        table = opened.table
        books.add(options.book, books.Kept(table.table_id, table.join_code, opened.banker_token))
        return Entered(table, opened.banker_token, "banker")
    is_code = _CODE.fullmatch(options.table) is not None
    if options.token:
        table_id = (await bank.join(options.table)).table.table_id if is_code else options.table
        return Entered(await bank.table(table_id, options.token), options.token, "")
    try:
        kept = books.find(options.book, options.table, "")
    except books.BookError:
        if not is_code:
            raise
        joined = await bank.join(options.table)
        return Entered(joined.table, joined.guest_token, "guest")
    return Entered(await bank.table(kept.table_id, kept.token), kept.token, "banker")
