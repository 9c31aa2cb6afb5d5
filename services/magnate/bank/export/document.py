"""What a ledger file is made of, and the words that all formats have in common."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, Protocol, final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.state import State
    from magnate.bank.domain.statement import Section

COMMODITY: Final = "MAG"
"""The commodity of a table whose currency has no name that both accounting programs take."""
COMMODITY_LETTERS_MAX: Final = 8

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@final
class Heading:
    """Which ledger it is, up to which version and its time, and its currency.

    One whole number of the ledger is `scale` units of the currency; files count in the currency.
    """

    __slots__ = ("commodity", "game_id", "scale", "time_ms", "unit", "version")

    def __init__(self, game_id: str, version: int, time_ms: int, *, unit: str = "", scale: int = 1) -> None:
        self.game_id = game_id
        self.version = version
        self.time_ms = time_ms
        self.unit = unit
        self.commodity = commodity_of(unit)
        self.scale = scale

    @property
    def title(self) -> str:
        """Return one line that says what the file is."""
        return f"Magnate {self.game_id}, version {self.version}, {iso_time(self.time_ms)}"


@final
class Closing:
    """What one account stands at in the end."""

    __slots__ = ("account", "closed", "held", "posted")

    def __init__(self, account: str, posted: int, held: int, *, closed: bool) -> None:
        self.account = account
        self.posted = posted
        self.held = held
        self.closed = closed


def closings_of(state: State, hidden: set[str]) -> list[Closing]:
    """Return what each account stands at, but for those that are not for this caller."""
    return [
        Closing(name, state.posted[place], state.held[place], closed=state.closed[place])
        for place, name in enumerate(state.names)
        if name not in hidden
    ]


class Writer(Protocol):
    """One format. Each method returns the next piece of the file."""

    def begin(self, heading: Heading) -> str:
        """Return how the file begins."""
        ...

    def section(self, section: Section) -> str:
        """Return what the file says of one commit."""
        ...

    def end(self, closings: Sequence[Closing]) -> str:
        """Return how the file ends: the balances that this caller may see."""
        ...


def commodity_of(unit: str) -> str:
    """Return the name of a currency as both accounting programs take it: capital letters only."""
    letters = "".join(letter for letter in unit.upper() if "A" <= letter <= "Z")[:COMMODITY_LETTERS_MAX]
    return letters or COMMODITY


def record_id(section: Section, index: int) -> str:
    """Return the id of a record: an entry's id, if it is one."""
    return f"{section.version}.{index}"


def iso_time(time_ms: int) -> str:
    """Return a time as `2026-11-30T08:15:00.250Z`."""
    moment = _EPOCH + timedelta(milliseconds=time_ms)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{time_ms % 1000:03}Z"


def iso_date(time_ms: int, *, days: int = 0) -> str:
    """Return the day of a time in UTC, or one some days later."""
    return (_EPOCH + timedelta(milliseconds=time_ms, days=days)).strftime("%Y-%m-%d")
