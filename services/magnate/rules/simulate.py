"""Whole games in memory, played by bots that choose at random: for measuring, and for looking for trouble.

Pure and compiled like the rules. A bot asks `legal_kinds` and takes one of the kinds; auctions are held right
here, bid by bid, with the money on hold as the ledger would have it. Deals and resignations are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import purse
from magnate.rules.bidding import Auction, fold
from magnate.rules.chance import RandomChance
from magnate.rules.decide import act, settle_on
from magnate.rules.decision import Decision
from magnate.rules.draft import Draft
from magnate.rules.evolve import evolve
from magnate.rules.kinds import (
    BUILD,
    BUY_LOT,
    CHOOSE_OPTION,
    DECLARE_BANKRUPTCY,
    DECLINE_LOT,
    END_TURN,
    MORTGAGE_LOTS,
    PAY_DEBT,
    PAY_FINE,
    REDEEM_LOTS,
    ROLL,
    SELL_BUILDINGS,
    USE_JAIL_CARD,
)
from magnate.rules.legal_kinds import legal_kinds
from magnate.rules.state import State
from magnate.rules.steps.mortgage import redemption
from magnate.rules.steps.start import begin
from magnate.rules.vocabulary import (
    PHASE_AUCTION,
    PHASE_DEBT,
    PHASE_OVER,
    AuctionOpened,
    AuctionOutcome,
    BidderPassed,
    BidPlaced,
    Build,
    BuyLot,
    ChooseOption,
    Command,
    DeclareBankruptcy,
    DeclineLot,
    EndTurn,
    Event,
    LotLevel,
    MortgageLots,
    OpenAuction,
    PayDebt,
    PayFine,
    RedeemLots,
    Roll,
    SellBuildings,
    UseJailCard,
)

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet

# What a bot always wants to go on with, and what it only sometimes does beside.
_ONWARD: Final = (
    ROLL | BUY_LOT | DECLINE_LOT | PAY_FINE | USE_JAIL_CARD | CHOOSE_OPTION
    | END_TURN
)  # fmt: skip
_ASIDE: Final = BUILD | MORTGAGE_LOTS | REDEEM_LOTS
_RAISING: Final = SELL_BUILDINGS | MORTGAGE_LOTS | PAY_DEBT | DECLARE_BANKRUPTCY
_ASIDE_ONE_IN: Final = 8

# Commands without parameters, and the one option a bot takes.
_PLAIN: Final[dict[int, Command]] = {
    ROLL: Roll(),
    BUY_LOT: BuyLot(),
    DECLINE_LOT: DeclineLot(),
    PAY_FINE: PayFine(),
    USE_JAIL_CARD: UseJailCard(),
    CHOOSE_OPTION: ChooseOption(0),
    PAY_DEBT: PayDebt(),
    DECLARE_BANKRUPTCY: DeclareBankruptcy(),
    END_TURN: EndTurn(),
}


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
        self.bot = RandomChance(seed + 7919)
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
        found = legal_kinds(state, seat)
        if state.phase == PHASE_DEBT:
            wanted = found & _RAISING
        elif found & _ASIDE and self.bot.below(_ASIDE_ONE_IN) == 0:
            wanted = found & _ASIDE
        else:
            wanted = found & _ONWARD
        kind = wanted if wanted & (wanted - 1) == 0 else self._one_of(wanted)
        command = _PLAIN.get(kind)
        if command is None:
            command = self._command(seat, kind)
        refused = act(self.draft, seat, command)
        assert refused is None, f"{command!r} of seat {seat} was listed and refused: {refused!r}"
        if self.record:
            self.moves.append(Move(seat, command, None))
        self._count()

    def _one_of(self, found: int) -> int:
        """One bit of the set, each as likely as the others."""
        count = 0
        rest = found
        while rest:
            rest &= rest - 1
            count += 1
        skip = self.bot.below(count)
        while skip:
            found &= found - 1
            skip -= 1
        return found & -found

    def _command(self, seat: int, kind: int) -> Command:
        if kind == BUILD:
            return self._build(seat)
        if kind == MORTGAGE_LOTS:
            return MortgageLots([self._mortgage(seat)])
        if kind == REDEEM_LOTS:
            return RedeemLots([self._redeem(seat)])
        if kind == SELL_BUILDINGS:
            return self._sell(seat)
        raise AssertionError(f"no command for the kinds {kind:b}")

    def _build(self, seat: int) -> Command:
        """One more building on the lowest lot of a group where that is possible."""
        state = self.state
        money = state.available(seat)
        groups = state.full[seat]
        group = 0
        while groups:
            if groups & 1 and state.group_mortgaged[group] == 0 and state.board.house_cost[group] <= money:
                lowest = state.board.members[group][0]
                for lot in state.board.members[group]:
                    if state.level[lot] < state.level[lowest]:
                        lowest = lot
                level = state.level[lowest] + 1
                stock = state.hotels_left if level == state.hotel_level else state.houses_left
                if level <= state.hotel_level and stock > 0:
                    return Build([LotLevel(lowest, level)])
            groups >>= 1
            group += 1
        return EndTurn()  # only a larger command would do, which this bot does not think of

    def _sell(self, seat: int) -> Command:
        """All buildings of the first built group: always even, and never short of houses."""
        state = self.state
        for lot in state.board.streets:
            if state.owner[lot] == seat and state.level[lot]:
                group = state.board.group[lot]
                return SellBuildings(
                    [LotLevel(other, 0) for other in state.board.members[group] if state.level[other]]
                )
        raise AssertionError("there is nothing to sell")

    def _mortgage(self, seat: int) -> int:
        state = self.state
        return _lowest(state.owned[seat] & ~state.mortgaged_mask & ~state.built_mask)

    def _redeem(self, seat: int) -> int:
        state = self.state
        money = state.available(seat)
        lots = state.owned[seat] & state.mortgaged_mask
        while lots:
            lot = _lowest(lots)
            if redemption(state, lot) <= money:
                return lot
            lots &= lots - 1
        raise AssertionError("there is nothing to redeem")

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
            amount = least + self.bot.below(state.board.price[auction.lot])
            if amount > state.available(seat) or self.bot.below(2) == 0:
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


def _lowest(lots: int) -> int:
    lot = 0
    while lots & 1 == 0:
        lots >>= 1
        lot += 1
    return lot


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
