"""The state of one game: one mutable object of ints and lists of ints, changed in place by folding.

Only `evolve` changes what events say; only `purse` changes `cash` and `held`. Everybody else reads.
Deciding works on a copy (`copy` is a dozen list copies, never a deep copy: the values in them never change).
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Final

from magnate.rules.board_parts import NO_LIMIT

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

    seats                  how many seats the table has; `out[seat]` 1 if it left, `alive` how many did not
    order                  seats in turn order
    phase                  PHASE_…; 0 before the game starts
    turn_seat, turn, round whose turn; turns of all seats counted from 1; rounds from 1
    doubles                doubles thrown in this turn
    to_roll                1 while the seat on turn still has a throw to make (also an extra one)
    turn_over              0; 1 the turn ends by itself (arrest, elimination); 2 TurnEnded was said
    die1, die2             the last throw that moved or tried to (jail)
    pending_move           steps to go once the debts are paid, else 0
    offered_lot            the lot that may be bought in phase BUY, else -1
    choice_deck/_card      the card that asks in phase CHOICE, else -1
    draws                  draws of chance so far; the next one is number draws + 1
    cash, held             posted balance and the part of it that is on hold, by seat
    at, jailed, jail_tries by seat
    eliminated             seats that left, in that order
    cards[seat]            kept cards, each deck * 64 + card
    unseen[deck]           cards not drawn yet, in unknown order; seen[deck] the others, top first
    owner, level, mortgaged by square; owner -1 is the bank
    group_count[group * seats + seat], group_buildings[group], group_mortgaged[group]   counters, equal to a scan
    built[seat]            levels of all the seat's buildings together, a counter too
    owned[seat], mortgaged_mask, built_mask   sets of squares as bits: the seat's lots, mortgaged lots, all lots of
                           groups with a building; full[seat] has a bit for each group it owns whole and can build on
    hotel_level            the level that is a hotel; lower ones are houses
    houses_left, hotels_left what the bank has
    debts                  open debts, oldest first; an OpenDebt is never changed, only replaced
    debt_mark[seat]        offer_count when the seat last came into debt: older offers are stale while it lasts
    estate                 lots of bankrupts that wait for their auction
    auction, auction_lot   number and lot of the running auction, else 0 and -1; auction_count the last number
    offers                 open offers by number; offer_count the last number; stale_offers the latest that went stale
    end_reason, ranking, scores   when the game is over
    """

    __slots__ = (
        "alive", "at", "auction", "auction_count", "auction_lot", "board", "built", "built_mask", "cards",
        "cash", "choice_card", "choice_deck", "debt_mark", "debts", "die1", "die2", "doubles", "draws",
        "eliminated", "end_reason", "estate", "full", "group_buildings", "group_count", "group_mortgaged",
        "held", "hotel_level", "hotels_left", "houses_left", "jail_tries", "jailed", "level", "mortgaged",
        "mortgaged_mask", "offer_count", "offered_lot", "offers", "order", "out", "owned", "owner",
        "pending_move", "phase", "ranking", "round", "rules", "scores", "seats", "seen", "stale_offers",
        "to_roll", "turn", "turn_over", "turn_seat", "unseen",
    )  # fmt: skip

    def __init__(self, board: Board, rules: RuleSet, seats: int) -> None:
        self.board = board
        self.rules = rules
        self.seats = seats
        self.order: list[int] = list(range(seats))
        self.phase: int = 0
        self.turn_seat: int = -1
        self.turn: int = 0
        self.round: int = 0
        self.doubles: int = 0
        self.to_roll: int = 0
        self.turn_over: int = 0
        self.die1: int = 0
        self.die2: int = 0
        self.pending_move: int = 0
        self.offered_lot: int = -1
        self.choice_deck: int = -1
        self.choice_card: int = -1
        self.draws: int = 0
        self.cash: list[int] = [0] * seats
        self.held: list[int] = [0] * seats
        self.at: list[int] = [0] * seats
        self.jailed: list[int] = [0] * seats
        self.jail_tries: list[int] = [0] * seats
        self.out: list[int] = [0] * seats
        self.alive: int = seats
        self.eliminated: list[int] = []
        self.cards: list[list[int]] = [[] for _ in range(seats)]
        self.unseen: list[list[int]] = [list(range(len(deck.cards))) for deck in board.decks]
        self.seen: list[list[int]] = [[] for _ in board.decks]
        self.owner: list[int] = [-1] * board.size
        self.level: list[int] = [0] * board.size
        self.mortgaged: list[int] = [0] * board.size
        groups = len(board.groups)
        self.group_count: list[int] = [0] * (groups * seats)
        self.group_buildings: list[int] = [0] * groups
        self.group_mortgaged: list[int] = [0] * groups
        self.built: list[int] = [0] * seats
        self.hotel_level: int = rules.build_houses_before_hotel + 1
        self.owned: list[int] = [0] * seats
        self.full: list[int] = [0] * seats
        self.built_mask: int = 0
        self.mortgaged_mask: int = 0
        self.houses_left: int = _supply(board.supply_houses)
        self.hotels_left: int = _supply(board.supply_hotels)
        self.debts: list[OpenDebt] = []
        self.debt_mark: list[int] = [0] * seats
        self.estate: list[int] = []
        self.auction: int = 0
        self.auction_lot: int = -1
        self.auction_count: int = 0
        self.offers: dict[int, OfferMade] = {}
        self.offer_count: int = 0
        self.stale_offers: list[int] = []
        self.end_reason: int = 0
        self.ranking: list[int] = []
        self.scores: list[int] = []

    def copy(self) -> State:
        """An independent copy; board and rules are shared, they never change."""
        twin = State.__new__(State)
        twin.board = self.board
        twin.rules = self.rules
        twin.seats = self.seats
        twin.order = self.order
        twin.phase = self.phase
        twin.turn_seat = self.turn_seat
        twin.turn = self.turn
        twin.round = self.round
        twin.doubles = self.doubles
        twin.to_roll = self.to_roll
        twin.turn_over = self.turn_over
        twin.die1 = self.die1
        twin.die2 = self.die2
        twin.pending_move = self.pending_move
        twin.offered_lot = self.offered_lot
        twin.choice_deck = self.choice_deck
        twin.choice_card = self.choice_card
        twin.draws = self.draws
        twin.alive = self.alive
        twin.hotel_level = self.hotel_level
        twin.built_mask = self.built_mask
        twin.mortgaged_mask = self.mortgaged_mask
        twin.houses_left = self.houses_left
        twin.hotels_left = self.hotels_left
        twin.auction = self.auction
        twin.auction_lot = self.auction_lot
        twin.auction_count = self.auction_count
        twin.offer_count = self.offer_count
        twin.end_reason = self.end_reason
        self._copy_lists(twin)
        return twin

    def _copy_lists(self, twin: State) -> None:
        twin.cash = self.cash.copy()
        twin.held = self.held.copy()
        twin.at = self.at.copy()
        twin.jailed = self.jailed.copy()
        twin.jail_tries = self.jail_tries.copy()
        twin.out = self.out.copy()
        twin.eliminated = self.eliminated.copy()
        twin.cards = [kept.copy() for kept in self.cards]
        twin.unseen = [deck.copy() for deck in self.unseen]
        twin.seen = [deck.copy() for deck in self.seen]
        twin.owner = self.owner.copy()
        twin.level = self.level.copy()
        twin.mortgaged = self.mortgaged.copy()
        twin.group_count = self.group_count.copy()
        twin.group_buildings = self.group_buildings.copy()
        twin.group_mortgaged = self.group_mortgaged.copy()
        twin.built = self.built.copy()
        twin.owned = self.owned.copy()
        twin.full = self.full.copy()
        twin.debts = self.debts.copy()
        twin.debt_mark = self.debt_mark.copy()
        twin.estate = self.estate.copy()
        twin.offers = self.offers.copy()
        twin.stale_offers = self.stale_offers.copy()
        twin.ranking = self.ranking
        twin.scores = self.scores

    def available(self, seat: int) -> int:
        """What the seat can spend: its balance without what is on hold."""
        return self.cash[seat] - self.held[seat]

    def in_debt(self, seat: int) -> bool:
        """Whether the seat owes something that waits to be paid."""
        for debt in self.debts:
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

    def digest(self) -> str:
        """SHA-256 in hex over everything above in one canonical writing: equal digests, equal games."""
        plain = self.plain()
        text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def plain(self) -> dict[str, object]:
        """Everything above as JSON-able values; board and rules by their content hash."""
        return {
            "board": self.board.content_hash, "rules": self.rules.content_hash, "seats": self.seats,
            "order": self.order, "phase": self.phase, "turn_seat": self.turn_seat, "turn": self.turn,
            "round": self.round, "doubles": self.doubles, "to_roll": self.to_roll, "turn_over": self.turn_over,
            "dice": [self.die1, self.die2], "pending_move": self.pending_move, "offered_lot": self.offered_lot,
            "choice": [self.choice_deck, self.choice_card], "draws": self.draws, "cash": self.cash,
            "held": self.held, "at": self.at, "jailed": self.jailed, "jail_tries": self.jail_tries,
            "out": self.out, "alive": self.alive, "eliminated": self.eliminated,
            "cards": [sorted(kept) for kept in self.cards], "unseen": [sorted(deck) for deck in self.unseen],
            "seen": self.seen, "owner": self.owner, "level": self.level, "mortgaged": self.mortgaged,
            "group_count": self.group_count, "group_buildings": self.group_buildings,
            "group_mortgaged": self.group_mortgaged, "built": self.built,
            "supply": [self.houses_left, self.hotels_left],
            "debts": [[d.debtor, d.creditor, d.amount, d.reason, d.lot] for d in self.debts],
            "debt_mark": self.debt_mark, "estate": self.estate,
            "auction": [self.auction, self.auction_lot, self.auction_count],
            "offers": [_plain_offer(self.offers[key]) for key in sorted(self.offers)],
            "offer_count": self.offer_count, "stale_offers": self.stale_offers,
            "end": [self.end_reason, self.ranking, self.scores],
        }  # fmt: skip


def _supply(number: int) -> int:
    return UNLIMITED if number == NO_LIMIT else number


def _plain_offer(offer: OfferMade) -> list[object]:
    terms = offer.terms
    return [
        offer.offer, offer.from_seat, offer.to_seat, offer.counter_to,
        terms.give_cash, terms.give_lots, [[card.deck, card.card] for card in terms.give_cards],
        terms.take_cash, terms.take_lots, [[card.deck, card.card] for card in terms.take_cards],
        terms.settles_debt,
    ]  # fmt: skip
