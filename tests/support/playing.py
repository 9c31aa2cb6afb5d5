"""A table for tests of the rules: plays commands in place, and checks everything that must always hold.

Two states go along: `state` is moved by deciding, `twin` only by folding what was decided and the ledger's
records. After every command both must be the same, every invariant must hold, and a refusal must have left no
trace. Auctions are held here, with holds, so that a whole game can be played without a service.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import purse
from magnate.rules.bidding import Auction
from magnate.rules.bidding_fold import fold, opened, passing
from magnate.rules.decide import advance, decide, given, settle, start
from magnate.rules.decision import BANK, Decision
from magnate.rules.evolve import evolve
from magnate.rules.invariants import check, check_things, check_waiting
from magnate.rules.legal import legal_actions
from magnate.rules.rejections import Rejection
from magnate.rules.state import State
from magnate.rules.steps.auction import bid_most
from magnate.rules.vocabulary import (
    PHASE_ROLL,
    AuctionOutcome,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    CancelAuction,
    Command,
    DropBidder,
    HeldCard,
    OpenAuction,
    OpenDebt,
    PassAuction,
    PlaceBid,
    PositionGiven,
)

if TYPE_CHECKING:
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
        self.auction: Auction | None = None
        self.check_all = check_all
        self.decision = Decision()  # of the last command
        self.bank = 0
        self.elapsed_ms = 0  # the game's time that commands are judged at

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
        if isinstance(command, (PlaceBid, PassAuction)):
            return self._bid(seat, command)
        before = self.state.digest() if self.check_all else ""
        decision = Decision()
        refused = advance(self.state, seat, command, self.chance, decision, self.elapsed_ms)
        if refused is not None:
            assert not decision.events
            assert not decision.transfers
            assert not self.check_all or before == self.state.digest()
            return refused
        self._take(decision, live=True)
        return None

    def refused(self, seat: int, command: Command) -> str:
        """Say how the command would be refused, or empty; nothing is changed."""
        before = self.state.digest()
        answer = decide(self.state, seat, command, self.chance, self.elapsed_ms)
        assert before == self.state.digest()
        return answer.name if isinstance(answer, Rejection) else ""

    def legal(self, seat: int) -> list[LegalAction]:
        """Return what the seat may try."""
        return legal_actions(self.state, seat, self.auction)

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
        for ask in decision.asks:
            self._answer(ask)
        for transfer in decision.transfers:
            self._pay(self.twin, transfer.payer, transfer.payee, transfer.amount)
            if not live:
                self._pay(self.state, transfer.payer, transfer.payee, transfer.amount)
            self.bank += (transfer.payee == BANK) * transfer.amount - (
                transfer.payer == BANK
            ) * transfer.amount
        self._hammer()
        if self.check_all:
            self.verify()

    def verify(self) -> None:
        """Check all that must hold between commands."""
        assert self.state.digest() == self.twin.digest()
        assert check(self.state, self.twin.cash) == []
        assert check_waiting(self.state) == []
        assert sum(self.state.cash) + sum(self.state.extras.pots) + self.bank == 0
        assert (self.auction is None) == (self.state.auction == 0)

    @staticmethod
    def _pay(state: State, payer: int, payee: int, amount: int) -> None:
        purse.moved(state, payer, payee, amount)

    def _answer(self, ask: object) -> None:
        """Do what the rules ask of the auction."""
        if isinstance(ask, OpenAuction):
            self.auction = Auction(opened(ask))
            return
        assert self.auction is not None
        if isinstance(ask, DropBidder):
            if ask.seat == self.auction.leader:
                self._release()
            if ask.seat in self.auction.bidders:
                self.auction = fold(self.auction, BidderDropped(ask.auction, ask.seat))
        elif isinstance(ask, CancelAuction):
            self._release()
            self.auction = None

    def _release(self) -> None:
        """Give the leader's money back."""
        auction = self.auction
        assert auction is not None
        if auction.held:
            purse.hold_released(self.twin, auction.leader, auction.held)
            purse.hold_released(self.state, auction.leader, auction.held)

    def _bid(self, seat: int, command: PlaceBid | PassAuction) -> Rejection | None:
        """Judge a bid as the auction service does, as far as the rules are concerned."""
        auction = self.auction
        if auction is None or command.lot != auction.lot:
            return Rejection("NO_AUCTION")
        if not auction.may_act(seat):
            return Rejection("NOT_A_BIDDER")
        if isinstance(command, PassAuction):
            fold(auction, passing(auction, seat, forced=False))
        else:
            if command.amount < auction.least_bid:
                return Rejection("BID_TOO_LOW")
            if (command.amount - auction.least_bid) % auction.step:
                return Rejection("INVALID_AMOUNT")
            if command.amount > bid_most(self.state, seat, auction):
                return Rejection("BID_EXCEEDS_FUNDS")
            self._release()
            held = 0 if auction.paid else min(command.amount, self.state.available(seat))
            for state in (self.state, self.twin):
                if auction.paid:
                    purse.moved(state, seat, BANK, command.amount)
                elif held:
                    purse.hold_placed(state, seat, held)
            self.bank += command.amount if auction.paid else 0
            fold(auction, BidPlaced(auction.auction, seat, command.amount, "hold", held))
        self._hammer()
        if self.check_all:
            self.verify()
        return None

    def close(self) -> None:
        """Let the time of the auction run out."""
        auction = self.auction
        assert auction is not None
        self.auction = None
        decision = Decision()
        outcome = AuctionOutcome(
            auction.auction, auction.lot, auction.leader, auction.price, "hold", auction.held, auction.paid,
            auction.opened.barred,
        )  # fmt: skip
        assert settle(self.state, outcome, self.chance, decision) is None
        if auction.held:
            purse.hold_captured(self.twin, auction.leader, BANK, auction.held, 0)
            self.bank += auction.held
        self._take(decision, live=True)

    def _hammer(self) -> None:
        """Close the auction when nobody but the leader may still bid."""
        auction = self.auction
        if auction is None:
            return
        for seat in list(auction.active):
            if seat != auction.leader and bid_most(self.state, seat, auction) < auction.least_bid:
                fold(auction, BidderPassed(auction.auction, seat, forced=True))
        if auction.over:
            self.close()


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
            self.owner, self.level, self.mortgaged,
            houses if self.houses is None else self.houses, hotels if self.hotels is None else self.hotels,
            self.cards, self.debts, self.offered_lot, self.pots, [], [], [], self._levels(),
        )  # fmt: skip
        table = Table(self.board, self.rules, self.seats, chance, check_all=False)
        table.give(position, self.cash)
        # A chosen stock may be less than the supply, which the invariants would count as buildings lost.
        table.check_all = self.houses is None and self.hotels is None
        return table
