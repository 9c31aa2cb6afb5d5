"""Plays one seat with a bot, as a separate client would: watch the game, act when it is asked to."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from magnate.client.session import RefusedError
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.client.bots.base import Bot
    from magnate.client.session import Session

_log = logging.getLogger("magnate.client.player")

REFUSALS_IN_A_ROW_MAX: Final = 50
REFUSED_WAIT_SECONDS: Final = 0.02

# A refusal at a newer version than was looked at is a lost race, whatever it says. So are these at any: of
# bids, which are judged where auctions are held, and of time, which passes without a new version.
LOST_RACES: Final = frozenset(
    {
        "NO_AUCTION", "AUCTION_CLOSED", "BID_TOO_LOW", "BID_EXCEEDS_FUNDS", "INSUFFICIENT_FUNDS",
        "ALREADY_LEADING", "ALREADY_PASSED", "NOT_A_BIDDER", "SEAT_OUT",
        "COMMAND_TOO_OLD", "DEADLINE_PASSED", "GAME_OVER", "GAME_PAUSED",
    }
)  # fmt: skip


class Player:
    """A bot on a seat. `commands` counts what was accepted, `refused` what was not, by reason.

    With a `connection` the seat is there, for all to see, as long as it plays.
    """

    def __init__(
        self, session: Session, game_id: str, seat: int, token: str, bot: Bot, connection: str = ""
    ) -> None:
        self._connection = connection
        self._session = session
        self._game_id = game_id
        self._seat = seat
        self._token = token
        self._bot = bot
        self.commands = 0
        self.refused: dict[str, int] = {}
        self._waiting = True
        self._over = False
        self._version = 0
        self._news = asyncio.Event()

    async def play(self, on_update: Callable[[game_pb2.WatchGameResponse], None] | None = None) -> None:
        """Play until the game is over; `on_update` sees every update of the game on the way.

        Raises:
            RefusedError: a refusal that no lost race explains, or too many in a row.
        """
        reader = asyncio.create_task(self._read(on_update))
        try:
            while not self._over:
                if self._waiting:
                    self._waiting = False
                    await self._move()
                    continue
                await self._wait(reader)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def _wait(self, reader: asyncio.Task[None]) -> None:
        self._news.clear()
        waker = asyncio.create_task(self._news.wait())
        await asyncio.wait({waker, reader}, return_when=asyncio.FIRST_COMPLETED)
        waker.cancel()
        if reader.done():
            reader.result()

    async def _read(self, on_update: Callable[[game_pb2.WatchGameResponse], None] | None) -> None:
        """Note what concerns this seat; of many commits that wait, one look serves all."""
        token = self._token if self._connection else ""
        updates = self._session.watch(self._game_id, token=token, connection=self._connection)
        async for update in updates:
            if on_update is not None:
                on_update(update)
            if self._concerns_me(update):
                self._waiting = True
            if self._waiting or self._over:
                self._news.set()

    def _concerns_me(self, update: game_pb2.WatchGameResponse) -> bool:
        if not update.HasField("commit"):
            return True  # nothing was missed; a look now and then costs little
        for event in update.commit.events:
            if event.HasField("game_ended"):
                self._over = True
            if event.HasField("offer_made") and event.offer_made.to_seat == self._seat:
                return True
        if update.situation.phase == vocabulary_pb2.PHASE_OVER:
            self._over = True
        if update.commit.version <= self._version:
            return False  # the answer to an own command told of it
        self._version = update.commit.version
        return self._seat in update.situation.waiting_seats

    async def _move(self) -> None:
        """Act as long as there is something to do."""
        refusals = 0
        while not self._over:
            seen = 0 if refusals else self._version  # after a refusal only the newest will do
            view, legal = await asyncio.gather(
                self._session.game(self._game_id, seen_version=seen, token=self._token),
                self._session.legal(self._game_id, self._seat, seen_version=seen, token=self._token),
            )
            if view.status == game_pb2.GAME_STATUS_OVER:
                self._over = True
                return
            if view.version != legal.version:
                continue
            self._version = max(self._version, view.version)
            if view.status != game_pb2.GAME_STATUS_RUNNING or view.seats[self._seat].out:
                return
            command = self._bot.choose(self._seat, view, legal.actions)
            if command is None:
                return
            try:
                answer = await self._session.act(self._game_id, self._token, command, view.version)
            except RefusedError as error:
                refusals += 1
                self._note(error, view.version, refusals)
                await asyncio.sleep(REFUSED_WAIT_SECONDS * (refusals > 1))
                continue
            refusals = 0
            self.commands += 1
            self._version = max(self._version, answer.version)
            if self._seat not in answer.situation.waiting_seats:
                return

    def _note(self, error: RefusedError, looked_at: int, refusals: int) -> None:
        """Raise the error, unless the game has moved on between looking and acting: then look again."""
        self.refused[error.reason] = self.refused.get(error.reason, 0) + 1
        lost_race = error.version > looked_at or error.reason in LOST_RACES
        if not lost_race or refusals > REFUSALS_IN_A_ROW_MAX:
            raise error
        _log.debug("seat %d lost a race: %s", self._seat, error.reason)
