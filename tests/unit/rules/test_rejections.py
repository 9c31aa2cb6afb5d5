"""The one list of refusals."""

from __future__ import annotations

import ast

import pytest

from magnate.client.session import FINAL, RefusedError, is_passing
from magnate.kit.rpc import status
from magnate.rules import rejections
from magnate.rules.rejections import REJECTIONS, Rejection, explain
from tests.support.sources import SERVICES

CATEGORIES = {
    rejections.INVALID,
    rejections.UNSUPPORTED,
    rejections.UNAUTHENTICATED,
    rejections.FORBIDDEN,
    rejections.NOT_FOUND,
    rejections.EXISTS,
    rejections.PRECONDITION,
    rejections.CONFLICT,
}


def test_every_name_is_a_constant_of_its_own_spelling() -> None:
    """The names are public API: the constant, its text and the key of the table are one word."""
    constants = {
        key
        for key, value in vars(rejections).items()
        if isinstance(value, str) and key.isupper() and value == key
    }
    assert constants == set(REJECTIONS)


@pytest.mark.parametrize("name", sorted(REJECTIONS))
def test_every_name_has_a_category_and_one_line(name: str) -> None:
    """A client developer finds out what it means and what can be done about it."""
    category, line = REJECTIONS[name]
    assert category in CATEGORIES
    assert line.endswith(".")
    assert "\n" not in line
    assert explain(name) == line


@pytest.mark.parametrize("name", sorted(REJECTIONS))
def test_a_refusal_without_words_of_its_own_has_the_line_of_its_name(name: str) -> None:
    """Nobody is shown a bare name: the line is what people read, the name is for programs."""
    assert Rejection(name).detail == explain(name)
    assert Rejection(name, "seat 3").detail == "seat 3"


@pytest.mark.parametrize("name", sorted(set(REJECTIONS) - FINAL))
def test_no_name_comes_with_a_code_that_has_clients_send_the_same_again(name: str) -> None:
    """RESOURCE_EXHAUSTED and the like are for what passes by itself, not for a limit of the rules."""
    code = status.CATEGORIES[REJECTIONS[name][0]]
    assert not is_passing(RefusedError(code, name, ""))


def test_every_name_is_given_by_something() -> None:
    """What nobody can ever be told is not in the list."""
    given = set()
    for path in SERVICES.rglob("*.py"):
        if not path.name.startswith("rejections"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                words = (getattr(node, one, None) for one in ("attr", "id", "value"))
                given |= {word for word in words if isinstance(word, str)}
    assert set(REJECTIONS) <= given


def test_a_rejection_is_a_value() -> None:
    """Name, category and detail; what it says for people names it first."""
    rejection = Rejection(rejections.NOT_OWNER, "lot 5 belongs to seat 1")
    assert (rejection.name, rejection.category) == ("NOT_OWNER", "precondition")
    assert repr(rejection) == "Rejection(NOT_OWNER: lot 5 belongs to seat 1)"


def test_a_name_nobody_listed_is_a_bug() -> None:
    """Refusals are a closed set."""
    with pytest.raises(KeyError):
        Rejection("WHATEVER")
