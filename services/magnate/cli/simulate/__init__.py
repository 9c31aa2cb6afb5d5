"""`magnate simulate`: whole games in memory on all cores, every invariant on, and what came of them."""

from __future__ import annotations

import os
import shlex
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from magnate.cli.output import FAILED, OK, USAGE, fail, result, say
from magnate.cli.rules.find import house_rules_of
from magnate.cli.simulate.play import BOTS, Failure, Played, Pool, Setup, SetupError, pool
from magnate.cli.simulate.report import print_report, report_of
from magnate.rules.files.reading import DataError
from magnate.rules.loader import OURS, open_library
from magnate.rules.options import of_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ALL: Final = "all"
FAILURES_SHOWN: Final = 10
PICTURES: Final = (".png", ".svg")


@dataclass
class SimulateOptions:
    """What to play: which rule sets, how many games of each from which number on, and how."""

    rulesets: list[str] = field(default_factory=lambda: ["classic"])
    board: str = ""
    games: int = 1000
    first: int = 0
    players: int = 0
    bots: str = BOTS[0]
    seed: int = 1
    house: list[str] = field(default_factory=list)
    rules: Path | None = None
    picture: Path | None = None
    workers: int = 0
    trace: bool = False
    mixed: bool = False


def run_simulate(options: SimulateOptions, *, json_mode: bool) -> int:
    """Play, and print what came of it; the exit code is 1 if a game failed."""
    setups = _setups(options)
    _check_picture(options.picture)
    workers = 1 if options.trace else min(options.workers or len(os.sched_getaffinity(0)), options.games)
    started = time.perf_counter()
    try:
        with ExitStack() as stack:
            players = stack.enter_context(pool(workers))
            progress = stack.enter_context(_progress(setups, options.games))
            played = [_play(setup, options, players, progress) for setup in setups]
    except BrokenProcessPool:
        fail("a process of the simulation has died; was it killed, or is the memory full?", FAILED)
    seconds = time.perf_counter() - started
    reports = [report_of(setup, one) for setup, one in zip(setups, played, strict=True)]
    if not json_mode:
        for report in reports:
            print_report(report)
    if options.picture is not None:
        from magnate.cli.simulate.picture import draw

        draw(reports, options.picture)
        say(f"drawn: {options.picture}", json_mode=json_mode)
    failed = [(setup, failure) for setup, one in zip(setups, played, strict=True) for failure in one.failures]
    for setup, failure in failed[:FAILURES_SHOWN]:
        say(f"magnate: {setup.ruleset}, game {failure.number}: {failure.text}", json_mode=True)
        say(f"  again: {again(setup, failure)}", json_mode=True)
    values: dict[str, object] = {
        "games": sum(report.games for report in reports),
        "failures": len(failed),
        "seconds": round(seconds, 2),
    }
    if json_mode:
        values["failed"] = [
            {"ruleset": setup.ruleset, "game": one.number, "error": one.text, "again": again(setup, one)}
            for setup, one in failed
        ]
        values["rulesets"] = [report.values() for report in reports]
    result(values, json_mode=json_mode)
    return FAILED if failed else OK


def again(setup: Setup, failure: Failure) -> str:
    """Return the command that plays one game once more, and shows every step of it."""
    words = ["magnate", "simulate", "--ruleset", setup.ruleset, "--seed", str(setup.seed)]
    words += ["--first", str(failure.number), "--games", "1", "--bots", setup.bots, "--trace"]
    if setup.board:
        words += ["--board", setup.board]
    if setup.players:
        words += ["--players", str(setup.players)]
    for name, value in setup.house:
        written = str(value).lower() if isinstance(value, bool) else str(value)
        words += ["--option", f"{name}={written}"]
    if setup.mixed:
        words.append("--mixed")
    if setup.folder:
        words += ["--rules", setup.folder]
    return shlex.join(words)


def _setups(options: SimulateOptions) -> list[Setup]:
    """Return what is played, each known to be playable; else end with exit code 2."""
    if options.bots not in BOTS:
        fail(f"--bots {options.bots}: one of {', '.join(BOTS)}", USAGE)
    house = tuple((name, of_text(value)) for name, value in house_rules_of(options.house).items())
    try:
        library = OURS if options.rules is None else open_library(options.rules)
        names = library.ruleset_ids() if ALL in options.rulesets else options.rulesets
        setups = [
            Setup(
                ruleset=name,
                board=options.board,
                players=options.players,
                bots=options.bots,
                seed=options.seed,
                house=house,
                folder=str(library),
                mixed=options.mixed,
            )
            for name in names
        ]
        for setup in setups:
            setup.load()
    except DataError as error:
        fail("\nmagnate: ".join(str(one) for one in error.every()), USAGE)
    except SetupError as error:
        fail(str(error), USAGE)
    return setups


def _check_picture(path: Path | None) -> None:
    if path is None:
        return
    from magnate.cli.simulate.picture import check_drawing

    if path.suffix not in PICTURES:
        fail(f"--picture {path}: must end in {' or '.join(PICTURES)}", USAGE)
    if not os.access(path.parent, os.W_OK | os.X_OK):
        fail(f"--picture {path}: {path.parent} is no folder that can be written to", USAGE)
    check_drawing()


def _play(
    setup: Setup, options: SimulateOptions, players: Pool, progress: Callable[[str, int], None]
) -> Played:
    played = Played()
    for part in players.play(setup, options.first, options.games, trace=options.trace):
        played.add(part)
        progress(setup.ruleset, part.count)
    played.failures.sort(key=lambda one: one.number)
    return played


@contextmanager
def _progress(setups: list[Setup], games: int) -> Iterator[Callable[[str, int], None]]:
    """Show how far it is: a bar for each rule set at a terminal, a line for each that is done elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if console.is_terminal:
        columns = (
            TextColumn("{task.description:<18}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=console) as bars:
            tasks = {setup.ruleset: bars.add_task(setup.ruleset, total=games) for setup in setups}
            yield lambda name, more: bars.advance(tasks[name], more)
        return
    done = {setup.ruleset: 0 for setup in setups}

    def count(name: str, more: int) -> None:
        done[name] += more
        if done[name] >= games:
            say(f"{name}: {games} games played", json_mode=True)

    yield count
