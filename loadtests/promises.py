"""What every unit promises, and how it is said when one does not keep it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.bank.terminal.display import Frame


class BrokenPromiseError(Exception):
    """A unit did what no unit may do."""


def require(holds: bool, promise: str) -> None:
    """Raise BrokenPromiseError with a promise that does not hold."""
    if not holds:
        raise BrokenPromiseError(promise)


def check_frame(shown: Frame) -> None:
    """Check that a display of five digits can show this."""
    digits = shown.text.replace(".", "", 1)
    require(len(digits) <= 5 and (not digits or digits.isdecimal()), f"the display shows {shown.text!r}")
    require(shown.suffix in {"", "K", "M"}, f"the display has the suffix {shown.suffix!r}")
    require(shown.sign in {"", "+", "-"}, f"the display has the sign {shown.sign!r}")
