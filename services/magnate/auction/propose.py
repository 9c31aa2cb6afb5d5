"""What peers ask of auctions over the open stream: the game's propose and act, and the timer's expire.

Translation between the peer protocol and the use cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from magnate.auction.codec import auction_section, put_deadline
from magnate.auction.ports import Behind, Step
from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.auction.view import about_refusal
from magnate.auction.vocabulary_codec import (
    UnknownKindError,
    decode_ask,
    encode_auction_event,
    put_auction_outcome,
)
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.expiry import Expired, Gone
from magnate.kit.ids import InvalidIdError, check_sent_command_id, parse_game_id
from magnate.kit.log.commit import Command
from magnate.kit.rpc.calls import AnsweringCodec
from magnate.kit.rpc.exchange import serve_exchange
from magnate.kit.transact_types import Done
from magnate.peers.bank import put_instruction
from magnate.rules.vocabulary import PassAuction, PlaceBid, SetProxyBid
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.auction.metrics import AuctionMetrics
    from magnate.auction.service import Act, AuctionService
    from magnate.kit.rpc.interceptors import Context

Ask: TypeAlias = auction_pb2.ProposeRequest | auction_pb2.ActRequest | timer_pb2.ExpireRequest
Answer: TypeAlias = auction_pb2.ProposeResponse | auction_pb2.ActResponse | timer_pb2.ExpireReply


class AuctionPeerServicer(auction_pb2_grpc.AuctionPeerServiceServicer):
    """Serves `magnate.auction.v1.AuctionPeerService`."""

    def __init__(self, service: AuctionService, metrics: AuctionMetrics) -> None:
        self._service = service
        self._metrics = metrics
        self._codec: AnsweringCodec[Ask, Answer] = AnsweringCodec(auction_pb2.ExchangeResponse)

    async def Exchange(  # noqa: N802 - the name in the proto
        self,
        request_iterator: AsyncIterator[auction_pb2.ExchangeRequest],
        context: Context,
    ) -> AsyncIterator[auction_pb2.ExchangeResponse]:
        """Answer the calls of one stream."""
        async for message in serve_exchange(request_iterator, context, self.answer, self._codec):
            yield message

    async def answer(self, ask: Ask | None) -> Answer:
        """Answer one call."""
        if ask is None:
            raise InvalidArgumentError("call", "must be one that this release knows")
        try:
            parse_game_id(ask.game_id)
        except InvalidIdError as error:
            raise InvalidArgumentError(error.field, str(error)) from error
        if isinstance(ask, auction_pb2.ProposeRequest):
            return await self._propose(ask)
        if isinstance(ask, auction_pb2.ActRequest):
            return await self._act(ask)
        return await self._expire(ask)

    async def _propose(self, ask: auction_pb2.ProposeRequest) -> auction_pb2.ProposeResponse:
        try:
            steps = [Step(decode_ask(one.ask), list(one.available), list(one.limits)) for one in ask.steps]
        except UnknownKindError as error:
            raise InvalidArgumentError("steps", f"an ask this release does not know: {error}") from error
        answer = auction_pb2.ProposeResponse()
        whole = await self._service.propose(ask.game_id, ask.head_version, ask.time_ms, steps)
        if isinstance(whole, Behind):
            self._metrics.proposed("behind")
            answer.behind.version = whole.version
            return answer
        self._metrics.proposed("proposal")
        proposal = answer.proposal
        proposal.SetInParent()
        if whole.events:
            section = auction_section(whole.events)
            proposal.section.kind = section.kind  # type: ignore[assignment]  # an int that stays one
            proposal.section.version = section.version
            proposal.section.body = section.body
        for event in whole.events:
            encode_auction_event(event, proposal.events.add())
        for change in whole.deadlines:
            put_deadline(change, proposal.deadlines.add())
        for outcome in whole.outcomes:
            put_auction_outcome(outcome, proposal.outcomes.add())
        for instruction in whole.instructions():
            put_instruction(instruction, proposal.instructions.add())
        return answer

    async def _act(self, ask: auction_pb2.ActRequest) -> auction_pb2.ActResponse:
        action: Act
        kind = ask.WhichOneof("action")
        if kind == "place_bid":
            action = PlaceBid(ask.place_bid.lot, ask.place_bid.amount, ask.place_bid.auction)
        elif kind == "pass_auction":
            action = PassAuction(ask.pass_auction.lot, ask.pass_auction.auction)
        elif kind == "set_proxy_bid":
            proxy = ask.set_proxy_bid
            action = SetProxyBid(proxy.lot, proxy.ceiling, proxy.auction)
        else:
            raise InvalidArgumentError("action", "must be one that this release knows")
        try:
            check_sent_command_id(ask.command.command_id)
        except InvalidIdError as error:
            raise InvalidArgumentError(error.field, str(error)) from error
        command = Command(
            ask.command.command_id,
            ask.command.request_hash,
            actor=ask.command.actor,
            received_at_ms=ask.received_at_ms or self._service.now_ms(),
            seen_version=ask.seen_version,
            expected_version=ask.expected_version,
            causation_id=ask.command.causation_id,
            correlation_id=ask.command.correlation_id,
        )
        outcome = await self._service.act(ask.game_id, ask.seat, command, action)
        answer = auction_pb2.ActResponse()
        if isinstance(outcome, Done):
            answer.committed.commit = outcome.commit.data
            answer.committed.sequence = outcome.commit.sequence
            answer.committed.replayed = outcome.replayed
        else:
            answer.rejected.rejection = outcome.rejection.name
            answer.rejected.detail = outcome.rejection.detail
            answer.rejected.version = 0 if outcome.loaded is None else outcome.loaded.version
            state = None if outcome.loaded is None else outcome.loaded.state
            answer.rejected.about.update(about_refusal(state, self._service.now_ms(), action))
        return answer

    async def _expire(self, ask: timer_pb2.ExpireRequest) -> timer_pb2.ExpireReply:
        expiry = await self._service.expire(ask.game_id, ask.deadline_id, ask.seen_version)
        answer = timer_pb2.ExpireReply()
        if isinstance(expiry, Expired):
            answer.done.version = expiry.version
        elif isinstance(expiry, Gone):
            answer.gone.version = expiry.version
        else:
            answer.not_yet.remaining_ms = expiry.remaining_ms
        return answer
