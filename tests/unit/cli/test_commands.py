"""The command line without a server: arguments, listings, errors and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from magnate.cli.__main__ import app
from magnate.compiled import is_compiled
from magnate.rules import decide
from tests.support.sources import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

GAME = "1-0-000000000000000000000001"
NOWHERE = "127.0.0.1:1"
HUGE = str(10**30)
"""More than a message can hold: refused as any other bad input is, and not by an error of the encoder."""


def run(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, arguments)


def test_the_version_is_that_of_the_project() -> None:
    """One number, in pyproject.toml; beside it, what decides how fast the rules are."""
    done = run("--version")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    how = "compiled" if is_compiled(decide) else "interpreted"
    assert (done.exit_code, done.output) == (0, f"magnate {project['version']}, rules {how}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("rules", "nonsense"),
        ("bench", "nonsense"),
        ("serve", "nonsense"),
        ("replay", "nonsense"),
        ("verify", "1-0-UPPER", "--json"),
        ("log", ""),
        ("legal", GAME, "zero"),
        ("replay", GAME, "--at", "-1"),
        ("demo", "--players", "1"),
        ("demo", "--players", "9"),
        ("demo", "--games", "0"),
        ("demo", "--option", "build.even"),
        ("demo", "--option", "build.even=true", "--option", "build.even=false"),
        ("bench", "rules", "--seconds", "0"),
        ("timer", "set", GAME, "--token", "t", "--after", "inf"),
        ("timer", "set", GAME, "--token", "t", "--after", "nan"),
        ("timer", "set", GAME, "--token", "t", "--after", "1", "--every", "inf"),
        ("timer", "set", GAME, "--token", "t", "--after", "1", "--times", HUGE),
        ("timer", "move", GAME, "t-x", "--token", "t", "--after", "1e300"),
        ("watch", GAME, "--plain", "--since", HUGE),
        ("replay", GAME, "--at", HUGE),
        ("legal", GAME, HUGE),
        ("ledger", "export", GAME, "--at", HUGE),
        ("table", "open", "Ann", "Bob", "--opening", HUGE),
        ("table", "open", "Ann", "Bob", "--scale", HUGE),
        ("nonsense",),
    ],
)
def test_bad_input_ends_with_2(arguments: tuple[str, ...]) -> None:
    """Whatever is wrong with a command line, the exit code says whose fault it is."""
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)


@pytest.mark.parametrize(
    "arguments",
    [("replay", GAME), ("verify", GAME), ("log", GAME), ("log", GAME, "--follow"), ("legal", GAME, "0")],
)
def test_no_server_ends_with_3(arguments: tuple[str, ...]) -> None:
    """A server that is not there is told from a game that is not there."""
    done = run(*arguments, "--addr", NOWHERE)
    assert done.exit_code == 3, done.output
    assert NOWHERE in done.output


def test_rules_are_listed() -> None:
    """Every rule set and board has its id and title."""
    listed = json.loads(run("rules", "--json").output)
    assert "classic" in [one["id"] for one in listed["rulesets"]]
    assert {"classic-us", "classic-uk", "classic-ru"} <= {one["id"] for one in listed["boards"]}
    assert "classic" in run("rules").output


def test_one_rule_set_is_shown_option_by_option() -> None:
    """People see the help beside the value; scripts get the values."""
    shown = json.loads(run("rules", "classic", "--json").output)
    assert shown["options"]["build.even"] is True
    assert "build.even" in run("rules", "classic").output


def test_keys_can_be_used() -> None:
    """What `keys` prints is a key ring."""
    from magnate.kit.keys import KeyRing

    ring = run("keys").output.strip()
    assert KeyRing.parse(ring).current_id
    assert KeyRing.parse(json.loads(run("keys", "--json").output)["keys"]).current_id


def test_every_command_takes_json() -> None:
    """Scripts may add `--json` to whatever they run; only `terminal`, a window, is not for them."""
    for name, command in typer.main.get_group(app).commands.items():
        below = getattr(command, "commands", {})
        shown = [run(name, "--help").output]
        if below and "--json" not in shown[0]:
            shown = [run(name, one, "--help").output for one in below]
        assert name == "terminal" or all("--json" in text for text in shown), name


def test_unusable_paths_are_named_before_anything_starts(tmp_path: Path) -> None:
    """A data folder that is a file, or a ready file in no folder, is bad input."""
    file = tmp_path / "file"
    file.write_text("")
    data = run("up", "--free-ports", "--data", str(file))
    assert (data.exit_code, f"--data {file}" in data.output) == (2, True)
    ready_file = str(tmp_path / "no" / "ready.json")
    ready = run("up", "--free-ports", "--data", str(tmp_path / "data"), "--ready-file", ready_file)
    assert (ready.exit_code, f"--ready-file {ready_file}" in ready.output) == (2, True)


def test_help_loads_nothing_heavy() -> None:
    """`magnate --help` must be quick: no gRPC, no NATS, no rules."""
    script = (
        "import sys; from magnate.cli.__main__ import app; "
        "print([name for name in ('grpc', 'nats', 'structlog', 'yaml') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
