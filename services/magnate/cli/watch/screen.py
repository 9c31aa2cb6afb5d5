"""The screen of a game that is watched: the board on the left, what goes on at the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.table import Table as Grid
from rich.text import Text
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from magnate.cli.terminal.dialogs import Dialog
from magnate.cli.terminal.widgets import seat_sign
from magnate.cli.watch.boardlist import BoardList, seat_colour
from magnate.cli.watch.widgets import Auctions, Log, Matters, Seats
from magnate.client.seen import LIVE
from magnate.client.session import RefusedError
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from textual import events
    from textual.app import ComposeResult
    from textual.widget import Widget

    from magnate.cli.terminal.texts import Texts
    from magnate.cli.watch.teller import Teller
    from magnate.client.seen import SeenGame

    Following = Callable[["WatchScreen"], Awaitable[None]]

COLUMNS_MIN: Final = 80
ROWS_MIN: Final = 24
COLUMNS_WIDE: Final = 120
TICK_SECONDS: Final = 0.2
LEAVING_SECONDS: Final = 10


class Ranking(Dialog[bool]):
    """The final ranking; Enter or Esc leaves, and so does time."""

    def __init__(self, game: SeenGame, teller: Teller, t: Texts) -> None:
        super().__init__(t("watch.over"), t)
        self._game = game
        self._teller = teller
        self._left = LEAVING_SECONDS
        self._foot = Static(classes="foot", markup=False)

    def content(self) -> Sequence[Widget]:
        """Return the places, best first."""
        grid = Grid.grid(padding=(0, 2, 0, 0))
        for place, (seat, score) in enumerate(places(self._game.view), start=1):
            style = "bold" if place == 1 else ""
            name = Text(f"{seat_sign(seat)} {self._teller.who(seat)}", f"{style} {seat_colour(seat)}".strip())
            grid.add_row(
                Text(f"{place}.", style), name, Text(self._teller.money(score) if score else "", style)
            )
        return [Static(grid), self._foot]

    def on_mount(self) -> None:
        """Begin to count."""
        self.query_one("#box").border_subtitle = ""
        self._count()
        self.set_interval(1, self._count)

    def on_key(self, event: events.Key) -> None:
        """Leave."""
        if event.key in {"enter", "escape", "q", "ctrl+c"}:
            event.stop()
            self.app.exit()

    def action_leave(self) -> None:
        """Leave."""
        self.app.exit()

    def _count(self) -> None:
        if self._left <= 0:
            self.app.exit()
        self._foot.update(self.t("watch.leaving", n=self._left))
        self._left -= 1


def places(view: game_pb2.GameView) -> list[tuple[int, int]]:
    """Return the seats with what they are worth, best first; 0 where no worth was counted."""
    scores = [*view.scores, *[0] * len(view.ranking)]
    return list(zip(view.ranking, scores, strict=False))


class WatchScreen(Screen[None]):
    """Draws a game; it changes nothing."""

    def __init__(self, game: SeenGame, teller: Teller, t: Texts, follow: Following) -> None:
        super().__init__()
        self.game = game
        self._teller = teller
        self._t = t
        self._following = follow
        self._said: dict[str, Text] = {}
        self._shown: tuple[int, object] = (-1, None)
        self._over = False
        self.fault: RefusedError | None = None

    def compose(self) -> ComposeResult:
        """Draw the parts."""
        game, teller, t = self.game, self._teller, self._t
        yield Horizontal(Static(id="title"), Static(id="link"), id="top")
        with Horizontal(id="body"):
            yield BoardList(game, teller)
            with Horizontal(id="side"):
                with Vertical(id="now"):
                    yield Auctions(game, teller, t)
                    yield Seats(game, teller, t)
                    yield Matters(game, teller, t)
                yield Log(t)
        yield Static(id="foot")

    def on_mount(self) -> None:
        """Begin to watch."""
        self.query_one(BoardList).border_title = self._t("watch.board")
        self.run_worker(self._follow(), name="follow")
        self.set_interval(TICK_SECONDS, self.tick)
        self.changed()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out for the size there is, or say that there is no room."""
        wide = event.size.width >= COLUMNS_WIDE
        self.query_one("#side").set_class(wide, "wide")
        small = event.size.width < COLUMNS_MIN or event.size.height < ROWS_MIN
        foot = self.query_one("#foot", Static)
        foot.set_class(small, "small")
        foot.update(
            Text(self._t("watch.small" if small else "watch.foot"), no_wrap=True, overflow="ellipsis")
        )
        self.call_after_refresh(self.changed)

    def changed(self) -> None:
        """Draw the game and the link anew."""
        if not self.is_running:
            return
        game = self.game
        self._teller.view = game.view
        self._say("#title", self._title())
        self._say("#link", self._link())
        stamp = (game.view.version, [one.auction for one in game.auctions])
        if stamp != self._shown:  # the board is the largest part, and changes with the view alone
            self._shown = stamp
            for board in self.query(BoardList):
                board.follow()
        for matters in self.query(Matters):
            matters.follow()
        self.tick()
        if game.is_over and game.version >= game.view.version and not self._over:
            self._over = True
            self.app.push_screen(Ranking(game, self._teller, self._t))

    def told(self, commit: game_pb2.PublicCommit) -> None:
        """Add a commit to what happened."""
        sentences = list(self._teller.commit(commit))
        for log in self.query(Log):
            log.tell(commit, sentences)

    def tick(self) -> None:
        """Count down."""
        for seats in self.query(Seats):
            seats.follow()
        for auctions in self.query(Auctions):
            auctions.follow()

    def on_key(self, event: events.Key) -> None:
        """Scroll or leave."""
        log, board, now = self.query_one(Log), self.query_one(BoardList), self.query_one("#now")
        keys: dict[str, Callable[[], None]] = {
            "up": lambda: log.scroll_up(animate=False),
            "down": lambda: log.scroll_down(animate=False),
            "pageup": lambda: log.scroll_page_up(animate=False),
            "pagedown": lambda: log.scroll_page_down(animate=False),
            "home": lambda: log.scroll_home(animate=False),
        }
        if event.key in keys:
            keys[event.key]()
        elif event.key in {"left", "right"}:
            for part in (board, now):
                part.scroll_relative(
                    y=part.size.height if event.key == "right" else -part.size.height, animate=False
                )
        elif event.key == "ctrl+c" or event.character in {"q", "Q", "й", "Й"}:
            self.app.exit()

    async def _follow(self) -> None:
        try:
            await self._following(self)
        except RefusedError as error:
            self.fault = error
            self.app.exit()

    def _say(self, place: str, text: Text) -> None:
        if self._said.get(place) != text:
            self._said[place] = text
            for line in self.query(place).results(Static):
                line.update(text)

    def _title(self) -> Text:
        game, t = self.game, self._t
        view, situation = game.view, game.situation
        parts = [view.title or view.ruleset.title or view.ruleset.id]
        if view.status == game_pb2.GAME_STATUS_OPEN:
            parts.append(t("watch.open"))
        elif game.is_over:
            parts.append(t("watch.over"))
        else:
            parts.append(t("watch.turn", turn=situation.turn, round=view.round))
            if situation.waiting_seats:
                parts.append(t("watch.waits", names=self._teller.all(situation.waiting_seats)))
        title = Text.assemble(
            (t("watch.title"), "bold"), "  ", (parts[0], "bold"), f" · {' · '.join(parts[1:])}"
        )
        title.no_wrap, title.overflow = True, "ellipsis"
        return title

    def _link(self) -> Text:
        game, t = self.game, self._t
        paused = game.view.status == game_pb2.GAME_STATUS_PAUSED
        if game.link != LIVE:
            return Text(f"○ {t(f'link.{game.link}')}", "bold reverse")
        return Text(f"● {t('link.paused')}", "bold") if paused else Text(f"● {t('link.live')}")
