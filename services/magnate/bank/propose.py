"""What other services ask of the bank: `Commit`, alone or many on an open stream. Translation only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.asks import CommitAnswer, CommitAsk, Committed, Head, Moved, Refused
from magnate.bank.instructions_codec import read_instruction
from magnate.bank.v1 import bank_pb2, bank_pb2_grpc
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.log.commit import ZERO_HASH, Command, Section
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.calls import AnsweringCodec
from magnate.kit.rpc.exchange import serve_exchange

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from magnate.bank.service import Bank
    from magnate.kit.rpc.interceptors import Context
    from magnate.log.v1 import log_pb2

OUTCOME_WORDS: Final = {Committed: "committed", Refused: "refused", Moved: "conflict"}


class BankPeerServicer(bank_pb2_grpc.BankPeerServiceServicer):
    """BankPeerService, for Magnate's own services only."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._codec: AnsweringCodec[bank_pb2.CommitRequest, bank_pb2.CommitResponse] = AnsweringCodec(
            bank_pb2.ExchangeResponse
        )

    async def Commit(  # noqa: N802 - the name in the proto
        self,
        request: bank_pb2.CommitRequest,
        context: Context,
    ) -> bank_pb2.CommitResponse:
        """Write one commit."""
        del context
        bind(game_id=request.game_id, command_id=request.command.command_id)
        answer = await self._bank.commit(read_ask(request))
        bind(outcome=OUTCOME_WORDS.get(type(answer), "reused"))
        return write_answer(answer)

    async def Exchange(  # noqa: N802 - the name in the proto
        self,
        request_iterator: AsyncIterator[bank_pb2.ExchangeRequest],
        context: Context,
    ) -> AsyncIterator[bank_pb2.ExchangeResponse]:
        """Write commits as they come, each answered as soon as it is written."""
        async for message in serve_exchange(request_iterator, context, self._answer, self._codec):
            yield message

    async def _answer(self, request: bank_pb2.CommitRequest | None) -> bank_pb2.CommitResponse:
        """Answer one call of a stream; None is a call of a kind this build does not know."""
        if request is None:
            raise InvalidArgumentError("calls.call", "is of a kind that this bank does not know")
        return write_answer(await self._bank.commit(read_ask(request)))


def read_ask(request: bank_pb2.CommitRequest) -> CommitAsk:
    """Return what a request asks for; InvalidArgumentError for an instruction of no known kind."""
    head, reference = request.head, request.command
    command = Command(
        reference.command_id,
        reference.request_hash,
        actor=reference.actor,
        received_at_ms=request.received_at_ms,
        causation_id=reference.causation_id,
        correlation_id=reference.correlation_id,
    )
    return CommitAsk(
        request.game_id,
        Head(head.version, head.sequence, head.hash or ZERO_HASH, head.time_ms, head.ledger_version),
        command,
        request.now_ms,
        read_sections(request.sections),
        [read_instruction(place, one) for place, one in enumerate(request.instructions)],
        secret_sections=read_sections(request.secret_sections),
        salt=request.salt,
        batch=request.batch,
        links=[one.linked for one in request.instructions],
    )


def read_sections(sections: Iterable[log_pb2.Section]) -> list[Section]:
    """Return sections, bodies unread."""
    return [Section(section.kind, section.version, section.body) for section in sections]


def write_answer(answer: CommitAnswer) -> bank_pb2.CommitResponse:
    """Return the response that says what became of a commit."""
    response = bank_pb2.CommitResponse()
    if isinstance(answer, Committed):
        committed = response.committed
        committed.commit = answer.data
        committed.sequence = answer.sequence
        committed.replayed = answer.replayed
        for result in answer.results:
            added = committed.results.add()
            if result.rejection is not None:
                added.rejection = result.rejection.name
                added.detail = result.rejection.detail
    elif isinstance(answer, Refused):
        refused = response.refused
        refused.rejection = answer.rejection.name
        refused.detail = answer.rejection.detail
        refused.account = answer.rejection.account
        refused.instruction = answer.rejection.instruction
        write_head(refused.head, answer.head)
    elif isinstance(answer, Moved):
        write_head(response.conflict.head, answer.head)
    else:
        response.command_reused.version = answer.version
    return response


def write_head(message: bank_pb2.Head, head: Head) -> None:
    """Write a head into its message."""
    message.version = head.version
    message.sequence = head.sequence
    message.hash = head.hash
    message.time_ms = head.time_ms
    message.ledger_version = head.ledger_version
