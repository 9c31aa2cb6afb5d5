"""What a table may begin with instead of its start and a secret seed: a position, and scripted chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.rules.vocabulary import Card, OfferMade, PositionGiven


class Sandbox:
    """Scripted chance and a chosen position; only where the server allows it.

    Turn clocks stand still unless `clocks`; the other late fields are scripts (see `rules.chance`).
    """

    __slots__ = (
        "amounts", "cards", "cash", "clocks", "deals", "dice", "drawn_seats", "offers", "position", "squares",
    )  # fmt: skip

    def __init__(
        self,
        dice: list[tuple[int, int]],
        cards: list[Card],
        position: PositionGiven | None,
        cash: list[int],
        offers: list[OfferMade],
        amounts: list[int] | None = None,
        squares: list[int] | None = None,
        deals: list[int] | None = None,
        drawn_seats: list[int] | None = None,
        *,
        clocks: bool = False,
    ) -> None:
        self.dice = dice
        self.cards = cards
        self.position = position
        self.cash = cash
        self.offers = offers
        self.amounts = amounts or []
        self.squares = squares or []
        self.deals = deals or []
        self.drawn_seats = drawn_seats or []
        self.clocks = clocks


class Beginning:
    """A position to begin from instead of the start of a game, with its cash and open offers."""

    __slots__ = ("cash", "offers", "position")

    def __init__(self, position: PositionGiven, cash: list[int], offers: list[OfferMade]) -> None:
        self.position = position
        self.cash = cash
        self.offers = offers
