"""A running ascending auction as everybody may see it, folded from its events.

The auction service decides on it, the game service shows it, and the rules read it to say who may bid what.
Everything that a rule set chooses about auctions stands in `AuctionOpened`, so nobody who folds or judges one
needs the rule set.
"""

from __future__ import annotations

from typing import Final

from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionEvent,
    AuctionExtended,
    AuctionOpened,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    OpenAuction,
    OpeningDeclined,
)

NOBODY: Final = -1
"""The leader while nobody has bid, the winner when nobody did, and whose turn it is where bids are free."""

BID_MAX: Final = 1_000_000_000_000_000
"""No bid is above this."""

MODE_OPEN: Final = 0
"""A leading bid is on hold, and given back when it is outbid."""
MODE_PENNY: Final = 1
"""Every bid is paid when it is made, and never given back (row 24, C37)."""

LIMIT_CASH: Final = 0
LIMIT_LIQUIDATION: Final = 1
LIMIT_NONE: Final = 2
"""What a bid may come to: the bidder's money, what he could raise, or anything (row 23, case C020)."""


class Auction:  # noqa: PLW1641 - it changes, so it has no hash
    """A lot, or a building of the bank, under the hammer.

    Attributes:
        opened: how it was opened; bidders that left the game are not taken out there.
        auction: its number in the game.
        lot: the square under the hammer; -1 when it is a building.
        building: BUILDING_… when it is a building, else 0.
        bidders: who might bid when it was opened and is still in the game, in that order.
        active: who of them may still bid, the leader included, in that order.
        barred: who may not bid because he declined the lot, or `NOBODY`.
        leader: the seat that leads, or `NOBODY`.
        price: the leading bid, or 0.
        hold_id: the hold behind the leading bid, or empty.
        held: how much of the leading bid is on hold.
        turn: whose turn it is to bid or pass, where bids go by turn, else `NOBODY`.
        declined: who let the opening go by since the last bid, where bids go by turn.
        extensions: how often late bids have moved the end.
        clock: counts the opening, each bid, each leader that leaves, and each turn.
        end: the clock when the end was last moved; it names the deadline.
    """

    __slots__ = (
        "active", "auction", "barred", "bidders", "building", "clock", "declined", "end", "extensions",
        "held", "hold_id", "leader", "lot", "opened", "price", "turn",
    )  # fmt: skip

    def __init__(self, opened: AuctionOpened) -> None:
        self.opened: AuctionOpened = opened
        self.auction: int = opened.auction
        self.lot: int = opened.lot
        self.building: int = opened.building
        self.barred: int = NOBODY if opened.barred is None else opened.barred
        self.bidders: list[int] = opened.bidders.copy()
        self.active: list[int] = opened.bidders.copy()
        self.leader: int = NOBODY
        self.price: int = 0
        self.hold_id: str = ""
        self.held: int = 0
        self.turn: int = opened.bidders[0] if opened.by_turn and opened.bidders else NOBODY
        self.declined: list[int] = []
        self.extensions: int = 0
        self.clock: int = 1
        self.end: int = 1

    @property
    def minimum(self) -> int:
        """The least first bid."""
        return self.opened.minimum

    @property
    def increment(self) -> int:
        """How much more the next bid must be at least."""
        return self.opened.increment

    @property
    def close_ms(self) -> int:
        """Time without a bid after which the hammer falls."""
        return self.opened.close_ms

    @property
    def by_turn(self) -> bool:
        """Whether bidders act one after the other."""
        return self.opened.by_turn

    @property
    def paid(self) -> bool:
        """Whether every bid is paid when it is made."""
        return self.opened.mode == MODE_PENNY

    @property
    def least_bid(self) -> int:
        """The least that the next bid must be."""
        return self.opened.minimum if self.leader < 0 else self.price + self.opened.increment

    @property
    def step(self) -> int:
        """Every bid is the least one and a whole number of these; 1 where any amount above it will do."""
        return self.opened.increment if self.opened.fixed_step else 1

    @property
    def passed(self) -> list[int]:
        """Who has passed, in the order of the bidders."""
        return [seat for seat in self.bidders if seat not in self.active]

    @property
    def over(self) -> bool:
        """Whether nobody is left to bid: all but the leader have passed, or all let the opening go by."""
        if self.leader < 0:
            return len(self.declined) == len(self.active)
        return len(self.active) == 1

    def may_act(self, seat: int) -> bool:
        """Whether this seat may bid (from `least_bid` to what its money allows) or pass."""
        if seat == self.leader or seat not in self.active:
            return False
        return not self.opened.by_turn or seat == self.turn

    def next_bidder(self) -> int:
        """The first of those who may bid or pass now, or `NOBODY`."""
        by_turn = self.opened.by_turn
        for seat in self.active:
            if seat != self.leader and (not by_turn or seat == self.turn):
                return seat
        return NOBODY

    def after(self, seat: int) -> int:
        """Who has the turn after this seat, or `NOBODY`."""
        start = self.bidders.index(seat) + 1
        for other in self.bidders[start:] + self.bidders[:start]:
            if other in self.active and other not in (self.leader, seat):
                return other
        return NOBODY

    def copy(self) -> Auction:
        """An auction of its own with the same content."""
        twin = Auction(self.opened)
        twin.bidders = list(self.bidders)
        twin.active = list(self.active)
        twin.leader = self.leader
        twin.price = self.price
        twin.hold_id = self.hold_id
        twin.held = self.held
        twin.turn = self.turn
        twin.declined = list(self.declined)
        twin.extensions = self.extensions
        twin.clock = self.clock
        twin.end = self.end
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Auction) and self._key() == other._key()

    def __repr__(self) -> str:
        what = f"building={self.building}" if self.building else f"lot={self.lot}"
        return (
            f"Auction({self.auction}, {what}, active={self.active}, passed={self.passed}, "
            f"leader={self.leader}, price={self.price}, least_bid={self.least_bid}, turn={self.turn}, "
            f"clock={self.clock})"
        )

    def _key(self) -> list[object]:
        return [
            self.opened, self.bidders, self.active, self.leader, self.price, self.hold_id, self.held,
            self.turn, self.declined, self.extensions, self.clock, self.end,
        ]  # fmt: skip


