"""A touch unit and the game it hosts, in memory: the real rules judge what the unit proposes.

Used by the fuzz and by the tests of the unit. The auction's clock is a number that whoever plays moves on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.domain.accounts import BANK, seat_account
from magnate.bank.terminal import step as words
from magnate.bank.terminal.edition import EDITIONS, TOUCH
from magnate.bank.terminal.machine import carried_out, frame, new_unit, operate, refused
from magnate.bank.terminal.step import (
    CARD_ASKED,
    DEED_ASKED,
    EVENT_ASKED,
    Action,
    GameView,
    Move,
    Step,
    Table,
)
from magnate.rules.decide import decide
from magnate.rules.effects import EFFECT_BOTH_GAIN, EFFECT_PAY_PLAYER, EFFECT_SEND_TO_JAIL
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.referee import Referee
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import with_house_rules
from magnate.rules.simulate import Game
from magnate.rules.steps.auction import bid_most
from magnate.rules.steps.debt import due_amount, due_first
from magnate.rules.steps.questions import asking_effect, may_skip, question
from magnate.rules.vocabulary import (
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_OVER,
    QUESTION_CARD,
    QUESTION_DRAW,
    QUESTION_LOCATION,
    QUESTION_SWAP,
    BuyLot,
    ChooseOption,
    Command,
    DeclareBankruptcy,
    DeclineLot,
    DrawnCard,
    PassGo,
    PayDebt,
    PayFine,
    PlaceToken,
    ReturnLots,
    Skip,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.bank.terminal.display import Frame
    from magnate.rules.state import State

RULESET: Final = "ultimate-banking"
CLOSE_MS: Final = 10_000
COMMANDS: Final[dict[str, Callable[[Move], Command]]] = {
    "place_token": lambda move: PlaceToken(move.numbers["square"]),
    "pass_go": lambda _move: PassGo(),
    "drawn_card": lambda move: DrawnCard(move.numbers["deck"], move.numbers["card"]),
    "choose_option": lambda move: ChooseOption(move.numbers["option"]),
    "pay_debt": lambda _move: PayDebt(by_card=True),
    "declare_bankruptcy": lambda _move: DeclareBankruptcy(),
    "pay_fine": lambda _move: PayFine(),
    "return_lots": lambda move: ReturnLots(move.lots),
    "buy_lot": lambda _move: BuyLot(),
    "decline_lot": lambda _move: DeclineLot(),
    "skip": lambda _move: Skip(),
}
"""The moves of the unit, bids apart, as the rules know them."""


class Hosted:
    """The game behind a unit."""

    def __init__(self, seats: int, seed: int) -> None:
        rules = with_house_rules(load_ruleset(RULESET), {"table.tokens": "by_hand"})
        assert not isinstance(rules, Rejection), rules
        self.game = Game(load_board(RULESET), rules, seats, seed)
        self.referee = Referee(self.game.state)
        self.game.referee = self.referee
        self.game.start()
        self.due_ms = 0

    @property
    def state(self) -> State:
        """Return the rules' state."""
        return self.game.state

    def move(self, move: Move, now_ms: int) -> list[tuple[str, str, int]] | Rejection:
        """Make a move; return what it has paid, or how it is refused."""
        if move.kind == "place_bid":
            return self._bid(move.seat, move.numbers["lot"], move.numbers["amount"], now_ms)
        command = COMMANDS[move.kind](move)
        decided = decide(self.state, move.seat, command, self.game.chance, 0)
        if isinstance(decided, Rejection):
            return decided
        self.game.do(move.seat, command)
        if self.game.auction is not None:
            self.due_ms = now_ms + CLOSE_MS
        return [(_account(one.payer), _account(one.payee), one.amount) for one in decided.transfers]

    def _bid(self, seat: int, lot: int, amount: int, now_ms: int) -> list[tuple[str, str, int]] | Rejection:
        """Judge a bid as the auction service does."""
        auction = self.game.auction
        if auction is None or lot != auction.lot:
            return Rejection("NO_AUCTION")
        if seat == auction.leader:
            return Rejection("ALREADY_LEADING")
        if not auction.may_act(seat):
            return Rejection("NOT_A_BIDDER")
        if amount < auction.least_bid:
            return Rejection("BID_TOO_LOW")
        if amount > bid_most(self.state, seat, auction, {auction.auction: auction}):
            return Rejection("BID_EXCEEDS_FUNDS")
        self.game.bid(auction, seat, amount)
        self.due_ms = now_ms + CLOSE_MS
        return []

    def pass_time(self, now_ms: int) -> None:
        """Let the hammer fall if it is time."""
        if self.game.auction is not None and now_ms >= self.due_ms:
            self.hammer()

    def hammer(self) -> None:
        """Close the auction: nobody else bids."""
        while (auction := self.game.auction) is not None:
            waiting = [seat for seat in auction.active if seat != auction.leader]
            self.game.bid(auction, next(seat for seat in waiting if seat not in auction.declined), 0)

    def view(self) -> GameView:
        """Return the game as the unit sees it."""
        state = self.state
        board = state.board
        view = GameView(state.seats)
        view.owes = [due_amount(due_first(state, seat)) for seat in range(state.seats)]
        view.jailed = [one != 0 for one in state.jailed]
        view.phase, view.turn_seat = state.phase, state.turn_seat
        view.cap_level = state.extras.cap_level if state.extras.cap_left else 0
        view.over = state.phase == PHASE_OVER
        view.ranking, view.scores = state.ranking, state.scores
        view.go_salary, view.jail_fine = board.go_salary, board.jail_fine
        view.price, view.rents = board.price, board.rents
        view.owner, view.level = state.owner, state.extras.rent_level
        view.events = {card.id: number for number, card in enumerate(board.decks[0].cards)}
        if state.phase == PHASE_BUY:
            view.offered = state.offered_lot
        elif state.phase == PHASE_CHOICE:
            view.asks, view.may_skip = asked(state), may_skip(state)
            view.asks_amount = state.extras.question_amount
        auction = self.game.auction
        if auction is not None:
            view.auction_lot, view.auction_leader = auction.lot, auction.leader
            view.auction_price, view.auction_next = auction.price, auction.least_bid
            view.auction_due_ms = self.due_ms
        return view


