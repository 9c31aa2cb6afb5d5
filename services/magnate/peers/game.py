"""The game service as others know it that bring commands of seats: the client of its open streams.

A worker of the game service passes on what came to it with a seat's token; the bank brings what a seat's card
on its terminal asks for. Nobody else may (`game.acting.ACT_FOR_SEATS`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.rpc.streams import Streams

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers

CALL_SECONDS: Final = 5.0
"""How long one process is asked; any other may carry the command out, and the log takes it once."""


class SeatCommands:
    """Has commands of seats carried out by the game service, as the service that is named."""

    def __init__(self, peers: Peers, keys: KeyRing, service: str) -> None:
        self._streams: Streams[game_pb2.ForwardedAct, game_pb2.PlayResult] = Streams(
            "game", peers, game_pb2_grpc.GamePeerServiceStub, game_pb2.ExchangeRequest, keys, service
        )

    async def act(
        self, request: game_pb2.ActRequest, seat: int, received_at_ms: int, tries: int = 0
    ) -> game_pb2.PlayResult:
        """Have a command carried out for a seat by the game's preferred process, or by the next that answers.

        Args:
            request: the command, with its id; a token in it is not passed on.
            seat: who acts, which the caller has made sure of.
            received_at_ms: when it came to the caller, by which its time is judged.
            tries: how many processes are asked; 0 is all.

        Raises:
            PeerUnavailableError: nobody answered; the outcome is unknown, and the same id may be sent again.
            RemoteError: this service may not do this.
        """
        forwarded = game_pb2.ForwardedAct(act=request, seat=seat, received_at_ms=received_at_ms)
        forwarded.act.ClearField("token")
        return await self._streams.first_answer(request.game_id, forwarded, CALL_SECONDS, tries)

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()
