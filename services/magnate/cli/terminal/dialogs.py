"""Questions and tables that lie over the unit until they are answered with Enter or Esc."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar

from rich.table import Table as Grid
from rich.text import Text
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from magnate.cli.terminal.sentences import money, name_of
from magnate.cli.terminal.widgets import seat_sign

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widget import Widget

    from magnate.bank.v1.terminal_pb2 import Table
    from magnate.cli.terminal.texts import Texts

Result = TypeVar("Result")


class Dialog(ModalScreen[Result | None]):
    """A box with a title; Esc leaves it without an answer."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, title: str, t: Texts) -> None:
        super().__init__()
        self.t = t
        self._title = title

    def compose(self) -> ComposeResult:
        """Draw the box around what the dialog is about."""
        with Vertical(id="box") as box:
            box.border_title = self._title
            box.border_subtitle = self.t("term.back")
            yield from self.content()

    def content(self) -> Sequence[Widget]:
        """Return what stands in the box."""
        raise NotImplementedError

    def action_leave(self) -> None:
        """Close it without an answer."""
        self.dismiss(None)


class Confirm(Dialog[bool]):
    """Asks whether something is to be done; Enter alone does nothing that cannot be taken back."""

    AUTO_FOCUS = "#no"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "app.focus_previous", show=False),
        Binding("right,down", "app.focus_next", show=False),
    ]

    def __init__(self, title: str, text: str, yes: str, t: Texts) -> None:
        super().__init__(title, t)
        self._text = text
        self._yes = yes

    def content(self) -> Sequence[Widget]:
        """Return the question and two buttons."""
        buttons = Horizontal(
            Button(self._yes, id="yes", variant="primary"),
            Button(self.t("dialog.no"), id="no"),
            classes="buttons",
        )
        return [Static(self._text, markup=False), buttons]

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        self.dismiss(event.button.id == "yes")


class Ask(Dialog[str]):
    """Asks for a line of text."""

    def __init__(self, title: str, label: str, t: Texts, *, hidden: bool = False, most: int = 32) -> None:
        super().__init__(title, t)
        self._label = label
        self._hidden = hidden
        self._most = most

    def content(self) -> Sequence[Widget]:
        """Return the field."""
        return [Static(self._label, markup=False), Input(password=self._hidden, max_length=self._most)]

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer."""
        self.dismiss(event.value.strip())


class Choose(Dialog[str]):
    """Asks for one of several: (id, text, whether it can be chosen)."""

    def __init__(
        self, title: str, options: Sequence[tuple[str, str, bool]], t: Texts, text: str = ""
    ) -> None:
        super().__init__(title, t)
        self._options = options
        self._text = text

    def content(self) -> Sequence[Widget]:
        """Return the list."""
        options = [Option(Text(text), id=name, disabled=not usable) for name, text, usable in self._options]
        head = [Static(self._text, markup=False, classes="head")] if self._text else []
        return [*head, OptionList(*options), Static(self.t("term.choose"), classes="foot")]

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer."""
        self.dismiss(event.option_id)


class Reading(Dialog[bool]):
    """Something to read; any of Enter, Esc and Q closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,q,question_mark", "leave", show=False)]

    def __init__(self, title: str, what: Text | Grid, t: Texts) -> None:
        super().__init__(title, t)
        self._what = what

    def content(self) -> Sequence[Widget]:
        """Return the text."""
        return [Static(self._what)]

    def on_click(self) -> None:
        """Close it."""
        self.dismiss(None)


def ranking(table: Table, t: Texts) -> Reading:
    """Return the final ranking."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(justify="right")
    grid.add_column()
    grid.add_column(justify="right")
    for rank in table.ranking:
        style = "bold" if rank.place == 1 else ""
        name = f"{seat_sign(rank.seat)} {name_of(table, rank.seat)}"
        total = money(rank.total, table.currency, t.language)
        grid.add_row(Text(f"{rank.place}.", style), Text(name, style), Text(total, style))
    return Reading(t("ranking.title"), grid, t)


def keyboard_help(t: Texts, *, touch: bool) -> Reading:
    """Return how the keyboard works the unit."""
    slots = ("help.digits", "help.point", "help.power", "help.go", "term.help.clear", "help.persons")
    cards = ("term.help.touch",) if touch else ("term.help.cards", "help.cards")
    keys = (*(() if touch else slots), *cards, "term.help.mouse", "term.help.more")
    return Reading(t("help.title"), Text("\n".join(t(key) for key in keys)), t)
