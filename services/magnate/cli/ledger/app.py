"""The subcommands of `magnate ledger`; what they do is imported when they run."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

Out = Annotated[Path | None, typer.Option(help="The file; standard output if not given.")]

app = typer.Typer(help="Ledgers of games and of tables.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def ledger() -> None:
    """Ledgers of games and of tables."""


@app.command()
def export(
    table: Annotated[str, typer.Argument(help="Id of the game or the table.")],
    form: Annotated[
        str, typer.Option("--format", help="csv, json, journal (for beancount) or hledger.")
    ] = "csv",
    out: Out = None,
    at: Annotated[int, typer.Option(min=0, max=10**18, help="Version to end at; 0: newest.")] = 0,
    token: Annotated[str, typer.Option(help="A seat's or banker's token, where balances are private.")] = "",
    bank: Annotated[str, typer.Option(help="Address of a running bank, host:port.")] = "127.0.0.1:7420",
    json: Annotated[bool, typer.Option("--json", help="Say as JSON what was written; with --out.")] = False,
) -> None:
    """Write a whole ledger to a file: every entry, hold and account, and the balances."""
    from magnate.cli.ledger.export import run_export

    raise SystemExit(asyncio.run(run_export(bank, table, form, out, at, token, json_mode=json)))
