"""The state of one game: one mutable object of ints and lists of ints, changed in place by folding.

Only `evolve` changes what events say; only `purse` changes `cash` and `held`. Everybody else reads.
Deciding works on a copy (`copy` is a dozen list copies, never a deep copy: the values in them never change).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board_parts import NO_LIMIT
from magnate.rules.extras import Extras
from magnate.rules.prices import redemption_costs

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.ruleset import RuleSet
    from magnate.rules.vocabulary import OfferMade, OpenDebt

CARDS_PER_DECK_MAX: Final = 64
"""A kept card is one int: deck * 64 + card."""

UNLIMITED: Final = 1 << 30
"""The stock of a bank that never runs out of buildings."""


class State:
    """Everything that is known about a game.

    seats                       seats at the table; `out[seat]` 1 if it left, `alive` how many did not
    order                       seats in turn order
    phase                       PHASE_…; 0 before the game starts
    turn_seat, turn, round      whose turn; turns of all seats counted from 1; rounds from 1
    doubles                     doubles thrown in this turn
    to_roll                     1 while the seat on turn still has a throw to make, also an extra one
    turn_over                   1 the turn ends by itself (arrest, elimination); 2 TurnEnded was said; else 0
    die1, die2                  the last throw that moved or, in jail, tried to
    pending_move                steps to go once the debts are paid, else 0
    offered_lot                 the lot that may be bought in phase BUY, else -1
    choice_deck, choice_card    the card that asks in phase CHOICE, else -1
    draws                       draws of chance so far; the next one is number draws + 1
    cash, held                  by seat: posted balance, and the part of it that is on hold
    at, jailed, jail_tries      by seat
    eliminated                  seats that left, in that order
    cards[seat]                 kept cards, each deck * 64 + card
    unseen[deck], seen[deck]    cards not drawn yet, in no order; the others, the next one first
    owner, level, mortgaged     by square; owner -1 is the bank
    hotel_level                 the level that is a hotel; lower ones are houses
    houses_left, hotels_left    what the bank has
    redeem_cost                 by square, what redeeming the lot costs; never changes
    debts                       open debts, oldest first; an OpenDebt is never changed, only replaced
    debt_mark[seat]             offer_count when the seat came into debt: older offers are stale then
    estate                      lots of bankrupts that wait for their auction
    auction, auction_lot        number and lot of the running one, else 0 and -1; `auction_count` the last
    offers                      open offers by number; `offer_count` the last number
    stale_offers                the latest offers that went stale, so that accepting one is answered rightly
    end_reason, ranking, scores when the game is over
    extras                      what only some rule sets need (see `extras`)

    Counters, equal to a scan of the lists above (`deeds` keeps them):

    group_count[group * seats + seat], group_buildings[group], group_mortgaged[group], built[seat] (levels)
    owned[seat], mortgaged_mask, built_mask   sets of lots as bits; built_mask holds whole groups
    full[seat]                                complete groups that can be built on, as bits
    """

    __slots__ = (
        "alive", "at", "auction", "auction_count", "auction_lot", "board", "built", "built_mask", "cards",
        "cash", "choice_card", "choice_deck", "debt_mark", "debts", "die1", "die2", "doubles", "draws",
        "eliminated", "end_reason", "estate", "extras", "full", "group_buildings", "group_count",
        "group_mortgaged", "held", "hotel_level", "hotels_left", "houses_left", "jail_tries", "jailed",
        "level", "mortgaged", "mortgaged_mask", "offer_count", "offered_lot", "offers", "order", "out",
        "owned", "owner", "pending_move", "phase", "ranking", "redeem_cost", "round", "rules",
        "scores", "seats", "seen", "stale_offers", "to_roll", "turn", "turn_over", "turn_seat", "unseen",
    )  # fmt: skip

    board: Board
    rules: RuleSet
    seats: int
    order: list[int]
    phase: int
    turn_seat: int
    turn: int
    round: int
    doubles: int
    to_roll: int
    turn_over: int
    die1: int
    die2: int
    pending_move: int
    offered_lot: int
    choice_deck: int
    choice_card: int
    draws: int
    cash: list[int]
    held: list[int]
    at: list[int]
    jailed: list[int]
    jail_tries: list[int]
    out: list[int]
    alive: int
    eliminated: list[int]
    cards: list[list[int]]
    unseen: list[list[int]]
    seen: list[list[int]]
    owner: list[int]
    level: list[int]
    mortgaged: list[int]
    group_count: list[int]
    group_buildings: list[int]
    group_mortgaged: list[int]
    built: list[int]
    hotel_level: int
    owned: list[int]
    full: list[int]
    redeem_cost: list[int]
    built_mask: int
    mortgaged_mask: int
    houses_left: int
    hotels_left: int
    debts: list[OpenDebt]
    debt_mark: list[int]
    estate: list[int]
    auction: int
    auction_lot: int
    auction_count: int
    offers: dict[int, OfferMade]
    offer_count: int
    stale_offers: list[int]
    end_reason: int
    ranking: list[int]
    scores: list[int]
    extras: Extras

    def __init__(self, board: Board, rules: RuleSet, seats: int, source: State | None = None) -> None:
        """A game that has not begun; or, from a `source`, a copy of it (`copy` says so more plainly)."""
        self.board = board
        self.rules = rules
        self.seats = seats
        if source is None:
            self._clear_numbers()
            self._clear_lists()
            self.extras = Extras(board, seats)
        else:
            self._copy_numbers(source)
            self._copy_lists(source)
            self.extras = Extras(board, seats, source.extras)

    def copy(self) -> State:
        """An independent copy; board and rules are shared, they never change."""
        return State(self.board, self.rules, self.seats, self)

    def _clear_numbers(self) -> None:
        self.phase = 0
        self.turn_seat = -1
        self.turn = 0
        self.round = 0
        self.doubles = 0
        self.to_roll = 0
        self.turn_over = 0
        self.die1 = 0
        self.die2 = 0
        self.pending_move = 0
        self.offered_lot = -1
        self.choice_deck = -1
        self.choice_card = -1
        self.draws = 0
        self.alive = self.seats
        self.hotel_level = self.rules.build_houses_before_hotel + 1
        self.built_mask = 0
        self.mortgaged_mask = 0
        self.houses_left = _supply(self.board.supply_houses, self.rules)
        self.hotels_left = _supply(self.board.supply_hotels, self.rules)
        self.auction = 0
        self.auction_lot = -1
        self.auction_count = 0
        self.offer_count = 0
        self.end_reason = 0

    def _clear_lists(self) -> None:
        board = self.board
        seats = self.seats
        self.order = list(range(seats))
        self.cash = [0] * seats
        self.held = [0] * seats
        self.at = [0] * seats
        self.jailed = [0] * seats
        self.jail_tries = [0] * seats
        self.out = [0] * seats
        self.eliminated = []
        self.cards = [[] for _ in range(seats)]
        self.unseen = [list(range(len(deck.cards))) for deck in board.decks]
        self.seen = [[] for _ in board.decks]
        self.owner = [-1] * board.size
        self.level = [0] * board.size
        self.mortgaged = [0] * board.size
        groups = len(board.groups)
        self.group_count = [0] * (groups * seats)
        self.group_buildings = [0] * groups
        self.group_mortgaged = [0] * groups
        self.built = [0] * seats
        self.owned = [0] * seats
        self.full = [0] * seats
        self.redeem_cost = redemption_costs(board, self.rules)
        self.debts = []
        self.debt_mark = [0] * seats
        self.estate = []
        self.offers = {}
        self.stale_offers = []
        self.ranking = []
        self.scores = []

    def _copy_numbers(self, source: State) -> None:
        self.order = source.order
        self.phase = source.phase
        self.turn_seat = source.turn_seat
        self.turn = source.turn
        self.round = source.round
        self.doubles = source.doubles
        self.to_roll = source.to_roll
        self.turn_over = source.turn_over
        self.die1 = source.die1
        self.die2 = source.die2
        self.pending_move = source.pending_move
        self.offered_lot = source.offered_lot
        self.choice_deck = source.choice_deck
        self.choice_card = source.choice_card
        self.draws = source.draws
        self.alive = source.alive
        self.hotel_level = source.hotel_level
        self.built_mask = source.built_mask
        self.mortgaged_mask = source.mortgaged_mask
        self.houses_left = source.houses_left
        self.hotels_left = source.hotels_left
        self.auction = source.auction
        self.auction_lot = source.auction_lot
        self.auction_count = source.auction_count
        self.offer_count = source.offer_count
        self.end_reason = source.end_reason

    def _copy_lists(self, source: State) -> None:
        self.cash = source.cash.copy()
        self.held = source.held.copy()
        self.at = source.at.copy()
        self.jailed = source.jailed.copy()
        self.jail_tries = source.jail_tries.copy()
        self.out = source.out.copy()
        self.eliminated = source.eliminated.copy()
        self.cards = [kept.copy() for kept in source.cards]
        self.unseen = [deck.copy() for deck in source.unseen]
        self.seen = [deck.copy() for deck in source.seen]
        self.owner = source.owner.copy()
        self.level = source.level.copy()
        self.mortgaged = source.mortgaged.copy()
        self.group_count = source.group_count.copy()
        self.group_buildings = source.group_buildings.copy()
        self.group_mortgaged = source.group_mortgaged.copy()
        self.built = source.built.copy()
        self.owned = source.owned.copy()
        self.full = source.full.copy()
        self.redeem_cost = source.redeem_cost
        self.debts = source.debts.copy()
        self.debt_mark = source.debt_mark.copy()
        self.estate = source.estate.copy()
        self.offers = source.offers.copy()
        self.stale_offers = source.stale_offers.copy()
        self.ranking = source.ranking
        self.scores = source.scores

    def available(self, seat: int) -> int:
        """What the seat can spend: its balance without what is on hold."""
        return self.cash[seat] - self.held[seat]

    def in_debt(self, seat: int) -> bool:
        """Whether the seat owes something that waits to be paid."""
        for debt in self.debts:  # noqa: SIM110 - a generator costs more than the loop
            if debt.debtor == seat:
                return True
        return False

    def owed(self, seat: int) -> int:
        """All the seat owes, to whomever."""
        total = 0
        for debt in self.debts:
            if debt.debtor == seat:
                total += debt.amount
        return total


def _supply(number: int, rules: RuleSet) -> int:
    return UNLIMITED if number == NO_LIMIT or rules.build_unlimited else number
