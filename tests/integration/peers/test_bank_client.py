"""The client that game and auction share: a bank process that is away does not stop its games."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc
import pytest

from magnate.bank.v1 import bank_pb2, bank_pb2_grpc
from magnate.kit.log.fold import Loaded
from magnate.kit.rpc import streams
from magnate.kit.rpc.channels import Peers
from magnate.kit.transact_types import Committed, CommitUnknown
from magnate.peers.bank import BankClient, Pay
from tests.support.counter import KEYS, START_MS, command, game
from tests.support.nats import free_ports

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from magnate.kit.rpc.interceptors import Context

PAYMENT = Pay("bank", "seat-0", 200, "salary")


class OneBank(bank_pb2_grpc.BankPeerServiceServicer):
    """Says of every commit that it is in the log."""

    async def Commit(  # noqa: N802 - the name in the proto
        self, request: bank_pb2.CommitRequest, context: Context
    ) -> bank_pb2.CommitResponse:
        """Not asked here."""
        raise NotImplementedError

    async def Exchange(  # noqa: N802 - the name in the proto
        self,
        request_iterator: AsyncIterator[bank_pb2.ExchangeRequest],
        context: Context,
    ) -> AsyncIterator[bank_pb2.ExchangeResponse]:
        """Answer every call."""
        await context.send_initial_metadata(())
        async for message in request_iterator:
            answer = bank_pb2.ExchangeResponse()
            for call in message.calls:
                reply = answer.replies.add()
                reply.id = call.id
                reply.commit.committed.commit = call.commit.game_id.encode()
                reply.commit.committed.sequence = 7
            yield answer


def first_named(_key: str, addresses: Iterable[str]) -> str:
    """Prefer the process that stands first."""
    return next(iter(addresses))


@pytest.mark.asyncio
async def test_another_process_writes_when_the_preferred_one_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit is written by the next in order; with nobody there its outcome is unknown, not an error."""
    monkeypatch.setattr(streams, "FIRST_CALL_SECONDS", 0.3)
    monkeypatch.setattr(streams, "LAST_CALL_SECONDS", 2.0)
    nobody, also_nobody, somebody = (f"127.0.0.1:{port}" for port in free_ports(3))
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    bank_pb2_grpc.add_BankPeerServiceServicer_to_server(OneBank(), server)
    server.add_insecure_port(somebody)
    await server.start()
    loaded = Loaded(game(), None)
    both = BankClient(Peers((nobody, somebody), first_named), KEYS, "game")
    none = BankClient(Peers((nobody, also_nobody), first_named), KEYS, "game")
    try:
        written = await both.commit(loaded, command("c1"), START_MS, (), (PAYMENT,))
        assert isinstance(written, Committed)
        assert (written.data, written.sequence) == (game().encode(), 7)
        assert isinstance(await none.commit(loaded, command("c2"), START_MS, (), (PAYMENT,)), CommitUnknown)
    finally:
        await both.close()
        await none.close()
        await server.stop(0)
