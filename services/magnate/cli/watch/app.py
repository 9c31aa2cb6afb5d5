"""The window."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.binding import Binding

from magnate.cli.watch.screen import WatchScreen

if TYPE_CHECKING:
    from textual.binding import BindingType

    from magnate.cli.terminal.texts import Texts
    from magnate.cli.watch.screen import Following
    from magnate.cli.watch.teller import Teller
    from magnate.client.seen import SeenGame
    from magnate.client.session import RefusedError


class WatchApp(App[None]):
    """Shows one game until it is over or left."""

    CSS_PATH = "watch.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", show=False, priority=True)]

    def __init__(self, game: SeenGame, teller: Teller, t: Texts, follow: Following) -> None:
        super().__init__()
        self.title = t("watch.title")
        self.watching = WatchScreen(game, teller, t, follow)

    @property
    def fault(self) -> RefusedError | None:
        """Why it could not go on; None if it could."""
        return self.watching.fault

    def on_mount(self) -> None:
        """Show the game."""
        self.push_screen(self.watching)
