"""A running auction, folded from its events (`bidding_fold`).

The auction service decides on it, the game service shows it, and the rules read it to say who may bid what.
Everything that a rule set chooses about auctions stands in `AuctionOpened`, so nobody who folds or judges one
needs the rule set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from magnate.rules.vocabulary import AuctionOpened, SealedBid

NOBODY: Final = -1
"""The leader while nobody has bid, the winner when nobody did, and whose turn it is where bids are free."""

BID_MAX: Final = 1_000_000_000_000_000
"""No bid is above this."""

MODE_OPEN: Final = 0
"""A leading bid is on hold, and given back when it is outbid."""
MODE_PENNY: Final = 1
"""Every bid, or a fee for it, is paid when it is made (row 24, C37)."""
MODE_SEALED: Final = 2
"""Bids are secret until the close; the highest wins and is paid."""
MODE_VICKREY: Final = 3
"""Bids are secret until the close; the highest wins and pays the second highest."""
MODE_DUTCH: Final = 4
"""The price falls until somebody takes it."""

REFUND_NONE: Final = 0
REFUND_LOSERS: Final = 1
"""What becomes of the payments of those who did not win a penny auction."""

LEAVER_VOID: Final = 0
LEAVER_PREVIOUS: Final = 1
"""When the leader leaves: bidding starts again, or the best earlier bid of another leads again."""

TIES_EARLIEST: Final = 0
TIES_TURN_ORDER: Final = 1
"""Which of equal sealed bids wins."""

LIMIT_CASH: Final = 0
LIMIT_LIQUIDATION: Final = 1
LIMIT_NONE: Final = 2
"""What a bid may come to: the bidder's money, what he could raise, or anything (row 23, case C020)."""


def dutch_price(opened: AuctionOpened, elapsed_ms: int) -> int:
    """What the lot of a Dutch auction costs so long after the opening, pauses not counted."""
    fallen = max(0, elapsed_ms) // opened.dutch_tick_ms * opened.dutch_step
    return max(opened.minimum, opened.dutch_start - fallen)


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
        calls: how often "going …" was called since the end was last moved.
        total_ms: where the total time is limited, how long the auction lasts from its opening on.
        bids: where the leaver's bid gives way to an earlier one, the best one of each seat, the newest last.
        spent: by seat, what its bids have cost it, where that may be given back.
        ceilings: by seat, up to what bids are made for it; secret.
        sealed_seats: who has handed in a sealed bid.
        sealed: by seat, what is in it, the oldest first; secret, so only whoever keeps the secrets has them.
        withdrawn: the sealed bids of those who have left; as secret.
        asking: in a Dutch auction the price of this moment, where somebody has put it in; 0: nobody has.
    """

    __slots__ = (
        "active", "asking", "auction", "barred", "bidders", "bids", "building", "calls", "ceilings", "clock",
        "declined", "end", "extensions", "held", "hold_id", "leader", "lot", "opened", "price", "sealed",
        "sealed_seats", "spent", "total_ms", "turn", "withdrawn",
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
        self.calls: int = 0
        self.total_ms: int = opened.close_ms if opened.cap_ms else 0
        self.bids: list[tuple[int, int]] = []
        self.spent: dict[int, int] = {}
        self.ceilings: dict[int, int] = {}
        self.sealed_seats: list[int] = []
        self.sealed: dict[int, SealedBid] = {}
        self.withdrawn: list[SealedBid] = []
        self.asking: int = 0

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
    def fee(self) -> int:
        """What a bid costs, where that is not the bid itself; else 0."""
        return self.opened.fee if self.opened.mode == MODE_PENNY else 0

    @property
    def least_bid(self) -> int:
        """The least that the next bid must be."""
        if self.opened.mode == MODE_DUTCH:
            return self.asking or self.opened.dutch_start
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
        if seat == self.leader or seat not in self.active or seat in self.sealed_seats:
            return False
        return not self.opened.by_turn or seat == self.turn

    def may_set_ceiling(self, seat: int) -> bool:
        """Whether this seat may have bids made for it, or change up to what."""
        return self.opened.proxies and seat in self.active

    def least_ceiling(self, seat: int) -> int:
        """The least ceiling that would make, or keep, a bid; in a penny auction with what was spent."""
        if self.paid:
            return self.spent.get(seat, 0) + (self.opened.fee or self.least_bid)
        return self.price if seat == self.leader else self.least_bid

    def next_bidder(self) -> int:
        """The first of those who may bid or pass now, or `NOBODY`."""
        by_turn = self.opened.by_turn
        for seat in self.active:
            if seat != self.leader and seat not in self.sealed_seats and (not by_turn or seat == self.turn):
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
        twin.calls = self.calls
        twin.total_ms = self.total_ms
        twin.bids = list(self.bids)
        twin.spent = dict(self.spent)
        twin.ceilings = dict(self.ceilings)
        twin.sealed_seats = list(self.sealed_seats)
        twin.sealed = dict(self.sealed)
        twin.withdrawn = list(self.withdrawn)
        twin.asking = self.asking
        return twin

    def seen(self, own: int) -> Auction:
        """The auction as this seat may see it (-1: anybody): without the secrets of others."""
        if not (self.sealed or self.withdrawn or self.ceilings):
            return self
        twin = self.copy()
        twin.sealed = {seat: bid for seat, bid in self.sealed.items() if seat == own}
        twin.ceilings = {seat: ceiling for seat, ceiling in self.ceilings.items() if seat == own}
        twin.withdrawn = []
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
            self.turn, self.declined, self.extensions, self.clock, self.end, self.calls, self.total_ms,
            self.bids, self.spent, self.ceilings, self.sealed_seats, self.sealed, self.withdrawn,
        ]  # fmt: skip


def promised_elsewhere(running: dict[int, Auction], auction: Auction, seat: int) -> int:
    """What this seat has bid in other auctions beyond what is on hold there: it must be raised as well."""
    total = 0
    for other in running.values():
        if other.auction == auction.auction or other.paid:
            continue
        if other.leader == seat:
            total += other.price - other.held
        sealed = other.sealed.get(seat)
        if sealed is not None and sealed.held is not None:
            total += sealed.amount - sealed.held
    return total
