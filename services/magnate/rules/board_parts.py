"""How a board is written down: squares, groups, cards and decks, and what it says once.

Files, stored logs and the API have these; `Board` flattens them for the rules.
"""

from typing import Final

from magnate.rules.board_extras import BoardExtras
from magnate.rules.digest import Canonical, sparse
from magnate.rules.effects import Effect

NO_LIMIT: Final = -1
"""As a supply: the bank never runs out of this building."""

NONE: Final = -1
"""In `group`, `deck` and indices: there is none."""


class Square:
    """One square as it is written down; fields that its kind does not use are 0, -1 or empty."""

    __slots__ = ("deck", "group", "kind", "mortgage", "name", "price", "rents", "tax", "tax_percent")

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
        tax_percent: int = 0,
    ) -> None:
        self.kind = kind
        self.name = name
        self.group = group
        self.price = price
        self.rents: list[int] = [] if rents is None else rents
        self.mortgage = mortgage
        self.tax = tax
        self.deck = deck
        self.tax_percent = tax_percent

    def canonical(self) -> list[Canonical]:
        """The square by field names, without what it does not use."""
        rents: list[Canonical] = list(self.rents)
        return sparse(
            [
                ("kind", self.kind, 0),
                ("name", self.name, ""),
                ("group", self.group, NONE),
                ("price", self.price, 0),
                ("rents", rents, []),
                ("mortgage", self.mortgage, 0),
                ("tax", self.tax, 0),
                ("deck", self.deck, NONE),
                ("tax_percent", self.tax_percent, 0),
            ]
        )


class Group:
    """Lots that belong together: a colour, the railroads, the utilities; `house_cost` 0 if nobody builds.

    `title` is what to show where the name, a stable word, is not enough; it may be empty.
    """

    __slots__ = ("house_cost", "name", "title")

    def __init__(self, name: str, house_cost: int, title: str = "") -> None:
        self.name = name
        self.house_cost = house_cost
        self.title = title

    def canonical(self) -> list[Canonical]:
        """Name and cost, and the title if there is one."""
        return [self.name, self.house_cost, self.title] if self.title else [self.name, self.house_cost]


class Card:
    """One card: an id that scenarios and logs use, the text to show, and what happens in order."""

    __slots__ = ("effects", "id", "text")

    def __init__(self, card_id: str, text: str, effects: list[Effect]) -> None:
        self.id = card_id
        self.text = text
        self.effects = effects

    def canonical(self) -> list[Canonical]:
        """Id, text and effects."""
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
        "board_id", "currency_display", "currency_rounding", "currency_scale", "currency_unit", "extras",
        "go_salary", "jail_fine", "players_max", "players_min", "ruleset", "start_money", "supply_hotels",
        "supply_houses", "title",
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
        extras: BoardExtras | None = None,
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
        self.extras: BoardExtras = BoardExtras() if extras is None else extras

    def canonical(self) -> list[Canonical]:
        """The head by field names."""
        extras = self.extras.canonical()
        return sparse(
            [
                ("id", self.board_id, ""),
                ("title", self.title, ""),
                ("ruleset", self.ruleset, ""),
                ("currency_unit", self.currency_unit, ""),
                ("currency_scale", self.currency_scale, 1),
                ("currency_display", self.currency_display, ""),
                ("currency_rounding", self.currency_rounding, 1),
                ("players_min", self.players_min, 0),
                ("players_max", self.players_max, 0),
                ("start_money", self.start_money, 0),
                ("go_salary", self.go_salary, 0),
                ("jail_fine", self.jail_fine, 0),
                ("supply_houses", self.supply_houses, NO_LIMIT),
                ("supply_hotels", self.supply_hotels, NO_LIMIT),
                ("extras", extras, []),
            ]
        )
