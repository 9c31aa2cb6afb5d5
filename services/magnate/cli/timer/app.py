"""The subcommands of `magnate timer`; what they do is imported when they run."""

from __future__ import annotations

import asyncio
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import Annotated

import typer

app = typer.Typer(
    help="Deadlines of games and bank tables: look, watch, and set timers of your own.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

DEFAULT_ADDR = "127.0.0.1:7460"

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of lines for people.")]
Addr = Annotated[str, typer.Option("--addr", help="Address of a running timer, host:port.")]
Table = Annotated[str, typer.Argument(help="Id of the game or the bank table.")]
TimerId = Annotated[str, typer.Argument(help="The timer, t-….")]
Token = Annotated[str, typer.Option(help="Token of a seat, of the banker or of a card.")]
After = Annotated[float, typer.Option(min=0.1, max=10**9, help="Seconds from now.")]


@app.command("list")
def list_deadlines(table: Table, addr: Addr = DEFAULT_ADDR, json: Json = False) -> None:
    """List what is pending, the earliest first; paused ones last."""
    from magnate.cli.timer.commands import run_list

    raise SystemExit(asyncio.run(run_list(addr, table, json_mode=json)))


@app.command("set")
def set_timer(
    table: Table,
    token: Token,
    after: After,
    name: Annotated[str, typer.Option(help="Its name; its id is then t-NAME.")] = "",
    label: Annotated[str, typer.Option(help="What it is for, at most 80 characters.")] = "",
    data: Annotated[str, typer.Option(help="Data of your own, at most 1024 bytes.")] = "",
    missed: Annotated[str, typer.Option(help="What becomes of it if missed: fire, skip, shift.")] = "fire",
    through: Annotated[bool, typer.Option("--through", help="Run on while the game is paused.")] = False,
    every: Annotated[
        float, typer.Option(min=0, max=10**9, help="Fire again every so many seconds; 0: once.")
    ] = 0,
    times: Annotated[
        int, typer.Option(min=0, max=10**9, help="With --every: how often in all; 0: 1000 times.")
    ] = 0,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Set a timer."""
    from magnate.cli.timer.commands import Wanted, run_set

    wanted = Wanted(
        round(after * 1000),
        name,
        label,
        data,
        missed,
        through=through,
        every_ms=round(every * 1000),
        times=times,
    )
    raise SystemExit(asyncio.run(run_set(addr, table, token, wanted, json_mode=json)))


@app.command()
def move(
    table: Table, timer: TimerId, token: Token, after: After, addr: Addr = DEFAULT_ADDR, json: Json = False
) -> None:
    """Move a running timer."""
    from magnate.cli.timer.commands import run_move

    raise SystemExit(asyncio.run(run_move(addr, table, token, timer, round(after * 1000), json_mode=json)))


@app.command()
def cancel(table: Table, timer: TimerId, token: Token, addr: Addr = DEFAULT_ADDR, json: Json = False) -> None:
    """Forget a timer."""
    from magnate.cli.timer.commands import run_cancel

    raise SystemExit(asyncio.run(run_cancel(addr, table, token, timer, json_mode=json)))


@app.command()
def pause(table: Table, timer: TimerId, token: Token, addr: Addr = DEFAULT_ADDR, json: Json = False) -> None:
    """Stop a timer; what is left of it is kept."""
    from magnate.cli.timer.commands import run_pause

    raise SystemExit(asyncio.run(run_pause(addr, table, token, timer, json_mode=json)))


@app.command()
def resume(table: Table, timer: TimerId, token: Token, addr: Addr = DEFAULT_ADDR, json: Json = False) -> None:
    """Let a stopped timer run on."""
    from magnate.cli.timer.commands import run_resume

    raise SystemExit(asyncio.run(run_resume(addr, table, token, timer, json_mode=json)))


@app.command()
def watch(
    table: Table,
    fired: Annotated[int, typer.Option(min=0, help="End after so many firings; 0: never.")] = 0,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Show what is pending, then what changes, until interrupted."""
    from magnate.cli.timer.commands import run_watch

    raise SystemExit(asyncio.run(run_watch(addr, table, fired, json_mode=json)))


@app.command()
def rebuild(
    data: Annotated[Path | None, typer.Option(help="Folder of `magnate up`, with keys and log.")] = None,
    nats: Annotated[str, typer.Option(help="The NATS servers; else MAGNATE_NATS_URL.")] = "",
    replicas: Annotated[int, typer.Option(min=1, max=5, help="Copies of the stream of alarms.")] = 1,
    json: Json = False,
) -> None:
    """Read the whole log, set every alarm anew and store what the timer remembers."""
    from magnate.cli.timer.rebuild import run_rebuild

    raise SystemExit(run_rebuild(data, nats, replicas, json_mode=json))
