"""Whole games in memory, played by bots that choose at random: for measuring, and for looking for trouble.

Pure and compiled like the rules. Auctions are held right here, bid by bid, with the money on hold as the
ledger would have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import purse
from magnate.rules.any_command import any_command
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
    PHASE_PLACE,
    PHASE_SHORTAGE,
    Ask,
    AuctionOpened,
    AuctionOutcome,
    BidderDropped,
    BidderPassed,
    BidPlaced,
    ClaimRent,
    Command,
    DropBidder,
    Event,
    OpenAuction,
)
from magnate.rules.waiting import waiting_seats

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.referee import Referee
    from magnate.rules.ruleset import RuleSet

COMMAND_MS: Final = 2_000
"""What a command takes on the game's clock, so that rules by the minute and an agreed time are reached."""

BOLD_ONE_IN: Final = 12
"""How often somebody does something beside, when the bots are bold."""


class Move:
    """Something that was done: a seat's command, or (`outcome`) the end of an auction."""

    __slots__ = ("command", "outcome", "seat")

    def __init__(self, seat: int, command: Command | None, outcome: AuctionOutcome | None) -> None:
        self.seat = seat
        self.command = command
        self.outcome = outcome


class Game:
    """One game in play. With `record`, what was done and what came of it is kept.

    With `bold`, now and then some seat does something else that is legal, in its turn or not. A `referee`
    judges every position.
    """

    __slots__ = (
        "auction", "bold", "bot", "chance", "commands", "draft", "events", "last", "log", "moves", "record",
        "referee", "state",
    )  # fmt: skip

    def __init__(
        self, board: Board, rules: RuleSet, seats: int, seed: int, record: bool = False, bold: bool = False
    ) -> None:
        self.state: State = State(board, rules, seats)
        self.chance = RandomChance(seed)
        self.bot = RandomBot(self.state, RandomChance(seed + 7919))
        self.draft = Draft(self.state, self.chance, Decision())
        self.auction: Auction | None = None
        self.commands: int = 0
        self.events: int = 0
        self.record = record
        self.bold = bold
        self.last: Move | None = None
        self.referee: Referee | None = None
        self.moves: list[Move] = []
        self.log: list[Event] = []

    def play(self) -> None:
        """Play from the start to the end."""
        self.start()
        while self.state.phase != PHASE_OVER:
            self.step()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.phase == PHASE_OVER

    def start(self) -> None:
        """Begin the game."""
        begin(self.draft)
        self._count()

    def step(self) -> None:
        """One command of whoever is to act, or one bid."""
        state = self.state
        self.draft.elapsed_ms += COMMAND_MS
        if self.bold and self.bot.random.below(BOLD_ONE_IN) == 0 and self._beside():
            return
        if state.extras.claims and self.bot.random.below(2):
            claim = state.extras.claims[0]
            self._do(claim.owner, ClaimRent(claim.lot))
            return
        phase = state.phase
        if phase == PHASE_AUCTION:
            self._bid()
        elif phase == PHASE_DEBT:
            self._act(state.debts[0].debtor)
        elif phase in (PHASE_SHORTAGE, PHASE_PLACE):
            self._act(waiting_seats(state)[0])
        else:
            self._act(state.turn_seat)

    def _act(self, seat: int) -> None:
        self._do(seat, self.bot.command(seat))

    def _do(self, seat: int, command: Command) -> None:
        """Carry out a command that is legal."""
        self.last = Move(seat, command, None)
        refused = act(self.draft, seat, command)
        assert refused is None, f"{command!r} of seat {seat} was listed and refused: {refused!r}"
        if self.record:
            self.moves.append(self.last)
        self._count()

    def _beside(self) -> bool:
        """Let some seat do anything legal but bid; False if nothing was found."""
        state = self.state
        seat = self.bot.random.below(state.seats)
        command = any_command(state, seat, self.bot.random)
        if command is None:
            return False
        self._do(seat, command)
        return True

    def _bid(self) -> None:
        """The next bidder bids, or passes; the hammer falls when nobody else is left."""
        auction = self.auction
        assert auction is not None
        state = self.state
        random = self.bot.random
        for seat in auction.active:
            if seat == auction.leader:
                continue
            self.commands += 1
            self.events += 1
            amount = auction.least_bid + random.below(_bid_span(state, auction))
            if amount > state.available(seat) or random.below(2) == 0:
                fold(auction, BidderPassed(auction.auction, seat, False))
            else:
                self._release(auction)
                purse.hold_placed(state, seat, amount)
                if self.referee is not None:
                    self.referee.held(seat, amount)
                fold(auction, BidPlaced(auction.auction, seat, amount, ""))
            if self.referee is not None:
                self.referee.judge(state)
            break
        self._hammer(auction)

    def _hammer(self, auction: Auction) -> None:
        """Close the auction when nobody but the leader may still bid."""
        for seat in auction.active:
            if seat != auction.leader:
                return
        self.auction = None
        outcome = AuctionOutcome(auction.auction, auction.lot, auction.leader, auction.price, "")
        self.last = Move(-1, None, outcome)
        if self.referee is not None and auction.leader >= 0:
            self.referee.captured(auction.leader, auction.price)
        refused = settle_on(self.draft, outcome)
        assert refused is None, f"{outcome!r} was refused: {refused!r}"
        if self.record:
            self.moves.append(self.last)
        self._count()

    def _release(self, auction: Auction) -> None:
        """Give the leader's money back."""
        if auction.leader >= 0:
            purse.hold_released(self.state, auction.leader, auction.price)
            if self.referee is not None:
                self.referee.held(auction.leader, -auction.price)

    def _count(self) -> None:
        """Count and forget what the last command came to, and do what it asks of the auction."""
        draft = self.draft
        self.commands += 1
        self.events += len(draft.events)
        if self.record:
            self.log.extend(draft.events)
        asks = draft.asks.copy() if draft.asks else []
        for ask in asks:
            self._answer(ask)
        if self.referee is not None:
            self.referee.after(draft)
        draft.forget()
        if asks and self.auction is not None:
            self._hammer(self.auction)  # somebody left, and nobody else may bid

    def _answer(self, ask: Ask) -> None:
        auction = self.auction
        if isinstance(ask, OpenAuction):
            self.auction = Auction(opened(ask))
        elif auction is not None and isinstance(ask, DropBidder):
            if ask.seat == auction.leader:
                self._release(auction)
            if ask.seat in auction.bidders:
                fold(auction, BidderDropped(ask.auction, ask.seat))
        elif auction is not None:
            self._release(auction)
            self.auction = None


def opened(ask: OpenAuction) -> AuctionOpened:
    """How an auction that was asked for begins."""
    return AuctionOpened(
        ask.auction, ask.lot, ask.bidders, ask.minimum, ask.increment, ask.close_ms, ask.building, ask.barred
    )


def _bid_span(state: State, auction: Auction) -> int:
    """Bids are up to so much above the least one."""
    return state.board.price[auction.lot] if auction.lot >= 0 else state.board.start_money // 4 + 1


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
