"""The reader of the touch unit: deeds, event cards, other squares. Cards are tapped in their list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.containers import Grid, Vertical, VerticalScroll
from textual.message import Message
from textual.widgets import Static

from magnate.cli.terminal.board import plain_squares, touch_board

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from magnate.bank.v1.terminal_pb2 import Frame
    from magnate.cli.terminal.texts import Texts

GROUP_COLOURS: Final = {
    "brown": "#1b1e24 on #c08a5a",
    "light_blue": "#1b1e24 on #a6dcf5",
    "pink": "#1b1e24 on #f09ac6",
    "orange": "#1b1e24 on #ffb066",
    "red": "#1b1e24 on #ff8f80",
    "yellow": "#1b1e24 on #ffe06b",
    "green": "#1b1e24 on #8fe388",
    "dark_blue": "#ffffff on #3a5bb8",
}
_EXPECTED: Final = ("card", "deed", "event")


class DeedTapped(Message):
    """A deed was tapped, or only looked at."""

    def __init__(self, square: int, *, query: bool) -> None:
        super().__init__()
        self.square = square
        self.query = query


class EventTapped(Message):
    """An event card was tapped."""

    def __init__(self, card: str) -> None:
        super().__init__()
        self.card = card


class Deed(Static):
    """A deed, known by its number and its colour; its name stands on the card of the box."""

    def __init__(self, number: int, square: int, group: str, name: str) -> None:
        super().__init__(str(number), classes="deed", id=f"deed-{number}")
        self.styles.color, self.styles.background = GROUP_COLOURS[group].split(" on ")
        self.square = square
        self.tooltip = name

    def on_click(self) -> None:
        """Tap it."""
        self.screen.query_one(Reader).tap_deed(self.square)


class EventCard(Static):
    """An event card."""

    def __init__(self, number: int, card: str, text: str) -> None:
        super().__init__(Text(f"{number:>2} {text}"), classes="event", id=f"event-{number}")
        self.card = card

    def on_click(self) -> None:
        """Tap it."""
        self.post_message(EventTapped(self.card))


class Square(Static):
    """A square without a deed, which has a symbol on the unit."""

    def __init__(self, square: int, text: str) -> None:
        super().__init__(Text(f"{square:>2} {text}"), classes="event", id=f"square-{square}")
        self.square = square

    def on_click(self) -> None:
        """Tap it."""
        self.screen.query_one(Reader).tap_deed(self.square)


class Look(Static):
    """Whether the next deed is only looked at."""

    def on_click(self) -> None:
        """Change it."""
        self.screen.query_one(Reader).set_looking(None)


class Reader(Vertical):
    """The reader with all that belongs to it."""

    def __init__(self, t: Texts) -> None:
        super().__init__(id="reader")
        self._t = t
        board = touch_board()
        self.deeds = [
            (square, board.group_names[board.group[square]], board.names[square]) for square in board.lots
        ]
        self.events = [card.id for card in board.decks[0].cards]
        self._looking = False

    def compose(self) -> ComposeResult:
        """Draw deeds, events and other squares."""
        t = self._t
        yield Static(t("touch.pad"), id="expects")
        with Grid(id="deeds"):
            for number, (square, group, name) in enumerate(self.deeds, start=1):
                yield Deed(number, square, group, name)
            yield Look(t("term.look"), id="look")
        with VerticalScroll(id="events", can_focus=False):
            for number, card in enumerate(self.events, start=1):
                yield EventCard(number, card, t(f"event.{card}"))
            yield Static(t("touch.kind.square"), id="squares")
            for square, kind in plain_squares():
                yield Square(square, t(f"square.{kind}"))

    def follow(self, frame: Frame) -> None:
        """Show what the unit waits for, and which deed it is about."""
        words = [self._t(f"touch.expects.{what}") for what in frame.expects if what in _EXPECTED]
        expects = self.query_one("#expects", Static)
        expects.update(" · ".join(words) if words else self._t("touch.pad"))
        expects.set_class(bool(words), "called")
        for deed in self.query(Deed):
            deed.set_class(deed.square == frame.square, "shown")
        for place in self.query(Square):
            place.set_class(place.square == frame.square, "shown")
        for name, what in (("#deeds", "deed"), ("#events", "event")):
            self.query_one(name).set_class(what in frame.expects, "called")

    def tap_deed(self, square: int) -> None:
        """Tap a deed; after a look the next one is meant again."""
        self.post_message(DeedTapped(square, query=self._looking))
        self.set_looking(False)

    def set_looking(self, looking: bool | None) -> None:
        """Look only, or not; None is the other of what it was."""
        self._looking = not self._looking if looking is None else looking
        self.query_one(Look).set_class(self._looking, "on")
