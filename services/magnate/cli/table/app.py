"""The subcommands of `magnate table`; what they do is imported when they run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="A bank without a game: open a table, hand out its cards, look, take back, close.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DEFAULT_ADDR = "127.0.0.1:7420"
DEFAULT_BOOK = Path("data") / "tables.json"

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines for people.")]
Addr = Annotated[str, typer.Option("--addr", help="Address of a running bank, host:port.")]
Book = Annotated[Path, typer.Option("--book", help="Where the tokens of tables are kept.")]
Which = Annotated[str, typer.Argument(help="The table's id, join code, or the beginning of either.")]
Token = Annotated[str, typer.Option(help="A token of the table, if it is not in the book.")]


@app.command("open")
def open_table(
    players: Annotated[list[str], typer.Argument(help="The players' names; each gets a card.")],
    edition: Annotated[
        str, typer.Option(help="classic, e-banking, roubles or ultimate-banking; empty: own amounts.")
    ] = "classic",
    model: Annotated[str, typer.Option(help="two-slot, one-slot, touch or none; else the edition's.")] = "",
    shared: Annotated[bool, typer.Option("--shared", help="Everybody may press the keys.")] = False,
    opening: Annotated[int, typer.Option(min=0, max=10**18, help="Own amounts: what a card has.")] = 0,
    go: Annotated[int, typer.Option(min=0, max=10**18, help="Own amounts: what the arrow pays.")] = 0,
    unit: Annotated[str, typer.Option(help="Own amounts: the currency's name.")] = "",
    scale: Annotated[int, typer.Option(min=1, max=1000, help="Own amounts: 1, or 1000 for thousands.")] = 1,
    page: Annotated[str, typer.Option(help="Address of the gateway's page, for links in QR codes.")] = "",
    codes: Annotated[bool, typer.Option(help="Draw QR codes.")] = True,
    book: Book = DEFAULT_BOOK,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Open a table and show its join code and its cards, each with its secret."""
    from magnate.cli.table.commands import Wanted, run_open

    wanted = Wanted(players, edition, model, opening, go, unit, scale, shared=shared)
    raise SystemExit(asyncio.run(run_open(addr, book, wanted, page, codes=codes, json_mode=json)))


@app.command("list")
def list_tables(book: Book = DEFAULT_BOOK, addr: Addr = DEFAULT_ADDR, json: Json = False) -> None:
    """List the tables of the book as they are now."""
    from magnate.cli.table.commands import run_list

    raise SystemExit(asyncio.run(run_list(addr, book, json_mode=json)))


@app.command()
def show(
    table: Which,
    token: Token = "",
    history: Annotated[int, typer.Option(min=0, max=10_000, help="How many operations to show.")] = 10,
    book: Book = DEFAULT_BOOK,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Show a table: its cards, its unit, and what happened last."""
    from magnate.cli.table.commands import run_show

    raise SystemExit(asyncio.run(run_show(addr, book, table, token, history, json_mode=json)))


@app.command()
def watch(
    table: Which,
    token: Token = "",
    book: Book = DEFAULT_BOOK,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Print what happens at a table as it happens, until it is closed or Ctrl-C."""
    from magnate.cli.table.commands import run_watch

    raise SystemExit(asyncio.run(run_watch(addr, book, table, token, json_mode=json)))


@app.command()
def undo(
    table: Which,
    token: Token = "",
    version: Annotated[
        int, typer.Option(min=0, max=10**18, help="The operation that is meant; else the last that stands.")
    ] = 0,
    note: Annotated[str, typer.Option(help="Why, for everybody to read.")] = "",
    book: Book = DEFAULT_BOOK,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Take back the last operation that moved money."""
    from magnate.cli.table.commands import run_undo

    raise SystemExit(asyncio.run(run_undo(addr, book, table, token, version, note, json_mode=json)))


@app.command()
def close(
    table: Which,
    token: Token = "",
    book: Book = DEFAULT_BOOK,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """End a table for good and rank the players."""
    from magnate.cli.table.commands import run_close

    raise SystemExit(asyncio.run(run_close(addr, book, table, token, json_mode=json)))
