"""The bank as a client of the game service: it looks at games, and brings what seats do by their cards."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from weakref import WeakValueDictionary

import grpc

from magnate.bank.games.seen import seen_game
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.errors import UnavailableError
from magnate.kit.rpc.status import Failure, RemoteError, code_of_number, remote_error
from magnate.peers.game import SeatCommands
from magnate.rules.rejections import REJECTIONS, Rejection

if TYPE_CHECKING:
    from magnate.bank.terminal.step import GameView, Move
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers

SERVICE: Final = "bank"
CALL_SECONDS: Final = 5.0
"""How long one process is asked; any other knows as much."""
GAMES_CACHED_MAX: Final = 1024
_TROUBLE: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


class _Known(NamedTuple):
    version: int
    view: GameView


class Games:
    """The games of the game service."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        self._peers = peers
        self._commands = SeatCommands(peers, keys, SERVICE)
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def game(self, game_id: str, *, at_least: int = 0, at_version: int = 0) -> game_pb2.GameView:
        """Return a game: the newest, or not older than one version, or exactly as of another.

        Raises:
            RemoteError: the game service refused (UNKNOWN_GAME). UnavailableError: nobody answered.
        """
        request = game_pb2.GetGameRequest(game_id=game_id, seen_version=at_least, at_version=at_version)
        answer: game_pb2.GetGameResponse = await self.call("GetGame", game_id, request)
        return answer.game

    async def view(self, game_id: str, at_least: int) -> GameView:
        """Return a game as units see it, not older than a version; raises as `game` does."""
        lock = self._locks.setdefault(game_id, asyncio.Lock())
        async with lock:  # whoever looks on at a table asks once for all who do
            known = self._known.get(game_id)
            if known is None or known.version < at_least:
                message = await self.game(game_id, at_least=at_least)
                known = self._known[game_id] = _Known(message.version, seen_game(message))
                while len(self._known) > GAMES_CACHED_MAX:
                    self._known.popitem(last=False)
            self._known.move_to_end(game_id)
            return known.view

    async def view_at(self, game_id: str, version: int) -> GameView:
        """Return a game as units saw it at a version; raises as `game` does."""
        return seen_game(await self.game(game_id, at_version=version))

    async def move(
        self, game_id: str, command_id: str, move: Move, *, seen_version: int, received_at_ms: int
    ) -> Rejection | None:
        """Have a move made; None once it is in the log, else what the rules refused it with.

        Raises:
            RemoteError, PeerUnavailableError: not now, or the outcome is unknown; the same id may come again.
        """
        request = game_pb2.ActRequest(game_id=game_id, command_id=command_id, seen_version=seen_version)
        command = getattr(request.command, move.kind)
        command.SetInParent()
        for name, number in move.numbers.items():
            setattr(command, name, number)
        if move.lots:
            command.lots.extend(move.lots)
        result = await self._commands.act(request, move.seat, received_at_ms)
        if result.WhichOneof("result") == "accepted":
            return None
        refused = result.refused
        if refused.reason in REJECTIONS:
            return Rejection(refused.reason, refused.message)
        raise RemoteError(Failure(code_of_number(refused.code), refused.reason, refused.message))

    async def call(self, method: str, game_id: str, request: Any, token: str = "") -> Any:
        """Ask the game's preferred process, or the next that answers; every command has its id."""
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        trouble: Exception | None = None
        for address in self._peers.order(game_id):
            stub = game_pb2_grpc.GameServiceStub(self._peers.channel(address))
            try:
                return await getattr(stub, method)(request, metadata=metadata, timeout=CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() not in _TROUBLE:
                    raise remote_error(error) from None
                trouble = error
        raise UnavailableError("the game service does not answer", reason="PEER_UNAVAILABLE") from trouble

    async def close(self) -> None:
        """End the streams and close the channels."""
        await self._commands.close()
        await self._peers.close()
