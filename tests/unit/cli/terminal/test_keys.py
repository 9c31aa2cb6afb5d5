"""Keys of the keyboard and what they stand for on each unit."""

from __future__ import annotations

import pytest

from magnate.cli.terminal.keys import HOLD, LAYOUTS, ONE_SLOT, TOUCH, TWO_SLOT, key_of
from magnate.client.terminal import KEYS


@pytest.mark.parametrize("model", [TWO_SLOT, ONE_SLOT, TOUCH])
def test_each_key_of_a_unit_can_be_sent(model: int) -> None:
    """And lies there once."""
    keys = LAYOUTS[model]  # type: ignore[index]  # the enum's type is not one at run time
    assert set(keys) <= set(KEYS)
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("name", "character", "two", "one", "touch"),
    [
        *[(digit, digit, digit, digit, "") for digit in "0123456789"],
        ("full_stop", ".", ".", ".", ""),
        ("comma", ",", ".", ".", ""),
        ("m", "m", "M", "M", "M"),
        ("M", "M", "M", "M", "M"),
        ("k", "k", "K", "K", ""),
        ("c", "c", "C", "C", ""),
        ("C", "C", HOLD, HOLD, ""),
        ("enter", "\r", "ARROW", "ARROW", ""),
        ("plus", "+", "", "PLUS", ""),
        ("minus", "-", "", "MINUS", ""),
        ("t", "t", "", "THREE", ""),
        ("y", "y", "", "", "TICK"),
        ("x", "x", "", "", "CROSS"),
        ("cyrillic_small_letter_soft_sign", "ь", "M", "M", "M"),
        ("cyrillic_small_letter_em", "м", "M", "M", "M"),
        ("cyrillic_small_letter_el", "л", "K", "K", ""),
        ("cyrillic_small_letter_es", "с", "C", "C", ""),
        ("cyrillic_capital_letter_es", "С", HOLD, HOLD, ""),
        ("cyrillic_small_letter_ie", "е", "", "THREE", ""),
        ("superscript_two", "²", "", "", ""),
        ("space", " ", "", "", ""),
        ("f1", None, "", "", ""),
    ],
)
def test_the_keyboard(name: str, character: str | None, two: str, one: str, touch: str) -> None:
    """Letters in any case and on a Cyrillic keyboard; what a unit does not have stands for nothing."""
    assert [key_of(name, character, model) for model in (TWO_SLOT, ONE_SLOT, TOUCH)] == [two, one, touch]
