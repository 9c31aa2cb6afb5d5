"""The squares of the board as a list in two columns: owner, buildings, name, tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

from magnate.cli.terminal.widgets import SEAT_COLOURS, clipped, seat_sign, seat_style

if TYPE_CHECKING:
    from textual import events

    from magnate.cli.watch.teller import Teller
    from magnate.client.seen import SeenGame
    from magnate.game.v1 import game_pb2

COLUMNS: Final = 2
_GAP: Final = 1
_MARKS: Final = 4
"""Cells before the name: the group's colour, owner, level, a space."""
_TOKENS_SHOWN: Final = 3
_GROUPS: Final = {
    "brown": "#b98a5e", "light_blue": "#8fd3f4", "pink": "#f08cc0", "orange": "#f5a65b", "red": "#ff7b72",
    "yellow": "#f2d95c", "green": "#6fcf7c", "dark_blue": "#7d9bff", "railroad": "#b9c0cc",
}  # fmt: skip
_PLAIN: Final = "#8e97a8"


def seat_colour(seat: int) -> str:
    """Return the colour of a seat on the dark ground."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


class BoardList(VerticalScroll, can_focus=False):
    """The board; where it is longer than the window it is scrolled."""

    def __init__(self, game: SeenGame, teller: Teller) -> None:
        super().__init__(id="board")
        self._game = game
        self._teller = teller
        self._lines = Static(id="squares")

    def on_mount(self) -> None:
        """Draw what is known."""
        self.mount(self._lines)

    def on_resize(self, _event: events.Resize) -> None:
        """Draw it as wide as there is room."""
        self.follow()

    def follow(self) -> None:
        """Draw what has changed."""
        view, width = self._game.view, self.scrollable_content_region.width or self.size.width
        squares = len(view.board.squares)
        rows = -(-squares // COLUMNS)
        room = max((width - _GAP * (COLUMNS - 1)) // COLUMNS, _MARKS + 1)
        lots = {lot.lot: lot for lot in view.lots}
        text = Text(no_wrap=True, overflow="crop")
        for row in range(rows):
            for column in range(COLUMNS):
                square = column * rows + row
                if square < squares:
                    text.append(" " * (_GAP if column else 0))
                    text.append_text(self._square(square, lots.get(square), room))
            text.append("\n" if row < rows - 1 else "")
        self._lines.update(text)

    def _square(self, square: int, lot: game_pb2.LotView | None, room: int) -> Text:
        view = self._game.view
        place = view.board.squares[square]
        group = view.board.groups[place.group].name if place.HasField("group") else ""
        tokens = [seat.seat for seat in view.seats if seat.at == square and not seat.out] if view.lots else []
        shown = tokens[:_TOKENS_SHOWN]
        behind = len(shown) + (len(tokens) > len(shown))
        name = clipped(place.name, room - _MARKS - behind - (behind > 0))
        mortgaged = lot is not None and lot.mortgaged
        text = Text(no_wrap=True)
        text.append("▌" if group else " ", _GROUPS.get(group, _PLAIN))
        text.append_text(self._owner(lot))
        hammer = any(one.lot == square and not one.building for one in self._game.auctions)
        style = "bold #ffe06b" if hammer else "dim" if mortgaged else "" if lot else _PLAIN
        text.append(f" {name}".ljust(room - _MARKS + 1 - behind), style)
        for seat in shown:
            text.append(seat_sign(seat), f"bold {seat_style(seat)}")
        if len(tokens) > len(shown):
            text.append("+", "bold")
        return text

    def _owner(self, lot: game_pb2.LotView | None) -> Text:
        """Return two cells: whose it is, and what stands on it."""
        text = Text()
        if lot is None or lot.frozen:
            return text.append("× " if lot is not None else "  ")
        text.append(seat_sign(lot.owner), seat_colour(lot.owner)) if lot.owner >= 0 else text.append(" ")
        if lot.mortgaged:
            return text.append("m", "bold #ff8f80")
        if lot.rent_level:
            return text.append(str(lot.rent_level), _PLAIN)
        if not lot.level:
            return text.append(" ")
        hotel = lot.level == self._teller.hotel
        return text.append("H" if hotel else str(lot.level), "bold #ff8f80" if hotel else "bold #8fe388")
