"""What is read on the screen, in three languages: the page's texts, and the few only windows need."""

from __future__ import annotations

import json
import os
import re
from importlib.resources import files
from typing import Final

LANGUAGES: Final = ("en", "ru", "fr")
_FOLDERS: Final = (
    ("magnate.gateway", "page/i18n"),
    ("magnate.cli.terminal", "i18n"),
    ("magnate.cli.watch", "i18n"),
)
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def language_of(wished: str) -> str:
    """Return the language wished for, or else the one of the environment, or else English."""
    named = [wished] if wished else [os.environ.get(name, "") for name in _VARIABLES]
    found = next((one for one in named if one), "")
    return found[:2].lower() if found[:2].lower() in LANGUAGES else LANGUAGES[0]


class Texts:
    """The texts of a language. A text may have {names} to be filled in."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.all: dict[str, str] = {}
        for package, folder in _FOLDERS:
            stored = files(package).joinpath(folder, f"{language}.json")
            self.all.update(json.loads(stored.read_text(encoding="utf-8")))

    def __call__(self, key: str, **values: object) -> str:
        """Return a text; one that is missing shows its key."""
        text = self.all.get(key, key)
        return re.sub(r"\{(\w+)\}", lambda name: str(values.get(name[1], name[0])), text)

    def has(self, key: str) -> bool:
        """Say whether there is such a text."""
        return key in self.all

    def count(self, key: str, number: int) -> str:
        """Return the text for so many."""
        form = f"{key}.{plural(self.language, number)}"
        return self(form if self.has(form) else f"{key}.other", n=number)

    def because(self, reason: str, message: str = "") -> str:
        """Return a refusal in words; one that has none is shown as it came."""
        key = f"because.{reason}"
        return self(key) if self.has(key) else message or reason


def plural(language: str, number: int) -> str:
    """Return the form of a whole number, by the names that Unicode has for them."""
    if language == "ru":
        if number % 10 == 1 and number % 100 != 11:
            return "one"
        return "few" if number % 10 in {2, 3, 4} and number % 100 not in {12, 13, 14} else "many"
    if language == "fr":
        return "one" if number < 2 else "other"
    return "one" if number == 1 else "other"
