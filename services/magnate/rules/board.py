"""A board as plain lists of ints, indexed by square: what the rules read in their innermost loops.

`Square`, `Group`, `Card` and `Deck` are how a board is written down (files, log, API); `Board` flattens them.
Amounts are whole numbers of the board's smallest unit, which is `currency_scale` of the printed currency.
A board is never changed after it was built.
"""

from typing import Final

from magnate.rules.board_parts import BoardHead, Deck, Group, Square
from magnate.rules.digest import Canonical, content_hash

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

SQUARES_MAX: Final = 64
"""A set of lots is one int with a bit a square, and 62 bits of it cost nothing when compiled."""


class Board:
    """A board flattened for the rules. Everything indexed by square has `size` entries; read only.

    kind[sq]            GO … GO_TO_JAIL
    names[sq]           what to show
    price[sq]           board price of a lot, else 0
    mortgage_value[sq]  what the bank lends on the lot, else 0
    rents[sq]           street: bare, one house, …, hotel; railroad: 1, 2, … owned; utility: dice multipliers
    group[sq]           index of the lot's group, else -1
    tax[sq]             amount of a tax square, else 0
    deck[sq]            index into `decks` of a card square, else -1
    lots, streets       ownable squares, and those of them that can be built on, in board order
    members[group], group_mask[group], house_cost[group], group_kind[group], group_names[group]
    """

    __slots__ = (
        "content_hash", "currency_display", "currency_rounding", "currency_scale", "currency_unit", "deck",
        "deck_names", "decks", "go_salary", "group", "group_kind", "group_mask", "group_names", "groups",
        "head", "house_cost", "id", "jail_fine", "jail_square", "kind", "lots", "lots_mask", "members",
        "mortgage_value", "names", "players_max", "players_min", "price", "rents", "ruleset", "size",
        "squares", "start_money", "streets", "supply_hotels", "supply_houses", "tax", "title",
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
        self.deck: list[int] = [square.deck for square in squares]
        self.deck_names: list[str] = [deck.name for deck in decks]
        self.jail_square: int = self.kind.index(JAIL)
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
        self.content_hash: str = content_hash("board", self.canonical())

    def canonical(self) -> list[Canonical]:
        """Everything the board says, in one writing only."""
        groups: list[Canonical] = [[group.name, group.house_cost] for group in self.groups]
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
