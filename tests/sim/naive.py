"""A naive account of auctions at tables: who leads, what is held, what moves, when the hammer falls.

It knows what auctions are and nothing of how they are written: it reads the events and what clients have
sent, and compares with the ledger and the deadlines after every commit. Games have the invariants of their
rules for that; this is for tables and ledgers, where nobody else looks.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from magnate.auction.v1 import auction_pb2
from magnate.game.vocabulary_codec import decode_auction_event
from magnate.kit.log.commit import AUCTION
from magnate.rules.bidding import MODE_DUTCH, MODE_OPEN, MODE_PENNY, MODE_VICKREY, TIES_TURN_ORDER
from magnate.rules.decision import NOBODY
from magnate.rules.vocabulary import (
    AuctionCancelled,
    AuctionClosed,
    AuctionOpened,
    BidderPassed,
    BidPlaced,
    BidSealed,
    BidsRefunded,
)

if TYPE_CHECKING:
    from magnate.bank.domain.ledger import State as Ledger
    from magnate.kit.log.commit import ParsedCommit
    from tests.sim.truth import Truth

HOLDS: Final = "auction:a"
BANK: Final = "bank"


class Wrong(Exception):  # noqa: N818 - it is what was found
    """The log says something else."""


class Offer(NamedTuple):
    """What a client has sent: a bid, or a ceiling."""

    auction: int
    seat: int
    amount: int
    ceiling: bool


class Lot:
    """One auction."""

    def __init__(self, opened: AuctionOpened, time_ms: int) -> None:
        self.opened = opened
        self.leader = NOBODY
        self.price = 0
        self.sealed: dict[int, int] = {}
        self.spent: Counter[int] = Counter()
        self.passed: set[int] = set()
        self.moved = 0
        self.left_ms: int | None = None  # while it stands still
        self.due_ms = time_ms + opened.close_ms
        self.cap_ms = time_ms + opened.cap_ms

    def holds(self) -> Counter[str]:
        """Return what is on hold for it."""
        if self.opened.mode == MODE_OPEN:
            return Counter({seat(self.leader): self.price} if self.leader != NOBODY else {})
        return Counter({seat(who): amount for who, amount in self.sealed.items()})

    def bid(self, event: BidPlaced, received_at_ms: int) -> int:
        """Somebody leads; return what it costs him at once."""
        opened = self.opened
        if opened.mode == MODE_DUTCH:
            passed_ms = max(0, opened.close_ms - (self.due_ms - received_at_ms))
            fallen = passed_ms // opened.dutch_tick_ms * opened.dutch_step
            price = max(opened.minimum, opened.dutch_start - fallen)
            require(event.amount == price, f"{event!r}: {price} is the price")
            self.leader, self.price = event.seat, price
            return 0
        least = opened.minimum if self.leader == NOBODY else self.price + opened.increment
        require(event.amount >= least, f"{event!r}: {least} is the least")
        step = opened.increment if opened.fixed_step else 1
        require((event.amount - opened.minimum) % step == 0, f"{event!r}: steps of {step}")
        require(event.seat != self.leader, f"{event!r}: it leads")
        require(event.seat in opened.bidders and event.seat not in self.passed, f"{event!r}: no bidder")
        self.leader, self.price = event.seat, event.amount
        if opened.mode != MODE_PENNY:
            return 0
        cost = opened.fee or event.amount
        self.spent[event.seat] += cost
        return cost

    def move_end(self, time_ms: int) -> None:
        """Bids were made: the hammer falls later, perhaps."""
        opened = self.opened
        if not (opened.extend_ms or opened.extensions_max or opened.cap_ms):
            self.due_ms = time_ms + opened.close_ms
            return
        late = not opened.extend_ms or self.due_ms - time_ms < opened.extend_ms
        if not late or 0 < opened.extensions_max <= self.moved:
            return
        due_ms = time_ms + (opened.extend_ms or opened.close_ms)
        if opened.cap_ms:
            due_ms = min(due_ms, self.cap_ms)
        if due_ms > self.due_ms or not opened.cap_ms:
            self.due_ms = due_ms
            self.moved += 1

    def result(self) -> tuple[int, int]:
        """Return who wins and what he pays, or what the bidding has come to where bids are paid."""
        if self.opened.mode in (MODE_OPEN, MODE_PENNY, MODE_DUTCH):
            return self.leader, self.price
        if not self.sealed:
            return NOBODY, 0
        order = list(self.sealed)
        if self.opened.ties == TIES_TURN_ORDER:
            order.sort(key=self.opened.bidders.index)
        winner = max(order, key=lambda who: self.sealed[who])
        others = [amount for who, amount in self.sealed.items() if who != winner]
        second = max(others, default=self.opened.minimum)
        return winner, second if self.opened.mode == MODE_VICKREY else self.sealed[winner]


class Account:
    """All auctions of a table, and what clients have offered in them, by the ids of their commands."""

    def __init__(self, offers: dict[str, Offer]) -> None:
        self.lots: dict[int, Lot] = {}
        self._offers = offers
        self._ceilings: dict[tuple[int, int], int] = {}
        self._posted: dict[str, int] = {}

    def take(self, commit: ParsedCommit, truth: Truth) -> None:
        """Judge a commit; raises Wrong."""
        offer = self._offers.get(commit.command_id)
        if offer is not None and offer.ceiling:
            self._ceilings[offer.auction, offer.seat] = offer.amount
        section = commit.section(AUCTION)
        stored = [] if section is None else auction_pb2.AuctionSection.FromString(section.body).events
        moves: Counter[str] = Counter()
        bid_on: dict[int, Lot] = {}
        for event in map(decode_auction_event, stored):
            number = getattr(event, "auction", 0)
            lot = self.lots.get(number)
            if isinstance(event, AuctionOpened):
                self.lots[number] = Lot(event, commit.time_ms)
            elif lot is not None:
                if isinstance(event, BidPlaced):
                    bid_on[number] = lot
                self._fold(event, lot, commit, truth, moves)
        for lot in bid_on.values():
            if lot.opened.mode != MODE_DUTCH:
                lot.move_end(commit.time_ms)
        self._money(truth, moves if stored else None, commit)
        self._deadlines(truth, commit)

    def _fold(self, event: Any, lot: Lot, commit: ParsedCommit, truth: Truth, moves: Counter[str]) -> None:
        payee = lot.opened.payee or BANK
        assert truth.auction.table is not None
        if payee in {seat(who) for who in truth.auction.table.closed_seats}:
            payee = BANK
        if isinstance(event, BidPlaced):
            pay(moves, seat(event.seat), payee, lot.bid(event, commit.received_at_ms))
            self._within_ceiling(event, lot, commit)
        elif isinstance(event, BidSealed):
            lot.sealed[event.seat] = self._offers[commit.command_id].amount
        elif isinstance(event, BidderPassed):
            lot.passed.add(event.seat)
        elif isinstance(event, BidsRefunded):
            require(event.amount == lot.spent[event.seat], f"{event!r}: it has spent {lot.spent}")
            pay(moves, BANK, seat(event.seat), event.amount)
            lot.spent[event.seat] = 0
        elif isinstance(event, AuctionClosed | AuctionCancelled):
            self._end(event, lot, moves, payee, truth)

    def _end(
        self, event: AuctionClosed | AuctionCancelled, lot: Lot, moves: Counter[str], payee: str, truth: Truth
    ) -> None:
        closed = isinstance(event, AuctionClosed)
        del self.lots[event.auction]
        if isinstance(event, AuctionClosed):
            require((event.winner, event.price) == lot.result(), f"{event!r}: not {lot.result()}")
            if lot.opened.mode != MODE_PENNY and event.winner != NOBODY:
                pay(moves, seat(event.winner), payee, event.price)
        if lot.opened.refund if closed else lot.opened.refund_on_cancel:
            assert truth.auction.table is not None
            without = {lot.leader} if closed else set()
            owed = {who for who, spent in lot.spent.items() if spent} - without
            require(not owed - truth.auction.table.closed_seats, f"{event!r}: {owed} have nothing back")

    def _within_ceiling(self, event: BidPlaced, lot: Lot, commit: ParsedCommit) -> None:
        """Nobody bids more than he offers, nor more than his ceiling is bid for him."""
        if event.by_proxy:
            ceiling = self._ceilings.get((event.auction, event.seat), 0)
            spent = lot.spent[event.seat] if lot.opened.mode == MODE_PENNY else event.amount
            require(spent <= ceiling, f"{event!r}: above {ceiling}")
        else:
            offered = self._offers[commit.command_id].amount
            exact = event.amount == offered or lot.opened.mode == MODE_DUTCH
            require(exact and event.amount <= offered, f"{event!r}: {offered} was offered")

    def _money(self, truth: Truth, moves: Counter[str] | None, commit: ParsedCommit) -> None:
        """Nothing moved but what had to, and nothing is on hold but what has to be."""
        ledger = truth.ledger
        posted = {name: ledger.posted[place] for name, place in ledger.index.items()}
        if moves is not None:
            accounts = posted.keys() | self._posted.keys()
            moved = {one: posted.get(one, 0) - self._posted.get(one, 0) for one in accounts}
            expected = {one: moves[one] for one in accounts}
            require(moved == expected, f"version {commit.version} moved {moved}, not {expected}")
        self._posted = posted
        held = held_for(ledger)
        for number in held.keys() | self.lots.keys():
            should = self.lots[number].holds() if number in self.lots else Counter()
            require(
                held.get(number, Counter()) == should, f"auction {number}: {held.get(number)}, not {should}"
            )

    def _deadlines(self, truth: Truth, commit: ParsedCommit) -> None:
        """The hammer falls when it has to, and stands still with the table."""
        pending = {
            int(one.deadline_id[1:].partition("-")[0]): one
            for one in truth.schedule.deadlines.values()
            if one.owner == "auction" and one.kind == "close"
        }
        require(pending.keys() == self.lots.keys(), f"{pending.keys()} close, {self.lots.keys()} run")
        assert truth.auction.table is not None
        for number, lot in self.lots.items():
            due_ms = pending[number].due_ms
            where = f"auction {number} in version {commit.version}"
            require((due_ms == 0) == truth.auction.table.paused, f"{where}: due {due_ms}")
            if due_ms:
                self._due(lot, due_ms, where, commit)
            elif lot.left_ms is None:
                # After its hour: if nobody could bid then, the time is given again.
                late = lot.due_ms <= commit.time_ms
                lot.left_ms = pending[number].left_ms if late else lot.due_ms - commit.time_ms

    def _due(self, lot: Lot, due_ms: int, where: str, commit: ParsedCommit) -> None:
        given_ms = 0
        if lot.left_ms is not None:
            given_ms, lot.left_ms = commit.time_ms + lot.left_ms - lot.due_ms, None
        elif (
            commit.command_id.startswith("expire:")
            and due_ms > lot.due_ms
            and commit.section(AUCTION) is None
        ):
            given_ms = due_ms - lot.due_ms  # nobody could bid: the time is given again
        lot.due_ms += given_ms
        lot.cap_ms += given_ms
        if not lot.opened.by_turn:
            require(due_ms == lot.due_ms, f"{where}: {due_ms}, {due_ms - lot.due_ms} ms after its end")
        lot.due_ms = due_ms


def held_for(ledger: Ledger) -> dict[int, Counter[str]]:
    """Return what is on hold for each auction, by account."""
    names = {place: name for name, place in ledger.index.items()}
    found: dict[int, Counter[str]] = {}
    for hold_id, hold in ledger.holds.items():
        if hold_id.startswith(HOLDS):
            number = int(hold_id.removeprefix(HOLDS).partition("-")[0])
            found.setdefault(number, Counter())[names[hold.account]] += hold.amount
    return found


def pay(moves: Counter[str], debit: str, credit: str, amount: int) -> None:
    """Note that money moves."""
    moves[debit] -= amount
    moves[credit] += amount


def require(holds: bool, otherwise: str) -> None:
    """Raise Wrong if something does not hold."""
    if not holds:
        raise Wrong(otherwise)


def seat(number: int) -> str:
    """Return the account of a seat."""
    return f"seat-{number}"
