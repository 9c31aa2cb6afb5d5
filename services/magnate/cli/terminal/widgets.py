"""What the unit and the table beside it are made of."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from rich.table import Table as Grid
from rich.text import Text
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from magnate.bank.v1 import terminal_pb2
from magnate.cli.terminal import segments
from magnate.cli.terminal.keys import KINDS, LABELS, SLOTS
from magnate.cli.terminal.sentences import hint, money, name_of, sentence, state_of

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual import events
    from textual.timer import Timer

    from magnate.bank.v1.terminal_pb2 import Card, Operation, Table
    from magnate.cli.terminal.live import LiveTable
    from magnate.cli.terminal.texts import Texts

HOLD_SECONDS: Final = 1.2
HISTORY_SHOWN: Final = 200
DARK: Final = frozenset({"off", "closed"})
"""What the display shows no digits for."""
SEAT_SIGNS: Final = "●■▲◆★▼♣♠"
SEAT_COLOURS: Final = (
    "#ffcf5c", "#6ec6ff", "#ff8f80", "#8fe388", "#d9a6ff", "#ffb066", "#7ee8d6", "#f3f3f3",
)  # fmt: skip


def seat_style(seat: int) -> str:
    """Return the colour of a seat: dark letters on a bright card."""
    return f"#1b1e24 on {SEAT_COLOURS[seat % len(SEAT_COLOURS)]}"


def seat_sign(seat: int) -> str:
    """Return the sign of a seat, for those who do not tell colours apart."""
    return SEAT_SIGNS[seat % len(SEAT_SIGNS)]


def clipped(text: str, room: int) -> str:
    """Return a text that fits, with a mark where it was cut."""
    return text if len(text) <= room else f"{text[: max(room - 1, 0)]}…"


class Display(Widget):
    """The display: whose money, what it means, five digits, what to do next."""

    def __init__(self, live: LiveTable, t: Texts) -> None:
        super().__init__(id="display")
        self._live = live
        self._t = t

    def follow(self) -> None:
        """Draw what has changed."""
        state = state_of(self._live.table)
        self.set_class(state == "error", "error")
        self.set_class(state in DARK, "dark")
        self.refresh()

    def render(self) -> Text:
        """Draw the frame of the table's unit."""
        table, t = self._live.table, self._t
        state = state_of(table)
        frame = table.unit.frame
        word = t(f"state.{state}")
        who = name_of(table, frame.seat)
        room = max(self.size.width - len(word) - 1, 1)
        lines = [Text(f"{clipped(who, room):<{room}} {word}")]
        if state in DARK:
            frame = terminal_pb2.Frame()
        lines += [Text(row, style="bold") for row in segments.rows(frame)]
        text = Text("\n", no_wrap=False).join(lines)
        text.append("\n")
        text.append(hint(table, t), style="italic")
        return text


class SlotPressed(Message):
    """A slot was clicked."""

    def __init__(self, slot: terminal_pb2.Slot.ValueType) -> None:
        super().__init__()
        self.slot = slot


class SlotMouth(Static):
    """A slot with the card that is in it."""

    def __init__(self, slot: terminal_pb2.Slot.ValueType, live: LiveTable, t: Texts) -> None:
        right = slot == terminal_pb2.SLOT_RIGHT
        super().__init__(id="slot-right" if right else "slot-left", classes="slot")
        self.slot = slot
        self._live = live
        self._t = t
        sign = "−" if right else "+"
        two = len(SLOTS.get(live.table.model, ())) > 1
        self.border_title = sign if two else None

    def follow(self) -> None:
        """Draw what has changed."""
        self.set_class(self._live.card_in(self.slot) is not None, "filled")
        self.refresh()

    def render(self) -> Text:
        """Draw the card, or that there is none."""
        card = self._live.card_in(self.slot)
        width = max(self.size.width, 1)
        if card is None:
            return Text(self._t("slot.empty").center(width), style="dim")
        name = clipped(f" {seat_sign(card.seat)} {card.name}", width - 2)
        return Text(f"{name} ▴".ljust(width), style=seat_style(card.seat))

    def on_click(self) -> None:
        """Tell that it was clicked."""
        self.post_message(SlotPressed(self.slot))


