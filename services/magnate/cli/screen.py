"""What a demo looks like while it goes on: a table of the players at a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol, Self

from magnate.cli.narrate import Narrator

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

    from magnate.bank.v1 import bank_pb2
    from magnate.game.v1 import game_pb2

LINES_SHOWN: Final = 12
FRAMES_PER_SECOND: Final = 10
PLAIN_EVERY_SECONDS: Final = 2.0
_SEAT: Final = "seat-"


class Scores:
    """Turn, cash, lots and buildings of every player, kept from the commits alone."""

    def __init__(self) -> None:
        self.narrator = Narrator()
        self.turn = 0
        self.round = 0
        self.version = 0
        self.events = 0
        self.cash: dict[int, int] = {}
        self.owner: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        self.out: set[int] = set()
        self.latest: deque[str] = deque(maxlen=LINES_SHOWN)

    def take(self, commit: game_pb2.PublicCommit) -> None:
        """Follow one commit."""
        self.version = commit.version
        self.events += len(commit.table_events) + len(commit.events) + len(commit.auction_events)
        self.latest.extend(self.narrator.commit(commit))
        for record in commit.ledger_records:
            self._money(record)
        for event in commit.events:
            kind = event.WhichOneof("kind")
            if kind == "turn_started":
                self.turn, self.round = event.turn_started.turn, event.turn_started.round
            elif kind == "lot_bought":
                self.owner[event.lot_bought.lot] = event.lot_bought.seat
            elif kind == "lot_auctioned":
                self.owner[event.lot_auctioned.lot] = event.lot_auctioned.winner
            elif kind == "lot_transferred":
                self.owner[event.lot_transferred.lot] = event.lot_transferred.to_seat
            elif kind == "seat_eliminated":
                self.out.add(event.seat_eliminated.seat)
            elif kind in {"buildings_built", "buildings_sold"}:
                for one in getattr(event, kind).levels:
                    self.levels[one.lot] = one.level
            elif kind == "building_placed":
                lot = event.building_placed.lot
                self.levels[lot] = self.levels.get(lot, 0) + 1

    def row(self, seat: int) -> tuple[str, int, int, int, bool]:
        """Return name, cash, lots, building levels, and whether the seat is out."""
        mine = [lot for lot, owner in self.owner.items() if owner == seat]
        built = sum(self.levels.get(lot, 0) for lot in mine)
        return self.narrator.who(seat), self.cash.get(seat, 0), len(mine), built, seat in self.out

    def _money(self, record: bank_pb2.Record) -> None:
        kind = record.WhichOneof("record")
        if kind == "entry_posted":
            entry = record.entry_posted
            self._move(entry.debit, entry.credit, entry.amount)
        elif kind == "hold_captured":
            captured = record.hold_captured
            self._move(captured.account, captured.to, captured.captured)

    def _move(self, debit: str, credit: str, amount: int) -> None:
        for account, change in ((debit, -amount), (credit, amount)):
            if account.startswith(_SEAT):
                seat = int(account.removeprefix(_SEAT))
                self.cash[seat] = self.cash.get(seat, 0) + change


class Screen(Protocol):
    """Shows the progress of one game."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(self, *_exc: object) -> None:
        """Show the end."""
        ...

    def show(self, scores: Scores) -> None:
        """Show where the game is, if it is time to."""
        ...


class PlainScreen:
    """A line now and then; to stderr where stdout carries JSON."""

    def __init__(self, *, json_mode: bool) -> None:
        self._file = sys.stderr if json_mode else sys.stdout
        self._next = 0.0
        self._last: Scores | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._last is not None:
            self._line(self._last)

    def show(self, scores: Scores) -> None:
        """Print a line if the last one is some time ago."""
        self._last = scores
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PLAIN_EVERY_SECONDS
            self._line(scores)

    def _line(self, scores: Scores) -> None:
        players = []
        for seat in range(len(scores.narrator.names)):
            name, cash, _, _, out = scores.row(seat)
            players.append(f"{name} {'out' if out else scores.narrator.money(cash)}")
        said = f"turn {scores.turn:>4}  commit {scores.version:>5}  {', '.join(players)}"
        print(said, file=self._file, flush=True)


class RichScreen:
    """A live table of the players and the latest events."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._live: Live | None = None
        self._scores = Scores()

    def __enter__(self) -> Self:
        from rich.live import Live

        self._live = Live(get_renderable=self._draw, refresh_per_second=FRAMES_PER_SECOND, transient=False)
        self._live.__enter__()
        return self

    def __exit__(self, *_exc: object) -> None:
        assert self._live is not None
        self._live.__exit__(None, None, None)

    def show(self, scores: Scores) -> None:
        """Note where the game is; the screen is drawn at its own pace."""
        self._scores = scores

    def _draw(self) -> RenderableType:
        from rich.console import Group
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        scores = self._scores
        title = f"{self._title}: turn {scores.turn}, round {scores.round}, commit {scores.version}"
        table = Table(title=title, title_justify="left", expand=False)
        table.add_column("player", min_width=12)
        for name in ("cash", "lots", "buildings"):
            table.add_column(name, justify="right", min_width=9)
        for seat in range(len(scores.narrator.names)):
            name, cash, lots, built, out = scores.row(seat)
            style = "dim" if out else ""
            shown = "out" if out else scores.narrator.money(cash)
            table.add_row(name, shown, str(lots), str(built), style=style)
        lines = Text("\n".join(scores.latest), no_wrap=True, overflow="ellipsis")
        return Group(table, Panel(lines, height=LINES_SHOWN + 2, title="latest", title_align="left"))


def screen(title: str, *, json_mode: bool) -> Screen:
    """Return the screen for where the output goes."""
    if not json_mode and sys.stdout.isatty():
        return RichScreen(title)
    return PlainScreen(json_mode=json_mode)
