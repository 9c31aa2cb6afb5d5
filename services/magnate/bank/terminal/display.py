"""What a display of five digits shows: an amount in a suffix that fits, and what it means (row 87)."""

from typing import Final

from magnate.bank.terminal.edition import UNITS, Edition

DIGITS_MAX: Final = 5
"""Digits of the display; the decimal point is not counted."""
WHOLE_MAX: Final = 99_999
"""The largest number without a fraction that the display has room for."""

THOUSAND: Final = 1_000
MILLION: Final = 1_000_000

# What the display means.
OFF: Final = "off"
IDLE: Final = "idle"
BALANCE: Final = "balance"
ENTRY: Final = "entry"
ARMED: Final = "armed"
REMEMBERED: Final = "remembered"
BOOKED: Final = "booked"
RESET: Final = "reset"
ERROR: Final = "error"
VOLUME: Final = "volume"
PAUSED: Final = "paused"
OWES: Final = "owes"
QUERY: Final = "query"
OFFER: Final = "offer"
CHOOSE: Final = "choose"
AUCTION: Final = "auction"
EVENT: Final = "event"
RANKING: Final = "ranking"


class Frame:
    """What one looks at. `text` has at most five digits, besides a point; `suffix` is K, M or nothing.

    `sign` tells what the next booking does to `seat`, whose money is shown (-1: nobody's). `more`: the amount
    is larger than what is shown. `word` is one of the constants above; with `error` there is a `refusal`.

    On the touch unit there are a `square` with its rent `level` and its `owner` (or who is paid), and what it
    `expects` to be tapped or pressed. `until_ms` is when the game itself changes what is shown, 0 if unknown.
    """

    __slots__ = (
        "expects", "level", "more", "operation", "outcome", "owner", "refusal", "seat", "sign", "square",
        "suffix", "text", "until_ms", "volume", "word",
    )  # fmt: skip

    def __init__(self, word: str, text: str = "", seat: int = -1, sign: str = "") -> None:
        self.word = word
        self.text = text
        self.suffix = ""
        self.seat = seat
        self.sign = sign
        self.more = False
        self.refusal = ""
        self.volume = 0
        self.operation = 0
        self.outcome = ""
        self.square = -1
        self.level = 0
        self.owner = -1
        self.expects: list[str] = []
        self.until_ms = 0

    def show(self, amount: int, edition: Edition) -> None:
        """Show an amount of ledger units: below a million as K, from a million on as M with a point.

        An edition of units shows plain units as long as they fit. Digits there is no room for are left out,
        and `more` tells; nothing is ever rounded up. Below zero is shown as zero.
        """
        value = max(amount, 0) * edition.scale
        if edition.scale == UNITS and value <= WHOLE_MAX:
            self.text, self.suffix = str(value), ""
            return
        thousands = value < MILLION
        self.suffix = "K" if thousands else "M"
        unit = THOUSAND if thousands else MILLION
        whole = value // unit
        if whole > WHOLE_MAX:
            self.text, self.more = str(WHOLE_MAX), True
            return
        fraction = str(unit + value % unit)[1:]
        room = DIGITS_MAX - len(str(whole))
        shown = fraction[:room].rstrip("0")
        self.text = f"{whole}.{shown}" if shown else str(whole)
        self.more = fraction[room:].strip("0") != ""
