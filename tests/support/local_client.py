"""A client's connection to services in this process: whole games of bots in a second, without a network."""

from __future__ import annotations

import itertools
import random
from typing import TYPE_CHECKING

from magnate.cli.local import LocalServices
from magnate.client.bots.sensible import SensibleBot
from magnate.client.session import Session
from magnate.game.acting import TERMINAL, NotActed, acted
from magnate.game.requests import read_command, read_new_table
from magnate.game.v1 import game_pb2
from magnate.game.view import game_view, put_legal_action
from magnate.kit.rpc.call import Principal
from magnate.kit.transact_types import Done
from magnate.rules.legal import legal_actions
from magnate.rules.steps.debt import awaits_card
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.client.bots.base import Bot
    from magnate.game.service import Result
    from magnate.kit.log.commit import Command

COMMANDS_MAX = 20_000


class LocalSession(Session):
    """A `Session` whose calls are answered in this process; `exported`, when set, replaces the export."""

    def __init__(self) -> None:
        super().__init__("127.0.0.1:1")
        self.services = LocalServices()
        self.exported: list[game_pb2.ExportGameResponse] | None = None
        self._ids = itertools.count()

    async def open(self, seats: int = 4, ruleset: str = "", options: dict[str, str] | None = None) -> str:
        """Open a table, seat everybody, start; returns the game's id."""
        service = self.services.game.service
        game_id = service.game_id("test", "table")
        changed = [game_pb2.OptionSetting(name=name, value=value) for name, value in (options or {}).items()]
        asked = read_new_table(game_pb2.CreateGameRequest(ruleset=ruleset, seat_count=seats, options=changed))
        self._done(await service.create(game_id, self._command(), asked))
        for seat in range(seats):
            self._done(await service.join(game_id, self._command(), f"Bot {seat}", bytes([seat])))
        self._done(await service.start(game_id, self._command()))
        return game_id

    async def game(
        self, game_id: str, at_version: int = 0, seen_version: int = 0, *, token: str = ""
    ) -> game_pb2.GameView:
        """Return the public state."""
        del seen_version, token
        transactor = self.services.game.transactor
        loaded = await transactor.view(game_id)
        if at_version:
            loaded = await transactor.loader.load_at(game_id, at_version)
        return game_view(loaded)

    async def legal(
        self, game_id: str, seat: int, seen_version: int = 0, *, with_reasons: bool = False, token: str = ""
    ) -> game_pb2.GetLegalActionsResponse:
        """Return what a seat may do."""
        del seen_version, with_reasons, token
        loaded = await self.services.game.transactor.view(game_id)
        rules = loaded.state.rules
        assert rules is not None
        answer = game_pb2.GetLegalActionsResponse(version=loaded.version)
        for action in legal_actions(rules, seat, loaded.state.auctions):
            put_legal_action(action, answer.actions.add())
        return answer

    async def play(self, game_id: str, seat: int, command: vocabulary_pb2.Command) -> game_pb2.ActResponse:
        """Carry out a command of a seat; it must be accepted."""
        seen = self.services.game.transactor.peek(game_id)
        assert seen is not None
        request = game_pb2.ActRequest(
            game_id=game_id,
            command_id=f"act-{next(self._ids)}",
            command=command,
            seen_version=seen.version,
        )
        caller = Principal("seat", game_id=game_id, seat=seat)
        outcome = await self.services.game.acting.act(request, caller, self.services.clock.now_ms())
        assert not isinstance(outcome, NotActed), f"seat {seat}: {command} refused: {outcome.rejection!r}"
        return acted(outcome, request)

    async def pay_by_card(self, game_id: str) -> bool:
        """Pay as the bank's terminal would what the first seat owes that has it; False if nobody can."""
        loaded = await self.services.game.transactor.view(game_id)
        state = loaded.state.rules
        assert state is not None
        for seat in range(state.seats):
            if awaits_card(state, seat):
                command = vocabulary_pb2.Command(pay_debt=vocabulary_pb2.PayDebt(by_card=True))
                request = game_pb2.ActRequest(
                    game_id=game_id,
                    command_id=f"card-{next(self._ids)}",
                    seen_version=loaded.version,
                    command=command,
                )
                acting, now_ms = self.services.game.acting, self.services.clock.now_ms()
                outcome = await acting.act_for(request, seat, Principal("peer", service=TERMINAL), now_ms)
                assert not isinstance(outcome, NotActed), f"seat {seat}: {outcome.rejection!r}"
                return True
        return False

    async def export(self, game_id: str, after_version: int = 0) -> list[game_pb2.ExportGameResponse]:
        """Return the stored records, or what a test put in their place."""
        if self.exported is not None:
            return self.exported
        return [record async for record in self.services.game.watch.export(game_id, after_version)]

    def _command(self) -> Command:
        now_ms = self.services.clock.now_ms()
        return read_command(f"command-{next(self._ids)}", b"", actor="test", received_at_ms=now_ms)

    @staticmethod
    def _done(result: Result) -> None:
        assert isinstance(result, Done), result.rejection


async def play_to_end(session: LocalSession, game_id: str, bots: Sequence[Bot]) -> int:
    """Let bots play until the game is over; returns how many commands that took."""
    for number in range(COMMANDS_MAX):
        view = await session.game(game_id)
        if view.status == game_pb2.GAME_STATUS_OVER:
            return number
        offered = [offer.to_seat for offer in view.offers]
        for seat in [*offered, *view.situation.waiting_seats]:
            legal = await session.legal(game_id, seat)
            command = bots[seat].choose(seat, view, legal.actions)
            if command is not None:
                await session.play(game_id, seat, command)
                break
        else:
            if await session.pay_by_card(game_id):
                continue
            raise AssertionError(f"nobody moves at version {view.version}: {view.situation}")
    raise AssertionError(f"the game is not over after {COMMANDS_MAX} commands")


def sensible_bots(seats: int, seed: int) -> list[SensibleBot]:
    """Return a sensible bot for each seat."""
    return [SensibleBot(random.Random(seed * 100 + seat)) for seat in range(seats)]
