"""What the touch unit remembers: what was tapped last, and until when it counts (row 87)."""

from typing import Final

from magnate.bank.terminal.unit import Unit

# Places in the unit's memory.
MODE: Final = 0
SQUARE: Final = 1
CARD_NUMBER: Final = 2
"""The event card that was tapped; when the game is over, the page of the ranking."""
MODE_UNTIL: Final = 3
WORD_UNTIL: Final = 4

# Modes: what was tapped last and still counts.
IDLE: Final = 0
LOOK: Final = 1
"""A deed, to look at."""
PLACE: Final = 2
"""A deed; the card that follows is of who stands there."""
GO: Final = 3
EVENT: Final = 4
CARD: Final = 5
"""A card; `Unit.shown` is its seat."""
RETURN: Final = 6
"""A debtor's deed, to be given back."""
DONE: Final = 7
"""A command was accepted, at a square; `Unit.remembered` went from `payer` to `shown`, -1 for the bank."""


def enter(unit: Unit, mode: int, square: int, until_ms: int) -> None:
    """Remember what was tapped, until a time; 0 for ever."""
    unit.memory = [mode, square, -1, 0 if mode == IDLE else until_ms, unit.memory[WORD_UNTIL]]
    note_until(unit)


def leave(unit: Unit, outcome: str) -> None:
    """Forget what was tapped; what was under way has ended."""
    unit.end(outcome)
    enter(unit, IDLE, -1, 0)


def show_word(unit: Unit, word: str, refusal: str, until_ms: int) -> None:
    """Show an error until a time, or with empty words no longer."""
    unit.word = word
    unit.refusal = refusal
    unit.memory[WORD_UNTIL] = until_ms
    note_until(unit)


def note_until(unit: Unit) -> None:
    """The display changes by itself when the first of both is over."""
    ends = [one for one in (unit.memory[MODE_UNTIL], unit.memory[WORD_UNTIL]) if one]
    unit.until_ms = min(ends) if ends else 0
