"""What commands print, and where."""

from __future__ import annotations

import io
import json

import pytest

from magnate.cli.output import FAILED, OK, UNREACHABLE, USAGE, fail, print_any_letter, result, say


def test_a_result_is_one_line_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Scripts read the last line; names in any script stay as they are."""
    result({"winner": "Чиара", "turns": 3}, json_mode=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines == ['{"winner": "Чиара", "turns": 3}']
    assert json.loads(lines[0])["turns"] == 3


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_letters_that_the_locale_does_not_have(monkeypatch: pytest.MonkeyPatch, encoding: str) -> None:
    """They are escaped: nothing breaks off at a name, and JSON says what it is."""
    printed = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(printed, encoding=encoding))
    print_any_letter()
    result({"winner": "Чиара 🎲 é"}, json_mode=True)
    say("Ада")
    told, people = printed.getvalue().decode(encoding).splitlines()
    assert json.loads(told) == {"winner": "Чиара 🎲 é"}
    assert people == r"\u0410\u0434\u0430"


def test_people_get_one_line_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    """Names are aligned."""
    result({"a": 1, "long_name": True}, json_mode=False)
    assert capsys.readouterr().out == "  a          1\n  long_name  True\n"


def test_talk_keeps_out_of_the_way_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    """With --json only JSON is on stdout."""
    say("hello", json_mode=True)
    say("there")
    assert capsys.readouterr() == ("there\n", "hello\n")


def test_failing_names_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """One line on stderr, and the exit code."""
    with pytest.raises(SystemExit) as ended:
        fail("no such thing", USAGE)
    assert ended.value.code == USAGE
    assert capsys.readouterr().err == "magnate: no such thing\n"


def test_exit_codes_are_what_the_documentation_says() -> None:
    """Scripts depend on them."""
    assert (OK, FAILED, USAGE, UNREACHABLE) == (0, 1, 2, 3)
