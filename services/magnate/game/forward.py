"""Workers of the game service: each game has a preferred one, to which the others pass its commands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.status import Failure, failure_of_wire
from magnate.kit.rpc.streams import Streams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import grpc

    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers

CALL_SECONDS: Final = 5.0
"""Then this worker carries the command out itself."""


class ForwardCodec:
    """Packs commands for another worker."""

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


class Workers:
    """The processes of the game service, this one among them."""

    def __init__(self, peers: Peers, worker: int, keys: KeyRing) -> None:
        self._peers = peers
        self._own = peers.addresses[worker] if worker < len(peers.addresses) else ""
        metadata = peer_metadata(keys, "game")

        def opened(
            channel: grpc.aio.Channel,
        ) -> Callable[[], grpc.aio.StreamStreamCall[game_pb2.ExchangeRequest, game_pb2.ExchangeResponse]]:
            stub = game_pb2_grpc.GamePeerServiceStub(channel)
            return lambda: stub.Exchange(metadata=metadata)

        self._streams = Streams("game", peers, opened, ForwardCodec())

    def elsewhere(self, game_id: str) -> bool:
        """Say whether another worker is preferred for this game."""
        return self._peers.preferred(game_id) != self._own

    async def act(self, request: game_pb2.ActRequest, seat: int, received_at_ms: int) -> game_pb2.PlayResult:
        """Have a command carried out by the game's preferred worker."""
        forwarded = game_pb2.ForwardedAct(act=request, seat=seat, received_at_ms=received_at_ms)
        forwarded.act.ClearField("token")
        return await self._streams.call(request.game_id, forwarded, CALL_SECONDS)

    async def close(self) -> None:
        """Close the streams."""
        await self._streams.close()
