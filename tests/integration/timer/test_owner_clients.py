"""How the timer reaches the owners of deadlines when one of their processes is away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.kit.expiry import Expired
from magnate.kit.rpc import streams
from magnate.kit.rpc.channels import Peers
from magnate.timer.domain.agenda import Due
from magnate.timer.domain.schedule import Deadline
from magnate.timer.peers import OwnerClients
from magnate.timer.ports import OwnerAwayError
from tests.support.counter import KEYS, START_MS, game
from tests.support.nats import free_ports

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from magnate.kit.rpc.interceptors import Context


class OneAuction(auction_pb2_grpc.AuctionPeerServiceServicer):
    """Deals with every deadline."""

    async def Exchange(  # noqa: N802 - the name in the proto
        self, request_iterator: AsyncIterator[auction_pb2.ExchangeRequest], context: Context
    ) -> AsyncIterator[auction_pb2.ExchangeResponse]:
        """Answer every call with the version it names, and one more."""
        await context.send_initial_metadata(())
        async for message in request_iterator:
            answer = auction_pb2.ExchangeResponse()
            for call in message.calls:
                reply = answer.replies.add()
                reply.id = call.id
                reply.expire.done.version = call.expire.seen_version + 1
            yield answer


def first_named(_key: str, addresses: Iterable[str]) -> str:
    """Prefer the process that stands first."""
    return next(iter(addresses))


@pytest.mark.asyncio
async def test_another_process_deals_with_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next process in order is told; with nobody there the timer learns it and tries again later."""
    monkeypatch.setattr(streams, "FIRST_CALL_SECONDS", 0.3)
    monkeypatch.setattr(streams, "LAST_CALL_SECONDS", 2.0)
    nobody, also_nobody, somebody = (f"127.0.0.1:{port}" for port in free_ports(3))
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    auction_pb2_grpc.add_AuctionPeerServiceServicer_to_server(OneAuction(), server)
    server.add_insecure_port(somebody)
    await server.start()
    due = Due(game(), 4, Deadline("a1-1", "auction", "close", START_MS))
    both = OwnerClients({"auction": Peers((nobody, somebody), first_named)}, KEYS)
    none = OwnerClients({"auction": Peers((nobody, also_nobody), first_named)}, KEYS)
    try:
        reply = await both.expire(due, START_MS)
        assert isinstance(reply, Expired)
        assert reply.version == 5
        with pytest.raises(OwnerAwayError):
            await none.expire(due, START_MS)
    finally:
        await both.close()
        await none.close()
        await server.stop(0)
