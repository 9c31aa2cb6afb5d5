"""A board as plain lists of ints, indexed by square: what the rules read in their innermost loops.

`Square`, `Group`, `Card` and `Deck` are how a board is written down (files, log, API); `Board` flattens them.
Amounts are whole numbers of the board's smallest unit, which is `currency_scale` of the printed currency.
A board is never changed after it was built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.board_parts import NONE, BoardHead, Deck, Group, Square
from magnate.rules.digest import Canonical, content_hash
from magnate.rules.effects import EFFECT_BUILD_DISCOUNT, EFFECT_RENT_EXEMPTION

if TYPE_CHECKING:
    from magnate.rules.board_extras import JackpotMachine, JackpotNumbers, TimeRule

# What a square is. The numbers are stored (setup.proto has the same ones): add, never renumber.
GO: Final = 1
STREET: Final = 2
RAILROAD: Final = 3
UTILITY: Final = 4
TAX: Final = 5
CARD: Final = 6
JAIL: Final = 7
FREE_PARKING: Final = 8
GO_TO_JAIL: Final = 9
LOCATION: Final = 10
JACKPOT: Final = 11
BLACK_BUSINESS: Final = 12
WHITE_BUSINESS: Final = 13
CHARITY_FUND: Final = 14

SQUARES_MAX: Final = 64
"""A set of lots is one int with a bit a square, and 62 bits of it cost nothing when compiled."""


class Board:
    """A board flattened for the rules. Everything indexed by square has `size` entries; read only.

    kind[sq]            GO … CHARITY_FUND
    names[sq]           what to show
    price[sq]           board price of a lot, else 0
    mortgage_value[sq]  what the bank lends on the lot, else 0; 0 also on a board without mortgages
    rents[sq]           street: bare, one house, …, hotel; or rent level 1, 2, … if `rent_levels`;
                        railroad: 1, 2, … owned; utility: dice multipliers
    group[sq]           index of the lot's group, else -1
    tax[sq]             amount of a tax square, else 0
    tax_percent[sq]     share of all one has that may be paid instead, 0 if none is offered
    deck[sq]            index into `decks` of a card square, else -1
    side[sq]            index into `sides` of a lot, else -1
    lots, streets       ownable squares, and those of them that can be built on, in board order
    lots_mask           the lots as a set; levelled_mask: those with a rent level while somebody owns them
    members[group], group_mask[group], house_cost[group], group_kind[group], group_names[group]
    go_landing_bonus … jackpot_numbers      as in `BoardExtras`
    """

    __slots__ = (
        "auction_step", "black_business_fine", "black_business_to", "content_hash", "currency_display",
        "currency_rounding", "currency_scale", "currency_unit", "deck", "deck_names", "decks",
        "go_landing_bonus", "go_salary", "group", "group_kind", "group_mask", "group_names", "groups",
        "has_played_cards", "head", "house_cost", "id", "jackpot_machine", "jackpot_numbers", "jail_fine",
        "jail_square", "kind", "levelled_mask", "loan_amount", "location_fee", "lots", "lots_mask",
        "members", "mortgage_value", "names",
        "players_max", "players_min", "pot_charity", "pot_jackpot", "pot_parking", "price", "rent_levels",
        "rents", "ruleset", "side", "sides", "size", "squares", "start_money", "streets", "supply_hotels",
        "supply_houses", "tax", "tax_percent", "time_rules", "title",
    )  # fmt: skip

    def __init__(
        self, head: BoardHead, groups: list[Group], squares: list[Square], decks: list[Deck]
    ) -> None:
        assert 0 < len(squares) <= SQUARES_MAX
        self.head = head
        self.groups = groups
        self.squares = squares
        self.decks = decks
        self.id = head.board_id
        self.title = head.title
        self.ruleset = head.ruleset
        self.currency_unit = head.currency_unit
        self.currency_scale = head.currency_scale
        self.currency_display = head.currency_display
        self.currency_rounding = head.currency_rounding
        self.players_min = head.players_min
        self.players_max = head.players_max
        self.start_money = head.start_money
        self.go_salary = head.go_salary
        self.jail_fine = head.jail_fine
        self.supply_houses = head.supply_houses
        self.supply_hotels = head.supply_hotels
        self.size: int = len(squares)
        self.kind: list[int] = [square.kind for square in squares]
        self.names: list[str] = [square.name for square in squares]
        self.price: list[int] = [square.price for square in squares]
        self.mortgage_value: list[int] = [square.mortgage for square in squares]
        self.rents: list[list[int]] = [square.rents for square in squares]
        self.group: list[int] = [square.group for square in squares]
        self.tax: list[int] = [square.tax for square in squares]
        self.tax_percent: list[int] = [square.tax_percent for square in squares]
        self.deck: list[int] = [square.deck for square in squares]
        self.deck_names: list[str] = [deck.name for deck in decks]
        self.jail_square: int = self.kind.index(JAIL)
        self.has_played_cards: bool = any(
            effect.kind in (EFFECT_RENT_EXEMPTION, EFFECT_BUILD_DISCOUNT)
            for deck in decks
            for card in deck.cards
            for effect in card.effects
        )
        self.lots: list[int] = [sq for sq in range(self.size) if self.group[sq] >= 0]
        self.lots_mask: int = mask_of(self.lots)
        self.streets: list[int] = [sq for sq in self.lots if self.kind[sq] == STREET]
        self.house_cost: list[int] = [group.house_cost for group in groups]
        self.group_names: list[str] = [group.name for group in groups]
        self.members: list[list[int]] = [
            [sq for sq in self.lots if self.group[sq] == g] for g in range(len(groups))
        ]
        self.group_mask: list[int] = [mask_of(lots) for lots in self.members]
        self.group_kind: list[int] = [self.kind[lots[0]] for lots in self.members]
        self._flatten_extras(head)
        self.content_hash: str = content_hash("board", self.canonical())

    def _flatten_extras(self, head: BoardHead) -> None:
        extras = head.extras
        self.go_landing_bonus = extras.go_landing_bonus
        self.location_fee = extras.location_fee
        self.auction_step = extras.auction_step
        self.rent_levels = extras.rent_levels
        self.levelled_mask: int = mask_of(self.streets) if extras.rent_levels else 0
        self.sides: list[list[int]] = extras.sides
        self.side: list[int] = [NONE] * self.size
        for index, lots in enumerate(extras.sides):
            for lot in lots:
                self.side[lot] = index
        self.black_business_to = extras.black_business_to
        self.black_business_fine = extras.black_business_fine
        self.pot_parking = extras.pot_parking
        self.pot_jackpot = extras.pot_jackpot
        self.pot_charity = extras.pot_charity
        self.loan_amount = extras.loan_amount
        self.time_rules: list[TimeRule] = extras.time_rules
        self.jackpot_machine: JackpotMachine | None = extras.jackpot_machine
        self.jackpot_numbers: JackpotNumbers | None = extras.jackpot_numbers

    def canonical(self) -> list[Canonical]:
        """Everything the board says, in one writing only."""
        groups: list[Canonical] = [group.canonical() for group in self.groups]
        squares: list[Canonical] = [square.canonical() for square in self.squares]
        decks: list[Canonical] = [
            [deck.name, [card.canonical() for card in deck.cards]] for deck in self.decks
        ]
        return [self.head.canonical(), groups, squares, decks]


def mask_of(squares: list[int]) -> int:
    """The set of squares as an int with bit `sq` set for each."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask
