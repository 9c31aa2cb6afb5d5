"""The keys of each model, where they lie, and which key of a keyboard stands for which."""

from __future__ import annotations

from typing import Final

from magnate.bank.v1 import terminal_pb2

TWO_SLOT: Final = terminal_pb2.UNIT_MODEL_TWO_SLOT
ONE_SLOT: Final = terminal_pb2.UNIT_MODEL_ONE_SLOT
TOUCH: Final = terminal_pb2.UNIT_MODEL_TOUCH

LAYOUTS: Final[dict[terminal_pb2.UnitModel.ValueType, tuple[str, ...]]] = {
    TWO_SLOT: (
        *("7", "8", "9", "C"),
        *("4", "5", "6", "M"),
        *("1", "2", "3", "K"),
        *(".", "0", "ARROW"),
    ),
    ONE_SLOT: (
        *("7", "8", "9", "C", "PLUS"),
        *("4", "5", "6", "M", "MINUS"),
        *("1", "2", "3", "K", "THREE"),
        *(".", "0", "ARROW"),
    ),
    TOUCH: ("TICK", "M", "CROSS"),
}
"""The keys in reading order; the grids are in unit.tcss."""

LABELS: Final = {
    "ARROW": "→ GO",
    "PLUS": "☺ +",
    "MINUS": "☺ −",
    "THREE": "☺ ☺ ☺",
    "TICK": "✓",
    "CROSS": "✕",
    ".": "•",
}
KINDS: Final = {
    "C": "clear",
    "M": "power",
    "K": "power",
    "ARROW": "go",
    "PLUS": "plus",
    "MINUS": "minus",
    "THREE": "three",
    "TICK": "plus",
    "CROSS": "minus",
}
SLOTS: Final[dict[terminal_pb2.UnitModel.ValueType, tuple[terminal_pb2.Slot.ValueType, ...]]] = {
    TWO_SLOT: (terminal_pb2.SLOT_LEFT, terminal_pb2.SLOT_RIGHT),
    ONE_SLOT: (terminal_pb2.SLOT_LEFT,),
}

HOLD: Final = "hold C"

_LETTERS: Final = {
    ".": ".",
    ",": ".",
    "+": "PLUS",
    "=": "PLUS",
    "-": "MINUS",
    "C": HOLD,
    "С": HOLD,
    # On a Cyrillic keyboard both the letter and the key that lies there.
    **dict.fromkeys("mMьЬмМ", "M"),
    **dict.fromkeys("kKлЛкК", "K"),
    **dict.fromkeys("cс", "C"),
    **dict.fromkeys("tTеЕтТ", "THREE"),
    **dict.fromkeys("yYнН", "TICK"),
    **dict.fromkeys("xXчЧ", "CROSS"),
}
CARD_KEYS: Final = {f"f{number}": number - 1 for number in range(1, 9)}
"""F1 to F8 stand for the cards in their order."""
RIGHT_CARD_KEYS: Final = {
    **{f"f{number + 12}": number - 1 for number in range(1, 9)},
    **{f"shift+f{number}": number - 1 for number in range(1, 9)},
}
"""With shift they go into the right slot; terminals call these F13 to F20."""


def key_of(name: str, character: str | None, model: terminal_pb2.UnitModel.ValueType) -> str:
    """Return the key of the unit that a key of the keyboard stands for; empty if it has none."""
    if name == "enter":
        found = "ARROW"
    elif character is not None and character.isascii() and character.isdigit():
        found = character
    else:
        found = _LETTERS.get(character or "", "")
    return found if (found == HOLD and model != TOUCH) or found in LAYOUTS.get(model, ()) else ""
