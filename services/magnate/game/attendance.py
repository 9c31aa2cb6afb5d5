"""Use cases around who is there and whether the clocks run: presence, breaks, extra time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game import clocks, clockwork, idle, missed
from magnate.game.domain import attendance
from magnate.game.domain.standing import StandInLeft
from magnate.game.domain.table import TablePaused, TableResumed
from magnate.game.ports import OWNER, DeadlineChange
from magnate.game.service import unknown_game
from magnate.kit.ids import PRESENCE, derived_id
from magnate.kit.log import heard
from magnate.kit.log.commit import Command
from magnate.rules import rejections as names
from magnate.rules.choices import PAUSE_AGREEMENT
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.compose import Composer
    from magnate.game.domain.attendance import Sighting
    from magnate.game.domain.standing import SeatPresence
    from magnate.game.service import Decided, Result
    from magnate.game.state import GameState
    from magnate.kit.clock import Clock
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor

_NOTHING_NEW: Final = Rejection(names.EMPTY_COMMAND, "the log says so already")


class Attendance:
    """Notes who is there; pauses games and lets them go on; makes running clocks longer."""

    def __init__(self, transactor: Transactor[GameState], composer: Composer, clock: Clock) -> None:
        self._transactor = transactor
        self._composer = composer
        self._clock = clock
        self._noted = 0

    async def note(self, game_id: str, boot: str, sightings: Sequence[Sighting]) -> Result | None:
        """Write what the log does not say yet of who is there; None if it says everything.

        `boot` names this process, so that no two notes have the same id.
        """
        seen = await self._transactor.view(game_id)
        if not self._news(seen, sightings):
            return None
        self._noted += 1
        command = Command(
            derived_id(PRESENCE, boot, self._noted),
            b"",
            actor=PRESENCE,
            received_at_ms=self._clock.now_ms(),
            seen_version=seen.version,
        )

        async def decide(loaded: Loaded[GameState]) -> Decided:
            events = self._news(loaded, sightings)
            if not events:
                return _NOTHING_NEW
            draft = await missed.begin(self._transactor, loaded, self._clock.now_ms())
            for event in events:
                before = draft.state.table.standing(event.seat)
                draft.tell(event)
                if event.connected and before.stand_in and not before.connection:
                    draft.tell(StandInLeft(event.seat))  # who comes back plays; who only moved does not
            return await self._composer.compose(loaded, draft, command, self._clock.now_ms())

        return await self._transactor.run(game_id, command, decide)

    async def pause(self, game_id: str, command: Command, seat: int = attendance.SOMEBODY) -> Result:
        """Stop the clocks, or propose it (refusals: UNKNOWN_GAME, those of `attendance.decide_break`)."""

        async def decide(loaded: Loaded[GameState]) -> Decided:
            now_ms = max(command.received_at_ms, loaded.time_ms)
            closing = await self._composer.close_due(loaded, command.received_at_ms)
            return closing or await self._break(loaded, command, seat, now_ms, pause=True)

        return await self._transactor.run(game_id, command, decide)

    async def resume(self, game_id: str, command: Command, seat: int = attendance.SOMEBODY) -> Result:
        """Let the clocks run on with what was left, or propose it (refusals as with `pause`)."""

        async def decide(loaded: Loaded[GameState]) -> Decided:
            now_ms = max(self._clock.now_ms(), loaded.time_ms)
            return await self._break(loaded, command, seat, now_ms, pause=False)

        return await self._transactor.run(game_id, command, decide)

    async def grant(self, game_id: str, command: Command, by_seat: int, seat: int, extra_ms: int) -> Result:
        """Give a seat's clock more time (UNKNOWN_GAME, `attendance.decide_grant`, DEADLINE_PASSED)."""

        async def decide(loaded: Loaded[GameState]) -> Decided:
            if loaded.version == 0:
                return unknown_game(loaded.game_id)
            state = loaded.state
            most_ms = 0
            if state.table.ruleset is not None:
                most_ms = state.table.ruleset.timers_extra_seconds_max * clocks.SECOND_MS
            deadline_id = clockwork.clock_of_seat(state, seat)
            refused = attendance.decide_grant(
                state.table, _out(state), by_seat, seat, extra_ms, most_ms, deadline_id
            )
            if refused is not None:
                return refused
            draft = await missed.begin(self._transactor, loaded, self._clock.now_ms())
            if 0 < draft.state.deadlines[deadline_id].due_ms <= command.received_at_ms:
                return Rejection(names.DEADLINE_PASSED, f"the time of seat {seat} had run out before")
            now_ms = max(command.received_at_ms, loaded.time_ms)
            clockwork.is_there(draft, by_seat, now_ms)
            clockwork.grant(draft, by_seat, seat, extra_ms, now_ms)
            return await self._composer.compose(loaded, draft, command, self._clock.now_ms())

        return await self._transactor.run(game_id, command, decide)

    async def _break(
        self, loaded: Loaded[GameState], command: Command, seat: int, now_ms: int, *, pause: bool
    ) -> Decided:
        if loaded.version == 0:
            return unknown_game(loaded.game_id)
        state = loaded.state
        ruleset = state.table.ruleset
        agreement = ruleset is not None and ruleset.table_pause == PAUSE_AGREEMENT
        event = attendance.decide_break(
            state.table, _out(state), seat, now_ms, pause=pause, agreement=agreement
        )
        if isinstance(event, Rejection):
            return event
        if isinstance(event, TablePaused):
            changes = await self._stopped(loaded, now_ms)
        elif isinstance(event, TableResumed):
            changes = clockwork.running_on(state, now_ms)
        else:
            changes = _proposed(loaded, now_ms)
        draft = await missed.begin(self._transactor, loaded, self._clock.now_ms())
        draft.deadlines.extend(changes)
        draft.tell(event)
        clockwork.is_there(draft, seat, now_ms)
        return await self._composer.compose(loaded, draft, command, self._clock.now_ms())

    async def _stopped(self, loaded: Loaded[GameState], now_ms: int) -> list[DeadlineChange]:
        """Stop every deadline but that of an abandoned table and those that run through; a proposal is done.

        The clocks of decisions are left to `clockwork`, which charges what was used of them.
        """
        found: list[DeadlineChange] = []
        for deadline_id, one in loaded.state.deadlines.items():
            if not one.due_ms or one.runs_through or one.kind == idle.ABANDON or clocks.is_clock(one):
                continue
            if one.kind == attendance.AGREE:
                found.append(DeadlineChange("cleared", deadline_id))
            else:
                left_ms = await heard.left_ms(self._transactor, loaded, one, now_ms)
                found.append(DeadlineChange("paused", deadline_id, left_ms=left_ms))
        return found

    def _news(self, loaded: Loaded[GameState], sightings: Sequence[Sighting]) -> list[SeatPresence]:
        state = loaded.state
        now_ms = max(self._clock.now_ms(), loaded.time_ms)
        return attendance.decide_presence(state.table, _out(state), sightings, now_ms)


def _out(state: GameState) -> list[int]:
    return [] if state.rules is None else state.rules.out


def _proposed(loaded: Loaded[GameState], now_ms: int) -> list[DeadlineChange]:
    """Let the first proposal lapse after a while; the others agree within the same time."""
    if any(deadline.kind == attendance.AGREE for deadline in loaded.state.deadlines.values()):
        return []
    due_ms = now_ms + attendance.AGREE_MS
    deadline_id = f"{attendance.AGREE}-0-{loaded.version + 1}"
    return [DeadlineChange("set", deadline_id, owner=OWNER, kind=attendance.AGREE, due_ms=due_ms)]
