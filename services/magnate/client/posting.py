"""An open `PostStream`: batches for any number of ledgers, each answered as soon as it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.bank.v1 import ledger_pb2
from magnate.client.batching import BatchingStream

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.client.ledger import LedgerSession


class PostStream(BatchingStream[ledger_pb2.PostRequest, ledger_pb2.PostReply]):
    """`async with PostStream(session) as stream: reply = await stream.post(request)`."""

    def __init__(self, session: LedgerSession) -> None:
        super().__init__(session.stub.PostStream())

    async def post(self, request: ledger_pb2.PostRequest) -> ledger_pb2.PostReply:
        """Send a batch and return how it ended: with a response, or with a failure as a value.

        Raises:
            ConnectionError: the stream broke; the outcome is unknown, send the same id on a new one.
        """
        return await self.ask((request.ledger_id, request.command_id), request)

    def message(self, asked: list[ledger_pb2.PostRequest]) -> ledger_pb2.PostStreamRequest:
        """Return the message that carries batches."""
        return ledger_pb2.PostStreamRequest(posts=asked)

    def answers(
        self, message: ledger_pb2.PostStreamResponse
    ) -> Iterable[tuple[tuple[str, ...], ledger_pb2.PostReply]]:
        """Return the replies in a message; ledger and command id are its key."""
        return (((reply.ledger_id, reply.command_id), reply) for reply in message.replies)
