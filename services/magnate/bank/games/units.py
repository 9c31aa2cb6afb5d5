"""Use cases of units in running games: attaching one, and working it by way of the game's rules.

A press that pays is two commits in the game's log: the game's own, under an id made from that of the press,
and the unit's new state. If the bank dies between them, the press comes again and finds the first in the log;
the second is decided from the game as it was before. So nothing is paid twice, and nothing is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.games.hosting import Hosting
from magnate.bank.tables import decide as tables
from magnate.bank.tables.codec import terminal_section
from magnate.bank.tables.credentials import veiled
from magnate.bank.tables.decide import Decision
from magnate.bank.tables.history import operation_of
from magnate.bank.tables.state import MISSING
from magnate.kit.ids import derived_id
from magnate.kit.log.commit import parse_commit
from magnate.kit.log.errors import DataLossError
from magnate.kit.transact_types import Proposal, moved
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection

if TYPE_CHECKING:
    from magnate.bank.games.client import Games
    from magnate.bank.tables.service import Opening, Result, TableService
    from magnate.bank.tables.state import Table, TableState
    from magnate.bank.terminal.step import Action, GameView
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command, ParsedCommit
    from magnate.kit.log.fold import Loaded

_DIGITS: Final = 32


class UnitsInGames:
    """Attaches units to games and works them."""

    def __init__(self, service: TableService, games: Games, keys: KeyRing, clock: Clock) -> None:
        self.games = games
        self.hosting = Hosting(games, keys)
        self._service = service
        self._keys = keys
        self._clock = clock

    async def attach(self, game_id: str, command: Command, asked: Opening) -> Result:
        """Give a game its unit and every seat its card. Refusal: ALREADY_ATTACHED."""

        async def propose(loaded: Loaded[TableState]) -> Proposal[TableState, Rejection] | Rejection:
            if loaded.state.table.status != MISSING:
                return Rejection(names.ALREADY_ATTACHED, "the game has its unit already")
            cards = [self._service.issue(game_id, seat, name) for seat, name in enumerate(asked.players)]
            return Proposal([terminal_section(tables.decide_attach(asked.opened, cards).events)])

        return await self._service.transactor.run(game_id, command, propose)

    @staticmethod
    def same(table: Table, asked: Opening) -> bool:
        """Say whether a table is what is asked for."""
        names = [card.name for card in table.cards]
        return names == asked.players and table.shared_unit == asked.opened.shared_unit

    async def operate(
        self,
        table_id: str,
        command: Command,
        action: Action,
        *,
        owner: int = -1,
        card_id: str = "",
        pin: str | None = None,
    ) -> Result:
        """Work the unit as `TableService.operate` does; what it proposes to the game the rules judge.

        `propose` may be asked several times, and so may the game: its command has one id.
        """
        move_id = ""
        judged: GameView | None = None

        async def propose(loaded: Loaded[TableState]) -> Proposal[TableState, Rejection] | Rejection:
            nonlocal move_id, judged
            now_ms = max(self._clock.now_ms(), loaded.time_ms)
            move_id = move_id or self._move_id(loaded, command)
            made = await self._made(loaded, move_id)
            if made is None:
                game = judged = await self.games.view(table_id, loaded.version)
            else:
                now_ms = made.time_ms  # what was tapped counted then
                game = judged or await self.games.view_at(table_id, made.version - 1)
            decision = tables.decide_operate(loaded.state, action, now_ms, owner, game)
            decision = await self._service.shown_pin(loaded.state, table_id, card_id, pin, decision)
            if not isinstance(decision, Decision):
                return decision
            move = None if decision.step is None else decision.step.move
            if move is not None and made is None:
                refused = await self.games.move(
                    table_id,
                    move_id,
                    move,
                    seen_version=loaded.version,
                    received_at_ms=command.received_at_ms,
                )
                if refused is None:
                    return Proposal(commit=moved)  # it is in the log: decide on from there
                now_ms = max(self._clock.now_ms(), loaded.time_ms)  # the game may have taken its time
                decision = tables.decide_refused(decision, refused.name, refused.detail, now_ms)
            elif move is not None and made is not None:
                since = await self.games.view(table_id, loaded.version)
                decision = tables.decide_moved(decision, paid_by(made), since)
            return Proposal([terminal_section(decision.events)])

        return await self._service.transactor.run(table_id, command, propose)

    async def _made(self, loaded: Loaded[TableState], move_id: str) -> ParsedCommit | None:
        """Return the commit of the game that a press has made already, None if it has made none."""
        found = loaded.window.find(move_id)
        if found is None:
            return None
        stored = await self._service.transactor.log.read(loaded.game_id, found.sequence)
        if stored is None:
            raise DataLossError(loaded.game_id, found.version, f"not at sequence {found.sequence} any more")
        return parse_commit(self._keys, loaded.game_id, stored.data, stored.sequence)

    def _move_id(self, loaded: Loaded[TableState], command: Command) -> str:
        """Return the id of the game's command that a press makes; nobody else can tell it beforehand."""
        key_id = loaded.state.table.key_id
        digest = veiled(self._keys, key_id, loaded.game_id, "move", command.command_id).hex()
        return derived_id("unit", digest[:_DIGITS])


def paid_by(commit: ParsedCommit) -> list[tuple[str, str, int]]:
    """Return what a commit of the game has paid: from, to, amount."""
    operation = operation_of(commit)
    entries = [] if operation is None else operation.entries
    return [(one.debit, one.credit, one.amount) for one in entries]
