"""The page's files, without a browser: every text in every language, every name of the API has words."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
import yaml

from magnate.bank.terminal.edition import EDITIONS
from magnate.gateway.site import PAGE
from tests.browser.at_table import LANGUAGES, texts
from tests.support.refusals import SALES, TABLES, given_by
from tests.support.sources import ROOT, SERVICES

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = {path.relative_to(PAGE).as_posix(): path.read_text(encoding="utf-8") for path in PAGE.rglob("*.js")}
CODE = "\n".join(SCRIPTS.values())
PROTO = (ROOT / "protos/magnate/bank/v1/terminal.proto").read_text(encoding="utf-8")
ENGLISH = texts("en")
# Keys that a script puts together: what stands before the variable part.
PREFIXES = (*re.findall(r"`([a-z]+(?:\.[a-z]+)*\.)\$\{", CODE), "queue.waiting.", "queue.short.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text(language: str) -> None:
    """The same keys, none empty, the same {names} to be filled in; only plurals differ."""
    other = texts(language)
    assert other.keys() == ENGLISH.keys()
    for key, text in other.items():
        assert text.strip(), key
        assert names(text) == names(ENGLISH[key]), key


def names(text: str) -> set[str]:
    """Return what is to be filled in."""
    return set(re.findall(r"\{\w+\}", text))


def test_languages_are_those_of_the_page() -> None:
    """A file of texts that nobody can choose, or a choice without a file, is a mistake."""
    assert {path.stem for path in (PAGE / "i18n").glob("*.json")} == set(LANGUAGES)
    assert f"export const LANGUAGES = {json.dumps(list(LANGUAGES))};" in SCRIPTS["js/i18n.js"]


def test_every_text_that_is_asked_for_is_there_and_every_text_is_asked_for() -> None:
    """A missing key would show itself; one that nobody asks for is rubbish."""
    asked = set(re.findall(r"\bt\(\s*\"([\w.-]+)\"", CODE))
    quoted = set(re.findall(r"[\"`]([a-z]+(?:\.[\w-]+)+)[\"`]", CODE))
    assert not asked - ENGLISH.keys()
    reached = {key for key in ENGLISH if key in asked | quoted or key.startswith(PREFIXES)}
    assert not ENGLISH.keys() - reached


def test_every_state_of_the_display_has_words() -> None:
    """What the proto says a Frame may mean is said on the page."""
    (listed,) = re.findall(r"// What it means: (.*?)\n  string state", PROTO, re.DOTALL)
    states = re.findall(r"`(\w+)`", listed)
    assert {"off", "armed", "error", "closed"} <= set(states)
    assert not [state for state in states if f"state.{state}" not in ENGLISH]


def test_every_key_of_the_proto_has_a_name() -> None:
    """For a screen reader, and for the line of what waits to be sent."""
    keys = set(re.findall(r"^  (KEY_\w+) = \d+;", PROTO, re.MULTILINE)) - {"KEY_UNSPECIFIED"}
    assert len(keys) == 20
    for prefix in ("key.", "key.short."):
        assert {key.removeprefix(prefix) for key in ENGLISH if re.match(rf"{prefix}KEY", key)} == keys


def test_every_refusal_has_words() -> None:
    """Those of the units, of tables, of auctions at games and tables, and of tokens."""
    at_tables = given_by("bank/terminal/*.py", *TABLES, *SALES)
    assert "INSUFFICIENT_FUNDS" in at_tables
    tokens = {"TOKEN_MISSING", "TOKEN_MALFORMED", "TOKEN_INVALID", "TOKEN_FOR_OTHER_TABLE"}
    others = {
        "COMMAND_ID_REUSED",
        "COMMAND_TOO_OLD",
        "DATA_LOSS",
        "TOO_MANY_TRIES",
        "INVALID_ARGUMENT",
        "UNIMPLEMENTED",
    }
    bids = given_by("auction/domain/*.py")
    assert "BID_TOO_LOW" in bids
    wanted = (at_tables | bids | tokens | others) - {"NOT_YET", "UNKNOWN_DEADLINE"}  # what timers are told
    assert not [name for name in sorted(wanted) if f"because.{name}" not in ENGLISH]


def test_editions_models_and_sounds_are_those_of_the_bank() -> None:
    """The form offers every edition with its own unit; every sound of the API is heard."""
    offered = dict(
        re.findall(r'\{ id: "([\w-]+)", model: "UNIT_MODEL_(\w+)" \}', SCRIPTS["js/views/start.js"])
    )
    own = {name: one.model.upper().replace("-", "_") for name, one in EDITIONS.items()}
    assert offered == own
    sounds = set(re.findall(r"^  (SOUND_\w+) = \d+;", PROTO, re.MULTILINE)) - {"SOUND_UNSPECIFIED"}
    assert set(re.findall(r"^  (SOUND_\w+): \[", SCRIPTS["js/sounds.js"], re.MULTILINE)) == sounds


def test_what_can_be_tapped_is_what_the_board_has() -> None:
    """Deeds by number, square and colour; the other squares by kind; event cards by their ids."""
    path = SERVICES / "magnate/rules/data/boards/ultimate-banking.yaml"
    board = yaml.safe_load(path.read_text(encoding="utf-8"))
    deeds = [(one["index"], one["group"]) for one in board["squares"] if one["type"] == "street"]
    others = {(one["index"], one["type"]) for one in board["squares"] if one["type"] != "street"}
    script = SCRIPTS["js/unit/board.js"]
    listed = [(int(square), word) for square, word in re.findall(r'\[(\d+), "(\w+)"\]', script)]
    assert listed[: len(deeds)] == deeds
    assert set(listed[len(deeds) :]) == others
    assert len(listed) == board["board_size"]
    cards = [one["id"] for one in board["decks"]["event"]["cards"]]
    assert cards == [f"ev{number:02}" for number in range(1, 24)]
    assert "Array.from({ length: 23 }" in script


def test_the_shell_has_every_file() -> None:
    """What the worker does not keep is missing without a network; what is not there breaks its start."""
    (listed,) = re.findall(r"const SHELL = \[(.*?)\];", SCRIPTS["sw.js"], re.DOTALL)
    kept = re.findall(r'"([^"]+)"', listed)
    there = {path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*") if path.is_file()}
    assert sorted(kept) == sorted((there - {"index.html", "sw.js"}) | {"./"})


@pytest.mark.parametrize("path", [PAGE / "index.html", *PAGE.rglob("*.js"), *PAGE.rglob("*.css")], ids=str)
def test_nothing_is_inline_and_nothing_from_another_host(path: Path) -> None:
    """The content policy forbids it; a test says so before a browser does."""
    text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text)
    if path.suffix == ".html":
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", text)


def test_scripts_are_imported_by_their_names() -> None:
    """Every import leads to a file, and every file is imported: there is no build step that would say it."""
    reached = {"js/main.js", "js/theme.js", "sw.js"}
    for name, text in SCRIPTS.items():
        for target in re.findall(r'from "(\.[^"]+)"', text):
            path = (PAGE / name).parent.joinpath(target).resolve()
            assert path.exists(), f"{name}: {target}"
            reached.add(path.relative_to(PAGE).as_posix())
    assert reached == SCRIPTS.keys()
