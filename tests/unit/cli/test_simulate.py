"""`magnate simulate`: what it prints and draws, that games repeat, and what becomes of a failure."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from magnate.cli.__main__ import app
from magnate.cli.simulate import picture, play
from magnate.cli.simulate.report import histogram, spread
from magnate.rules.referee import IllegalStateError

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

    from magnate.rules.simulate import Game

SHORT = ("--option", "end.turns_max=60")


def run(*arguments: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(app, ["simulate", *arguments])


def values(*arguments: str) -> dict[str, Any]:
    """Run it and return the object it prints last."""
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def test_the_results_are_printed_by_rule_set() -> None:
    """Length, winners, ends, rents, money and a histogram, for scripts and for people."""
    found = values("--games", "8", "--workers", "1", *SHORT)
    assert (found["games"], found["failures"]) == (8, 0)
    (report,) = found["rulesets"]
    assert (report["ruleset"], report["board"], report["games"]) == ("classic", "classic-us", 8)
    assert report["turns"]["max"] <= 60
    assert report["turns"]["min"] <= report["turns"]["p50"] <= report["turns"]["p95"]
    assert sum(report["ends"].values()) == 8
    assert sum(one["won"] for one in report["wins_by_seat"]) == 8
    assert [one["played"] for one in report["wins_by_seat"]] == [8, 8, 6, 5, 4, 3, 2, 1]
    assert sum(one["games"] for one in report["histogram"]) == 8
    assert sum(one["visits"] for one in report["squares"]) > 100
    assert report["money_by_round"][0] > 0
    text = run("--games", "8", "--workers", "1", *SHORT).stdout
    for word in ("classic", "TURN_CAP", "won", "rents charged", "money in play"):
        assert word in text


def test_a_game_is_known_by_its_seed_and_number() -> None:
    """Alone or among others, here or in other processes, it is the same game."""
    together = values("--games", "6", "--workers", "2", "--players", "3", *SHORT)["rulesets"][0]
    alone = [
        values("--games", "1", "--first", str(number), "--workers", "1", "--players", "3", *SHORT)[
            "rulesets"
        ][0]
        for number in range(6)
    ]
    assert together["commands"] == sum(one["commands"] for one in alone)
    assert together["events"] == sum(one["events"] for one in alone)
    other = values("--games", "6", "--seed", "2", "--workers", "1", "--players", "3", *SHORT)["rulesets"][0]
    assert other["commands"] != together["commands"]


def test_a_failure_comes_with_the_command_that_repeats_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 1; the command named plays the same game to the same failure, and shows it."""

    def step(game: Game) -> None:
        game.step()
        if game.state.turn == 7 and game.state.seats == 4:
            raise IllegalStateError("made up")

    monkeypatch.setattr(play, "step", step)
    arguments = (
        "--games",
        "4",
        "--seed",
        "5",
        "--workers",
        "1",
        "--option",
        "jail.landing_detains=true",
        *SHORT,
    )
    done = run(*arguments, "--json")
    assert done.exit_code == 1
    (failed,) = json.loads(done.stdout.strip().splitlines()[-1])["failed"]
    assert (failed["ruleset"], failed["game"]) == ("classic", 2)
    assert "made up [4 players, turn 7, after seat" in failed["error"]
    assert failed["again"] in done.stderr
    words = shlex.split(failed["again"])
    assert words[:2] == ["magnate", "simulate"]
    repeated = run(*words[2:], "--json")
    assert repeated.exit_code == 1
    assert json.loads(repeated.stdout.strip().splitlines()[-1])["failed"] == [failed]
    assert "TokenMoved(" in repeated.stderr


def test_a_refusal_of_something_legal_and_a_bug_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is raised counts against its game, with the place in the code; the others go on."""

    def broken(_game: Game) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(play, "step", broken)
    played = play.play_games(play.Setup("classic"), 0, 3)
    assert [one.number for one in played.failures] == [0, 1, 2]
    assert "KeyError: 'lost' (test_simulate.py:" in played.failures[0].text


def test_mixed_games_have_house_rules_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others in each game, the same in the same game; some have few buildings; a failure names them."""

    def broken(_game: Game) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(play, "step", broken)
    setup = play.Setup("classic", mixed=True)
    texts = [one.text.partition("] ")[2] for one in play.play_games(setup, 0, 24).failures]
    assert len(set(texts)) > 12
    assert all("=" in text for text in texts if text not in ("", "(few buildings)"))
    assert 1 < sum("(few buildings)" in text for text in texts) < 16
    assert [one.text.partition("] ")[2] for one in play.play_games(setup, 7, 1).failures] == texts[7:8]
    done = run("--mixed", "--games", "1", "--first", "7", "--workers", "1", "--json")
    assert done.exit_code == 1
    assert "--mixed" in json.loads(done.stdout.strip().splitlines()[-1])["failed"][0]["again"]


def test_a_game_that_does_not_end_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if the turns stand still, somebody notices."""
    monkeypatch.setattr(play, "COMMANDS_PER_TURN_MAX", 0)
    monkeypatch.setattr(play, "COMMANDS_MORE", 50)
    played = play.play_games(play.Setup("classic"), 0, 1)
    assert "is not over after 5" in played.failures[0].text


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_the_results_are_drawn(tmp_path: Path, suffix: str) -> None:
    """A row of panels for each rule set, in the format that the name asks for."""
    path = tmp_path / f"games.{suffix}"
    done = run("--games", "4", "--workers", "1", *SHORT, "--picture", str(path))
    assert done.exit_code == 0, done.output
    assert path.read_bytes().startswith(b"\x89PNG" if suffix == "png" else b"<?xml")


def test_without_matplotlib_only_the_picture_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is played before that is said."""
    monkeypatch.setattr(picture, "find_spec", lambda _name: None)
    done = run("--games", "1000000", "--picture", str(tmp_path / "games.png"))
    assert (done.exit_code, "needs matplotlib" in done.output) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--ruleset", "nonsense"), "UNKNOWN_RULESET"),
        (("--board", "nonsense"), "UNKNOWN_BOARD"),
        (("--bots", "clever"), "one of random, plain, sensible"),
        (("--players", "1"), "played by 2 to 8, not 1"),
        (("--games", "0"), "--games"),
        (("--option", "build.even"), "must be NAME=VALUE"),
        (("--option", "build.even=true", "--option", "build.even=false"), "build.even is set twice"),
        (("--option", "build.evn=true"), "OPTION_UNKNOWN"),
        (("--option", "build.even=7"), "OPTION_INVALID"),
        (("--rules", "/nowhere"), "is no folder"),
        (("--picture", "x.gif"), "must end in"),
        (("--picture", "/nowhere/x.png"), "no folder that can be written to"),
    ],
)
def test_bad_input_is_named(arguments: tuple[str, ...], named: str) -> None:
    """Before anything is played, with exit code 2."""
    done = run(*arguments)
    assert done.exit_code == 2
    assert named in done.output


def test_lengths_are_counted_in_round_ranges() -> None:
    """At most twenty bars, each as wide as the others; every value is in one of them."""
    for most in (1, 7, 99, 100, 1999, 2000):
        bins = histogram([0, most, most])
        assert len(bins) <= 20
        assert (bins[0].games, bins[-1].games) == ((1, 2) if len(bins) > 1 else (3, 3))
        assert bins[-1].low <= most <= bins[-1].high
    assert histogram([]) == []
    assert spread([]) == {}
    assert spread([1, 2, 3, 4, 10])["mean"] == 4
