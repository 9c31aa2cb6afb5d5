"""How a game looks that is watched: at 80 by 24 to the letter, wide, small, over; readable in any colours.

After a wanted change: MAGNATE_WRITE_SCREENS=1 pytest this file, and look at what `git diff` shows.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from magnate.client.seen import LOST
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.colours import unreadable
from tests.support.watch_window import WatchWindow, a_game, at, two_auctions, watching

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.asyncio

SCREENS: Final = Path(__file__).parent / "screens"
EVENT: Final = vocabulary_pb2.Event
AUCTION_EVENT: Final = vocabulary_pb2.AuctionEvent


@pytest.fixture(autouse=True)
def _greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


class Stopwatch:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds


def commits() -> list[game_pb2.PublicCommit]:
    """Return what happened last."""
    bought = EVENT(lot_bought=vocabulary_pb2.LotBought(seat=2, lot=39, price=400))
    opened = AUCTION_EVENT(
        auction_opened=vocabulary_pb2.AuctionOpened(auction=1, lot=39, bidders=[0, 1, 2], close_ms=30_000)
    )
    bid = AUCTION_EVENT(bid_placed=vocabulary_pb2.BidPlaced(auction=1, seat=1, amount=320))
    called = AUCTION_EVENT(auction_called=vocabulary_pb2.AuctionCalled(auction=1, count=2))
    return [
        game_pb2.PublicCommit(version=6, time=at(-180_000), events=[bought]),
        game_pb2.PublicCommit(version=7, time=at(-60_000), auction_events=[opened]),
        game_pb2.PublicCommit(version=8, time=at(-30_000), auction_events=[bid]),
        game_pb2.PublicCommit(version=9, time=at(0), auction_events=[called]),
    ]


def check(name: str, one: WatchWindow, size: tuple[int, int] = (80, 24)) -> None:
    """Compare the screen with the one that is kept."""
    shown = re.sub(r"in \d\d s", "in 60 s", "\n".join(one.lines())) + "\n"
    kept = SCREENS / f"{name}.txt"
    if os.environ.get("MAGNATE_WRITE_SCREENS"):
        kept.write_text(shown, encoding="utf-8")
    assert shown == kept.read_text(encoding="utf-8"), shown
    assert len(one.lines()) == size[1]
    assert max(len(line) for line in one.lines()) <= size[0]


@pytest.mark.parametrize("language", ["en", "ru", "fr"])
async def test_an_evening(language: str) -> None:
    """Board, money, clocks, who is away, a debt and an offer."""
    async with watching(a_game(Stopwatch()), commits(), language=language) as one:
        check(f"watch-{language}", one)
        assert not unreadable(one.app)


async def test_a_reserve_that_is_used_is_one_clock() -> None:
    """Who has a minute of reserve left to act has not a minute to act and one of reserve."""
    watch = Stopwatch()
    async with watching(a_game(watch)) as one:
        await one.shows("1:05 to act · reserve 1:00")
        watch.seconds += 70
        await one.shows("reserve 0:55 to act")
        assert one.text().count("0:55") == 1
        assert "reserve 1:00" not in one.text()


async def test_auctions_and_their_countdown() -> None:
    """Two at once, by the server's time; the stopwatch moves them, nobody's time of day does."""
    watch = Stopwatch()
    game = a_game(watch)
    game.situation.auctions.extend(two_auctions())
    async with watching(game, commits()) as one:
        await one.shows("7.4 going twice", "1:15")
        check("watch-auctions", one)
        assert not unreadable(one.app)
        watch.seconds += 5
        await one.shows("2.4 going twice", "1:10", "1:00 to act")
        watch.seconds += 3
        await one.shows("closing going twice")
        game.situation.auctions[0].close_time.CopyFrom(at(20_000))
        game.situation.auctions[0].calls = 0
        one.screen.changed()
        await one.shows("0:12")
        assert "going" not in "".join(one.lines()[:18])


@pytest.mark.parametrize("columns", [120, 150])
async def test_wide(columns: int) -> None:
    """What happened has a column in which sentences can be read; names are longer where there is room."""
    game = a_game(Stopwatch())
    game.situation.auctions.extend(two_auctions())
    size = (columns, 40)
    async with watching(game, commits(), size=size) as one:
        await one.shows("going twice")
        check(f"watch-{columns}", one, size)


async def test_what_ones_own_seat_has_bid_in_secret() -> None:
    """With its token: the sealed bid, the ceiling; they come with the view, not with the watch."""
    game = a_game(Stopwatch())
    game.situation.auctions.extend(two_auctions())
    async with watching(game) as one:
        assert "your" not in one.text()
        secrets = [
            game_pb2.AuctionView(auction=1, own_ceiling=900),
            game_pb2.AuctionView(auction=2, own_bid=77),
        ]
        game.view.situation.ClearField("auctions")
        game.view.situation.auctions.extend(secrets)
        await one.shows("bids for you up to $900", "your sealed bid: $77")


async def test_of_a_long_name_the_price_is_read() -> None:
    """Who leads is cut, not what he has bid; what each bid costs is said."""
    game = a_game(Stopwatch())
    (auction,) = two_auctions()[:1]
    auction.leader, auction.price, auction.terms.fee = 2, 1_234, 5
    auction.next_minimum = 1_235
    game.situation.auctions.append(auction)
    async with watching(game) as one:
        await one.shows("Konstantin-… leads with $1,234", "next bid from $1,235", "each bid costs $5")


async def test_a_falling_price_and_turns() -> None:
    """The price of a Dutch auction follows from its clock; where bids go by turn, it is said whose it is."""
    watch = Stopwatch()
    game = a_game(watch)
    dutch = vocabulary_pb2.AuctionOpened(
        auction=1, lot=12, bidders=[0, 1], mode=4, close_ms=50_000, minimum=40,
        dutch_start=200, dutch_step=10, dutch_tick_ms=3_000,
    )  # fmt: skip
    by_turn = vocabulary_pb2.AuctionOpened(auction=2, lot=6, bidders=[0, 1], by_turn=True)
    views: list[dict[str, Any]] = [
        {"auction": 1, "lot": 12, "leader": -1, "terms": dutch, "close_time": at(44_000), "turn_seat": -1},
        {"auction": 2, "lot": 6, "leader": -1, "terms": by_turn, "close_time": at(9_000), "turn_seat": 0},
    ]
    game.situation.auctions.extend(game_pb2.AuctionView(bidders=[0, 1], **view) for view in views)
    async with watching(game, size=(100, 40)) as one:
        await one.shows("now $180", "the price falls until taken", "it is Ada’s turn")
        watch.seconds += 3
        await one.shows("now $170")
        watch.seconds += 40
        await one.shows("now $40")
        game.situation.auctions[0].ClearField(
            "close_time"
        )  # a pause: its price is the one that the server says
        game.situation.auctions[0].next_minimum = 170
        await one.shows("paused", "now $170")


async def test_a_cut_and_a_pause() -> None:
    """Both are said, and a paused auction counts down nothing."""
    watch = Stopwatch()
    game = a_game(watch)
    game.situation.auctions.extend(two_auctions()[:1])
    async with watching(game) as one:
        game.link = LOST
        one.screen.changed()
        await one.shows("○ No network")
        game.link = "live"
        game.view.status = game_pb2.GAME_STATUS_PAUSED
        game.situation.auctions[0].ClearField("close_time")
        one.screen.changed()
        await one.shows("● Paused", "Boardwalk                paused")


async def test_it_ends_with_the_ranking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Best first, over the board; Enter leaves."""
    monkeypatch.setattr("magnate.cli.watch.screen.LEAVING_SECONDS", 60)
    game = a_game(Stopwatch())
    async with watching(game, commits()) as one:
        game.view.status = game_pb2.GAME_STATUS_OVER
        game.view.ranking.extend([2, 0, 1])
        game.view.scores.extend([2_400, 1_800, 0])
        one.screen.changed()
        await one.shows("The game is over", "1. ", "$2,400", "Enter leaves")
        check("watch-over", one)
        assert not unreadable(one.app)
        one.press("enter")
        await one.until(lambda: not one.app.is_running, "that it ends")


