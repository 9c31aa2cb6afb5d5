"""Workers of the game service: each game has a preferred one, to which the others pass its commands on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.peers.game import SeatCommands

if TYPE_CHECKING:
    from magnate.game.v1 import game_pb2
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers


class Workers:
    """The processes of the game service, this one among them."""

    def __init__(self, peers: Peers, worker: int, keys: KeyRing) -> None:
        self._peers = peers
        self._own = peers.addresses[worker] if worker < len(peers.addresses) else ""
        self._commands = SeatCommands(peers, keys, "game")

    def elsewhere(self, game_id: str) -> bool:
        """Say whether another worker is preferred for this game."""
        return self._peers.preferred(game_id) != self._own

    async def act(self, request: game_pb2.ActRequest, seat: int, received_at_ms: int) -> game_pb2.PlayResult:
        """Have a command carried out by the game's preferred worker; without it this one does it itself."""
        return await self._commands.act(request, seat, received_at_ms, tries=1)

    async def close(self) -> None:
        """Close the streams."""
        await self._commands.close()
