"""A window of `magnate watch` without a window, and a game for it to show."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from google.protobuf.timestamp_pb2 import Timestamp
from textual.events import Key

from magnate.cli.terminal.texts import Texts
from magnate.cli.watch.app import WatchApp
from magnate.cli.watch.teller import Teller
from magnate.client.seen import LIVE, SeenGame, ServerClock
from magnate.game.setup_codec import encode_board
from magnate.game.v1 import game_pb2
from magnate.rules.loader import Library
from magnate.rules.v1 import setup_pb2, vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from textual.pilot import Pilot

    from magnate.cli.watch.screen import WatchScreen

NOON_MS: Final = 1_796_040_000_000
WAIT_SECONDS: Final = 20.0


def at(milliseconds: int) -> Timestamp:
    """Return a moment so long after noon, by the server."""
    stamp = Timestamp()
    stamp.FromMilliseconds(NOON_MS + milliseconds)
    return stamp


class WatchWindow:
    """A game that somebody watches; `watch` is the stopwatch of the machine."""

    def __init__(self, app: WatchApp, pilot: Pilot[None], game: SeenGame) -> None:
        self.app = app
        self.pilot = pilot
        self.game = game

    @property
    def screen(self) -> WatchScreen:
        """The screen of the game."""
        return self.app.watching

    def lines(self) -> list[str]:
        """Return what stands on the screen, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def text(self) -> str:
        """Return what stands on the screen."""
        return "\n".join(self.lines()).replace("\u00a0", " ")

    async def until(self, holds: Callable[[], bool], what: str = "") -> None:
        """Wait until something is so."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                while not holds():  # noqa: ASYNC110 - it is about a screen, which tells nobody
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(f"never came: {what}\n{self.text()}") from None

    async def shows(self, *texts: str) -> None:
        """Wait until all of these stand on the screen."""
        await self.until(lambda: all(one in self.text() for one in texts), repr(texts))

    async def idle(self) -> None:
        """Wait until the window has drawn what it was told."""
        await self.pilot.pause()
        await self.pilot.pause()

    def press(self, key: str) -> None:
        """Press a key of the keyboard."""
        self.app.post_message(Key(key, key if len(key) == 1 else None))


@contextlib.asynccontextmanager
async def watching(
    game: SeenGame,
    commits: Sequence[game_pb2.PublicCommit] = (),
    *,
    language: str = "en",
    size: tuple[int, int] = (80, 24),
) -> AsyncIterator[WatchWindow]:
    """Show a game after these commits; nothing more comes by itself."""
    texts = Texts(language)

    async def follow(screen: WatchScreen) -> None:
        game.link = LIVE
        for commit in commits:
            game.version = commit.version
            screen.told(commit)
        screen.changed()
        await asyncio.get_running_loop().create_future()

    app = WatchApp(game, Teller(game.view, texts), texts, follow)
    async with app.run_test(size=size) as pilot:
        one = WatchWindow(app, pilot, game)
        await one.until(lambda: game.link == LIVE, "the first word")
        await asyncio.sleep(0.06)  # the log is drawn a moment later, once for many commits
        await one.idle()
        yield one


def a_game(stopwatch: Callable[[], float], **fields: Any) -> SeenGame:
    """Return a game of three in the middle of an evening: buildings, mortgages, a debt, an offer."""
    lots = {
        1: (0, 3, False), 3: (0, 5, False), 5: (1, 0, True), 6: (1, 0, False), 39: (2, 0, False),
        12: (-1, 0, False),
    }  # fmt: skip
    view = game_pb2.GameView(
        game_id="1-0-000000000000000000000001",
        version=9,
        status=game_pb2.GAME_STATUS_RUNNING,
        title="Friday",
        ruleset=setup_pb2.RuleSet(id="classic", title="Classic"),
        board=encode_board(Library().load_board("classic-us")),
        seat_count=3,
        seats=[
            game_pb2.SeatView(seat=0, name="Ada", cash=1_240, at=24, held=320),
            game_pb2.SeatView(seat=1, name="Boris", cash_hidden=True, at=10, jailed=True),
            game_pb2.SeatView(seat=2, name="Konstantin-Alexandre", cash=75, at=24),
        ],
        lots=[
            game_pb2.LotView(lot=lot, owner=owner, level=level, mortgaged=mortgaged)
            for lot, (owner, level, mortgaged) in sorted(lots.items())
        ],
        debts=[vocabulary_pb2.OpenDebt(debtor=2, creditor=0, amount=90, lot=-1)],
        offers=[
            vocabulary_pb2.OfferMade(
                offer=3, from_seat=1, to_seat=0, terms=vocabulary_pb2.Terms(give_cash=50, take_lots=[1])
            )
        ],
        round=7,
        situation=game_pb2.Situation(turn=21, turn_seat=0, waiting_seats=[0]),
        **fields,
    )
    game = SeenGame(view, clock=ServerClock(stopwatch))
    game.standing = a_standing()
    game.clock.heard(game.standing.server_time)
    return game


def a_standing() -> game_pb2.Standing:
    """Return clocks of all kinds, told at noon: one runs, one stands, one is nobody's own; who is there."""
    return game_pb2.Standing(
        server_time=at(0),
        clocks=[
            game_pb2.ClockView(kind="roll", seat=0, remaining_ms=125_000, budget_ms=65_000),
            game_pb2.ClockView(kind="pay", seat=2, remaining_ms=30_000, budget_ms=30_000, stands=True),
            game_pb2.ClockView(kind="time", seat=-1, remaining_ms=3_000_000, budget_ms=3_000_000),
        ],
        seats=[
            game_pb2.SeatStanding(seat=0, presence=game_pb2.PRESENCE_CONNECTED, reserve_ms=60_000),
            game_pb2.SeatStanding(
                seat=1, presence=game_pb2.PRESENCE_AWAY, since_time=at(-42_000), allowance_ms=258_000
            ),
            game_pb2.SeatStanding(seat=2, presence=game_pb2.PRESENCE_UNKNOWN, stand_in=True),
        ],
    )


def two_auctions() -> list[game_pb2.AuctionView]:
    """Return an open auction that is going twice, and a sealed one."""
    return [
        game_pb2.AuctionView(
            auction=1, lot=39, leader=1, price=320, next_minimum=330, bidders=[0, 1], calls=2, extensions=2,
            close_time=at(7_400), turn_seat=-1,
            terms=vocabulary_pb2.AuctionOpened(auction=1, lot=39, bidders=[0, 1, 2], close_ms=30_000),
        ),
        game_pb2.AuctionView(
            auction=2, lot=12, leader=-1, bidders=[0, 1, 2], sealed_seats=[0, 2], close_time=at(75_000),
            turn_seat=-1,
            terms=vocabulary_pb2.AuctionOpened(auction=2, lot=12, bidders=[0, 1, 2], mode=3, close_ms=90_000),
        ),
    ]  # fmt: skip
