"""What players, squares, cards and amounts of a game are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import POT_CHARITY, POT_JACKPOT, POT_PARKING
from magnate.rules.v1 import setup_pb2

if TYPE_CHECKING:
    from magnate.game.v1 import game_pb2
    from magnate.rules.v1 import vocabulary_pb2

POTS: Final = {
    POT_PARKING: "the parking pot",
    POT_JACKPOT: "the jackpot desk",
    POT_CHARITY: "the charity fund",
}
HOTEL_LEVEL: Final = 5


class Names:
    """The names of one game."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.board = setup_pb2.Board()
        self.hotel = HOTEL_LEVEL

    def know(self, view: game_pb2.GameView) -> None:
        """Learn board and names from a view."""
        self.board = view.board
        self.learn(view.ruleset)
        self.names = [seat.name for seat in view.seats]

    def learn(self, rules: setup_pb2.RuleSet) -> None:
        """Learn which level is a hotel."""
        for option in rules.options:
            if option.name == "build.houses_before_hotel":
                self.hotel = option.number + 1

    def who(self, seat: int) -> str:
        """Return a seat's name; the bank's for -1, and below it the pots'."""
        if seat < 0:
            return POTS.get(seat, "the bank")
        return self.names[seat] if seat < len(self.names) else f"seat {seat}"

    def what(self, square: int) -> str:
        """Return a square's name."""
        known = 0 <= square < len(self.board.squares)
        return self.board.squares[square].name if known else f"square {square}"

    def money(self, amount: int) -> str:
        """Return an amount as it is printed on the board's notes."""
        currency = self.board.currency
        shown = f"{amount * max(1, currency.scale):,}"
        if not currency.unit:
            return shown
        return f"{currency.unit}{shown}" if len(currency.unit) == 1 else f"{shown} {currency.unit}"

    def card(self, deck: int, card: int) -> str:
        """Return a card's text."""
        if 0 <= deck < len(self.board.decks) and 0 <= card < len(self.board.decks[deck].cards):
            return self.board.decks[deck].cards[card].text
        return f"card {card} of deck {deck}"

    def lots(self, squares: list[int]) -> str:
        """Return the names of several lots."""
        return ", ".join(self.what(square) for square in squares)

    def side(
        self,
        cash: int,
        lots: list[int],
        cards: list[vocabulary_pb2.Card],
        free: list[vocabulary_pb2.Immunity],
        loan: int,
    ) -> str:
        """Return one side of a deal."""
        parts = [self.money(cash)] if cash else []
        parts += [self.what(lot) for lot in lots]
        parts += [f"the card {self.card(one.deck, one.card)!r}" for one in cards]
        parts += [f"{one.visits} free visits of {self.what(one.lot)}" for one in free]
        parts += [f"a loan of {self.money(loan)}"] if loan else []
        return " + ".join(parts) or "nothing"
