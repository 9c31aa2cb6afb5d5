"""What a load test does, as its command line says it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

QUICK = "quick"
SENSIBLE = "sensible"
RANDOM = "random"
BOTS = (QUICK, SENSIBLE, RANDOM)
HOW = ("stream", "unary")


@dataclass
class Options:
    """A load test: how many games at once, by whom, for how long, and at which rate."""

    games: int = 64
    seats: int = 4
    seconds: float = 20.0
    warm_up: float = 2.0
    rate: float = 0.0
    how: str = "stream"
    bots: str = QUICK
    address: str = ""
    bank: str = ""
    workers: int = 1
    seed: int = 1
    report: Path = Path("out/load")
    json: bool = False


def read_options(arguments: list[str]) -> Options:
    """Return the options of a command line; ends the process with 2 if it is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m loadtests",
        description="Plays many games at once over gRPC, measures, and verifies every game at the end.",
    )
    defaults = Options()
    add = parser.add_argument
    add("--games", type=_positive, default=defaults.games, help="games at once (%(default)s)")
    add("--seats", type=int, choices=range(2, 9), default=defaults.seats, help="players a game (%(default)s)")
    add("--seconds", type=_time, default=defaults.seconds, help="how long to measure (%(default)s)")
    add("--warm-up", type=_time, default=defaults.warm_up, help="before that (%(default)s)")
    add(
        "--rate",
        type=float,
        default=defaults.rate,
        help="open loop: commands a second, latency from the planned moment; 0: closed loop",
    )
    add("--how", choices=HOW, default=defaults.how, help="Play streams or single calls (%(default)s)")
    add("--bots", choices=BOTS, default=defaults.bots, help="who plays (%(default)s)")
    add("--address", default="", help="a running game service; started here if empty")
    add("--bank", default="", help="its bank, to compare trial balances too")
    add("--workers", type=_positive, default=1, help="processes of each service, if started here")
    add("--seed", type=int, default=defaults.seed, help="of the bots' choices (%(default)s)")
    add("--report", type=Path, default=defaults.report, help="folder of the reports (%(default)s)")
    add("--json", action="store_true", help="print the JSON report instead of the text")
    read = parser.parse_args(arguments, namespace=defaults)
    if read.rate < 0:
        parser.error("--rate: must not be negative")
    if read.rate and read.bots != QUICK:
        parser.error("--rate: an open loop needs --bots quick")
    return read


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _time(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds <= 3600:
        raise argparse.ArgumentTypeError("must be 0 to 3600 seconds")
    return seconds
