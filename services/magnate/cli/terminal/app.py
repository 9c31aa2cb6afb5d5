"""The window."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding

from magnate.cli.terminal.screen import UnitScreen

if TYPE_CHECKING:
    from textual.binding import BindingType

    from magnate.cli.terminal.live import LiveTable
    from magnate.cli.terminal.texts import Texts


class TerminalApp(App[None]):
    """Shows one table until it is left."""

    CSS_PATH = "unit.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, live: LiveTable, t: Texts, *, bell: bool = False) -> None:
        super().__init__()
        self.title = t("app.title")
        self._unit = UnitScreen(live, t, bell=bell)

    def on_mount(self) -> None:
        """Show the table."""
        self.push_screen(self._unit)
