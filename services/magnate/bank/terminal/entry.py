"""An amount while it is typed: a text of digits and a point, until a key says what it means."""

from typing import Final

from magnate.bank.terminal.display import DIGITS_MAX
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

POINT: Final = "."


def typed(entry: str, key: str) -> str | Rejection:
    """Return the entry with one more digit or point.

    A zero in front is replaced by the digit that follows. Refusals: POINT_TWICE ENTRY_TOO_LONG.
    """
    if key == POINT:
        if POINT in entry:
            return Rejection(names.POINT_TWICE, f"{entry} has a decimal point already")
        return entry + POINT
    if entry == "0":
        return key
    if len(entry.replace(POINT, "")) >= DIGITS_MAX:
        return Rejection(names.ENTRY_TOO_LONG, f"{entry} fills the display; {key} has no room")
    return entry + key


def amount_of(entry: str, factor: int, scale: int) -> int | Rejection:
    """Return the ledger units of what was typed, times `factor` in units of the currency.

    Refusals, in order: AMOUNT_ZERO AMOUNT_NOT_WHOLE.
    """
    whole, _, fraction = entry.partition(POINT)
    number = int(whole + fraction)
    if number == 0:
        return Rejection(names.AMOUNT_ZERO, f"{entry} is nothing")
    value = number * factor
    unit = scale * int("1" + "0" * len(fraction))
    if value % unit:
        return Rejection(names.AMOUNT_NOT_WHOLE, f"{entry} times {factor} is no multiple of {scale}")
    return value // unit
