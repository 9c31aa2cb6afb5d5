"""`magnate rules`: list, show, diff, check and schema, for people and for scripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from magnate.cli.__main__ import app
from magnate.rules.loader import RULESETS, board_ids, ruleset_ids
from magnate.rules.options_table import OPTIONS
from tests.support.own_files import BOARD, RULES, own_folder

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def run(*arguments: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(app, ["rules", *arguments])


def values(*arguments: str) -> Any:
    """Run it and return the object it prints."""
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_everything_is_listed() -> None:
    """All rule sets and boards, with what is played on what."""
    listed = values()
    assert [one["id"] for one in listed["rulesets"]] == ruleset_ids()
    assert [one["id"] for one in listed["boards"]] == board_ids()
    text = run().stdout
    assert all(one in text for one in [*ruleset_ids(), *board_ids()])
    assert json.loads(run("--json").stdout) == listed


def test_own_ones_are_listed_and_shown_beside_ours(tmp_path: Path) -> None:
    """With the folder that `up` would get."""
    folder = str(own_folder(tmp_path))
    listed = values("--rules", folder)
    assert {"id": "village-rules", "title": "Village rules", "board": "village"} in listed["rulesets"]
    assert "village" in [one["id"] for one in listed["boards"]]
    shown = values("show", "village-rules", "--rules", folder)
    assert shown["options"]["jail.attempts_max"] == 2
    assert values("--rules", folder, "show", "village-rules") == shown
    assert values(f"--rules={folder}", "village-rules") == shown


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_rule_set_is_explained(ruleset: str) -> None:
    """Every option with value, default, rows and help; a star where it is not the default."""
    shown = values("show", ruleset)
    assert shown["id"] == ruleset
    assert list(shown["options"]) == [option.name for option in OPTIONS]
    for option, one in zip(OPTIONS, shown["explained"], strict=True):
        assert (one["option"], one["help"]) == (option.name, option.help)
        assert one["value"] == shown["options"][option.name]
        assert one["is_default"] == (one["value"] == one["default"])
        assert one["rows"]
    lines = run("show", ruleset).stdout.splitlines()
    starred = [line.split()[1] for line in lines[2:] if line.startswith("*")]
    assert starred == [one["option"] for one in shown["explained"] if not one["is_default"]]
    [mode] = [line for line in lines if " auction.mode " in line]
    assert mode.endswith("(open, penny, sealed, vickrey, dutch)")


def test_show_may_be_left_out() -> None:
    """`magnate rules R` is short for `magnate rules show R`, wherever --json stands."""
    assert run("classic").stdout == run("show", "classic").stdout
    assert run("classic", "--json").stdout == run("show", "classic", "--json").stdout
    assert run("--json", "classic").stdout == run("show", "classic", "--json").stdout
    assert run("--json", "show", "classic").stdout == run("show", "classic", "--json").stdout


def test_rule_sets_are_compared() -> None:
    """Only options that differ, with both values; one alone is compared with classic."""
    found = values("diff", "computer")
    assert (found["first"], found["second"]) == ("classic", "computer")
    differing = {one["option"]: (one["first"], one["second"]) for one in found["differences"]}
    assert differing["auction.decliner_may_bid"] == (True, False)
    assert "end.turns_max" not in differing
    back = values("diff", "computer", "classic")["differences"]
    assert {one["option"]: (one["second"], one["first"]) for one in back} == differing
    assert values("diff", "classic", "online")["differences"][0]["option"] == "board"
    text = run("diff", "computer").stdout
    assert "auction.decliner_may_bid" in text
    assert "end.turns_max" not in text
    assert "do not differ" in run("diff", "classic", "classic").stdout


def test_a_file_is_compared_like_a_rule_set(tmp_path: Path) -> None:
    """Whether or not it is in a folder of own files."""
    path = tmp_path / "village-rules.yaml"
    path.write_text(RULES.replace("board: village", "board: classic-us"))
    found = values("diff", str(path))
    assert [one["option"] for one in found["differences"]] == ["jail.attempts_max"]
    folder = own_folder(tmp_path / "own")
    found = values("diff", "short", str(folder / "rulesets/village-rules.yaml"))
    assert found["differences"][0]["option"] == "board"


@pytest.mark.parametrize(
    "arguments", [("diff",), ("diff", "classic", "short", "--game", "x"), ("diff", "no")]
)
def test_a_comparison_needs_two_sides(arguments: tuple[str, ...]) -> None:
    """Neither none nor three, and both known."""
    assert run(*arguments).exit_code == 2


def test_a_table_that_cannot_be_asked_is_said() -> None:
    """A malformed id is bad input, a server that is not there is that."""
    assert run("diff", "--game", "nonsense").exit_code == 2
    game = "1-0-000000000000000000000001"
    assert run("diff", "--game", game, "--addr", "127.0.0.1:1").exit_code == 3


def test_right_files_are_right(tmp_path: Path) -> None:
    """Files of both kinds, alone or in a folder, and those of the package."""
    folder = own_folder(tmp_path)
    files = [folder / "boards/village.yaml", folder / "rulesets/village-rules.yaml", RULESETS / "short.yaml"]
    for path in [*files, folder]:
        assert values("check", str(path)) == {"ok": True, "right": [str(path)], "faults": []}
    assert "rule set village-rules (Village rules) is right" in run("check", str(folder)).stdout


def test_every_fault_of_every_file_is_named(tmp_path: Path) -> None:
    """With file, line, key and what was expected; exit code 2."""
    folder = own_folder(tmp_path)
    board, rules = folder / "boards/village.yaml", folder / "rulesets/village-rules.yaml"
    text = BOARD.replace("start_money: 500", "start_money: 5e2").replace("amount: 5}", "amount: none}", 1)
    board.write_text(text.replace("type: pay,", "type: paid,"))
    rules.write_text(RULES.replace("version: 1", "version: one") + "  build.evn: true\n  build.even: 7\n")
    done = run("check", str(board), str(rules), "--json")
    assert done.exit_code == 2
    found = json.loads(done.stdout)
    assert (found["ok"], found["right"]) == (False, [])
    named = {(one["file"], one["key"]) for one in found["faults"]}
    assert named >= {
        (str(board), "start_money"),
        (str(rules), "version"),
        (str(rules), "options.build.evn"),
        (str(rules), "options.build.even"),
    }
    assert all(one["line"] > 0 and one["reason"] for one in found["faults"])
    for one in found["faults"]:
        assert f"{one['file']}:{one['line']}: {one['key']}: {one['reason']}" in done.stderr
    board.write_text(text.replace("5e2", "500").replace("type: pay,", "type: paid,"))
    found = json.loads(run("check", str(board), "--json").stdout)
    keys = [one["key"] for one in found["faults"]]
    assert keys == ["squares[2].amount", "decks.luck.cards[3].effect.type"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("a: 1\n", "neither a rule set"),
        ("- 1\n", "must be a mapping"),
        (RULES.replace("id: village-rules", "id: classic"), "the name of the file"),
        (RULES.replace("base: classic", "base: nothing"), "there is no rule set 'nothing'"),
        (RULES.replace("board: village", "board: nowhere"), "there is no board 'nowhere'"),
        (RULES + "  auction.enabled: false\n", "OPTION_CONFLICT"),
    ],
)
def test_what_is_no_file_of_ours_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """Whatever is in it."""
    folder = own_folder(tmp_path)
    path = folder / "rulesets/village-rules.yaml"
    path.write_text(text)
    done = run("check", str(path))
    assert (done.exit_code, said in done.stderr) == (2, True), done.output
    assert run("check", str(folder)).exit_code == 2


def test_an_id_of_ours_is_taken(tmp_path: Path) -> None:
    """An own file never takes the place of one of ours."""
    folder = own_folder(tmp_path)
    path = folder / "rulesets/short.yaml"
    path.write_text(RULES.replace("id: village-rules", "id: short"))
    for given in (path, folder):
        done = run("check", str(given))
        assert (done.exit_code, "is the id of one of ours" in done.stderr) == (2, True), done.output


def test_files_that_would_be_passed_over_are_named(tmp_path: Path) -> None:
    """A folder without the two folders in it, or files beside them or of another ending."""
    assert "has neither boards/ nor rulesets/" in run("check", str(tmp_path)).stderr
    folder = own_folder(tmp_path)
    (folder / "boards/other.yml").write_text(BOARD)
    (folder / "more.yaml").write_text(RULES)
    done = run("check", str(folder))
    assert done.exit_code == 2
    assert "other.yml: must be named .yaml" in done.stderr
    assert "more.yaml: is neither in boards/ nor in rulesets/" in done.stderr


@pytest.mark.parametrize("kind", ["ruleset", "board"])
def test_the_schema_is_printed(kind: str) -> None:
    """Readable, or on one line; either way the same schema."""
    schema = json.loads(run("schema", kind).stdout)
    Draft202012Validator.check_schema(schema)
    assert json.loads(run("schema", kind, "--json").stdout) == schema
    assert run("schema", "nonsense").exit_code == 2
