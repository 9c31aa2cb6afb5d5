"""A board as plain lists of ints, indexed by square: what the rules read in their innermost loops.

`Square`, `Group`, `Card` and `Deck` are how a board is written down (files, log, API); `Board` flattens them.
Amounts are whole numbers of the board's smallest unit, which is `currency_scale` of the printed currency.
A board is never changed after it was built.
"""

from typing import Final

from magnate.rules.digest import Canonical, content_hash
from magnate.rules.effects import Effect

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

NO_LIMIT: Final = -1
"""As a supply: the bank never runs out of this building."""

NONE: Final = -1
"""In `group`, `deck` and indices: there is none."""


class Square:
    """One square as it is written down; fields that its kind does not use are 0, -1 or empty."""

    __slots__ = ("deck", "group", "kind", "mortgage", "name", "price", "rents", "tax")

    def __init__(
        self,
        kind: int,
        name: str,
        group: int = NONE,
        price: int = 0,
        rents: list[int] | None = None,
        mortgage: int = 0,
        tax: int = 0,
        deck: int = NONE,
    ) -> None:
        self.kind = kind
        self.name = name
        self.group = group
        self.price = price
        self.rents: list[int] = [] if rents is None else rents
        self.mortgage = mortgage
        self.tax = tax
        self.deck = deck

    def canonical(self) -> list[Canonical]:
        """The square as a list whose order never changes."""
        rents: list[Canonical] = list(self.rents)
        return [self.kind, self.name, self.group, self.price, rents, self.mortgage, self.tax, self.deck]


class Group:
    """Lots that belong together: a colour, the railroads, the utilities; `house_cost` 0 if nobody builds."""

    __slots__ = ("house_cost", "name")

    def __init__(self, name: str, house_cost: int) -> None:
        self.name = name
        self.house_cost = house_cost


class Card:
    """One card: an id that scenarios and logs use, the text to show, and what happens in order."""

    __slots__ = ("effects", "id", "text")

    def __init__(self, card_id: str, text: str, effects: list[Effect]) -> None:
        self.id = card_id
        self.text = text
        self.effects = effects

    def canonical(self) -> list[Canonical]:
        """The card as a list whose order never changes."""
        effects: list[Canonical] = [effect.canonical() for effect in self.effects]
        return [self.id, self.text, effects]


class Deck:
    """A pile of cards in the order of the file; who draws decides about the shuffle."""

    __slots__ = ("cards", "name")

    def __init__(self, name: str, cards: list[Card]) -> None:
        self.name = name
        self.cards = cards

    def index_of(self, card_id: str) -> int:
        """The place of the card in `cards`, or -1."""
        for index, card in enumerate(self.cards):
            if card.id == card_id:
                return index
        return NONE


class BoardHead:
    """What a board says once: names, currency, players, and the amounts that no square carries."""

    __slots__ = (
        "board_id", "currency_display", "currency_rounding", "currency_scale", "currency_unit", "go_salary",
        "jail_fine", "players_max", "players_min", "ruleset", "start_money", "supply_hotels", "supply_houses",
        "title",
    )  # fmt: skip

    def __init__(
        self,
        board_id: str,
        title: str,
        ruleset: str,
        currency_unit: str,
        currency_scale: int,
        currency_display: str,
        currency_rounding: int,
        players_min: int,
        players_max: int,
        start_money: int,
        go_salary: int,
        jail_fine: int,
        supply_houses: int,
        supply_hotels: int,
    ) -> None:
        self.board_id = board_id
        self.title = title
        self.ruleset = ruleset
        self.currency_unit = currency_unit
        self.currency_scale = currency_scale
        self.currency_display = currency_display
        self.currency_rounding = currency_rounding
        self.players_min = players_min
        self.players_max = players_max
        self.start_money = start_money
        self.go_salary = go_salary
        self.jail_fine = jail_fine
        self.supply_houses = supply_houses
        self.supply_hotels = supply_hotels

    def canonical(self) -> list[Canonical]:
        """The head as a list whose order never changes."""
        return [
            self.board_id, self.title, self.ruleset, self.currency_unit, self.currency_scale,
            self.currency_display, self.currency_rounding, self.players_min,
            self.players_max, self.start_money, self.go_salary, self.jail_fine,
            self.supply_houses, self.supply_hotels,
        ]  # fmt: skip


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
        """Everything the board says as nested lists whose order never changes."""
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