def opened(ask: OpenAuction) -> AuctionOpened:
    """How an auction that the rules ask for begins."""
    return AuctionOpened(
        ask.auction, ask.lot, ask.bidders.copy(), ask.minimum, ask.increment, ask.close_ms, ask.building,
        ask.barred, ask.mode, ask.by_turn, ask.bid_limit, ask.extend_ms, ask.extensions_max, ask.fixed_step,
    )  # fmt: skip


def passing(auction: Auction, seat: int, *, forced: bool) -> AuctionEvent:
    """What it means that a seat does not bid: by turn, who lets the opening go by is still in (case C023)."""
    if _lets_opening_go(auction, seat):
        return OpeningDeclined(auction.auction, seat)
    return BidderPassed(auction.auction, seat, forced)


def _lets_opening_go(auction: Auction, seat: int) -> bool:
    return auction.turn == seat and auction.leader == NOBODY  # where bids are free, nobody has the turn


def fold(auction: Auction | None, event: AuctionEvent) -> Auction | None:
    """The auction that is running after an event; changes the given one in place, None when it has ended.

    Folds what was decided, so nothing is checked here but that the event is about this auction.
    """
    if isinstance(event, AuctionOpened):
        return Auction(event)
    if auction is None:
        raise ValueError(f"no auction is running before {event!r}")
    if isinstance(event, BidPlaced):
        held = event.amount if event.held is None else event.held
        lead(auction, event.seat, event.amount, held, event.hold_id, event.keeps_end)
    elif isinstance(event, BidderPassed):
        _pass(auction, event.seat)
    elif isinstance(event, BidderDropped):
        _drop(auction, event.seat)
    elif isinstance(event, OpeningDeclined):
        auction.declined.append(event.seat)
        _next_turn(auction)
    elif isinstance(event, AuctionExtended):
        auction.extensions = event.extensions
        auction.end = auction.clock
    elif isinstance(event, AuctionClosed | AuctionCancelled):
        return None
    else:
        raise TypeError(f"not an event of an ascending auction: {event!r}")
    return auction


def lead(
    auction: Auction, seat: int, amount: int, held: int, hold_id: str = "", keeps_end: bool = False
) -> None:
    """The seat's bid leads, with so much of it on hold. For folding; a simulation keeps no events of it."""
    auction.leader = seat
    auction.price = amount
    auction.hold_id = hold_id
    auction.held = held
    if auction.declined:
        auction.declined = []
    auction.clock += 1
    if not keeps_end:
        auction.end = auction.clock
    if auction.opened.by_turn:
        auction.turn = auction.after(seat)


def let_go(auction: Auction, seat: int) -> None:
    """The seat does not bid, as `passing` says. For a simulation, which keeps no events of it."""
    if _lets_opening_go(auction, seat):
        auction.declined.append(seat)
        _next_turn(auction)
    else:
        _pass(auction, seat)


def _pass(auction: Auction, seat: int) -> None:
    if auction.turn == seat:
        _next_turn(auction)
    auction.active.remove(seat)
    if auction.declined and seat in auction.declined:
        auction.declined.remove(seat)


def _next_turn(auction: Auction) -> None:
    """The turn passes on from the seat that has it, and with it begins a new time to think."""
    auction.turn = auction.after(auction.turn)
    auction.clock += 1
    auction.end = auction.clock


def _drop(auction: Auction, seat: int) -> None:
    """Take out a seat that left the game. When it led, bidding starts again and passes are forgotten."""
    led = seat == auction.leader
    if led:
        auction.active = list(auction.bidders)
        auction.leader = NOBODY
        auction.price = 0
        auction.hold_id = ""
        auction.held = 0
        auction.declined = []
        auction.turn = auction.after(seat) if auction.by_turn else NOBODY
        auction.clock += 1
        auction.end = auction.clock
    elif auction.turn == seat:
        _next_turn(auction)
    auction.bidders.remove(seat)
    if seat in auction.active:
        auction.active.remove(seat)
    if seat in auction.declined:
        auction.declined.remove(seat)