class KeyPressed(Message):
    """A key of the unit was pressed or held."""

    def __init__(self, key: str, *, held: bool = False) -> None:
        super().__init__()
        self.key = key
        self.held = held


class KeyCap(Static):
    """A key. C can be held: then it is pressed only when it is let go early."""

    def __init__(self, key: str, t: Texts) -> None:
        name = {".": "point"}.get(key, key.lower())
        super().__init__(
            LABELS.get(key, key), id=f"key-{name}", classes=f"key {KINDS.get(key, 'digit')}", markup=False
        )
        self.key = key
        proto = {".": "POINT", "C": "CLEAR"}.get(key, key)
        self.tooltip = t(f"key.KEY_{proto}")
        self._holding: Timer | None = None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Press it, or begin to hold it."""
        if event.button != 1:
            return
        self.add_class("down")
        self.capture_mouse()
        if self.key == "C":
            self._holding = self.set_timer(HOLD_SECONDS, self._held)
        else:
            self.post_message(KeyPressed(self.key))

    def on_mouse_up(self) -> None:
        """Let it go."""
        self.release_mouse()
        self.remove_class("down")
        if self._holding is not None:
            self._holding.stop()
            self._holding = None
            self.post_message(KeyPressed(self.key))

    def flash(self) -> None:
        """Show that the keyboard pressed it."""
        self.add_class("down")
        self.set_timer(0.12, lambda: self.remove_class("down"))

    def _held(self) -> None:
        self._holding = None
        self.remove_class("down")
        self.post_message(KeyPressed(self.key, held=True))


class CardPressed(Message):
    """A card of the list was clicked; `slot` if it was its end that belongs to one."""

    def __init__(self, card_id: str, slot: terminal_pb2.Slot.ValueType) -> None:
        super().__init__()
        self.card_id = card_id
        self.slot = slot


class CardRow(Static):
    """A card: its key, its holder, its money; at both ends the slots it can be put into."""

    END: Final = 3

    def __init__(self, number: int, live: LiveTable, t: Texts) -> None:
        super().__init__(classes="card", id=f"card-{number}", markup=False)
        self._number = number
        self._live = live
        self._t = t
        self.selected = False

    @property
    def card(self) -> Card:
        """The card as it is now."""
        return self._live.table.cards[self._number]

    def render(self) -> Text:
        """Draw the card."""
        card, width = self.card, max(self.size.width, 20)
        ends = self._ends()
        slot = self._live.slot_of(card.card_id)
        middle = width - self.END * len(ends)
        name = f" {seat_sign(card.seat)} {card.name}"
        sum_ = self._sum(card)
        key = f"F{self._number + 1} " if self._number < 8 else "   "
        room = middle - len(sum_) - len(key) - 1
        line = f"{key}{clipped(name, room - 1):<{room}}{sum_} "
        style = (
            "dim strike"
            if card.retired
            else seat_style(card.seat)
            if slot
            else "bold"
            if self.selected
            else ""
        )
        text = Text(line, style=style)
        if len(ends) == 2:
            left, right = ends
            plus = Text(f"{'▸' if self.selected else ' '}{left} ", style="bold #7fd88f")
            return Text.assemble(plus, text, (f" {right} ", "bold #ff8f80"))
        return (
            Text.assemble(text)
            if not self.selected
            else Text.assemble(("▸", "bold"), Text(line[1:], style=style))
        )

    def on_click(self, event: events.Click) -> None:
        """Tell which part of it was clicked."""
        slot = terminal_pb2.SLOT_UNSPECIFIED
        if len(self._ends()) == 2 and event.x < self.END:
            slot = terminal_pb2.SLOT_LEFT
        elif len(self._ends()) == 2 and event.x >= self.size.width - self.END:
            slot = terminal_pb2.SLOT_RIGHT
        self.post_message(CardPressed(self.card.card_id, slot))

    def _ends(self) -> tuple[str, ...]:
        return ("+", "−") if len(SLOTS.get(self._live.table.model, ())) == 2 else ()

    def _sum(self, card: Card) -> str:
        table, t = self._live.table, self._t
        if card.retired or card.locked:
            return t("card.retired" if card.retired else "card.locked")
        said = t("card.hidden") if card.hidden else money(card.balance, table.currency, t.language)
        if card.owes:
            said = f"{t('state.owes')} {money(card.owes, table.currency, t.language)} / {said}"
        return ("⚿ " if card.has_pin else "") + said


class CardList(VerticalScroll, can_focus=False):
    """All cards of the table with what is on them."""

    def __init__(self, live: LiveTable, t: Texts) -> None:
        super().__init__(id="cards")
        self._live = live
        self._t = t
        self.border_title = t("term.cards")
        self.selected = ""

    async def on_mount(self) -> None:
        """Draw the cards there are."""
        await self.follow()

    async def follow(self) -> None:
        """Draw what has changed."""
        rows = list(self.query(CardRow))
        cards = self._live.table.cards
        if len(rows) < len(cards):
            added = [CardRow(number, self._live, self._t) for number in range(len(rows), len(cards))]
            await self.mount(*added)
            rows += added
        for row in rows:
            row.selected = row.card.card_id == self.selected
            row.refresh()

    def select(self, step: int) -> None:
        """Choose the next card that is not retired, or the one before."""
        usable = [card.card_id for card in self._live.table.cards if not card.retired]
        if not usable:
            return
        if self.selected in usable:
            place = (usable.index(self.selected) + step) % len(usable)
        else:
            place = 0 if step > 0 else len(usable) - 1
        self.selected = usable[place]
        for row in self.query(CardRow):
            row.selected = row.card.card_id == self.selected
            row.refresh()
            if row.selected:
                row.scroll_visible(animate=False)


class History(VerticalScroll, can_focus=False):
    """What happened, newest first; what was taken back is struck out."""

    def __init__(self, live: LiveTable, t: Texts) -> None:
        super().__init__(id="history")
        self._live = live
        self._t = t
        self._lines = Static(id="lines")
        self._drawn: object = None
        self.border_title = t("history.title")

    def on_mount(self) -> None:
        """Draw what is known."""
        self.mount(self._lines)
        self.follow()

    def follow(self) -> None:
        """Draw what has changed."""
        live = self._live
        stamp = (len(live.operations), [card.name for card in live.table.cards])
        if stamp == self._drawn:
            return
        self._drawn = stamp
        newest = live.operations[-HISTORY_SHOWN:]
        if not newest:
            self._lines.update(Text(self._t("history.none"), style="dim"))
            return
        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_column(no_wrap=True, width=5)
        grid.add_column()
        for operation in reversed(newest):
            grid.add_row(*self._row(operation, live.table))
        self._lines.update(grid)

    def _row(self, operation: Operation, table: Table) -> tuple[RenderableType, RenderableType]:
        clock = _local(operation)
        said = Text(sentence(operation, table, self._live.operations, self._t))
        if operation.reversed_by:
            said.stylize("strike dim")
            said.append(f" ↶ {self._t('history.undone')}", style="not strike")
        elif operation.reverses:
            said = Text("↶ ") + said
        if operation.note:
            said.append(f" “{operation.note}”", style="italic")
        return Text(clock, style="dim"), said


def _local(operation: Operation) -> str:
    moment = dt.datetime.fromtimestamp(operation.time.seconds, dt.UTC).astimezone()
    return f"{moment:%H:%M}"
