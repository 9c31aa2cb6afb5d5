"""Opens the game that a touch unit hosts: the bank takes its seats, players have cards.

Everything is done under ids made from that of the command that opens the table, so a command that comes again
after a crash goes on where the first one ended. Who does not know it cannot take a seat's token: the ids of
joining are stored as digests only.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2
from magnate.kit.ids import derived_id
from magnate.kit.rpc.status import RemoteError
from magnate.kit.tokens import mint_seat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.games.client import Games
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command

RULESET: Final = "ultimate-banking"
OPTIONS: Final = {"table.tokens": "by_hand"}
STANDS_SO: Final = frozenset({"GAME_PAUSED", "NOT_PAUSED", "GAME_OVER"})
_DIGITS: Final = 32


class Hosting:
    """Games whose seats the bank plays by the cards that are tapped."""

    def __init__(self, games: Games, keys: KeyRing) -> None:
        self._games = games
        self._keys = keys

    async def create(self, opening_id: str, seats: int) -> str:
        """Create the game of the table that this command opens, and return its id; again, the same one.

        Raises:
            RemoteError: the game service refused (INVALID_SEAT_COUNT). UnavailableError: it does not answer.
        """
        request = game_pb2.CreateGameRequest(
            command_id=_id_of("create", opening_id), ruleset=RULESET, seat_count=seats
        )
        for name, value in OPTIONS.items():
            request.options.add(name=name, value=value)
        created: game_pb2.CreateGameResponse = await self._games.call("CreateGame", opening_id, request)
        return created.game_id

    async def begin(self, game_id: str, opening_id: str, players: Sequence[str]) -> None:
        """Take all seats in the order of the players and begin; raises as `create` does."""
        for seat, name in enumerate(players):
            join = game_pb2.JoinGameRequest(
                command_id=_id_of("join", opening_id, seat), game_id=game_id, name=name
            )
            await self._games.call("JoinGame", game_id, join)
        start = game_pb2.StartGameRequest(command_id=_id_of("start", opening_id), game_id=game_id)
        await self._games.call("StartGame", game_id, start, mint_seat(self._keys, game_id, 0))

    async def pause(self, game_id: str, command: Command, *, paused: bool) -> None:
        """Stop the game's clocks, or let them run on; a game that stands so already stays so."""
        token = mint_seat(self._keys, game_id, 0)
        method = "PauseGame" if paused else "ResumeGame"
        kind = game_pb2.PauseGameRequest if paused else game_pb2.ResumeGameRequest
        request = kind(
            command_id=_id_of("pause" if paused else "resume", command.command_id),
            game_id=game_id,
            seen_version=command.seen_version,
        )
        try:
            await self._games.call(method, game_id, request, token)
        except RemoteError as error:
            if error.reason not in STANDS_SO:
                raise


def _id_of(kind: str, opening_id: str, number: int = 0) -> str:
    digest = sha256(f"{kind}|{opening_id}|{number}".encode()).hexdigest()
    return derived_id("unit", digest[:_DIGITS])
