"""The `magnate` command. Every subcommand imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer

from magnate.cli.ledger.app import app as ledger_app
from magnate.cli.rules.app import app as rules_app
from magnate.cli.table.app import app as table_app
from magnate.cli.timer.app import app as timer_app

app = typer.Typer(
    name="magnate",
    help="The backend for property-trading board games played with bank cards.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(rules_app, name="rules")
app.add_typer(table_app, name="table")
app.add_typer(ledger_app, name="ledger")
app.add_typer(timer_app, name="timer")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of lines for people.")]
Addr = Annotated[str, typer.Option("--addr", help="Address of a running game service, host:port.")]
DEFAULT_ADDR = "127.0.0.1:7400"


def _print_version(asked: bool) -> None:
    """Print the release, and whether the rules run compiled, and end."""
    if asked:
        from magnate.compiled import is_compiled
        from magnate.kit.release import release
        from magnate.rules import decide

        print(f"magnate {release()}, rules {'compiled' if is_compiled(decide) else 'interpreted'}")
        raise typer.Exit


@app.callback()
def magnate(
    *,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the release.")
    ] = False,
) -> None:
    """The backend for property-trading board games played with bank cards."""
    from magnate.cli.output import print_any_letter

    print_any_letter()


@app.command()
def up(
    data: Annotated[Path, typer.Option(help="Where the log, keys and process logs lie.")] = Path("data"),
    workers: Annotated[int, typer.Option(min=1, max=16, help="Processes of game, bank and auction.")] = 1,
    nats: Annotated[str, typer.Option(help="Use this NATS instead of starting one.")] = "",
    replicas: Annotated[int, typer.Option(min=1, max=5, help="Copies of every stream (3 on a cluster).")] = 1,
    ready_file: Annotated[Path | None, typer.Option(help="Write the addresses there when all runs.")] = None,
    free_ports: Annotated[bool, typer.Option(help="Use any free ports instead of the fixed ones.")] = False,
    sandbox: Annotated[bool, typer.Option(help="Allow tables with scripted dice and positions.")] = False,
    rules: Annotated[Path | None, typer.Option(help="Folder of own boards/ and rulesets/.")] = None,
    json: Json = False,
) -> None:
    """Run everything on this machine until interrupted: nats-server, the four services and the gateway."""
    from magnate.cli.stack import StackOptions
    from magnate.cli.up import run_up

    options = StackOptions(
        data=data,
        workers=workers,
        nats_url=nats,
        free_ports=free_ports,
        sandbox=sandbox,
        replicas=replicas,
        ready_file=ready_file,
        gateway=True,
        rules=rules,
    )
    raise SystemExit(asyncio.run(run_up(options, json_mode=json)))


@app.command()
def serve(
    service: Annotated[str, typer.Argument(help="game, bank, auction, timer or gateway.")],
    rules: Annotated[Path | None, typer.Option(help="Folder of own boards/ and rulesets/ (game).")] = None,
    json: Annotated[bool, typer.Option("--json", help="Log JSON, also at a terminal.")] = False,
) -> None:
    """Run one service; settings come from MAGNATE_… variables."""
    from magnate.cli.serve import run_service

    run_service(service, rules, json_mode=json)


@app.command()
def demo(
    players: Annotated[int, typer.Option(min=2, max=8, help="How many bots play.")] = 4,
    ruleset: Annotated[str, typer.Option(help="Rule set id.")] = "classic",
    board: Annotated[str, typer.Option(help="Board id; the rule set's own if empty.")] = "",
    seed: Annotated[int, typer.Option(help="Seed of the bots' choices.")] = 1,
    games: Annotated[int, typer.Option(min=1, max=1000, help="How many games, one after another.")] = 1,
    addr: Annotated[str, typer.Option(help="A running game service; started if empty.")] = "",
    option: Annotated[list[str] | None, typer.Option(help="House rule NAME=VALUE, again for more.")] = None,
    rules: Annotated[Path | None, typer.Option(help="Folder of own boards/ and rulesets/.")] = None,
    json: Json = False,
) -> None:
    """Let bots play whole games over gRPC, then replay and verify them."""
    from magnate.cli.demo import DemoOptions, run_demo

    if addr and rules is not None:
        raise typer.BadParameter("--rules is for a server that is started here, not for that of --addr")
    options = DemoOptions(
        players=players,
        ruleset=ruleset,
        board=board,
        seed=seed,
        games=games,
        addr=addr,
        house=option or [],
        rules=rules,
    )
    raise SystemExit(asyncio.run(run_demo(options, json_mode=json)))


@app.command()
def terminal(
    table: Annotated[str, typer.Argument(help="A table's code, or its id.")] = "",
    addr: Annotated[str, typer.Option(help="Address of a running bank, host:port.")] = "127.0.0.1:7420",
    token: Annotated[str, typer.Option(help="A token of the table, if it is not in the book.")] = "",
    edition: Annotated[
        str,
        typer.Option(
            "--open", metavar="EDITION", help="Open a table: classic, e-banking, roubles or ultimate-banking."
        ),
    ] = "",
    players: Annotated[str, typer.Option(help="Who plays at it: Ada,Bob,Cy.")] = "",
    model: Annotated[
        str, typer.Option(help="Its unit: two-slot, one-slot or touch; else the edition's.")
    ] = "",
    shared: Annotated[bool, typer.Option("--shared", help="Everybody at it may press the keys.")] = False,
    lang: Annotated[str, typer.Option(help="en, ru or fr; that of the environment if empty.")] = "",
    bell: Annotated[bool, typer.Option("--bell", help="Ring the window's bell when money moves.")] = False,
    book: Annotated[Path, typer.Option(help="Where the tokens of tables are kept.")] = Path(
        "data/tables.json"
    ),
) -> None:
    """Work the bank's unit in this window: open a table or join one."""
    from magnate.cli.terminal.command import TerminalOptions, run_terminal

    options = TerminalOptions(
        table,
        addr,
        book,
        token=token,
        edition=edition,
        players=tuple(name.strip() for name in players.split(",") if name.strip()),
        model=model,
        shared=shared,
        language=lang,
        bell=bell,
    )
    raise SystemExit(asyncio.run(run_terminal(options)))


