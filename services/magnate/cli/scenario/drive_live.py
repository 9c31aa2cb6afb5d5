"""Runs scenarios on running services through the public API, with sandbox tables, as any client might."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import grpc

from magnate.cli.scenario.driver import (
    CannotRunError,
    Live,
    Refusal,
    Times,
    options_of,
    sandbox_of,
    start_of,
    times_in,
)
from magnate.cli.scenario.model import WATCHER
from magnate.client.session import RefusedError, Session, bearer
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from magnate.cli.scenario.model import Scenario
    from magnate.rules.v1 import vocabulary_pb2

WAIT_MS_MAX: Final = 120_000
"""The longest a live scenario may wait: here time passes for real."""
NOT_THERE: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
"""What a call answers when no server does."""
PASSED_MS_MAX: Final = 1500
"""How much less than expected a time may be, because it runs on while it is asked for."""
LATE_SECONDS_MAX: Final = 20.0
"""How late a deadline may be dealt with before that is a failure."""


class LiveDriver:
    """A sandbox table on a server (see `driver.Driver`)."""

    def __init__(self, address: str) -> None:
        self._session = Session(address)
        self.game_id = ""
        self._tokens: list[str] = []
        self._streams: dict[int, asyncio.Task[None]] = {}

    async def open(self, scenario: Scenario) -> None:
        """Open the table and seat the players."""
        table = scenario.table
        try:
            self.game_id = await self._session.create_game(
                ruleset=table.ruleset,
                board=table.board.id,
                seat_count=len(table.players),
                title=scenario.name[:80],
                options=options_of(scenario),
                sandbox=sandbox_of(scenario),
                start=start_of(scenario),
            )
            for name in table.players:
                self._tokens.append((await self._session.join(self.game_id, name)).token)
        except RefusedError as error:
            if error.code in NOT_THERE:
                raise
            raise CannotRunError(f"the table was refused: {error}") from None

    async def start(self) -> Refusal | None:
        """Begin."""
        return await _refusal(self._session.start(self.game_id, self._tokens[0]))

    async def act(self, seat: int, command: vocabulary_pb2.Command) -> Refusal | None:
        """Send a seat's command."""
        if command.pay_debt.by_card:
            raise CannotRunError("a payment by card comes from the bank's terminal, which no client is")
        return await _refusal(self._session.act(self.game_id, self._tokens[seat], command))

    async def pause(self, seat: int) -> Refusal | None:
        """Stop the clocks, as a seat wishes."""
        return await _refusal(self._session.pause(self.game_id, self._tokens[seat]))

    async def resume(self, seat: int) -> Refusal | None:
        """Let the clocks run on, as a seat wishes."""
        return await _refusal(self._session.resume(self.game_id, self._tokens[seat]))

    async def presence(self, seat: int, *, connected: bool) -> None:
        """Hold a stream of the seat open, or end it; return when the log says that it is there, or away."""
        if connected:
            self._streams[seat] = asyncio.create_task(self._hold(seat))
        elif seat in self._streams:
            stream = self._streams.pop(seat)
            stream.cancel()
            await asyncio.gather(stream, return_exceptions=True)
        view = await self._session.game(self.game_id)
        wanted = game_pb2.PRESENCE_CONNECTED if connected else game_pb2.PRESENCE_AWAY
        try:
            async with asyncio.timeout(LATE_SECONDS_MAX):
                async for update in self._session.watch(self.game_id, view.version):
                    if update.standing.seats and update.standing.seats[seat].presence == wanted:
                        return
        except TimeoutError:
            raise CannotRunError("nobody noticed that a seat came or went") from None

    async def _hold(self, seat: int) -> None:
        """Watch with the seat's token."""
        request = game_pb2.WatchGameRequest(game_id=self.game_id)
        async for _ in self._session.stub.WatchGame(request, metadata=bearer(self._tokens[seat])):
            pass

    async def grant(self, by_seat: int, seat: int, time_ms: int) -> Refusal | None:
        """Give a seat's running clock more time."""
        by_token = self._tokens[by_seat]
        return await _refusal(self._session.grant_time(self.game_id, by_token, seat, time_ms // 1000))

    async def times(self, seat: int) -> Times:
        """Return what a seat has of its clocks now: what a watch begins with says it."""
        view = await self._session.game(self.game_id)
        async for update in self._session.watch(self.game_id, view.version):
            if update.HasField("standing"):
                return times_in(update.standing, seat)
        raise CannotRunError("a watch says nothing of clocks")

    def is_time(self, found: object, expected: object) -> bool:
        """Say whether a time is the one expected, but for what went by meanwhile."""
        if isinstance(expected, bool) or not isinstance(expected, int) or not isinstance(found, int):
            return found == expected
        return expected - PASSED_MS_MAX <= found <= expected

    async def wait(self, by_ms: int | None) -> None:
        """Wait for real; then for what was due by then, as the watch stream tells it."""
        view = await self._session.game(self.game_id)
        now_ms = int(time.time() * 1000)
        if by_ms is None:
            pending = [one.due_time.ToMilliseconds() for one in view.deadlines if one.HasField("due_time")]
            if not pending:
                raise CannotRunError("nothing is pending, so there is no deadline to wait for")
            by_ms = max(0, min(pending) - now_ms)
        if by_ms > WAIT_MS_MAX:
            raise CannotRunError(
                f"would wait {by_ms // 1000} s for real; {WAIT_MS_MAX // 1000} s are allowed"
            )
        end_ms = now_ms + by_ms
        await asyncio.sleep(by_ms / 1000)
        try:
            async with asyncio.timeout(LATE_SECONDS_MAX):
                await self._settled(end_ms)
        except TimeoutError:
            raise CannotRunError(
                f"a deadline was not dealt with {LATE_SECONDS_MAX:g} s after it was due"
            ) from None

    async def records(self, after_version: int) -> list[game_pb2.ExportGameResponse]:
        """Return the stored records after a version."""
        return await self._session.export(self.game_id, after_version)

    async def live(self) -> Live:
        """Return what the server says."""
        view = await self._session.game(self.game_id)
        shown = view.situation.auction
        running = view.situation.HasField("auction")
        auction = (shown.auction, shown.lot, shown.leader, shown.price) if running else None
        return Live(view.version, view.state_hash, auction)

    async def legal(self, seat: int) -> set[str]:
        """Return the kinds of commands that a seat may send now."""
        listed = await self._session.legal(self.game_id, seat, token=self._tokens[seat])
        return {action.kind for action in listed.actions}

    async def view(self, viewer: int) -> game_pb2.GameView:
        """Return the game as it is shown to a seat, or to a watcher."""
        token = "" if viewer == WATCHER else self._tokens[viewer]
        return await self._session.game(self.game_id, token=token)

    async def close(self) -> None:
        """Close the connection."""
        for stream in self._streams.values():
            stream.cancel()
        await asyncio.gather(*self._streams.values(), return_exceptions=True)
        await self._session.__aexit__()

    async def _settled(self, end_ms: int) -> None:
        """Return when no deadline is pending that was due; woken by the watch stream."""
        view = await self._session.game(self.game_id)
        if not _has_due(view, end_ms):
            return
        async for update in self._session.watch(self.game_id, view.version):
            if update.HasField("commit") and not _has_due(await self._session.game(self.game_id), end_ms):
                return


def _has_due(view: game_pb2.GameView, end_ms: int) -> bool:
    return any(one.HasField("due_time") and one.due_time.ToMilliseconds() <= end_ms for one in view.deadlines)


async def _refusal(call: Awaitable[object]) -> Refusal | None:
    try:
        await call
    except RefusedError as error:
        return Refusal(error.reason, error.message)
    return None
