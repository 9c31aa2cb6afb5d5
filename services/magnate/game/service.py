"""Use cases of the game service, without protobuf and gRPC: what a caller may do, and what comes of it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.game import clocks, clockwork, expiry, idle, missed
from magnate.game.chance import chance_of
from magnate.game.codec import seed_section
from magnate.game.domain import table
from magnate.game.draft import Draft
from magnate.game.ports import OWNER, DeadlineChange
from magnate.game.start import ledger_of, start_rules
from magnate.kit import misfire
from magnate.kit.expiry import NotYet
from magnate.kit.ids import derive_game_id, expire_id
from magnate.kit.log.commit import Command
from magnate.kit.log.skew import GUARD
from magnate.kit.transact_types import Done, Refused
from magnate.rules import rejections as names
from magnate.rules.chance import ChanceExhausted
from magnate.rules.decide import abandon, advance
from magnate.rules.decision import Decision
from magnate.rules.fit import refuse_misfit
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from magnate.game.compose import Composer
    from magnate.game.domain.sandbox import Beginning, Sandbox
    from magnate.game.state import GameState
    from magnate.kit.clock import Clock
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor
    from magnate.kit.transact_types import Proposal
    from magnate.rules.loader import Library
    from magnate.rules.options import Written
    from magnate.rules.vocabulary import Command as RulesCommand

SEED_BYTES: Final = 32

Result: TypeAlias = "Done[GameState] | Refused[GameState, Rejection]"
Decided: TypeAlias = "Proposal[GameState, Rejection] | Rejection"


class NewTable:
    """What a caller asks for who opens a table."""

    __slots__ = ("board", "options", "ruleset", "sandbox", "seat_count", "start", "title")

    def __init__(
        self,
        ruleset: str,
        board: str,
        options: dict[str, Written],
        seat_count: int,
        title: str,
        sandbox: Sandbox | None,
        start: Beginning | None = None,
    ) -> None:
        self.ruleset = ruleset or "classic"
        self.board = board
        self.options = options
        self.seat_count = seat_count
        self.title = title
        self.sandbox = sandbox
        self.start = start


class GameService:
    """Opens tables, seats players, carries out what seats do. Pauses are in `attendance`."""

    def __init__(
        self,
        transactor: Transactor[GameState],
        composer: Composer,
        clock: Clock,
        *,
        tenant: str,
        epoch: int,
        shards: int,
        sandbox: bool,
        library: Library,
    ) -> None:
        self.transactor = transactor
        self._composer = composer
        self._clock = clock
        self._tenant = tenant
        self._epoch = epoch
        self._shards = shards
        self._sandbox = sandbox
        self.library = library

    def game_id(self, principal: str, command_id: str) -> str:
        """Return the id of the table that this command opens."""
        return derive_game_id(self._tenant, principal, command_id, epoch=self._epoch, shards=self._shards)

    async def create(self, game_id: str, command: Command, asked: NewTable) -> Result:
        """Open a table. Refusals in order: SANDBOX_DISABLED, UNKNOWN_RULESET, OPTION_…, UNKNOWN_BOARD,
        OPTION_CONFLICT where rule set and board do not fit, then those of `table.decide_open`.
        """  # noqa: D205

        async def decide(loaded: Loaded[GameState]) -> Decided:
            if asked.sandbox is not None and not self._sandbox:
                return Rejection(names.SANDBOX_DISABLED, "this server has no sandbox tables")
            ruleset = self.library.find_ruleset(asked.ruleset, asked.options)
            if isinstance(ruleset, Rejection):
                return ruleset
            board = self.library.find_board(asked.board or ruleset.board)
            if isinstance(board, Rejection):
                return board
            refused = refuse_misfit(board, ruleset, asked.seat_count)
            if refused is not None:
                return refused
            seed = secrets.token_bytes(SEED_BYTES)
            opened = table.decide_open(
                ruleset, board, asked.seat_count, asked.title, seed, asked.sandbox, asked.start
            )
            if isinstance(opened, Rejection):
                return opened
            draft = Draft(
                loaded.state.draft(),
                Decision(),
                table_events=[opened],
                deadlines=[idle.deadline(ruleset, loaded.version + 1, command.received_at_ms)],
            )
            proposal = await self._compose(loaded, draft, command, secret=seed)
            proposal.draft = None  # the seed and the stored bytes come from folding the commit itself
            return proposal

        return await self.transactor.run(game_id, command, decide)

    async def join(self, game_id: str, command: Command, name: str, entropy: bytes) -> Result:
        """Take the next free seat (refusals: UNKNOWN_GAME, then `table.decide_join`)."""

        async def decide(loaded: Loaded[GameState]) -> Decided:
            if loaded.version == 0:
                return unknown_game(game_id)
            taken = table.decide_join(loaded.state.table, name, entropy)
            if isinstance(taken, Rejection):
                return taken
            return await self._compose(
                loaded, Draft(loaded.state.draft(), Decision(), table_events=[taken]), command
            )

        return await self.transactor.run(game_id, command, decide)

    async def start(self, game_id: str, command: Command) -> Result:
        """Begin: throw for the order, hand out the money (refusals: UNKNOWN_GAME, `table.decide_start`)."""

        async def decide(loaded: Loaded[GameState]) -> Decided:
            if loaded.version == 0:
                return unknown_game(game_id)
            now_ms = max(self._clock.now_ms(), loaded.time_ms)
            started = table.decide_start(loaded.state.table, now_ms)
            if isinstance(started, Rejection):
                return started
            state = loaded.state.draft()
            decision = Decision()
            refused = start_rules(state, chance_of(state), decision)
            if refused is not None:
                return refused
            draft = Draft(state, decision, table_events=[started], first=ledger_of(state.table))
            return await self._compose(loaded, draft, command)

        return await self.transactor.run(game_id, command, decide)

    async def act(self, game_id: str, seat: int, command: Command, action: RulesCommand) -> Result:
        """Carry out a seat's command (refusals: UNKNOWN_GAME, `table.refuse_unless_running`, the rules')."""

        async def decide(loaded: Loaded[GameState]) -> Decided:
            received_at_ms = command.received_at_ms
            closing = await self._composer.close_due(loaded, received_at_ms)
            if closing is not None:
                return closing
            refused = refuse_unless_playing(loaded, game_id)
            if refused is not None:
                return refused
            draft = await missed.begin(self.transactor, loaded, self._clock.now_ms(), seat)
            refused = clocks.refuse_late(draft.state, seat, action, received_at_ms)
            if refused is not None:
                return refused
            refused = _advance(draft, seat, action, received_at_ms)
            if refused is not None:
                return refused
            clockwork.is_there(draft, seat, max(received_at_ms, loaded.time_ms))
            return await self._compose(loaded, draft, command)

        return await self.transactor.run(game_id, command, decide)

    async def expire(self, game_id: str, deadline_id: str, seen_version: int = 0) -> Result | NotYet:
        """Act on a deadline of this service (refusals: UNKNOWN_GAME, UNKNOWN_DEADLINE).

        One that was missed while the services were down may get the time that was lost instead.
        """
        GUARD.require()  # now: until it is carried out the clock may have been set right, and not this time
        now_ms = self._clock.now_ms()
        # An id is never reused: what is pending in the newest version was not dealt with in an earlier one.
        seen = await self.transactor.view(game_id, at_least=seen_version)
        more_ms = await missed.again_ms(self.transactor, seen, deadline_id, now_ms)
        command = Command(
            expire_id(f"{deadline_id}:{misfire.SHIFT}" if more_ms else deadline_id),
            b"",
            actor="timer",
            received_at_ms=now_ms,
            seen_version=seen.version,
            causation_id=deadline_id,
        )

        async def decide(loaded: Loaded[GameState]) -> Decided:
            if loaded.version == 0:
                return unknown_game(game_id)
            deadline = loaded.state.deadlines.get(deadline_id)
            if deadline is None or deadline.owner != OWNER or deadline.due_ms == 0:
                return Rejection(names.UNKNOWN_DEADLINE, f"{deadline_id} is not pending")
            if deadline.due_ms > now_ms:
                return Rejection(names.NOT_YET, str(deadline.due_ms - now_ms))
            closing = await self._composer.close_due(loaded, deadline.due_ms)
            if closing is not None:
                return closing
            draft = await missed.begin(self.transactor, loaded, now_ms)
            if draft.state.deadlines[deadline_id].due_ms <= now_ms:  # else it was missed, and runs on
                refused = _expire(loaded, draft, deadline_id, now_ms)
                if refused is not None:
                    return refused
            return await self._compose(loaded, draft, command)

        result = await self.transactor.run(game_id, command, decide)
        if isinstance(result, Refused) and result.rejection.name == names.NOT_YET:
            return NotYet(int(result.rejection.detail))
        if more_ms and isinstance(result, Done):
            pending = result.loaded.state.deadlines.get(deadline_id)
            if pending is not None and pending.due_ms:
                return NotYet(max(1, pending.due_ms - now_ms))
        return result

    async def _compose(
        self, loaded: Loaded[GameState], draft: Draft, command: Command, *, secret: bytes = b""
    ) -> Proposal[GameState, Rejection]:
        hidden = [seed_section(secret)] if secret else []
        return await self._composer.compose(loaded, draft, command, self._clock.now_ms(), hidden)


def _advance(draft: Draft, seat: int, action: RulesCommand, at_ms: int) -> Rejection | None:
    """Have the rules carry out a command that came at this moment."""
    rules = draft.state.rules
    assert rules is not None
    elapsed_ms = draft.state.table.elapsed_ms(at_ms)
    try:
        return advance(rules, seat, action, chance_of(draft.state), draft.decision, elapsed_ms)
    except ChanceExhausted as error:
        return Rejection(names.SANDBOX_EXHAUSTED, str(error))


def _expire(loaded: Loaded[GameState], draft: Draft, deadline_id: str, now_ms: int) -> Rejection | None:
    """Do what a deadline that is over leads to."""
    kind = draft.state.deadlines[deadline_id].kind
    if kind == idle.ABANDON:
        _abandon(loaded, draft, deadline_id, now_ms)
        return None
    return expiry.expire(draft, deadline_id, kind, now_ms)


def _abandon(loaded: Loaded[GameState], draft: Draft, deadline_id: str, now_ms: int) -> None:
    """End a table that nobody has used for long, or set a later deadline for one that somebody has."""
    rules = draft.state.rules
    again = idle.extension(loaded, deadline_id, now_ms)
    if again is not None:
        draft.deadlines.extend((DeadlineChange("cleared", deadline_id), again))
    elif rules is None:
        draft.end()
    else:
        abandon(rules, draft.decision)


def unknown_game(game_id: str) -> Rejection:
    """Return the refusal of a call about a game that does not exist."""
    return Rejection(names.UNKNOWN_GAME, f"there is no game {game_id}")


def refuse_unless_playing(loaded: Loaded[GameState], game_id: str) -> Rejection | None:
    """Say why nothing can be played in this game now."""
    if loaded.version == 0:
        return unknown_game(game_id)
    return table.refuse_unless_running(loaded.state.table)
