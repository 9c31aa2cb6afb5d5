"""The state of a unit: small, whole, and made of plain values, because it is stored after each press."""

from typing import Final, TypeAlias

Plain: TypeAlias = dict[str, object]
"""The state as ints, strings and lists of ints."""

VOLUME_MAX: Final = 3
VOLUME_FIRST: Final = 2

# How the operation ended that `operation` numbers.
OPEN: Final = "open"
DONE: Final = "booked"
CANCELLED: Final = "cancelled"
REFUSED: Final = "refused"
STARTED_ANEW: Final = "reset"


class Unit:
    """A unit on the table. Whoever changes one changes a copy.

    `slots` hold seats, -1 where there is no card. `entry` is what was typed and `denomination` the key that
    said how much it is. `remembered` is owed by `payer` to the card that comes next, once `payer_left`.
    `word` and `refusal` are shown until `until_ms` (0: until the next press). `operation` counts, and
    `outcome` tells how the last one stands; `booked_by` is the key that booked, as long as `shown` (a seat)
    has its new balance on the display. `memory` is for what only one model has to remember.
    """

    __slots__ = (
        "awake", "booked_by", "denomination", "entry", "memory", "model", "operation", "outcome", "payer",
        "payer_left", "refusal", "remembered", "shown", "slots", "until_ms", "volume", "word",
    )  # fmt: skip

    def __init__(self, model: str, slots: int) -> None:
        self.model = model
        self.awake = False
        self.slots: list[int] = [-1] * slots
        self.entry = ""
        self.denomination = ""
        self.remembered = 0
        self.payer = -1
        self.payer_left = False
        self.volume = VOLUME_FIRST
        self.word = ""
        self.refusal = ""
        self.until_ms = 0
        self.operation = 0
        self.outcome = ""
        self.booked_by = ""
        self.shown = -1
        self.memory: list[int] = []

    def copy(self) -> "Unit":
        """Return a unit that can be changed without changing this one."""
        other = Unit(self.model, 0)
        other.awake = self.awake
        other.slots = self.slots.copy()
        other.entry = self.entry
        other.denomination = self.denomination
        other.remembered = self.remembered
        other.payer = self.payer
        other.payer_left = self.payer_left
        other.volume = self.volume
        other.word = self.word
        other.refusal = self.refusal
        other.until_ms = self.until_ms
        other.operation = self.operation
        other.outcome = self.outcome
        other.booked_by = self.booked_by
        other.shown = self.shown
        other.memory = self.memory.copy()
        return other

    def begin(self) -> None:
        """Take the number of a new operation, unless one is under way; what was booked is shown no longer."""
        if self.outcome != OPEN:
            self.operation += 1
            self.outcome = OPEN
        self.booked_by = ""
        self.shown = -1

    def end(self, outcome: str) -> None:
        """End what is under way, if anything is, and forget everything that was entered."""
        if self.outcome == OPEN:
            self.outcome = outcome
        self.entry = ""
        self.denomination = ""
        self.remembered = 0
        self.payer = -1
        self.payer_left = False
        self.booked_by = ""
        self.shown = -1

    def plain(self) -> Plain:
        """Return the whole state as plain values."""
        return {
            "model": self.model,
            "awake": int(self.awake),
            "slots": self.slots.copy(),
            "entry": self.entry,
            "denomination": self.denomination,
            "remembered": self.remembered,
            "payer": self.payer,
            "payer_left": int(self.payer_left),
            "volume": self.volume,
            "word": self.word,
            "refusal": self.refusal,
            "until_ms": self.until_ms,
            "operation": self.operation,
            "outcome": self.outcome,
            "booked_by": self.booked_by,
            "shown": self.shown,
            "memory": self.memory.copy(),
        }

    @staticmethod
    def of(plain: Plain) -> "Unit":
        """Return the unit that `plain()` described; ValueError names what is missing or of another kind."""
        unit = Unit(_text(plain, "model"), 0)
        unit.awake = _number(plain, "awake") != 0
        unit.slots = _numbers(plain, "slots")
        unit.entry = _text(plain, "entry")
        unit.denomination = _text(plain, "denomination")
        unit.remembered = _number(plain, "remembered")
        unit.payer = _number(plain, "payer")
        unit.payer_left = _number(plain, "payer_left") != 0
        unit.volume = _number(plain, "volume")
        unit.word = _text(plain, "word")
        unit.refusal = _text(plain, "refusal")
        unit.until_ms = _number(plain, "until_ms")
        unit.operation = _number(plain, "operation")
        unit.outcome = _text(plain, "outcome")
        unit.booked_by = _text(plain, "booked_by")
        unit.shown = _number(plain, "shown")
        unit.memory = _numbers(plain, "memory")
        return unit


def _number(plain: Plain, name: str) -> int:
    value = plain.get(name)
    if not isinstance(value, int):
        raise ValueError(f"a stored unit has {name} = {value!r}, which is no number")  # noqa: TRY004
    return value


def _text(plain: Plain, name: str) -> str:
    value = plain.get(name)
    if not isinstance(value, str):
        raise ValueError(f"a stored unit has {name} = {value!r}, which is no text")  # noqa: TRY004
    return value


def _numbers(plain: Plain, name: str) -> list[int]:
    value = plain.get(name)
    if not isinstance(value, list):
        raise ValueError(f"a stored unit has {name} = {value!r}, which is no list")  # noqa: TRY004
    numbers: list[int] = []
    for one in value:
        if not isinstance(one, int):
            raise ValueError(f"a stored unit has {one!r} in {name}, which is no number")  # noqa: TRY004
        numbers.append(one)
    return numbers
