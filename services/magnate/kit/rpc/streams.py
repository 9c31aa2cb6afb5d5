"""One open stream to each process of a service, made when first needed; calls go to the preferred one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from magnate.kit.rpc.exchange import Exchange

if TYPE_CHECKING:
    from collections.abc import Callable

    import grpc

    from magnate.kit.rpc.channels import Peers
    from magnate.kit.rpc.exchange import ClientCodec

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")
Out = TypeVar("Out")
In = TypeVar("In")


class Streams(Generic[Ask, Answer, Out, In]):
    """The processes of one service, each behind an `Exchange`.

    Args:
        name: the service, for messages.
        peers: its processes.
        opened: returns a function that opens the stream over a channel.
        codec: packs calls and unpacks replies.
    """

    def __init__(
        self,
        name: str,
        peers: Peers,
        opened: Callable[[grpc.aio.Channel], Callable[[], grpc.aio.StreamStreamCall[Out, In]]],
        codec: ClientCodec[Ask, Answer, Out, In],
    ) -> None:
        self.peers = peers
        self._name = name
        self._opened = opened
        self._codec = codec
        self._streams: dict[str, Exchange[Ask, Answer, Out, In]] = {}

    async def call(self, key: str, ask: Ask, timeout_seconds: float, attempt: int = 0) -> Answer:
        """Ask the preferred process of a key; a later attempt asks the one that would take over.

        Raises:
            PeerUnavailableError: no answer in time, or the stream broke.
            RemoteError: the peer answered with a failure.
        """
        if attempt == 0:
            address = self.peers.preferred(key)
        else:
            order = self.peers.order(key)
            address = order[attempt % len(order)]
        return await self._stream(address).call(ask, timeout_seconds)

    async def close(self) -> None:
        """End the streams and the channels under them."""
        for stream in self._streams.values():
            await stream.close()
        await self.peers.close()

    def _stream(self, address: str) -> Exchange[Ask, Answer, Out, In]:
        stream = self._streams.get(address)
        if stream is None:
            open_stream = self._opened(self.peers.channel(address))
            stream = Exchange(f"{self._name} at {address}", open_stream, self._codec)
            self._streams[address] = stream
        return stream
