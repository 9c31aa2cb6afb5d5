"""What is read on the screen: each text in each language, forms of counts, the environment's language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import magnate.cli.terminal as package
from magnate.cli.terminal.texts import LANGUAGES, Texts, language_of, plural
from tests.support.refusals import TABLES, given_by

SOURCES = sorted(Path(package.__file__).parent.glob("*.py"))
FAMILIES = {
    "state": "off idle balance entry armed remembered booked error volume reset owes paused closed",
    "link": "connecting live lost refused paused closed",
    "role": "banker guest",
    "touch.expects": "card deed event",
    "event": " ".join(f"ev{number:02}" for number in range(1, 24)),
    "banker": "undo pause resume reset add retire unlock close",
    "because": " ".join(sorted(given_by(*TABLES))),
    "term.foot": "slots touch none",
    "hint": "idle balance entry.one entry.two entry.units armed.plus armed.minus armed.transfer booked "
    "idle.touch query.free query.owned_card offer.buy offer.return offer.jail choose.go event.which "
    "booked.paid",
    "square": "go jail free_parking go_to_jail location card",
}
"""Texts whose keys are put together at run time."""


def used() -> set[str]:
    """Return the keys that stand in the sources."""
    found = {f"{family}.{name}" for family, names in FAMILIES.items() for name in names.split()}
    for source in SOURCES:
        found.update(re.findall(r"\bt\(\s*\"([a-z_.]+)\"", source.read_text(encoding="utf-8")))
        found.update(re.findall(r"\"((?:term|help)\.[a-z_.]+)\"", source.read_text(encoding="utf-8")))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_there_is_a_key_for(language: str) -> None:
    """A key without a text would be read as a key."""
    texts = Texts(language)
    assert len(used()) > 120
    assert {key for key in used() if not texts.has(key)} == set()


def test_all_languages_say_the_same_with_the_same_values() -> None:
    """The same keys, and in each text the same {names}."""
    english = Texts("en").all
    for language in LANGUAGES:
        other = {key: text for key, text in Texts(language).all.items() if key.startswith("term.")}
        assert set(other) == {key for key in english if key.startswith("term.")}
        for key, text in other.items():
            assert set(re.findall(r"\{\w+\}", text)) == set(re.findall(r"\{\w+\}", english[key])), key


def test_values_are_filled_in() -> None:
    """What has no value keeps its name, what has no text its key, a refusal without words its message."""
    t = Texts("en")
    assert t("history.debit", **{"from": "Ann", "amount": "$5"}) == "Ann pays the bank $5"
    assert t("history.debit", amount="$5") == "{from} pays the bank $5"
    assert t("no.such.text") == "no.such.text"
    assert t.because("NO_CARD") == "Insert a card first."
    assert t.because("SOMETHING_NEW", "a card of glass") == "a card of glass"
    assert t.because("SOMETHING_NEW") == "SOMETHING_NEW"


@pytest.mark.parametrize(
    ("language", "number", "form"),
    [
        *[("ru", number, "one") for number in (1, 21, 101)],
        *[("ru", number, "few") for number in (2, 4, 22)],
        *[("ru", number, "many") for number in (0, 5, 11, 12, 14, 25, 111)],
        *[("fr", number, "one") for number in (0, 1)],
        ("fr", 2, "other"),
        ("en", 1, "one"),
        *[("en", number, "other") for number in (0, 2, 11)],
    ],
)
def test_forms_of_counts(language: str, number: int, form: str) -> None:
    """As each language has them."""
    assert plural(language, number) == form
    assert str(number) in Texts(language).count("queue.short", number)


@pytest.mark.parametrize(
    ("environment", "wished", "language"),
    [
        ({"LANG": "ru_RU.UTF-8"}, "", "ru"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "fr_FR"}, "", "fr"),
        ({"LANG": "ru_RU.UTF-8"}, "en", "en"),
        ({"LANG": "de_DE.UTF-8"}, "", "en"),
        ({"LANG": "C"}, "", "en"),
        ({}, "", "en"),
    ],
)
def test_the_language(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], wished: str, language: str
) -> None:
    """The one wished for, the environment's, English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert language_of(wished) == language
