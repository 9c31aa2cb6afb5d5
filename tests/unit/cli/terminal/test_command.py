"""The command line of `magnate terminal`: what is wrong with it is said, and nothing is drawn."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from magnate.cli.__main__ import app
from magnate.cli.terminal.command import TerminalOptions

OPEN = ("--open", "e-banking")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "magnate terminal --open e-banking --players Ada,Bob,Cy"),
        ((), "magnate terminal ABCD-EFGH"),
        (OPEN, "--players"),
        ((*OPEN, "--players", " , "), "--players"),
        ((*OPEN, "--players", "Ada", "--model", "three-slot"), "two-slot"),
        ((*OPEN, "--players", "Ada", "--lang", "de"), "en, ru, fr"),
        ((*OPEN, "--players", "Ada", "--token", "t1.x.y"), "--token"),
        (("ABCD-EFGH", *OPEN, "--players", "Ada"), "opened (--open) or joined"),
        (("ABCD-EFGH", "--players", "Ada"), "--players"),
        (("ABCD-EFGH", "--model", "two-slot"), "--model"),
        (("ABCD-EFGH", "--shared"), "--shared"),
        (("ABCD-EFGH",), "terminal window"),
    ],
)
def test_bad_command_lines(arguments: tuple[str, ...], named: str) -> None:
    """Exit code 2 and the name of what is wrong."""
    done = CliRunner().invoke(app, ["terminal", *arguments])
    assert done.exit_code == 2, done.output
    assert named in done.output


def test_a_good_command_line() -> None:
    """Nothing is wrong with it."""
    assert not TerminalOptions("", "a:1", Path("b"), edition="classic", players=("Ada",)).fault()
    assert not TerminalOptions("1-2-abc", "a:1", Path("b"), token="t1.x.y").fault()
    assert not TerminalOptions("abcdefgh", "a:1", Path("b"), language="ru", bell=True).fault()
