"""One open stream to each process of a service, made when first needed; calls go to the preferred one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic

from magnate.kit.rpc.calls import Answer, Ask, AskingCodec
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.exchange import Exchange, PeerUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    import grpc
    from google.protobuf.message import Message

    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers

FIRST_CALL_SECONDS: Final = 5.0
"""How long one process is asked where another could be."""
LAST_CALL_SECONDS: Final = 20.0
"""Longer than the election of a new leader of the log, which whoever writes waits for."""


class Streams(Generic[Ask, Answer]):
    """The processes of one service, each behind an `Exchange`.

    Args:
        name: the service, for messages.
        peers: its processes.
        stub: its generated stub, with the method `Exchange`.
        request: the message of that method which carries calls.
        keys: what the tokens of our services are signed with.
        service: who asks.
    """

    def __init__(
        self,
        name: str,
        peers: Peers,
        stub: Callable[[grpc.aio.Channel], Any],
        request: type[Message],
        keys: KeyRing,
        service: str,
    ) -> None:
        self._name = name
        self._peers = peers
        self._stub = stub
        self._codec: AskingCodec[Ask, Answer] = AskingCodec(request)
        self._metadata = peer_metadata(keys, service)
        self._streams: dict[str, Exchange[Ask, Answer, Any, Any]] = {}

    async def call(self, key: str, ask: Ask, timeout_seconds: float) -> Answer:
        """Ask the preferred process of a key.

        Raises:
            PeerUnavailableError: no answer in time, or the stream broke.
            RemoteError: the peer answered with a failure.
        """
        return await self._stream(self._peers.preferred(key)).call(ask, timeout_seconds)

    async def first_answer(self, key: str, ask: Ask, seconds: float | None = None, tries: int = 0) -> Answer:
        """Ask the preferred process of a key, then those that would take over, until one answers.

        For what any process may answer, and what may be asked twice.

        Args:
            key: for example a game id.
            ask: what is asked.
            seconds: how long each is asked; None is for what writes to the log: the last one has longer.
            tries: how many are asked, in turn; 0 is each once.

        Raises:
            PeerUnavailableError: nobody answered.
            RemoteError: the peer answered with a failure.
        """
        order = self._peers.order(key)
        last = (tries or len(order)) - 1
        for attempt in range(last):
            try:
                stream = self._stream(order[attempt % len(order)])
                return await stream.call(ask, seconds or FIRST_CALL_SECONDS)
            except PeerUnavailableError:
                continue
        return await self._stream(order[last % len(order)]).call(ask, seconds or LAST_CALL_SECONDS)

    async def close(self) -> None:
        """End the streams and the channels under them."""
        for stream in self._streams.values():
            await stream.close()
        await self._peers.close()

    def _stream(self, address: str) -> Exchange[Ask, Answer, Any, Any]:
        stream = self._streams.get(address)
        if stream is None:
            stub = self._stub(self._peers.channel(address))
            stream = Exchange(
                f"{self._name} at {address}", lambda: stub.Exchange(metadata=self._metadata), self._codec
            )
            self._streams[address] = stream
        return stream
