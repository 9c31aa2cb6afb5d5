"""Whole games in memory, played by bots that choose at random: for measuring, and for looking for trouble.

Pure and compiled like the rules. Auctions are held right here, bid by bid, with the money on hold as the
ledger would have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import purse
from magnate.rules.bidding import Auction, fold
from magnate.rules.chance import RandomChance
from magnate.rules.decide import act, settle_on
from magnate.rules.decision import Decision
from magnate.rules.draft import Draft
from magnate.rules.evolve import evolve
from magnate.rules.random_bot import RandomBot
from magnate.rules.state import State
from magnate.rules.steps.start import begin
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    PHASE_DEBT,
    PHASE_OVER,
    AuctionOpened,
    AuctionOutcome,
    BidderPassed,
    BidPlaced,
    Command,
    Event,
    OpenAuction,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet


class Move:
    """Something that was done: a seat's command, or (`outcome`) the end of an auction."""

    __slots__ = ("command", "outcome", "seat")

    def __init__(self, seat: int, command: Command | None, outcome: AuctionOutcome | None) -> None:
        self.seat = seat
        self.command = command
        self.outcome = outcome


class Game:
    """One game in play. With `record`, what was done and what came of it is kept."""

    __slots__ = ("auction", "bot", "chance", "commands", "draft", "events", "log", "moves", "record", "state")

    def __init__(self, board: Board, rules: RuleSet, seats: int, seed: int, record: bool = False) -> None:
        self.state: State = State(board, rules, seats)
        self.chance = RandomChance(seed)
        self.bot = RandomBot(self.state, RandomChance(seed + 7919))
        self.draft = Draft(self.state, self.chance, Decision())
        self.auction: Auction | None = None
        self.commands: int = 0
        self.events: int = 0
        self.record = record
        self.moves: list[Move] = []
        self.log: list[Event] = []

    def play(self) -> None:
        """Play from the start to the end."""
        begin(self.draft)
        self._count()
        while self.state.phase != PHASE_OVER:
            self.step()

    def step(self) -> None:
        """One command of whoever is to act, or one bid."""
        state = self.state
        if state.phase == PHASE_AUCTION:
            self._bid()
            return
        seat = state.debts[0].debtor if state.phase == PHASE_DEBT else state.turn_seat
        command = self.bot.command(seat)
        refused = act(self.draft, seat, command)
        assert refused is None, f"{command!r} of seat {seat} was listed and refused: {refused!r}"
        if self.record:
            self.moves.append(Move(seat, command, None))
        self._count()

    def _bid(self) -> None:
        """The next bidder bids the least he can, or passes; the hammer falls when nobody else is left."""
        auction = self.auction
        assert auction is not None
        state = self.state
        for seat in auction.active:
            if seat == auction.leader:
                continue
            least = auction.least_bid
            self.commands += 1
            self.events += 1
            amount = least + self.bot.random.below(state.board.price[auction.lot])
            if amount > state.available(seat) or self.bot.random.below(2) == 0:
                fold(auction, BidderPassed(auction.auction, seat, False))
            else:
                if auction.leader >= 0:
                    purse.hold_released(state, auction.leader, auction.price)
                purse.hold_placed(state, seat, amount)
                fold(auction, BidPlaced(auction.auction, seat, amount, ""))
            break
        for seat in auction.active:
            if seat != auction.leader:
                return
        self._close(auction)

    def _close(self, auction: Auction) -> None:
        self.auction = None
        outcome = AuctionOutcome(auction.auction, auction.lot, auction.leader, auction.price, "")
        refused = settle_on(self.draft, outcome)
        assert refused is None
        if self.record:
            self.moves.append(Move(-1, None, outcome))
        self._count()

    def _count(self) -> None:
        """Count and forget what the last command came to, and open the auction it asks for."""
        draft = self.draft
        self.commands += 1
        self.events += len(draft.events)
        if self.record:
            self.log.extend(draft.events)
        for ask in draft.asks:
            if isinstance(ask, OpenAuction):
                opened = AuctionOpened(
                    ask.auction, ask.lot, ask.bidders, ask.minimum, ask.increment, ask.close_ms
                )
                self.auction = Auction(opened)
            else:
                self.auction = None
        draft.forget()


def apply(state: State, decision: Decision) -> None:
    """Follow a decision made on a copy."""
    for event in decision.events:
        evolve(state, event)
    for transfer in decision.transfers:
        purse.moved(state, transfer.payer, transfer.payee, transfer.amount)


def play_games(board: Board, rules: RuleSet, seats: int, seed: int, games: int) -> tuple[int, int, int]:
    """Play so many games; how many turns, commands (bids too) and events that took."""
    turns = 0
    commands = 0
    events = 0
    for number in range(games):
        game = Game(board, rules, seats, seed + number)
        game.play()
        turns += game.state.turn
        commands += game.commands
        events += game.events
    return turns, commands, events


def replay_moves(game: Game, seed: int) -> State:
    """Decide a recorded game again, without bots: what deciding and evolving cost alone."""
    state = State(game.state.board, game.state.rules, game.state.seats)
    draft = Draft(state, RandomChance(seed), Decision())
    begin(draft)
    for move in game.moves:
        draft.forget()
        if move.command is not None:
            act(draft, move.seat, move.command)
        elif move.outcome is not None:
            settle_on(draft, move.outcome)
    assert state.phase == PHASE_OVER
    return state


def fold_log(game: Game) -> State:
    """Fold a recorded game's events: what rebuilding costs (without money, which the ledger folds)."""
    state = State(game.state.board, game.state.rules, game.state.seats)
    for event in game.log:
        evolve(state, event)
    return state


def decide_games(games: list[Game], seed: int) -> tuple[int, int]:
    """Decide recorded games again (game i with seed + i); how many turns and commands that took."""
    turns = 0
    commands = 0
    for number, game in enumerate(games):
        turns += replay_moves(game, seed + number).turn
        commands += len(game.moves)
    return turns, commands