@app.command()
def watch(
    game: Annotated[str, typer.Argument(help="Game id.")],
    addr: Addr = DEFAULT_ADDR,
    token: Annotated[str, typer.Option(help="A token of a seat, for its own money.")] = "",
    lang: Annotated[str, typer.Option(help="en, ru or fr; that of the environment if empty.")] = "",
    plain: Annotated[
        bool, typer.Option("--plain", help="Print a line for each commit instead of a window.")
    ] = False,
    since: Annotated[int, typer.Option(min=0, max=10**18, help="In lines: only after this version.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print a JSON object for each commit.")] = False,
) -> None:
    """Watch a game as it goes on: board, money, auctions with their countdown, clocks, what happens."""
    from magnate.cli.watch.command import WatchOptions, run_watch

    options = WatchOptions(game, addr, token=token, language=lang, plain=plain, json_mode=json, since=since)
    raise SystemExit(asyncio.run(run_watch(options)))


@app.command()
def replay(
    game: Annotated[str, typer.Argument(help="Game id.")],
    at: Annotated[int, typer.Option(min=0, max=10**18, help="Version to stop at; 0: newest.")] = 0,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Rebuild a game from its log here, and show its state."""
    from magnate.cli.inspect import run_replay

    raise SystemExit(asyncio.run(run_replay(addr, game, at, json_mode=json)))


@app.command()
def verify(
    game: Annotated[str, typer.Argument(help="Game id.")],
    addr: Addr = DEFAULT_ADDR,
    bank: Annotated[str, typer.Option(help="Address of the bank, to compare its trial balance too.")] = "",
    json: Json = False,
) -> None:
    """Check a game: chain, fold against live state, every entry and the trial balance, every throw."""
    from magnate.cli.inspect import run_verify

    raise SystemExit(asyncio.run(run_verify(addr, game, bank, json_mode=json)))


@app.command()
def audit(
    tables: Annotated[list[str] | None, typer.Argument(help="Ids of games and tables.")] = None,
    whole: Annotated[bool, typer.Option("--all", help="Every table of the log.")] = False,
    data: Annotated[Path | None, typer.Option(help="Folder of `magnate up`: its log and its keys.")] = None,
    nats: Annotated[str, typer.Option(help="The NATS servers, instead of MAGNATE_NATS_URL.")] = "",
    bank: Annotated[str, typer.Option(help="Address of the bank, to compare what it says too.")] = "",
    game: Annotated[str, typer.Option(help="Address of the game service, likewise.")] = "",
    report: Annotated[Path | None, typer.Option(help="Write the signed report there, and as .txt.")] = None,
    verify_report: Annotated[Path | None, typer.Option(help="Check the signature of a report.")] = None,
    workers: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one a core.")] = 0,
    json: Json = False,
) -> None:
    """Re-read tables or the whole log from NATS, check everything, sign a report; exit 1 if one is broken."""
    from magnate.cli.audit.app import AuditOptions, run_audit

    options = AuditOptions(
        tables=tables or [],
        whole=whole,
        data=data,
        nats=nats,
        bank=bank,
        game=game,
        report=report,
        verify_report=verify_report,
        workers=workers,
    )
    raise SystemExit(run_audit(options, json_mode=json))


@app.command()
def log(
    game: Annotated[str, typer.Argument(help="Game id.")],
    follow: Annotated[bool, typer.Option("--follow", help="Go on as the game goes on.")] = False,
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Print a game's log, commit by commit."""
    from magnate.cli.inspect import run_log

    raise SystemExit(asyncio.run(run_log(addr, game, follow=follow, json_mode=json)))


@app.command()
def legal(
    game: Annotated[str, typer.Argument(help="Game id.")],
    seat: Annotated[int, typer.Argument(min=0, max=10**9, help="Seat number, from 0.")],
    token: Annotated[str, typer.Option(help="The seat's token, where balances are private.")] = "",
    addr: Addr = DEFAULT_ADDR,
    json: Json = False,
) -> None:
    """Print what a seat may do now."""
    from magnate.cli.inspect import run_legal

    raise SystemExit(asyncio.run(run_legal(addr, game, seat, token, json_mode=json)))


@app.command()
def scenario(
    files: Annotated[list[Path], typer.Argument(help="Scenario files.")],
    live: Annotated[str, typer.Option(help="Run on this game service (sandbox tables allowed).")] = "",
    ruleset: Annotated[list[str] | None, typer.Option(help="Only scenarios of this rule set.")] = None,
    json: Json = False,
) -> None:
    """Run scenario files; exit 1 if one fails, 2 if one is malformed."""
    from magnate.cli.scenario import run_scenarios

    raise SystemExit(run_scenarios(files, live, rulesets=ruleset or [], json_mode=json))


@app.command()
def simulate(
    ruleset: Annotated[
        list[str] | None, typer.Option(help="Rule set id, again for more; `all`. Else classic.")
    ] = None,
    board: Annotated[str, typer.Option(help="Board id; each rule set's own if empty.")] = "",
    games: Annotated[
        int, typer.Option(min=1, max=10_000_000, help="How many games of each rule set.")
    ] = 1000,
    first: Annotated[
        int, typer.Option(min=0, help="Number of the first game: to play one of them again.")
    ] = 0,
    players: Annotated[int, typer.Option(min=0, max=8, help="How many play; 0 varies it.")] = 0,
    bots: Annotated[
        str, typer.Option(help="random: anything legal; plain: no deals, nobody resigns; sensible.")
    ] = "random",
    seed: Annotated[
        int, typer.Option(min=0, max=10**9, help="Seed of the games; each has a number besides.")
    ] = 1,
    option: Annotated[list[str] | None, typer.Option(help="House rule NAME=VALUE, again for more.")] = None,
    mixed: Annotated[bool, typer.Option("--mixed", help="Other house rules in each game.")] = False,
    rules: Annotated[Path | None, typer.Option(help="Folder of own boards/ and rulesets/.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Draw the results to this .png or .svg.")] = None,
    workers: Annotated[int, typer.Option(min=0, max=256, help="Processes; 0: one a core.")] = 0,
    trace: Annotated[bool, typer.Option("--trace", help="Print every command and event to stderr.")] = False,
    json: Json = False,
) -> None:
    """Play whole games in memory on all cores, every invariant on; exit 1 if one fails."""
    from magnate.cli.simulate import SimulateOptions, run_simulate

    options = SimulateOptions(
        rulesets=ruleset or ["classic"],
        board=board,
        games=games,
        first=first,
        players=players,
        bots=bots,
        seed=seed,
        house=option or [],
        rules=rules,
        picture=picture,
        workers=workers,
        trace=trace,
        mixed=mixed,
    )
    raise SystemExit(run_simulate(options, json_mode=json))


@app.command()
def bench(
    name: Annotated[str, typer.Argument(help="Which; a wrong name lists all.")],
    seconds: Annotated[float, typer.Option(min=0.5, max=120, help="How long each part measures.")] = 5.0,
    json: Json = False,
) -> None:
    """Measure rules, ledger, games, transfers, auctions, deadlines, or the page on two phones."""
    from magnate.cli.bench import run_bench

    raise SystemExit(run_bench(name, seconds, json_mode=json))


@app.command()
def keys(json: Json = False) -> None:
    """Print a fresh key ring for MAGNATE_KEYS."""
    from magnate.cli.output import result
    from magnate.kit.keys import KeyRing

    ring = KeyRing.generate()
    if json:
        result({"keys": ring}, json_mode=True)
    else:
        print(ring)


@app.command()
def operator(name: Annotated[str, typer.Argument(help="a-z, 0-9 and -")], json: Json = False) -> None:
    """Print a fresh token for an operator, and the entry of MAGNATE_OPERATORS that knows it."""
    from magnate.cli.output import result
    from magnate.kit.operators import mint_operator

    try:
        token, entry = mint_operator(name)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="NAME") from None
    if json:
        result({"token": token, "entry": entry}, json_mode=True)
    else:
        print(f"token  {token}\nentry  {entry}")


def main() -> None:
    """Run the command. SIGTERM ends it as Ctrl-C does, so that what it started and made is cleared away."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    app()


if __name__ == "__main__":
    main()
