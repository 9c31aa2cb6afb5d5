"""Draws what a simulation came to with matplotlib, which nothing else needs, so it is not always there."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from magnate.cli.output import USAGE, fail

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from magnate.cli.simulate.report import Report

INCHES_WIDE: Final = 22
INCHES_HIGH: Final = 4.2
PANELS: Final = 5


def check_drawing() -> None:
    """End with exit code 2 where there is no matplotlib."""
    if find_spec("matplotlib") is None:
        fail("--picture needs matplotlib: install magnate[pictures], or leave the picture out", USAGE)


def draw(reports: list[Report], path: Path) -> None:
    """Draw a row of panels for each rule set; the end of the name says PNG or SVG."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "magnate"  # the same games, the same file
    from matplotlib import pyplot as plt

    size = (INCHES_WIDE, INCHES_HIGH * len(reports))
    figure, rows = plt.subplots(len(reports), PANELS, figsize=size, squeeze=False, layout="constrained")
    for report, row in zip(reports, rows, strict=True):
        row[0].set_ylabel(f"{report.ruleset} on {report.board}\n{report.games} games", fontsize="large")
        for panel, axes in zip((_lengths, _wins, _ends, _rents, _money), row, strict=True):
            panel(report, axes)
    metadata = {"Date": None} if path.suffix == ".svg" else {}
    figure.savefig(path, metadata=metadata)
    plt.close(figure)


def _lengths(report: Report, axes: Axes) -> None:
    axes.set_title("turns of a game")
    if report.bins:
        width = report.bins[0].high + 1
        axes.bar([one.low for one in report.bins], [one.games for one in report.bins], width, align="edge")


def _wins(report: Report, axes: Axes) -> None:
    axes.set_title("won by seat, % of its games")
    axes.bar(
        [str(seat) for seat in range(len(report.wins))], [100 * won / played for won, played in report.wins]
    )


def _ends(report: Report, axes: Axes) -> None:
    axes.set_title("how games ended")
    names = [name.replace("_", " ").lower() for name in report.ends]
    axes.barh(names, list(report.ends.values()))


def _rents(report: Report, axes: Axes) -> None:
    axes.set_title(f"rent by square, {report.currency} a game")
    games = max(1, report.games)
    axes.bar([one.square for one in report.squares], [one.rent / games for one in report.squares])


def _money(report: Report, axes: Axes) -> None:
    axes.set_title(f"money in play by round, {report.currency}")
    axes.plot(range(1, len(report.money) + 1), report.money)
    axes.set_ylim(bottom=0)