async def test_it_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to be there."""
    monkeypatch.setattr("magnate.cli.watch.screen.LEAVING_SECONDS", 1)
    game = a_game(Stopwatch())
    async with watching(game, commits()) as one:
        game.view.status = game_pb2.GAME_STATUS_OVER
        one.screen.changed()
        await one.until(lambda: not one.app.is_running, "that it ends")


async def test_a_small_window() -> None:
    """It says how large it has to be, and draws itself anew when it is."""
    async with watching(a_game(Stopwatch()), size=(60, 20)) as one:
        await one.shows("This window is too small: 80 × 24 is needed.")
        await one.pilot.resize_terminal(100, 30)
        await one.shows("PgUp PgDn: what happened", "Pennsylvania Ra")


async def test_names_are_never_markup() -> None:
    """What people type is shown as they typed it."""
    game = a_game(Stopwatch())
    game.view.seats[0].name = "[red]Ada[/]"
    game.view.title = "[b]Friday"
    async with watching(game, commits()) as one:
        await one.shows("[red]Ada[/]", "[b]Friday")


@pytest.mark.parametrize("no_color", ["", "1"])
async def test_everything_can_be_read(monkeypatch: pytest.MonkeyPatch, no_color: str) -> None:
    """Letters stand out from what the window paints behind them, with colours and without."""
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    game = a_game(Stopwatch())
    game.situation.auctions.extend(two_auctions())
    async with watching(game, commits(), size=(150, 40)) as one:
        assert one.app.no_color == bool(no_color)
        await one.shows("going twice")
        assert not unreadable(one.app)
