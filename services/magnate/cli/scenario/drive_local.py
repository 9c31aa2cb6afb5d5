"""Runs scenarios on the four services in this process, on the log in memory, with a clock moved by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.cli.local import LocalServices
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
from magnate.game.acting import TERMINAL, NotActed
from magnate.game.domain.attendance import ANYBODY, Sighting
from magnate.game.domain.table import RUNNING
from magnate.game.requests import read_command, read_new_table
from magnate.game.sight import hidden_seats, seen
from magnate.game.standing_view import put_standing
from magnate.game.v1 import game_pb2
from magnate.game.view import game_view
from magnate.kit.errors import KitError
from magnate.kit.rpc.call import ANONYMOUS, Principal
from magnate.kit.transact_types import Refused
from magnate.rules import plain
from magnate.rules.legal import legal_actions

if TYPE_CHECKING:
    from magnate.cli.scenario.model import Scenario
    from magnate.game.acting import Outcome
    from magnate.game.service import Result
    from magnate.game.state import GameState
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.rules.v1 import vocabulary_pb2


_BOOT: Final = "scenario"
"""What stands for the process that holds the seats' streams."""
_TERMINAL: Final = Principal("peer", service=TERMINAL)


class LocalDriver:
    """A table in this process (see `driver.Driver`)."""

    def __init__(self) -> None:
        self.services = LocalServices()
        self._game = self.services.game
        self.game_id = self._game.service.game_id("scenario", "table")
        self._sent = 0

    async def open(self, scenario: Scenario) -> None:
        """Open the table and seat the players."""
        table = scenario.table
        asked = game_pb2.CreateGameRequest(
            ruleset=table.ruleset,
            board=table.board.id,
            seat_count=len(table.players),
            options=[
                game_pb2.OptionSetting(name=name, value=value) for name, value in options_of(scenario).items()
            ],
            sandbox=sandbox_of(scenario),
            start=start_of(scenario),
        )
        service = self._game.service
        opened = await service.create(self.game_id, self._command("scenario"), read_new_table(asked))
        _done(opened, "opening the table")
        for name in table.players:
            joined = await service.join(self.game_id, self._command("scenario"), name, b"")
            _done(joined, f"seating {name}")

    async def start(self) -> Refusal | None:
        """Begin."""
        return _refusal(await self._game.service.start(self.game_id, self._command("seat-0")))

    async def act(self, seat: int, command: vocabulary_pb2.Command) -> Refusal | None:
        """Send a seat's command as the API takes it; a payment by card comes from the bank's terminal."""
        self._sent += 1
        request = game_pb2.ActRequest(game_id=self.game_id, command_id=f"step-{self._sent}", command=command)
        now_ms = self.services.clock.now_ms()
        acting = self._game.acting
        try:
            if command.pay_debt.by_card:
                outcome: Outcome = await acting.act_for(request, seat, _TERMINAL, now_ms)
            else:
                caller = Principal("seat", game_id=self.game_id, seat=seat)
                outcome = await acting.act(request, caller, now_ms)
        except KitError as error:
            return Refusal(error.reason, str(error))
        if isinstance(outcome, NotActed):
            return Refusal(outcome.rejection.name, outcome.rejection.detail)
        return None

    async def pause(self, seat: int) -> Refusal | None:
        """Stop the clocks, as a seat wishes."""
        command = self._command(f"seat-{seat}")
        return _refusal(await self._game.attendance.pause(self.game_id, command, seat))

    async def resume(self, seat: int) -> Refusal | None:
        """Let the clocks run on, as a seat wishes."""
        command = self._command(f"seat-{seat}")
        return _refusal(await self._game.attendance.resume(self.game_id, command, seat))

    async def presence(self, seat: int, *, connected: bool) -> None:
        """Let a seat come, or go away."""
        sight = Sighting(seat, f"{_BOOT}.{seat}", ANYBODY) if connected else Sighting(seat, "", _BOOT)
        noted = await self._game.attendance.note(self.game_id, _BOOT, [sight])
        if noted is not None:
            _done(noted, "noting who is there")

    async def grant(self, by_seat: int, seat: int, time_ms: int) -> Refusal | None:
        """Give a seat's running clock more time."""
        command = self._command(f"seat-{by_seat}")
        attendance = self._game.attendance
        return _refusal(await attendance.grant(self.game_id, command, by_seat, seat, time_ms))

    async def times(self, seat: int) -> Times:
        """Return what a seat has of its clocks now."""
        standing = game_pb2.Standing()
        put_standing((await self._loaded()).state, self.services.clock.now_ms(), standing)
        return times_in(standing, seat)

    def is_time(self, found: object, expected: object) -> bool:
        """Say whether a time is the one expected, to the millisecond."""
        return found == expected

    async def wait(self, by_ms: int | None) -> None:
        """Move the clock; deadlines fire on the way."""
        if by_ms is None:
            pending = await self.services.pending(self.game_id)
            if not pending:
                raise CannotRunError("nothing is pending, so there is no deadline to wait for")
            by_ms = max(0, pending[0].due_ms - self.services.clock.now_ms())
        await self.services.advance(self.game_id, by_ms)

    async def records(self, after_version: int) -> list[game_pb2.ExportGameResponse]:
        """Return the stored records after a version."""
        return [record async for record in self._game.watch.export(self.game_id, after_version)]

    async def live(self) -> Live:
        """Return what the game service holds."""
        loaded = await self._loaded()
        state = seen(loaded.state)
        running = state.auction
        return Live(
            loaded.version,
            "" if state.rules is None else plain.digest(state.rules),
            None if running is None else (running.auction, running.lot, running.leader, running.price),
        )

    async def legal(self, seat: int) -> set[str]:
        """Return the kinds of commands that a seat may send now."""
        state = (await self._loaded()).state
        if state.rules is None or state.table.status != RUNNING:
            return set()
        return {action.kind for action in legal_actions(state.rules, seat, state.auctions)}

    async def view(self, viewer: int) -> game_pb2.GameView:
        """Return the game as it is shown to a seat, or to a watcher."""
        caller = ANONYMOUS if viewer == WATCHER else Principal("seat", game_id=self.game_id, seat=viewer)
        loaded = await self._loaded()
        return game_view(loaded, hidden_seats(loaded.state, self.game_id, caller), own=viewer)

    async def close(self) -> None:
        """Let the services finish."""
        await self.services.close()

    async def _loaded(self) -> Loaded[GameState]:
        return await self._game.transactor.view(self.game_id)

    def _command(self, actor: str) -> Command:
        self._sent += 1
        now_ms = self.services.clock.now_ms()
        return read_command(f"set-{self._sent}", b"", actor=actor, received_at_ms=now_ms)


def _done(result: Result, what: str) -> None:
    refusal = _refusal(result)
    if refusal is not None:
        raise CannotRunError(f"{what} was refused: {refusal.reason}: {refusal.message}")


def _refusal(result: Result) -> Refusal | None:
    if isinstance(result, Refused):
        return Refusal(result.rejection.name, result.rejection.detail)
    return None
