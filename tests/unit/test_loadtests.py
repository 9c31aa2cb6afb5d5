"""The load tests' own parts: options, figures, report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from loadtests.measure import Measured
from loadtests.options import Options, read_options
from loadtests.play import Played
from loadtests.report import make_report, text, write_report

if TYPE_CHECKING:
    from pathlib import Path


def test_nothing_need_be_said() -> None:
    """`python -m loadtests` alone is the standard run."""
    assert read_options([]) == Options()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--games", "0"],
        ["--seats", "9"],
        ["--seconds", "-1"],
        ["--seconds", "ten"],
        ["--rate", "-5"],
        ["--rate", "5", "--bots", "sensible"],
        ["--how", "pigeon"],
        ["--nonsense"],
    ],
)
def test_bad_options_end_with_2(arguments: list[str]) -> None:
    """What cannot be meant is not run."""
    with pytest.raises(SystemExit) as ended:
        read_options(arguments)
    assert ended.value.code == 2


def measured() -> Measured:
    """Return a hundred commands of 1 to 100 ms in two seconds."""
    figures = Measured()
    for number in range(1, 101):
        figures.record(number / 1000)
    figures.seconds = 2.0
    return figures


def test_percentiles_are_of_the_accepted_commands() -> None:
    """Within the histogram's three digits."""
    values = measured().values()
    assert values["commands"] == 100
    assert values["commands_per_second"] == 50.0
    assert values["p50_ms"] == pytest.approx(50, rel=0.01)
    assert values["p99_ms"] == pytest.approx(99, rel=0.01)
    assert values["max_ms"] == pytest.approx(100, rel=0.01)


def test_a_late_generator_is_not_to_be_trusted() -> None:
    """An open loop that did not keep its plan measured itself."""
    assert measured().trustworthy
    figures = measured()
    for _ in range(10):
        figures.late(0.5)
    assert not figures.trustworthy
    report = make_report(Options(rate=100), figures, Played(3, 0, []))
    assert "TOO LATE" in text(report)


def test_no_command_at_all_is_a_report_too() -> None:
    """A server that answers nothing does not break the report."""
    report = make_report(Options(), Measured(), Played(0, 0, []))
    assert report["commands_per_second"] == 0.0
    assert "closed loop" in text(report)


def test_the_report_is_stored_as_json_and_text(tmp_path: Path) -> None:
    """Machine, options and faults are in it."""
    report = make_report(Options(games=2), measured(), Played(2, 1, ["1-0-ab: chain broken"]))
    write_report(report, tmp_path / "out")
    stored = json.loads((tmp_path / "out" / "report.json").read_text())
    assert stored["environment"]["cpus"] >= 1
    assert stored["options"]["games"] == 2
    assert stored["verified"] is False
    told = (tmp_path / "out" / "report.txt").read_text()
    assert "NOT all verified" in told
    assert "chain broken" in told
