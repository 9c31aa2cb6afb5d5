"""Plays one seat with a bot, as a separate client would: watch the game, act when there is something to do."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from magnate.client.session import RefusedError
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from magnate.client.bots.base import Bot
    from magnate.client.session import Session

_log = structlog.get_logger("magnate.client.player")

# The game moved on between looking and acting: look again.
_LOST_RACES: Final = frozenset(
    {
        "NOT_YOUR_TURN", "WRONG_PHASE", "ALREADY_PASSED", "ALREADY_LEADING", "BID_TOO_LOW", "BID_EXCEEDS_FUNDS",
        "NO_AUCTION", "AUCTION_CLOSED", "OFFER_STALE", "UNKNOWN_OFFER", "INSUFFICIENT_FUNDS", "NOT_A_BIDDER",
        "MUST_PAY_FIRST", "NO_HOUSES_LEFT", "NO_HOTELS_LEFT", "SEAT_OUT", "GAME_OVER", "NOT_IN_DEBT",
        "NO_CHOICE_PENDING", "GAME_PAUSED", "MORTGAGED", "NOT_OWNER", "CAN_STILL_PAY", "GROUP_BUILT",
        "COMMAND_TOO_OLD",
    }
)  # fmt: skip


class Player:
    """A bot on a seat. `commands` counts what was accepted."""

    def __init__(self, session: Session, game_id: str, seat: int, token: str, bot: Bot) -> None:
        self._session = session
        self._game_id = game_id
        self._seat = seat
        self._token = token
        self._bot = bot
        self.commands = 0
        self.refused: dict[str, int] = {}

    async def play(self, on_commit: Callable[[game_pb2.PublicCommit], None] | None = None) -> None:
        """Play until the game is over."""
        updates = _newest(self._session.watch(self._game_id), on_commit)
        async for _ in updates:
            if await self._move():
                return

    async def _move(self) -> bool:
        """Act as long as there is something to do; True when the game is over."""
        while True:
            view = await self._session.game(self._game_id)
            if view.status == game_pb2.GAME_STATUS_OVER:
                return True
            if view.status != game_pb2.GAME_STATUS_RUNNING or view.seats[self._seat].out:
                return False
            legal = await self._session.legal(self._game_id, self._seat)
            command = self._bot.choose(self._seat, view, legal.actions)
            if command is None:
                return False
            try:
                await self._session.act(self._game_id, self._token, command, view.version)
                self.commands += 1
            except RefusedError as error:
                self.refused[error.reason] = self.refused.get(error.reason, 0) + 1
                if error.reason not in _LOST_RACES:
                    raise
                _log.debug("lost a race", seat=self._seat, reason=error.reason)
                if legal.version == view.version:
                    return False


async def _newest(
    updates: AsyncIterator[game_pb2.WatchGameResponse],
    on_commit: Callable[[game_pb2.PublicCommit], None] | None,
) -> AsyncIterator[game_pb2.WatchGameResponse]:
    """Yield updates as they come, but of those that wait already only the newest."""
    waiting: list[game_pb2.WatchGameResponse] = []
    ready = asyncio.Event()

    async def read() -> None:
        async for update in updates:
            if on_commit is not None and update.HasField("commit"):
                on_commit(update.commit)
            waiting[:] = [update]
            ready.set()

    reader = asyncio.create_task(read())
    try:
        while True:
            waker = asyncio.create_task(ready.wait())
            await asyncio.wait({waker, reader}, return_when=asyncio.FIRST_COMPLETED)
            waker.cancel()
            if reader.done():
                reader.result()
                return
            ready.clear()
            yield waiting[0]
    finally:
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
