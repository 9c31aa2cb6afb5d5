"""The five digits of the display, large, of box characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.bank.v1.terminal_pb2 import Frame

ROWS: Final = 5
DIGITS: Final = 5
_CELL: Final = 6
_BLANK: Final = ("     ",) * ROWS

_GLYPHS: Final[dict[str, tuple[str, ...]]] = {
    " ": _BLANK,
    "0": ("┏━━━┓", "┃   ┃", "┃   ┃", "┃   ┃", "┗━━━┛"),
    "1": ("    ╻", "    ┃", "    ┃", "    ┃", "    ╹"),
    "2": ("╺━━━┓", "    ┃", "┏━━━┛", "┃    ", "┗━━━╸"),
    "3": ("╺━━━┓", "    ┃", " ╺━━┫", "    ┃", "╺━━━┛"),
    "4": ("╻   ╻", "┃   ┃", "┗━━━┫", "    ┃", "    ╹"),
    "5": ("┏━━━╸", "┃    ", "┗━━━┓", "    ┃", "╺━━━┛"),
    "6": ("┏━━━╸", "┃    ", "┣━━━┓", "┃   ┃", "┗━━━┛"),
    "7": ("╺━━━┓", "    ┃", "    ┃", "    ┃", "    ╹"),
    "8": ("┏━━━┓", "┃   ┃", "┣━━━┫", "┃   ┃", "┗━━━┛"),
    "9": ("┏━━━┓", "┃   ┃", "┗━━━┫", "    ┃", "╺━━━┛"),
    "K": ("╻   ╻", "┃ ┏━┛", "┣━┫  ", "┃ ┗━┓", "╹   ╹"),
    "M": ("┏━┳━┓", "┃ ┃ ┃", "┃ ╹ ┃", "┃   ┃", "╹   ╹"),
}
_SIGNS: Final = {
    "": ("   ",) * ROWS,
    "+": ("   ", " ╻ ", "╺╋╸", " ╹ ", "   "),
    "-": ("   ", "   ", "╺━╸", "   ", "   "),
}
_POINT: Final = "●"
_MORE: Final = "…"


def cells(text: str) -> list[tuple[str, bool]]:
    """Return five digits, right-justified, each with whether the point follows it."""
    found: list[tuple[str, bool]] = []
    for letter in text:
        if letter != ".":
            found.append((letter, False))
        else:
            found.append((found.pop()[0] if found else "0", True))
    return [(" ", False)] * (DIGITS - len(found)) + found[-DIGITS:]


def rows(frame: Frame) -> list[str]:
    """Return the lines that draw what a display shows."""
    digits = cells(frame.text)
    drawn = []
    for row in range(ROWS):
        line = _SIGNS.get(frame.sign, _SIGNS[""])[row] + " "
        for place, (digit, point) in enumerate(digits):
            line += _GLYPHS.get(digit, _BLANK)[row]
            last = row == ROWS - 1
            cut = frame.more and place == DIGITS - 1
            line += (_POINT if point else _MORE if cut else " ") if last else " "
        drawn.append(line + _GLYPHS.get(frame.suffix or " ", _BLANK)[row])
    return drawn


WIDTH: Final = 3 + 1 + DIGITS * _CELL + 5
