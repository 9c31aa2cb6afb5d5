"""The screen of a table: the unit on the left, cards and history on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.containers import Grid, Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from magnate.bank.v1 import terminal_pb2
from magnate.cli.terminal.banking import Banking
from magnate.cli.terminal.board import plain_squares
from magnate.cli.terminal.dialogs import Ask, Confirm, keyboard_help, ranking
from magnate.cli.terminal.keys import CARD_KEYS, HOLD, LAYOUTS, RIGHT_CARD_KEYS, SLOTS, TOUCH, key_of
from magnate.cli.terminal.live import LIVE
from magnate.cli.terminal.reader import DeedTapped, EventTapped, Reader
from magnate.cli.terminal.widgets import CardList, Display, History, KeyCap, SlotMouth
from magnate.client.session import RefusedError, is_passing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from textual import events
    from textual.app import ComposeResult

    from magnate.bank.v1.terminal_pb2 import Card
    from magnate.cli.terminal.live import LiveTable
    from magnate.cli.terminal.texts import Texts
    from magnate.cli.terminal.widgets import CardPressed, KeyPressed, SlotPressed

LEFT: Final = terminal_pb2.SLOT_LEFT
RIGHT: Final = terminal_pb2.SLOT_RIGHT
NO_SLOT: Final = terminal_pb2.SLOT_UNSPECIFIED
WAITING_SHOWN: Final = 6
COLUMNS_MIN: Final = 80
ROWS_MIN: Final = 24
KEY_ROWS: Final = 4
ROWS_BESIDE_KEYS: Final = 16  # first and last line, slots, display
_HEARD: Final = {
    terminal_pb2.SOUND_BOOKED,
    terminal_pb2.SOUND_ERROR,
    terminal_pb2.SOUND_RESET,
    terminal_pb2.SOUND_TICK,
    terminal_pb2.SOUND_FANFARE,
}


class UnitScreen(Screen[None]):
    """Draws a table and does what is pressed and clicked; every decision is the server's."""

    def __init__(self, live: LiveTable, t: Texts, *, bell: bool) -> None:
        super().__init__()
        self._live = live
        self._t = t
        self._bell = bell
        self._model = live.table.model
        self._banking = Banking(self, live, t)
        self._ranked = False
        self._said: dict[str, Text] = {}
        self._commands: dict[str, Callable[[], Awaitable[None]]] = {
            **dict.fromkeys(("b", "B", "и", "И", "б", "Б"), self._banking.menu),
            **dict.fromkeys(("q", "Q", "й", "Й"), self._leave),
            **dict.fromkeys(("?", "h", "H", "р", "Р"), self._help),
            **dict.fromkeys(("r", "R"), self._show_ranking),
        }
        if self._model == TOUCH:
            self._commands |= {
                **dict.fromkeys(("d", "D", "в", "В"), self._ask_deed),
                **dict.fromkeys(("s", "S", "ы", "Ы"), self._ask_square),
                **dict.fromkeys(("e", "E", "у", "У"), self._ask_event),
                **dict.fromkeys(("l", "L", "д", "Д"), self._look),
            }

    # What is drawn.

    def compose(self) -> ComposeResult:
        """Draw the unit of the table's model and what lies beside it."""
        live, t, model = self._live, self._t, self._model
        yield Horizontal(Static(id="title"), Static(id="link"), id="top")
        with Horizontal(id="body"):
            with Vertical(id="unit", classes=f"model-{model}"):
                if SLOTS.get(model):
                    yield Horizontal(*(SlotMouth(slot, live, t) for slot in SLOTS[model]), id="slots")
                if model in LAYOUTS:
                    yield Display(live, t)
                    yield Grid(*(KeyCap(key, t) for key in LAYOUTS[model]), id="keys")
                else:
                    yield Static(t("term.none"), id="none")
                if model == TOUCH:
                    yield Reader(t)
            with Vertical(id="side"):
                yield CardList(live, t)
                yield History(live, t)
        yield Static(id="foot")

    def on_mount(self) -> None:
        """Begin to watch and to send."""
        self._live.watched_by(self)
        self.run_worker(self._follow(), name="follow")
        self.run_worker(self._live.send(), name="send")
        self.changed()

    def on_resize(self, event: events.Resize) -> None:
        """Say in the last line which keys there are, or that there is no room."""
        model = self._model
        kind = "touch" if model == TOUCH else "slots" if model in LAYOUTS else "none"
        small = event.size.width < COLUMNS_MIN or event.size.height < ROWS_MIN
        said = self._t("term.small" if small else f"term.foot.{kind}")
        room = event.size.height - ROWS_BESIDE_KEYS
        for keys in self.query("#keys"):
            if model != TOUCH:  # all rows of keys are of one height
                keys.styles.height = KEY_ROWS * min(max(room // KEY_ROWS, 2), 4)
        foot = self.query_one("#foot", Static)
        foot.set_class(small, "small")
        foot.update(Text(said, no_wrap=True, overflow="ellipsis"))

    def changed(self) -> None:
        """Draw the table, the link and the queue anew."""
        live, t = self._live, self._t
        if not self.is_running:
            return
        role = f" · {t(f'role.{live.role}')}" if live.role else ""
        edition = f"edition.{live.table.edition}"
        money = f" · {t(edition)}" if t.has(edition) else ""
        title = Text.assemble((t("app.title"), "bold"), "  ", (live.table.join_code, "bold"), money, role)
        title.no_wrap, title.overflow = True, "ellipsis"
        self._say("#title", title)
        self._say("#link", self._link())
        for display in self.query(Display):
            display.follow()
        for mouth in self.query(SlotMouth):
            mouth.follow()
        for reader in self.query(Reader):
            reader.follow(live.table.unit.frame)
        for cards in self.query(CardList):
            self.call_later(cards.follow)
        for history in self.query(History):
            history.follow()
        if live.table.status == terminal_pb2.TABLE_STATUS_CLOSED and not self._ranked:
            self._ranked = True
            self.app.push_screen(ranking(live.table, t))

    def sounded(self, sounds: Iterable[terminal_pb2.Sound.ValueType]) -> None:
        """Ring the window's bell for what matters, unless the unit is silent."""
        if self._bell and self._live.table.unit.volume and any(sound in _HEARD for sound in sounds):
            self.app.bell()

    def refused(self, reason: str, message: str) -> None:
        """Say that the server refused something."""
        self.notify(self._t.because(reason, message), severity="error", markup=False)

    def _say(self, place: str, text: Text) -> None:
        """Change a line if it is another one now: that moves everything on the screen."""
        if self._said.get(place) != text:
            self._said[place] = text
            for line in self.query(place).results(Static):
                line.update(text)

    def _link(self) -> Text:
        live, t = self._live, self._t
        status = live.table.status
        if live.link != LIVE:
            word, style = t(f"link.{live.link}"), "bold reverse"
        elif status == terminal_pb2.TABLE_STATUS_OPEN:
            word, style = t("link.live"), ""
        else:
            word = t("link.paused" if status == terminal_pb2.TABLE_STATUS_PAUSED else "link.closed")
            style = "bold"
        said = Text(no_wrap=True)
        if live.waiting and live.link != LIVE:
            names = " ".join(pending.name for pending in list(live.waiting)[-WAITING_SHOWN:])
            said.append(f"{t.count('queue.short', len(live.waiting))}: {names}  ")
        said.append(f"{'●' if live.link == LIVE else '○'} {word}", style=style)
        return said

    async def _follow(self) -> None:
        try:
            await self._live.follow()
        except RefusedError as error:
            self._live.link = "refused"
            self.changed()
            self.refused(error.reason, error.message)

    # What is pressed and clicked.

    def on_key(self, event: events.Key) -> None:
        """Do what a key of the keyboard stands for."""
        event.stop()
        key = key_of(event.key, event.character, self._model)
        if key == HOLD:
            self.run_worker(self._banking.reset())
        elif key:
            self._live.press(key)
            for cap in self.query(KeyCap):
                if cap.key == key:
                    cap.flash()
        elif event.key in CARD_KEYS:
            self._card(CARD_KEYS[event.key], NO_SLOT)
        elif event.key in RIGHT_CARD_KEYS:
            self._card(RIGHT_CARD_KEYS[event.key], RIGHT)
        elif event.character in self._commands:
            self.run_worker(self._commands[event.character]())
        elif event.key in {"delete", "backspace"}:
            self._live.discard()
        elif event.key == "ctrl+c":
            self.run_worker(self._leave())
        else:
            self._steer(event.key)

    def _steer(self, key: str) -> None:
        history, cards = self.query_one(History), self.query_one(CardList)
        if key in {"up", "down"}:
            cards.select(1 if key == "down" else -1)
        elif key == "pageup":
            history.scroll_page_up(animate=False)
        elif key == "pagedown":
            history.scroll_page_down(animate=False)
        elif key in {"left", "right"} and SLOTS.get(self._model):
            slots = SLOTS[self._model]
            self._slot(slots[0] if key == "left" else slots[-1])
        elif key == "space" and self._model == TOUCH and (card := self._live.card(cards.selected)):
            self._use(card, NO_SLOT)

    def on_key_pressed(self, event: KeyPressed) -> None:
        """Press or hold a key that was clicked."""
        if event.held:
            self._live.hold(event.key)
        else:
            self._live.press(event.key)

    def on_slot_pressed(self, event: SlotPressed) -> None:
        """Pull the card out, or put the chosen one in."""
        self._slot(event.slot)

    def on_card_pressed(self, event: CardPressed) -> None:
        """Choose a card; with one slot, or at a row's end, put it in at once."""
        card = self._live.card(event.card_id)
        if card is None:
            return
        if event.slot or len(SLOTS.get(self._model, ())) < 2 or self._live.slot_of(card.card_id):
            self._use(card, event.slot)
            return
        cards = self.query_one(CardList)
        cards.selected = "" if cards.selected == card.card_id else card.card_id
        self.changed()

    def on_deed_tapped(self, event: DeedTapped) -> None:
        """Tap a deed."""
        self._live.tap_deed(event.square, query=event.query)

    def on_event_tapped(self, event: EventTapped) -> None:
        """Tap an event card."""
        self._live.tap_event(event.card)

    def _slot(self, slot: terminal_pb2.Slot.ValueType) -> None:
        if self._live.card_in(slot) is not None:
            self._live.remove(slot)
            return
        cards = self.query_one(CardList)
        card = self._live.card(cards.selected)
        if card is None:
            self.notify(self._t("advice.choose_card"), markup=False)
            return
        cards.selected = ""
        self._use(card, slot)

    def _card(self, number: int, slot: terminal_pb2.Slot.ValueType) -> None:
        if number < len(self._live.table.cards):
            self._use(self._live.table.cards[number], slot)

    def _use(self, card: Card, slot: terminal_pb2.Slot.ValueType) -> None:
        """Tap a card; or pull it out; or put it into a slot, the first that is free if none is named."""
        slots = SLOTS.get(self._model, ())
        there = self._live.slot_of(card.card_id)
        if there and slot in {NO_SLOT, there}:
            self._live.remove(there)
        elif self._model == TOUCH or slots:
            free = [one for one in slots if self._live.card_in(one) is None]
            wanted = slot if slot in slots else free[0] if free else LEFT
            self.run_worker(self._show_card(card, wanted))

    async def _show_card(self, card: Card, slot: terminal_pb2.Slot.ValueType) -> None:
        """Put a card in or tap it, once this window may and its PIN is known."""
        live, t = self._live, self._t
        pin = ""
        mine = card.card_id in live.wallet
        if card.has_pin and not mine:
            ask = Ask(t("pin.title", name=card.name), t("pin.label"), t, hidden=True, most=8)
            given = await self.app.push_screen_wait(ask)
            if given is None:
                return
            pin = given
        if live.role == "guest" and not mine and not await self._take(card, pin):
            return
        if self._model == TOUCH:
            live.tap_card(card, pin)
        else:
            live.insert(card, slot, pin)

    async def _take(self, card: Card, pin: str) -> bool:
        """Take a card to this window; False when it could not be had."""
        live, t = self._live, self._t
        if card.claimed:
            self.refused("NOT_YOUR_CARD", "")
            return False
        dialog = Confirm(t("term.take_title", name=card.name), t("term.take_text"), t("term.take_yes"), t)
        if not await self.app.push_screen_wait(dialog):
            return False
        try:
            await live.claim(card, pin)
        except RefusedError as error:
            told = "UNAVAILABLE" if is_passing(error) else error.reason
            self.refused(told, error.message)
            return False
        return True

    # What else there is.

    async def _ask_deed(self) -> None:
        reader = self.query_one(Reader)
        most = len(reader.deeds)
        number = await self._ask_number(self._t("term.deed", most=most), range(1, most + 1))
        if number is not None:
            reader.tap_deed(reader.deeds[number - 1][0])

    async def _ask_square(self) -> None:
        squares = [square for square, _ in plain_squares()]
        number = await self._ask_number(self._t("term.square"), squares)
        if number is not None:
            self.query_one(Reader).tap_deed(number)

    async def _ask_event(self) -> None:
        reader = self.query_one(Reader)
        most = len(reader.events)
        number = await self._ask_number(self._t("term.event", most=most), range(1, most + 1))
        if number is not None:
            self._live.tap_event(reader.events[number - 1])

    async def _ask_number(self, text: str, numbers: Sequence[int]) -> int | None:
        given = await self.app.push_screen_wait(Ask(self._t("touch.pad"), text, self._t, most=2))
        if not given:
            return None
        if not (given.isascii() and given.isdigit() and int(given) in numbers):
            self.notify(self._t("term.no_such", number=given), severity="error", markup=False)
            return None
        return int(given)

    async def _look(self) -> None:
        self.query_one(Reader).set_looking(None)

    async def _help(self) -> None:
        self.app.push_screen(keyboard_help(self._t, touch=self._model == TOUCH))

    async def _show_ranking(self) -> None:
        if self._live.table.ranking:
            self.app.push_screen(ranking(self._live.table, self._t))

    async def _leave(self) -> None:
        t = self._t
        if self._live.waiting:
            dialog = Confirm(t("term.quit_title"), t("term.quit_text"), t("term.quit_yes"), t)
            if not await self.app.push_screen_wait(dialog):
                return
        self.app.exit()
