"""A running open auction as everybody may see it, folded from its events.

The auction service decides on it, the game service shows it, and the rules read it to say who may bid what.
"""

from typing import Final

from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionEvent,
    AuctionOpened,
    BidderDropped,
    BidderPassed,
    BidPlaced,
)

NOBODY: Final = -1
"""The leader while nobody has bid, and the winner when nobody did."""


class Auction:  # noqa: PLW1641 - it changes, so it has no hash
    """A lot under the hammer.

    Attributes:
        auction: its number in the game.
        lot: the square under the hammer.
        bidders: who might bid when it was opened and is still in the game, in that order.
        active: who of them may still bid, the leader included, in that order.
        leader: the seat that leads, or `NOBODY`.
        price: the leading bid, or 0.
        hold_id: the hold behind the leading bid, or empty.
        minimum: the least first bid.
        increment: how much more the next bid must be at least.
        close_ms: time without a bid after which the hammer falls.
        clock: counts what starts that time anew: the opening, each bid, each leader that leaves.
    """

    __slots__ = (
        "active", "auction", "bidders", "clock", "close_ms", "hold_id", "increment", "leader", "lot",
        "minimum", "price",
    )  # fmt: skip

    def __init__(self, opened: AuctionOpened) -> None:
        self.auction: int = opened.auction
        self.lot: int = opened.lot
        self.bidders: list[int] = list(opened.bidders)
        self.active: list[int] = list(opened.bidders)
        self.leader: int = NOBODY
        self.price: int = 0
        self.hold_id: str = ""
        self.minimum: int = opened.minimum
        self.increment: int = opened.increment
        self.close_ms: int = opened.close_ms
        self.clock: int = 1

    @property
    def least_bid(self) -> int:
        """The least that the next bid must be."""
        return self.minimum if self.leader < 0 else self.price + self.increment

    @property
    def passed(self) -> list[int]:
        """Who has passed, in the order of the bidders."""
        return [seat for seat in self.bidders if seat not in self.active]

    def may_act(self, seat: int) -> bool:
        """Whether this seat may bid (from `least_bid` to what it has) or pass."""
        return seat != self.leader and seat in self.active

    def copy(self) -> "Auction":
        """An auction of its own with the same content."""
        opened = AuctionOpened(
            self.auction, self.lot, self.bidders, self.minimum, self.increment, self.close_ms
        )
        twin = Auction(opened)
        twin.active = list(self.active)
        twin.leader = self.leader
        twin.price = self.price
        twin.hold_id = self.hold_id
        twin.clock = self.clock
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Auction) and self._key() == other._key()

    def __repr__(self) -> str:
        return (
            f"Auction({self.auction}, lot={self.lot}, active={self.active}, passed={self.passed}, "
            f"leader={self.leader}, price={self.price}, least_bid={self.least_bid}, clock={self.clock})"
        )

    def _key(self) -> tuple[int, int, list[int], list[int], int, int, str, int, int, int, int]:
        return (
            self.auction, self.lot, self.bidders, self.active, self.leader, self.price, self.hold_id,
            self.minimum, self.increment, self.close_ms, self.clock,
        )  # fmt: skip


def fold(auction: Auction | None, event: AuctionEvent) -> Auction | None:
    """The auction that is running after an event; changes the given one in place, None when it has ended.

    Folds what was decided, so nothing is checked here but that the event is about this auction.
    """
    if isinstance(event, AuctionOpened):
        return Auction(event)
    if auction is None:
        raise ValueError(f"no auction is running before {event!r}")
    if isinstance(event, BidPlaced):
        auction.leader = event.seat
        auction.price = event.amount
        auction.hold_id = event.hold_id
        auction.clock += 1
    elif isinstance(event, BidderPassed):
        auction.active.remove(event.seat)
    elif isinstance(event, BidderDropped):
        _drop(auction, event.seat)
    elif isinstance(event, AuctionClosed | AuctionCancelled):
        return None
    else:
        raise TypeError(f"not an event of an open auction: {event!r}")
    return auction


def _drop(auction: Auction, seat: int) -> None:
    """Take out a seat that left the game. When it led, bidding starts again and passes are forgotten."""
    auction.bidders.remove(seat)
    if seat != auction.leader:
        if seat in auction.active:
            auction.active.remove(seat)
        return
    auction.active = list(auction.bidders)
    auction.leader = NOBODY
    auction.price = 0
    auction.hold_id = ""
    auction.clock += 1
