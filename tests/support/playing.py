"""A table for tests of the rules: plays commands in place, and checks everything that must always hold.

Two states go along: `state` is moved by deciding, `twin` only by folding what was decided and the ledger's
records. After every command both must be the same, every invariant must hold, and a refusal must have left no
trace. Auctions are held here, with holds, so that a whole game can be played without a service.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.auction.domain import auctions
from magnate.auction.domain.decision import DeadlineDue, End, Facts, HoldPlaced, HoldReleased
from magnate.auction.domain.decision import Decision as AuctionDecision
from magnate.auction.domain.draft import deadline_id
from magnate.rules import plain, purse
from magnate.rules.decide import advance, decide, given, settle, start
from magnate.rules.decision import BANK, Decision
from magnate.rules.evolve import evolve
from magnate.rules.invariants import check, check_things, check_waiting
from magnate.rules.legal import legal_actions
from magnate.rules.rejections import Rejection
from magnate.rules.state import State
from magnate.rules.steps.auction import bid_limits
from magnate.rules.steps.running import running_auctions
from magnate.rules.vocabulary import (
    PHASE_ROLL,
    AuctionOutcome,
    Command,
    HeldCard,
    OpenDebt,
    PassAuction,
    PlaceBid,
    PositionGiven,
    SetProxyBid,
)

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.board import Board
    from magnate.rules.chance import Chance
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.ruleset import RuleSet


class Table:
    """A game in play. `check_all` off makes it fast: then only what the game does is kept."""

    def __init__(
        self, board: Board, rules: RuleSet, seats: int, chance: Chance, *, check_all: bool = True
    ) -> None:
        self.state = State(board, rules, seats)
        self.twin = State(board, rules, seats)
        self.chance = chance
        self.house = auctions.State()
        self.holds: dict[str, tuple[int, int]] = {}
        self.waiting = 0  # auctions that have ended, and the rules do not know it yet
        self.check_all = check_all
        self.decision = Decision()  # of the last command
        self.bank = 0
        self.elapsed_ms = 0  # the game's time that commands are judged at

    @property
    def auctions(self) -> dict[int, Auction]:
        """The running auctions, by number."""
        return self.house.running

    @property
    def auction(self) -> Auction | None:
        """The running auction that was opened first, if any."""
        return next(iter(self.house.running.values()), None)

    def start(self) -> None:
        """Begin the game."""
        self._take(start(self.state, self.chance), live=False)

    def give(self, position: PositionGiven, cash: list[int]) -> None:
        """Begin in a position."""
        answer = given(self.state, position, cash)
        assert isinstance(answer, Decision), answer
        self._take(answer, live=False)

    def act(self, seat: int, command: Command) -> Rejection | None:
        """Let a seat try something; the refusal, or None when it was done."""
        if isinstance(command, (PlaceBid, PassAuction, SetProxyBid)):
            return self._bid(seat, command)
        before = plain.digest(self.state) if self.check_all else ""
        decision = Decision()
        refused = advance(self.state, seat, command, self.chance, decision, self.elapsed_ms)
        if refused is not None:
            assert not decision.events
            assert not decision.transfers
            assert not self.check_all or before == plain.digest(self.state)
            return refused
        self._take(decision, live=True)
        return None

    def refused(self, seat: int, command: Command) -> str:
        """Say how the command would be refused, or empty; nothing is changed."""
        before = plain.digest(self.state)
        answer = decide(self.state, seat, command, self.chance, self.elapsed_ms)
        assert before == plain.digest(self.state)
        return answer.name if isinstance(answer, Rejection) else ""

    def legal(self, seat: int) -> list[LegalAction]:
        """Return what the seat may try."""
        return legal_actions(self.state, seat, self.auctions)

    def may(self, seat: int, kind: str) -> LegalAction | None:
        """Return the (last) legal action of a kind, if any."""
        found = [action for action in self.legal(seat) if action.kind == kind]
        return found[-1] if found else None

    def take(self, decision: Decision) -> None:
        """Follow what was decided on the state in place, but not by a command."""
        self._take(decision, live=True)

    def _take(self, decision: Decision, *, live: bool) -> None:
        """Follow a decision; `live`: the state has moved already."""
        self.decision = decision
        for event in decision.events:
            evolve(self.twin, event)
            if not live:
                evolve(self.state, event)
            if self.check_all:
                assert check_things(self.twin) == [], event
        for transfer in decision.transfers:
            self._pay(self.twin, transfer.payer, transfer.payee, transfer.amount)
            if not live:
                self._pay(self.state, transfer.payer, transfer.payee, transfer.amount)
            self.bank += (transfer.payee == BANK) * transfer.amount - (
                transfer.payer == BANK
            ) * transfer.amount
        outcomes: list[AuctionOutcome] = []
        for ask in decision.asks:
            outcomes += self._decided(auctions.decide(self.house, -1, ask, self.facts()))
        self._settle(outcomes)

    def verify(self) -> None:
        """Check all that must hold between commands."""
        assert plain.digest(self.state) == plain.digest(self.twin)
        assert check(self.state, self.twin.cash) == []
        assert check_waiting(self.state) == []
        assert sum(self.state.cash) + sum(self.state.extras.pots) + self.bank == 0
        assert list(self.auctions) == running_auctions(self.state)
        lots = [self.state.auction_lot, *self.state.extras.more_lots] if self.state.auction else []
        assert [one.lot for one in self.auctions.values()] == lots
        assert sum(amount for _, amount in self.holds.values()) == sum(self.state.held)

    @staticmethod
    def _pay(state: State, payer: int, payee: int, amount: int) -> None:
        purse.moved(state, payer, payee, amount)

    def facts(self) -> Facts:
        """What auctions know beside themselves: no time passes here."""
        seats = range(self.state.seats)
        ends = {number: End(one.close_ms) for number, one in self.auctions.items()}
        available = [self.state.available(seat) for seat in seats]
        return Facts(0, 0, available, ends, bid_limits(self.state))

    def _decided(self, answer: AuctionDecision | Rejection) -> list[AuctionOutcome]:
        """Follow what an auction decided, and the money of it; the outcomes wait to be settled."""
        assert isinstance(answer, AuctionDecision), answer
        for event in (*answer.secret_events, *answer.events):
            auctions.evolve(self.house, event)
        for hold in answer.holds:
            for state in (self.state, self.twin):
                if isinstance(hold, HoldPlaced):
                    purse.hold_placed(state, hold.seat, hold.amount)
                elif isinstance(hold, HoldReleased):
                    purse.hold_released(state, *self.holds[hold.hold_id])
            if isinstance(hold, HoldPlaced):
                self.holds[hold.hold_id] = (hold.seat, hold.amount)
            elif isinstance(hold, HoldReleased):
                del self.holds[hold.hold_id]
        for paid in answer.payments:
            for state in (self.state, self.twin):
                if paid.amount > 0:
                    self._pay(state, paid.seat, BANK, paid.amount)
                else:
                    self._pay(state, BANK, paid.seat, -paid.amount)
            self.bank += paid.amount
        return answer.outcomes

    def _bid(self, seat: int, command: PlaceBid | PassAuction | SetProxyBid) -> Rejection | None:
        """Let the auction judge it."""
        answer = auctions.decide(self.house, seat, command, self.facts())
        if isinstance(answer, Rejection):
            return answer
        self._settle(self._decided(answer))
        return None

    def close(self, number: int = 0) -> None:
        """Let the time of an auction run out; of the first one if it is not said of which."""
        auction = self.auctions[number] if number else self.auction
        assert auction is not None
        facts = self.facts()
        facts.time_ms = auction.close_ms
        due = DeadlineDue(deadline_id(auction))
        self._settle(self._decided(auctions.decide(self.house, -1, due, facts)))

    def _settle(self, outcomes: list[AuctionOutcome]) -> None:
        """Let the rules say what the ends of auctions lead to."""
        for number, outcome in enumerate(outcomes, start=1):
            self.waiting += len(outcomes) - number
            decision = Decision()
            refused = settle(self.state, outcome, self.chance, decision, self.elapsed_ms)
            assert refused is None, refused
            if outcome.hold_id:
                seat, amount = self.holds.pop(outcome.hold_id)
                held = outcome.price if outcome.held is None else outcome.held
                assert held + outcome.released == amount
                purse.hold_captured(self.twin, seat, BANK, held, outcome.released)
                self.bank += held
            self._take(decision, live=True)
            self.waiting -= len(outcomes) - number
        if self.check_all and not outcomes and not self.waiting:
            self.verify()


class Position:
    """A position in the making: three seats, seat 0 to throw, no deeds, 1,500 each; change what matters."""

    def __init__(self, board: Board, rules: RuleSet, seats: int = 3) -> None:
        self.board = board
        self.rules = rules
        self.seats = seats
        self.cash = [1500] * seats
        self.owner = [-1] * board.size
        self.level = [0] * board.size
        self.mortgaged = [0] * board.size
        self.at = [0] * seats
        self.jailed = [0] * seats
        self.jail_tries = [0] * seats
        self.out = [0] * seats
        self.doubles = 0
        self.cards: list[HeldCard] = []
        self.debts: list[OpenDebt] = []
        self.phase = PHASE_ROLL
        self.turn_seat = 0
        self.offered_lot = -1
        self.pots = [0, 0, 0]
        self.rent_level: dict[int, int] = {}
        self.houses: int | None = None
        self.hotels: int | None = None

    def own(self, seat: int, *lots: int, level: int = 0, mortgaged: int = 0) -> Position:
        """Give lots to a seat."""
        for lot in lots:
            self.owner[lot] = seat
            self.level[lot] = level
            self.mortgaged[lot] = mortgaged
        return self

    def _levels(self) -> list[int]:
        """Rent levels by square: the first where a lot has an owner and nothing else is said."""
        if not self.board.rent_levels:
            return []
        owned = [int(owner >= 0) for owner in self.owner]
        return [self.rent_level.get(square, level) for square, level in enumerate(owned)]

    def table(self, chance: Chance) -> Table:
        """Begin a game here."""
        hotel = self.rules.build_houses_before_hotel + 1
        fresh = State(self.board, self.rules, self.seats)
        houses = fresh.houses_left - sum(level for level in self.level if level < hotel)
        hotels = fresh.hotels_left - sum(1 for level in self.level if level == hotel)
        position = PositionGiven(
            self.turn_seat, self.phase, 1, self.doubles, self.at, self.jailed, self.jail_tries,
            self.out,
            self.owner, self.level, self.mortgaged, houses, hotels,
            self.cards, self.debts, self.offered_lot, self.pots, [], [], [], self._levels(),
        )  # fmt: skip
        table = Table(self.board, self.rules, self.seats, chance, check_all=False)
        table.give(position, self.cash)
        # A chosen stock is less than the supply: no game comes to that, and the invariants would see losses.
        table.check_all = self.houses is None and self.hotels is None
        for state in (table.state, table.twin):
            state.houses_left = houses if self.houses is None else self.houses
            state.hotels_left = hotels if self.hotels is None else self.hotels
        return table
