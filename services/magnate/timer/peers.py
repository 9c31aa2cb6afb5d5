"""How the timer reaches the owners of deadlines: their open streams, translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.errors import KitError
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.exchange import Exchange, PeerUnavailableError
from magnate.kit.rpc.status import Failure, RemoteError, failure_of_wire
from magnate.timer.ports import Done, Gone, NotYet, OwnerAwayError
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers
    from magnate.timer.domain.agenda import Due
    from magnate.timer.ports import Reply

CALL_SECONDS: Final = 20.0
"""Longer than the election of a new leader of the log, which an owner waits for."""
FIRST_CALL_SECONDS: Final = 5.0
"""How long one process is asked where another could be."""
SERVICE: Final = "timer"


class GameCodec:
    """Packs announcements for the game service."""

    def request(self, calls: Sequence[tuple[int, timer_pb2.ExpireRequest]]) -> game_pb2.ExchangeRequest:
        """Return the message that carries these calls."""
        message = game_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            call.expire.CopyFrom(ask)
        return message

    def replies(
        self, message: game_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, timer_pb2.ExpireReply | Failure]]:
        """Return the replies in a message."""
        for reply in message.replies:
            if reply.HasField("failed"):
                failed = reply.failed
                yield reply.id, failure_of_wire(failed.code, failed.reason, failed.message)
            else:
                yield reply.id, reply.expire


class AuctionCodec:
    """Packs announcements for the auction service."""

    def request(self, calls: Sequence[tuple[int, timer_pb2.ExpireRequest]]) -> auction_pb2.ExchangeRequest:
        """Return the message that carries these calls."""
        message = auction_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            call.expire.CopyFrom(ask)
        return message

    def replies(
        self, message: auction_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, timer_pb2.ExpireReply | Failure]]:
        """Return the replies in a message."""
        for reply in message.replies:
            if reply.HasField("failure"):
                failure = reply.failure
                yield reply.id, failure_of_wire(failure.code, failure.reason, failure.message)
            else:
                yield reply.id, reply.expire


class Stream(Protocol):
    """An open stream to one process of an owner."""

    async def call(self, ask: timer_pb2.ExpireRequest, timeout_seconds: float) -> timer_pb2.ExpireReply:
        """Announce one deadline."""
        ...

    async def close(self) -> None:
        """End the stream."""
        ...


class OwnerClients:
    """The owners of deadlines, as `Owners`."""

    def __init__(self, peers: Mapping[str, Peers], keys: KeyRing) -> None:
        self._peers = peers
        self._metadata = peer_metadata(keys, SERVICE)
        self._streams: dict[tuple[str, str], Stream] = {}

    async def expire(self, due: Due, now_ms: int) -> Reply:
        """Tell the owner of a deadline that its time has come."""
        owner = due.deadline.owner
        peers = self._peers.get(owner)
        if peers is None:
            raise OwnerAwayError(f"no service is called {owner}")
        ask = timer_pb2.ExpireRequest()
        ask.game_id = due.game_id
        ask.deadline_id = due.deadline.deadline_id
        ask.seen_version = due.version
        ask.fired_at_ms = now_ms
        answer = await self._first_answer(owner, peers.order(due.game_id), ask)
        kind = answer.WhichOneof("result")
        if kind == "done":
            return Done(answer.done.version)
        if kind == "gone":
            return Gone(answer.gone.version)
        if kind == "not_yet":
            return NotYet(max(1, answer.not_yet.remaining_ms))
        raise OwnerAwayError(f"{owner} answered nothing that this release knows")

    async def close(self) -> None:
        """End the streams."""
        for stream in self._streams.values():
            await stream.close()
        for peers in self._peers.values():
            await peers.close()

    async def _first_answer(
        self, owner: str, addresses: Sequence[str], ask: timer_pb2.ExpireRequest
    ) -> timer_pb2.ExpireReply:
        """Ask the owner's processes in order until one answers; any may deal with any deadline."""
        for place, address in enumerate(addresses, start=1):
            last = place == len(addresses)
            try:
                stream = self._stream(owner, address)
                return await stream.call(ask, CALL_SECONDS if last else FIRST_CALL_SECONDS)
            except (KitError, RemoteError) as error:
                if last or not isinstance(error, PeerUnavailableError):
                    raise OwnerAwayError(str(error)) from error
        raise OwnerAwayError(f"{owner} has no processes")

    def _stream(self, owner: str, address: str) -> Stream:
        stream = self._streams.get((owner, address))
        if stream is None:
            stream = self._streams[owner, address] = self._open(owner, address)
        return stream

    def _open(self, owner: str, address: str) -> Stream:
        channel = self._peers[owner].channel(address)
        name = f"{owner} at {address}"
        if owner == "auction":
            auction = auction_pb2_grpc.AuctionPeerServiceStub(channel)
            return Exchange(name, lambda: auction.Exchange(metadata=self._metadata), AuctionCodec())
        game = game_pb2_grpc.GamePeerServiceStub(channel)
        return Exchange(name, lambda: game.Exchange(metadata=self._metadata), GameCodec())
