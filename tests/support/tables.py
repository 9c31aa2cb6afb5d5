"""Whole tables on the four services in this process, played at random: for the game service's own tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.cli.local import LocalServices
from magnate.game.acting import Acted, NotActed
from magnate.game.requests import read_command, read_join, read_new_table
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import encode_command
from magnate.kit.log.commit import parse_commit
from magnate.kit.rpc.call import Principal
from magnate.kit.transact_types import Done, Refused
from magnate.rules.chance import RandomChance
from magnate.rules.decide import decide
from magnate.rules.legal import legal_actions
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_OVER, OfferTrade, Terms, WithdrawOffer
from tests.support.random_play import choose, inside

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from random import Random

    from magnate.game.acting import Outcome
    from magnate.game.service import Result
    from magnate.game.state import GameState
    from magnate.kit.expiry import NotYet
    from magnate.kit.log.commit import Command as LogCommand
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Command

PAUSE_MS = 400
CLOSE_MS = 11_000
WAIT_CHANCE = 0.05


class LocalTable:
    """One table. Every command goes the way it goes over the API, but for the wire."""

    def __init__(self, name: str = "table") -> None:
        self.services = LocalServices()
        self.game = self.services.game
        self.clock = self.services.clock
        self.game_id = self.game.service.game_id("tests", name)
        self._sent = 0

    async def open(
        self,
        *,
        ruleset: str = "",
        board: str = "classic-us",
        seats: int = 3,
        options: dict[str, str] | None = None,
        sandbox: game_pb2.Sandbox | None = None,
        start: game_pb2.StartPosition | None = None,
    ) -> Result:
        """Open the table; nobody sits at it yet."""
        asked = game_pb2.CreateGameRequest(
            ruleset=ruleset,
            board=board,
            seat_count=seats,
            options=[game_pb2.OptionSetting(name=key, value=value) for key, value in (options or {}).items()],
            sandbox=sandbox,
            start=start,
        )
        return await self.game.service.create(self.game_id, self.command("tests"), read_new_table(asked))

    async def join(self, name: str, *, command_id: str = "", entropy: bytes = b"") -> Result:
        """Take a seat."""
        request = game_pb2.JoinGameRequest(
            command_id=command_id or f"join {name}".replace(" ", "-"),
            game_id=self.game_id,
            name=name,
            entropy=entropy,
        )
        command = read_join(request, actor="tests", received_at_ms=self.clock.now_ms())
        return await self.game.service.join(self.game_id, command, name, entropy)

    async def start(self) -> Result:
        """Begin."""
        return await self.game.service.start(self.game_id, self.command("seat-0"))

    async def begin(
        self,
        *,
        ruleset: str = "",
        board: str = "classic-us",
        seats: int = 3,
        options: dict[str, str] | None = None,
        sandbox: game_pb2.Sandbox | None = None,
    ) -> None:
        """Open the table, fill it and begin."""
        done(await self.open(ruleset=ruleset, board=board, seats=seats, options=options, sandbox=sandbox))
        for seat in range(seats):
            done(await self.join(f"player {seat}", entropy=bytes([seat])))
        done(await self.start())

    async def act(
        self, seat: int, command: Command, *, command_id: str = "", seen_version: int | None = None
    ) -> Outcome:
        """Send a seat's command."""
        self._sent += 1
        known = self.game.transactor.peek(self.game_id)
        newest = 0 if known is None else known.version
        request = game_pb2.ActRequest(
            game_id=self.game_id,
            command_id=command_id or f"act-{self._sent}",
            seen_version=newest if seen_version is None else seen_version,
        )
        encode_command(command, request.command)
        caller = Principal("seat", game_id=self.game_id, seat=seat)
        return await self.game.acting.act(request, caller, self.clock.now_ms())

    async def refused(self, seat: int, command: Command) -> str:
        """Send a command and return the name of its refusal, or an empty text."""
        outcome = await self.act(seat, command)
        return outcome.rejection.name if isinstance(outcome, NotActed) else ""

    async def loaded(self) -> Loaded[GameState]:
        """Return the newest state."""
        return await self.game.transactor.view(self.game_id)

    async def rules(self) -> State:
        """Return the newest state of the rules."""
        state = (await self.loaded()).state.rules
        assert state is not None
        return state

    async def commits(self) -> list[ParsedCommit]:
        """Return all stored commits."""
        stored = await self.services.log.load(self.game_id)
        return [parse_commit(self.game.keys, self.game_id, one.data, one.sequence) for one in stored]

    async def play(self, rng: Random, commands_max: int = 5000) -> AsyncIterator[Loaded[GameState]]:
        """Play any legal commands until the game is over; yield the state after each."""
        for _ in range(commands_max):
            loaded = await self.loaded()
            view = View(loaded)
            if view.state.phase == PHASE_OVER:
                return
            if view.state.phase == PHASE_AUCTION and rng.random() < WAIT_CHANCE:
                await self.services.advance(self.game_id, CLOSE_MS)
            else:
                self.clock.advance(PAUSE_MS)
                seat, action = choose(view, rng)  # type: ignore[arg-type]  # it looks like a Table
                command = inside(view, rng, seat, action)  # type: ignore[arg-type]
                outcome = await self.act(seat, command)
                assert isinstance(outcome, Acted), (seat, action, command, outcome)
            yield await self.loaded()
        raise AssertionError("the game does not end")

    async def talk(self, until_version: int) -> None:
        """Make the log longer without getting on with the game: offers, and takes them back."""
        while (await self.loaded()).version < until_version:
            made = await self.act(0, OfferTrade(1, Terms(1, [], [], 0, [], [], 0)))
            assert isinstance(made, Acted), made
            gone = await self.act(0, WithdrawOffer((await self.rules()).offer_count))
            assert isinstance(gone, Acted), gone

    async def close(self) -> None:
        """Let the services finish."""
        await self.services.close()

    def command(self, actor: str, command_id: str = "", content: bytes = b"") -> LogCommand:
        """Return a command with an id of its own."""
        self._sent += 1
        return read_command(
            command_id or f"set-{self._sent}",
            content,
            actor=actor,
            received_at_ms=self.clock.now_ms(),
        )


class View:
    """A game as the player that does anything legal looks at it."""

    def __init__(self, loaded: Loaded[GameState]) -> None:
        rules = loaded.state.rules
        assert rules is not None
        self.state = rules
        self._auctions = loaded.state.auctions

    def legal(self, seat: int) -> list[LegalAction]:
        """Return what a seat may do."""
        return legal_actions(self.state, seat, self._auctions)

    def refused(self, seat: int, command: Command) -> str:
        """Say how the rules would refuse a command."""
        answer = decide(self.state, seat, command, RandomChance(1))
        return answer.name if isinstance(answer, Rejection) else ""


def done(result: Result) -> Done[GameState]:
    """Return what was done; it must not have been refused."""
    assert isinstance(result, Done), result.rejection
    return result


def refusal(result: Result | NotYet) -> str:
    """Return the name of the refusal."""
    assert isinstance(result, Refused)
    return result.rejection.name