def asked(state: State) -> str:
    """Return what has to be tapped for an answer."""
    kind = question(state)
    if kind == QUESTION_CARD:
        effect = asking_effect(state)
        assert effect is not None
        by_card = (EFFECT_PAY_PLAYER, EFFECT_BOTH_GAIN, EFFECT_SEND_TO_JAIL)
        return CARD_ASKED if effect.kind in by_card else DEED_ASKED
    by_question = {
        QUESTION_LOCATION: DEED_ASKED,
        QUESTION_SWAP: DEED_ASKED,
        QUESTION_DRAW: EVENT_ASKED,
    }
    return by_question.get(kind, "")


def _account(account: int) -> str:
    return seat_account(account) if account >= 0 else BANK


class TouchDesk:
    """A touch unit with its game; `moves` are those that the last action proposed."""

    def __init__(self, seats: int = 3, seed: int = 1) -> None:
        self.hosted = Hosted(seats, seed)
        self.unit = new_unit(TOUCH)
        self.cards = [words.ACTIVE] * seats
        self.paused = False
        self.closed = False
        self.now_ms = 0
        self.move: Move | None = None

    def balances(self) -> list[int]:
        """Return what each seat has available."""
        state = self.hosted.state
        return [state.available(seat) for seat in range(state.seats)]

    def table(self) -> Table:
        """Return the table as the unit sees it."""
        edition = EDITIONS[RULESET]
        return Table(edition, self.balances(), self.cards.copy(), self.paused, self.hosted.view())

    def wait(self, ms: int) -> None:
        """Let the clock run on, or jump back; the auction's clock runs, too."""
        self.now_ms = max(self.now_ms + ms, 0)
        self.hosted.pass_time(self.now_ms)

    def do(self, action: Action) -> Step:
        """Do something to the unit and let the rules judge what it proposes."""
        step = operate(self.unit, action, self.table(), self.now_ms)
        self.move = step.move
        if step.move is not None:
            paid = self.hosted.move(step.move, self.now_ms)
            if isinstance(paid, Rejection):
                step = refused(step.unit, paid.name, self.now_ms)
            else:
                step = carried_out(step, paid, self.hosted.view())
        self.unit = step.unit
        self.closed = self.closed or step.closes
        return step

    def frame(self) -> Frame:
        """Return what the unit shows now."""
        return frame(self.unit, self.table(), self.now_ms)
