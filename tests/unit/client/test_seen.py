"""A game that is looked at: the server's time where the own one is wrong, one look for many commits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from magnate.client.seen import LIVE, LOST, SAMPLES, SeenGame, ServerClock
from magnate.client.session import RefusedError
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

NOON_MS = 1_800_000_000_000


def at(milliseconds: int) -> Timestamp:
    """Return a moment as the protos have it."""
    stamp = Timestamp()
    stamp.FromMilliseconds(milliseconds)
    return stamp


class Stopwatch:
    """A clock that runs when it is told to."""

    def __init__(self) -> None:
        self.seconds = 5.0

    def __call__(self) -> float:
        """Return the time."""
        return self.seconds


def test_the_servers_time_goes_on_by_the_stopwatch_alone() -> None:
    """Once it was told, it is carried on; nobody's time of day is asked."""
    watch = Stopwatch()
    clock = ServerClock(watch)
    assert (clock.is_known, clock.now_ms()) == (False, 0)
    clock.heard(at(NOON_MS))
    watch.seconds += 2.5
    assert clock.now_ms() == NOON_MS + 2_500
    assert clock.left_ms(at(NOON_MS + 4_000)) == 1_500
    watch.seconds += 60
    assert clock.left_ms(at(NOON_MS + 4_000)) == 0


def test_what_was_long_on_its_way_counts_less() -> None:
    """Of the last times heard the least old one; one that is older than those is forgotten."""
    watch = Stopwatch()
    clock = ServerClock(watch)
    clock.heard(at(NOON_MS - 900))  # it was on its way for so long
    assert clock.now_ms() == NOON_MS - 900
    clock.heard(at(NOON_MS - 20))
    clock.heard(at(NOON_MS - 3_000))
    assert clock.now_ms() == NOON_MS - 20
    for _ in range(SAMPLES):  # the server's clock was set back
        clock.heard(at(NOON_MS - 5_000))
    assert clock.now_ms() == NOON_MS - 5_000


def test_clocks_count_from_when_they_were_told() -> None:
    """Budget first, then the reserve; a clock that stands does not count."""
    watch = Stopwatch()
    game = SeenGame(game_pb2.GameView(), clock=ServerClock(watch))
    game.standing = game_pb2.Standing(server_time=at(NOON_MS))
    game.clock.heard(game.standing.server_time)
    runs = game_pb2.ClockView(kind="roll", seat=0, remaining_ms=150_000, budget_ms=90_000)
    stands = game_pb2.ClockView(kind="pay", seat=1, remaining_ms=9_000, budget_ms=9_000, stands=True)
    watch.seconds += 100
    assert game.clock_left_ms(runs) == (50_000, 0)
    assert game.clock_left_ms(stands) == (9_000, 9_000)
    watch.seconds += 100
    assert game.clock_left_ms(runs) == (0, 0)


def test_all_auctions_or_the_only_one() -> None:
    """A server that names them all, and one that knows one."""
    game = SeenGame(game_pb2.GameView())
    assert list(game.auctions) == []
    game.situation = game_pb2.Situation(auction=game_pb2.AuctionView(auction=1))
    assert [one.auction for one in game.auctions] == [1]
    several = [game_pb2.AuctionView(auction=number) for number in (2, 3)]
    game.situation = game_pb2.Situation(auction=several[0], auctions=several)
    assert [one.auction for one in game.auctions] == [2, 3]


class Server:
    """A session whose game goes on as it is told; commits that came before have no situation."""

    def __init__(self, commits: int, over_at: int) -> None:
        self.commits = commits
        self.over_at = over_at
        self.looks: list[int] = []

    async def watch(
        self, _game_id: str, after_version: int, *, lost: Callable[[], None]
    ) -> AsyncIterator[game_pb2.WatchGameResponse]:
        """Yield commits; break off once on the way."""
        for version in range(after_version + 1, self.commits + 1):
            if version == self.commits:
                lost()
                await asyncio.sleep(0)
            update = game_pb2.WatchGameResponse(commit=game_pb2.PublicCommit(version=version))
            if version == self.commits:
                update.situation.turn = version
            yield update
        await asyncio.get_running_loop().create_future()

    async def game(self, _game_id: str, *, seen_version: int, token: str) -> game_pb2.GameView:
        """Return the state of now."""
        assert token == "mine"
        self.looks.append(seen_version)
        over = game_pb2.GAME_STATUS_OVER if seen_version >= self.over_at else game_pb2.GAME_STATUS_RUNNING
        return game_pb2.GameView(version=seen_version, status=over)


class Seer:
    """Notes what it is told."""

    def __init__(self, game: SeenGame) -> None:
        self.game = game
        self.links: list[str] = []
        self.versions: list[int] = []

    def changed(self) -> None:
        """Note the link."""
        if not self.links or self.links[-1] != self.game.link:
            self.links.append(self.game.link)

    def told(self, commit: game_pb2.PublicCommit) -> None:
        """Note the version."""
        self.versions.append(commit.version)


def test_many_commits_are_one_look_and_each_is_told_once() -> None:
    """It ends by itself when the game is over and everything was told."""

    async def run() -> None:
        server: Any = Server(commits=40, over_at=40)
        game = SeenGame(game_pb2.GameView(game_id="g", version=3), "mine")
        seer = Seer(game)
        await asyncio.wait_for(game.follow(server, seer, 0), 10)
        assert seer.versions == list(range(1, 41))
        assert server.looks[-1] == 40
        assert len(server.looks) <= 2
        assert seer.links == [LIVE, LOST, LIVE]
        assert (game.is_over, game.situation.turn) == (True, 40)

    asyncio.run(run())


def test_a_server_that_is_away_is_waited_for() -> None:
    """A look that fails because nobody answers is made again; one that is refused ends it all."""

    class Away(Server):
        """Refuses the first looks."""

        codes = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

        async def game(self, game_id: str, *, seen_version: int, token: str) -> game_pb2.GameView:
            """Refuse, then answer."""
            if len(self.looks) < len(self.codes):
                self.looks.append(0)
                raise RefusedError(self.codes[len(self.looks) - 1], "X", "away")
            return await super().game(game_id, seen_version=seen_version, token=token)

    class Damaged(Away):
        """Never answers again."""

        codes = (grpc.StatusCode.DATA_LOSS, grpc.StatusCode.DATA_LOSS)

    async def run() -> None:
        server: Any = Away(commits=5, over_at=5)
        game = SeenGame(game_pb2.GameView(game_id="g", version=3), "mine")
        await asyncio.wait_for(game.follow(server, Seer(game), 0), 10)
        assert game.is_over
        damaged: Any = Damaged(commits=5, over_at=5)
        game = SeenGame(game_pb2.GameView(game_id="g", version=3), "mine")
        with pytest.raises(RefusedError):
            await asyncio.wait_for(game.follow(damaged, Seer(game), 0), 10)

    asyncio.run(run())


def test_a_game_that_was_over_is_told_to_its_end() -> None:
    """Nothing is asked again, and all that there was is told."""

    async def run() -> None:
        server: Any = Server(commits=5, over_at=5)
        view = game_pb2.GameView(game_id="g", version=5, status=game_pb2.GAME_STATUS_OVER)
        game = SeenGame(view, "mine")
        seer = Seer(game)
        await asyncio.wait_for(game.follow(server, seer, 2), 10)
        assert (seer.versions, server.looks) == ([3, 4, 5], [])

    asyncio.run(run())
