"""What is on the table now: a game followed over reconnects, and the server's time to count its clocks by."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final, Protocol

from magnate.client.session import RefusedError, is_passing
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.protobuf.timestamp_pb2 import Timestamp

    from magnate.client.session import Session

CONNECTING: Final = "connecting"
LIVE: Final = "live"
LOST: Final = "lost"

SAMPLES: Final = 16
LOOK_SECONDS_MIN: Final = 0.1
"""Between two looks at the whole state: a game of bots has hundreds of commits a second."""


class ServerClock:
    """The server's time, carried on by a clock that nobody sets; this machine's time of day is never asked.

    Each time that the server tells is a little old when it is here, so the least old of the last ones counts.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._ahead: deque[float] = deque(maxlen=SAMPLES)

    def heard(self, server_time: Timestamp) -> None:
        """Take a time that the server has just told."""
        self._ahead.append(server_time.ToMilliseconds() - self._monotonic() * 1000)

    @property
    def is_known(self) -> bool:
        """Whether the server has told a time yet."""
        return bool(self._ahead)

    def now_ms(self) -> int:
        """Return the server's time, milliseconds since the epoch; 0 while it is not known."""
        return round(max(self._ahead) + self._monotonic() * 1000) if self._ahead else 0

    def left_ms(self, due_time: Timestamp) -> int:
        """Return how long it is until a moment of the server's time, at least 0."""
        return max(0, due_time.ToMilliseconds() - self.now_ms())


class Seer(Protocol):
    """Who looks at a game."""

    def changed(self) -> None:
        """Draw the game and the link anew."""
        ...

    def told(self, commit: game_pb2.PublicCommit) -> None:
        """Take the next commit: each comes once and in order."""
        ...


class SeenGame:
    """A game that somebody looks at.

    `view` is the whole state as the caller's token shows it, a moment behind `situation` and `standing`,
    which come with the watch. The token is shown for the view only: whoever looks on takes no seat's place.
    """

    def __init__(self, view: game_pb2.GameView, token: str = "", clock: ServerClock | None = None) -> None:
        self.view = view
        self.token = token
        self.clock = clock or ServerClock()
        self.situation = view.situation
        self.standing = game_pb2.Standing()
        self.link = CONNECTING
        self.version = 0
        self._stale = asyncio.Event()

    @property
    def auctions(self) -> Sequence[game_pb2.AuctionView]:
        """The running auctions, in the order of opening."""
        situation = self.situation
        if situation.auctions or not situation.HasField("auction"):
            return situation.auctions
        return [situation.auction]

    def own_secrets(self, number: int) -> tuple[int, int]:
        """Return the sealed bid and the ceiling that the token's seat has at an auction; 0: none."""
        mine = next((one for one in self.view.situation.auctions if one.auction == number), None)
        return (0, 0) if mine is None else (mine.own_bid, mine.own_ceiling)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, and its ranking is known."""
        return self.view.status == game_pb2.GAME_STATUS_OVER

    def clocks(self, seat: int) -> list[game_pb2.ClockView]:
        """Return the clocks of a seat's decisions; of nobody's own for -1."""
        return [one for one in self.standing.clocks if one.seat == seat]

    def seat_standing(self, seat: int) -> game_pb2.SeatStanding:
        """Return whether a seat is there and what time it has."""
        return next(
            (one for one in self.standing.seats if one.seat == seat), game_pb2.SeatStanding(seat=seat)
        )

    def clock_left_ms(self, clock: game_pb2.ClockView) -> tuple[int, int]:
        """Return what is left of a clock in all, and before the reserve is used."""
        gone = 0
        if not clock.stands and self.clock.is_known:
            gone = max(0, self.clock.now_ms() - self.standing.server_time.ToMilliseconds())
        return max(0, clock.remaining_ms - gone), max(0, clock.budget_ms - gone)

    async def follow(self, session: Session, seer: Seer, after_version: int) -> None:
        """Keep the game as it is at the server, until it is over and all was told.

        Raises:
            RefusedError: the server does not let this caller look, or what it has is damaged.
        """
        self.version = after_version
        looking = asyncio.create_task(self._look(session, seer))
        reading = asyncio.create_task(self._read(session, seer))
        try:
            done, _ = await asyncio.wait({looking, reading}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (looking, reading):
                task.cancel()
            await asyncio.gather(looking, reading, return_exceptions=True)

    async def _read(self, session: Session, seer: Seer) -> None:
        def lost() -> None:
            self.link = LOST
            seer.changed()

        async for update in session.watch(self.view.game_id, self.version, lost=lost):
            self._take(update, seer)
            seer.changed()

    def _take(self, update: game_pb2.WatchGameResponse, seer: Seer) -> None:
        self.link = LIVE
        if update.HasField("standing"):
            self.standing = update.standing
            self.clock.heard(update.standing.server_time)
        if update.HasField("now"):
            self.situation = update.now.situation
        elif update.HasField("situation"):
            self.situation = update.situation
        if update.now.HasField("situation"):
            self.situation = update.now.situation
        if update.HasField("heartbeat"):
            self.clock.heard(update.heartbeat.server_time)
        if update.HasField("commit"):
            self.version = update.commit.version
            seer.told(update.commit)
        # Only the newest commit has a situation: of a hundred that were missed, one look serves all.
        if update.HasField("situation") or self.version >= self.view.version:
            self._stale.set()

    async def _look(self, session: Session, seer: Seer) -> None:
        while not (self.is_over and self.version >= self.view.version):
            await self._stale.wait()
            self._stale.clear()
            if self.version > self.view.version:
                try:
                    self.view = await session.game(
                        self.view.game_id, seen_version=self.version, token=self.token
                    )
                except RefusedError as error:
                    if not is_passing(error):
                        raise
                    self._stale.set()  # the server is away: the watch waits for it, and so does this
                seer.changed()
                await asyncio.sleep(LOOK_SECONDS_MIN)
