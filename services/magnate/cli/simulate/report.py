"""What a simulation came to, as numbers for scripts and as tables for people."""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import END_REASON_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from magnate.cli.simulate.play import Played, Setup

BINS: Final = 20
BAR_WIDTH: Final = 40
SQUARES_SHOWN: Final = 12
PERCENTILES: Final = (5, 25, 50, 75, 95)


@dataclass
class Square:
    """A square: how many tokens stopped there, how often rent was charged for it, and how much in all."""

    square: int
    name: str
    visits: int
    rents: int
    rent: int


@dataclass
class Bin:
    """So many games were from `low` to `high` turns long."""

    low: int
    high: int
    games: int


@dataclass
class Report:
    """The results of one rule set on one board."""

    ruleset: str
    board: str
    currency: str
    games: int
    failures: int
    commands: int
    events: int
    turns: list[int]
    rounds: list[int]
    ends: dict[str, int]
    wins: list[tuple[int, int]]
    squares: list[Square]
    money: list[float]
    bins: list[Bin]

    def values(self) -> dict[str, object]:
        """Return everything for `--json`."""
        return {
            "ruleset": self.ruleset,
            "board": self.board,
            "games": self.games,
            "failures": self.failures,
            "commands": self.commands,
            "events": self.events,
            "turns": spread(self.turns),
            "rounds": spread(self.rounds),
            "ends": self.ends,
            "wins_by_seat": [
                {"seat": seat, "won": won, "played": played} for seat, (won, played) in enumerate(self.wins)
            ],
            "squares": [vars(one) for one in self.squares],
            "money_by_round": [round(one, 1) for one in self.money],
            "histogram": [{"from": one.low, "to": one.high, "games": one.games} for one in self.bins],
        }


def report_of(setup: Setup, played: Played) -> Report:
    """Return the results of what was played."""
    board, rules = setup.load()
    numbers = played.numbers
    games, commands, events = numbers["counts"]
    return Report(
        ruleset=rules.id,
        board=board.id,
        currency=board.currency_display,
        games=games,
        failures=len(played.failures),
        commands=commands,
        events=events,
        turns=numbers["turns"],
        rounds=numbers["rounds"],
        ends={name: number for name, number in zip(END_REASON_NAMES, numbers["ends"], strict=True) if number},
        wins=[(won, count) for won, count in zip(numbers["wins"], numbers["played"], strict=True) if count],
        squares=[
            Square(square, board.names[square], visits, rents, rent)
            for square, (visits, rents, rent) in enumerate(
                zip(numbers["visits"], numbers["rents"], numbers["rent"], strict=True)
            )
        ],
        money=[
            money / count for money, count in zip(numbers["money"], numbers["counted"], strict=True) if count
        ],
        bins=histogram(numbers["turns"]),
    )


def spread(values: Sequence[int]) -> dict[str, float]:
    """Return least, most, mean, and the values below which so many per cent lie."""
    if not values:
        return {}
    ordered = sorted(values)
    last = len(ordered) - 1
    return {
        "mean": round(statistics.fmean(ordered), 1),
        "min": ordered[0],
        **{f"p{percent}": ordered[last * percent // 100] for percent in PERCENTILES},
        "max": ordered[-1],
    }


def histogram(values: Sequence[int]) -> list[Bin]:
    """Count the values in ranges of equal width, a round number each."""
    if not values:
        return []
    most = max(values)
    width = next(
        step * 10**power
        for power in range(len(str(most)) + 1)
        for step in (1, 2, 5)
        if step * 10**power * BINS > most
    )
    counts = [0] * (most // width + 1)
    for value in values:
        counts[value // width] += 1
    return [Bin(place * width, place * width + width - 1, count) for place, count in enumerate(counts)]


def print_report(report: Report) -> None:
    """Print tables and a histogram for people."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else 110
    console = Console(width=width, highlight=False)
    console.print(f"\n[bold]{report.ruleset}[/bold] on {report.board}: {report.games} games, "
                  f"{report.commands} commands, {report.events} events")  # fmt: skip
    if report.failures:
        console.print(f"[bold red]{report.failures} games failed[/bold red]")
    if not report.games:
        return
    console.print(_lengths(report))
    console.print(_outcomes(report))
    console.print(_squares(report))
    console.print(_money(report))
    most = max(one.games for one in report.bins)
    console.print("Turns of all seats together, and games that long:")
    for one in report.bins:
        bar = "█" * round(BAR_WIDTH * one.games / most)
        console.print(f"{one.low:>7} … {one.high:<7} {one.games:>7} {bar}")


def _lengths(report: Report) -> Table:
    from rich.table import Table

    table = Table("length", *spread([0]), box=None, pad_edge=False)
    for name, values in (("turns", report.turns), ("rounds", report.rounds)):
        table.add_row(name, *(str(value) for value in spread(values).values()))
    return table


def _outcomes(report: Report) -> Table:
    from rich.table import Table

    table = Table("seat", "won", "of its games", "  the end was", "games", box=None, pad_edge=False)
    wins = [(str(seat), str(won), f"{won / played:.1%}") for seat, (won, played) in enumerate(report.wins)]
    ends = [(f"  {name}", f"{number} ({number / report.games:.1%})") for name, number in report.ends.items()]
    for place in range(max(len(wins), len(ends))):
        won = wins[place] if place < len(wins) else ("", "", "")
        end = ends[place] if place < len(ends) else ("", "")
        table.add_row(*won, *end)
    return table


def _squares(report: Report) -> Table:
    from rich.table import Table

    table = Table(
        "rent", "square", "visits", "rents charged", "a rent", "in a game", box=None, pad_edge=False
    )
    best = sorted(report.squares, key=lambda one: -one.rent)[:SQUARES_SHOWN]
    for one in (one for one in best if one.rents):
        table.add_row(
            str(one.square),
            one.name,
            str(one.visits),
            str(one.rents),
            f"{one.rent / one.rents:.0f}",
            f"{one.rent / report.games:.0f}",
        )
    return table


def _money(report: Report) -> Table:
    from rich.table import Table

    shown = [place for place in (0, 4, 9, 19, 39, 79, 159) if place < len(report.money)]
    table = Table("round", *(str(place + 1) for place in shown), box=None, pad_edge=False)
    table.add_row(f"money in play, {report.currency}", *(f"{report.money[place]:.0f}" for place in shown))
    return table
