"""Whole games in memory, played by bots that choose at random: for measuring, and for looking for trouble.

Pure and compiled like the rules. Auctions are held right here (`auction_house`), bid by bid, with the money
on hold as the ledger would have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.any_command import any_command
from magnate.rules.auction_house import AuctionHouse
from magnate.rules.chance import RandomChance
from magnate.rules.choices import END_AGREED_TIME, TOKENS_BY_HAND
from magnate.rules.decide import act, pass_time_on, settle_on
from magnate.rules.decision import Decision
from magnate.rules.draft import Draft
from magnate.rules.moments import bids_are_sealed
from magnate.rules.random_bot import RandomBot
from magnate.rules.state import State
from magnate.rules.steps.clock import refuse_late
from magnate.rules.steps.start import begin
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    PHASE_DEBT,
    PHASE_OVER,
    PHASE_PLACE,
    PHASE_SHORTAGE,
    AuctionOutcome,
    ClaimRent,
    Command,
    Event,
)
from magnate.rules.waiting import waiting_seats

if TYPE_CHECKING:
    from magnate.rules.bidding import Auction
    from magnate.rules.board import Board
    from magnate.rules.referee import Referee
    from magnate.rules.ruleset import RuleSet

COMMAND_MS: Final = 2_000
"""What a command takes on the game's clock, so that rules by the minute and an agreed time are reached."""

BOLD_ONE_IN: Final = 20
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
        "_referee",
        "bold",
        "bot",
        "chance",
        "commands",
        "draft",
        "events",
        "house",
        "last_command",
        "last_outcome",
        "last_seat",
        "log",
        "moves",
        "record",
        "state",
    )  # fmt: skip

    def __init__(
        self, board: Board, rules: RuleSet, seats: int, seed: int, record: bool = False, bold: bool = False
    ) -> None:
        self.state: State = State(board, rules, seats)
        self.chance = RandomChance(seed)
        self.bot = RandomBot(self.state, RandomChance(seed + 7919))
        self.draft = Draft(self.state, self.chance, Decision())
        self.house = AuctionHouse(self.state, self.bot.random)
        self.commands: int = 0
        self.events: int = 0
        self.record = record
        self.bold = bold
        self.last_seat: int = -1
        self.last_command: Command | None = None
        self.last_outcome: AuctionOutcome | None = None
        self._referee: Referee | None = None
        self.moves: list[Move] = []
        self.log: list[Event] = []

    def play(self) -> None:
        """Play from the start to the end."""
        self.start()
        state = self.state
        while state.phase != PHASE_OVER:
            self.step()

    @property
    def last(self) -> Move:
        """What was done, or tried, last."""
        return Move(self.last_seat, self.last_command, self.last_outcome)

    def _remember(self, seat: int, command: Command | None, outcome: AuctionOutcome | None) -> None:
        self.last_seat = seat
        self.last_command = command
        self.last_outcome = outcome

    @property
    def referee(self) -> Referee | None:
        """Who judges every position, if anybody does."""
        return self._referee

    @referee.setter
    def referee(self, referee: Referee | None) -> None:
        self._referee = referee
        self.house.referee = referee

    @property
    def auction(self) -> Auction | None:
        """The running auction that was opened first, if any runs."""
        for auction in self.house.running.values():
            return auction
        return None

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
        rules = state.rules
        if rules.in_time:
            self.draft.elapsed_ms += COMMAND_MS
            if rules.end >= END_AGREED_TIME and self.time_is_up():
                return
        if self.bold and self.bot.random.below(BOLD_ONE_IN) == 0 and self._beside():
            return
        phase = state.phase
        seat = state.turn_seat
        if state.extras.touched:
            claims = state.extras.claims
            if claims and not bids_are_sealed(state) and self.bot.random.below(2):
                claim = claims[0]
                self.do(claim.owner, ClaimRent(claim.lot))
                return
            if phase in (PHASE_SHORTAGE, PHASE_PLACE):
                seat = waiting_seats(state)[0]
        if phase == PHASE_AUCTION:
            self.commands += 1
            self.events += 1
            self._settle(self.house.step())
            return
        if phase == PHASE_DEBT:
            seat = state.debts[0].debtor
        elif rules.table_tokens == TOKENS_BY_HAND and phase not in (PHASE_SHORTAGE, PHASE_PLACE):
            seat = self.bot.hands.next_seat()
        self.do(seat, self.bot.command(seat))

    def time_is_up(self) -> bool:
        """Whether the agreed time is over, and ended the game."""
        if refuse_late(self.state, self.draft.elapsed_ms) is None:
            return False
        self._remember(-1, None, None)
        pass_time_on(self.draft)
        self._count()
        return True

    def do(self, seat: int, command: Command) -> None:
        """Carry out a command that is legal."""
        self.last_seat = seat
        self.last_command = command
        draft = self.draft
        refused = act(draft, seat, command)
        assert refused is None, f"{command!r} of seat {seat} was listed and refused: {refused!r}"
        if draft.asks or self.record or self._referee is not None:
            if self.record:
                self.moves.append(Move(seat, command, None))
            self._count()
            return
        self.commands += 1  # the usual case, quickly
        events = draft.events
        self.events += len(events)
        events.clear()
        if draft.transfers:
            draft.transfers.clear()

    def _beside(self) -> bool:
        """Let some seat do anything legal but bid; False if nothing was found."""
        state = self.state
        seat = self.bot.random.below(state.seats)
        command = any_command(state, seat, self.bot.random)
        if command is None:
            return False
        self.do(seat, command)
        return True

    def bid(self, auction: Auction, seat: int, amount: int) -> None:
        """A bidder bids so much, or (0) passes; the hammer falls when nobody else is left."""
        self.commands += 1
        self.events += 1
        self._settle(self.house.bid(auction, seat, amount))

    def _settle(self, outcome: AuctionOutcome | None) -> None:
        """Let the rules say what the end of an auction leads to, if one has ended."""
        if outcome is None:
            return
        self._remember(-1, None, outcome)
        refused = settle_on(self.draft, outcome)
        assert refused is None, f"{outcome!r} was refused: {refused!r}"
        if self.record:
            self.moves.append(Move(-1, None, outcome))
        self._count()

    def _count(self) -> None:
        """Count and forget what the last command came to, and do what it asks of the auction."""
        draft = self.draft
        self.commands += 1
        self.events += len(draft.events)
        if self.record:
            self.log.extend(draft.events)
        asked = len(draft.asks) > 0
        if asked:
            for ask in draft.asks:
                self.house.answer(ask)
        if self._referee is not None:
            self._referee.after(draft)
        draft.forget()
        while asked:  # nobody can bid; or somebody left, and nobody else can
            ended = self.house.over()
            if ended is None:
                return
            self._settle(ended)
