"""The game service as others know it that bring commands of seats: the client of its open streams.

A worker of the game service passes on what came to it with a seat's token; the bank brings what a seat's card
on its terminal asks for. Nobody else may (`game.acting.ACT_FOR_SEATS`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import Failure, failure_of_wire
from magnate.kit.rpc.streams import Streams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import grpc

    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers

CALL_SECONDS: Final = 5.0
"""How long one process is asked; any other may carry the command out, and the log takes it once."""


class _Codec:
    """Packs commands of seats."""

    def request(self, calls: Sequence[tuple[int, game_pb2.ForwardedAct]]) -> game_pb2.ExchangeRequest:
        """Pack calls."""
        message = game_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            call.act.CopyFrom(ask)
        return message

    def replies(
        self, message: game_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, game_pb2.PlayResult | Failure]]:
        """Unpack replies."""
        for reply in message.replies:
            if reply.HasField("failed"):
                yield reply.id, failure_of_wire(reply.failed.code, reply.failed.reason, reply.failed.message)
            else:
                yield reply.id, reply.act


class SeatCommands:
    """Has commands of seats carried out by the game service, as the service that is named."""

    def __init__(self, peers: Peers, keys: KeyRing, service: str) -> None:
        metadata = peer_metadata(keys, service)

        def opened(
            channel: grpc.aio.Channel,
        ) -> Callable[[], grpc.aio.StreamStreamCall[game_pb2.ExchangeRequest, game_pb2.ExchangeResponse]]:
            stub = game_pb2_grpc.GamePeerServiceStub(channel)
            return lambda: stub.Exchange(metadata=metadata)

        self._streams = Streams("game", peers, opened, _Codec())

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
        last = (tries or len(self._streams.peers.addresses)) - 1
        for attempt in range(last):
            try:
                return await self._streams.call(request.game_id, forwarded, CALL_SECONDS, attempt)
            except PeerUnavailableError:
                continue
        return await self._streams.call(request.game_id, forwarded, CALL_SECONDS, last)

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()
