"""The window's texts: each in each language with the same names to fill in, none that nobody asks for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import magnate.cli.watch as package
from magnate.cli.terminal.texts import LANGUAGES, Texts

FOLDER = Path(package.__file__).parent
SOURCES = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))


def test_every_text_there_is_a_key_for() -> None:
    """A key without a text would be read as a key; a text without a key is rubbish."""
    asked = set(re.findall(r"[\"']((?:watch|game|link)\.[a-z_.]+[a-z_])[\"']", SOURCES)) - {"watch.tcss"}
    assert len(asked) > 25
    for language in LANGUAGES:
        assert not [key for key in asked if not Texts(language).has(key)]
    stored = json.loads((FOLDER / "i18n/en.json").read_text(encoding="utf-8"))
    assert stored.keys() == {key for key in asked if key.startswith("watch.")}


def test_all_languages_say_the_same_with_the_same_values() -> None:
    """The same keys, and in each text the same {names}."""
    english = json.loads((FOLDER / "i18n/en.json").read_text(encoding="utf-8"))
    for language in LANGUAGES:
        other = json.loads((FOLDER / f"i18n/{language}.json").read_text(encoding="utf-8"))
        assert other.keys() == english.keys()
        for key, text in other.items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key


def test_the_kind_of_an_auction_fits_into_the_window() -> None:
    """At 80 columns the panel has 30 for a fact; the end of the text is what tells the kinds apart."""
    for language in LANGUAGES:
        for mode in range(1, 5):
            assert len(Texts(language)(f"game.mode.{mode}")) <= 30
