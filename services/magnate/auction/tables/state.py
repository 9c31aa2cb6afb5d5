"""What auctions need to know of a table. Read only: a change makes another one, so states may share it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, final

if TYPE_CHECKING:
    from collections.abc import Mapping

BANK: Final = "bank"
NO_SEAT: Final = -1


class Lapsing(NamedTuple):
    """A hold that reserves a seat's money until a time, whether or not somebody says so then."""

    seat: int
    amount: int
    expires_at_ms: int


@final
class Table:
    """A table of the bank, or a ledger that clients opened.

    Attributes:
        has_cards: it has cards and perhaps a unit; else it is a ledger alone.
        shared_unit: everybody works the unit, so everybody may sell.
        paused: it was paused; the deadlines of its auctions are, too.
        closed: it was closed; its auctions were cancelled in the same commit.
        seats: whose accounts are open.
        closed_seats: whose accounts were closed.
        locked: whose cards are locked.
        retired: whose cards are retired.
        opened: how many auctions were opened here.
        cards: the seats by the ids of their cards.
        lapsing: holds of clients that lapse by themselves, by their ids.
        sellers: of each running auction that a card opened, the seat.
    """

    __slots__ = (
        "cards", "closed", "closed_seats", "has_cards", "lapsing", "locked", "opened", "paused", "retired",
        "seats", "sellers", "shared_unit",
    )  # fmt: skip

    def __init__(self) -> None:
        self.has_cards = False
        self.shared_unit = False
        self.paused = False
        self.closed = False
        self.seats: frozenset[int] = frozenset()
        self.closed_seats: frozenset[int] = frozenset()
        self.locked: frozenset[int] = frozenset()
        self.retired: frozenset[int] = frozenset()
        self.opened = 0
        self.cards: Mapping[str, int] = {}
        self.lapsing: Mapping[str, Lapsing] = {}
        self.sellers: Mapping[int, int] = {}

    def copy(self) -> Table:
        """Return one that can be changed."""
        other = Table()
        for name in Table.__slots__:
            setattr(other, name, getattr(self, name))
        return other


def seat_account(seat: int) -> str:
    """Return the account of a seat."""
    return f"seat-{seat}"
