"""How the timer reaches the owners of deadlines: their open streams, translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.errors import KitError
from magnate.kit.expiry import Expired, Gone, NotYet
from magnate.kit.rpc.status import RemoteError
from magnate.kit.rpc.streams import Streams
from magnate.timer.ports import OwnerAwayError
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping

    from magnate.kit.expiry import Expiry
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers
    from magnate.timer.domain.agenda import Due

SERVICE: Final = "timer"
EXCHANGES: Final = {
    "auction": (auction_pb2_grpc.AuctionPeerServiceStub, auction_pb2.ExchangeRequest),
    "game": (game_pb2_grpc.GamePeerServiceStub, game_pb2.ExchangeRequest),
}
"""The owners of deadlines: the stub, and the message that carries calls."""


class OwnerClients:
    """The owners of deadlines, as `Owners`."""

    def __init__(self, peers: Mapping[str, Peers], keys: KeyRing) -> None:
        self._owners: dict[str, Streams[timer_pb2.ExpireRequest, timer_pb2.ExpireReply]] = {
            owner: Streams(owner, processes, *EXCHANGES[owner], keys, SERVICE)
            for owner, processes in peers.items()
        }

    async def expire(self, due: Due, now_ms: int) -> Expiry:
        """Tell the owner of a deadline that its time has come."""
        owner = due.deadline.owner
        streams = self._owners.get(owner)
        if streams is None:
            raise OwnerAwayError(f"no service is called {owner}")
        ask = timer_pb2.ExpireRequest()
        ask.game_id = due.game_id
        ask.deadline_id = due.deadline.deadline_id
        ask.seen_version = due.version
        ask.fired_at_ms = now_ms
        try:
            # Any process may deal with any deadline.
            answer = await streams.first_answer(due.game_id, ask)
        except (KitError, RemoteError) as error:
            raise OwnerAwayError(str(error)) from error
        kind = answer.WhichOneof("result")
        if kind == "done":
            return Expired(answer.done.version)
        if kind == "gone":
            return Gone(answer.gone.version)
        if kind == "not_yet":
            return NotYet(max(1, answer.not_yet.remaining_ms))
        raise OwnerAwayError(f"{owner} answered nothing that this release knows")

    async def close(self) -> None:
        """End the streams."""
        for streams in self._owners.values():
            await streams.close()
