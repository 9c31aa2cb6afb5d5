"""What peers ask over the open stream: to propose (auction), to expire (timer), to act (worker or bank)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from magnate.game.acting import refused_result, result_of
from magnate.game.codec import encode_deadline_change
from magnate.game.propose import propose
from magnate.game.requests import read_game_id
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.game.vocabulary_codec import encode_ask, get_auction_outcome
from magnate.kit.errors import ELSEWHERE, InvalidArgumentError, KitError, RefusedError, UnavailableError
from magnate.kit.expiry import NotYet
from magnate.kit.rpc.call import principal
from magnate.kit.rpc.calls import AnsweringCodec
from magnate.kit.rpc.exchange import serve_exchange
from magnate.kit.transact_types import Refused
from magnate.kit.viewer import Viewer
from magnate.peers.bank import get_instruction, put_instruction
from magnate.rules import rejections as names
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.game.acting import Acting
    from magnate.game.service import GameService
    from magnate.game.state import GameState
    from magnate.kit.rpc.interceptors import Context

Ask: TypeAlias = game_pb2.ProposeRequest | timer_pb2.ExpireRequest | game_pb2.ForwardedAct
Answer: TypeAlias = game_pb2.ProposeResponse | timer_pb2.ExpireReply | game_pb2.PlayResult


class GamePeerServicer(game_pb2_grpc.GamePeerServiceServicer):
    """Serves `magnate.game.v1.GamePeerService`."""

    def __init__(self, service: GameService, acting: Acting) -> None:
        self._service = service
        self._acting = acting
        self._viewer: Viewer[GameState] = Viewer(service.transactor)
        self._codec: AnsweringCodec[Ask, Answer] = AnsweringCodec(game_pb2.ExchangeResponse)

    async def Exchange(  # noqa: N802 - the name in the proto
        self, request_iterator: AsyncIterator[game_pb2.ExchangeRequest], context: Context
    ) -> AsyncIterator[game_pb2.ExchangeResponse]:
        """Answer the calls of one stream."""
        async for message in serve_exchange(request_iterator, context, self.answer, self._codec):
            yield message

    async def answer(self, ask: Ask | None) -> Answer:
        """Answer one call."""
        if ask is None:
            raise InvalidArgumentError("call", "must be one that this release knows")
        if isinstance(ask, game_pb2.ProposeRequest):
            return await self._propose(ask)
        if isinstance(ask, timer_pb2.ExpireRequest):
            return await self._expire(ask)
        try:
            outcome = await self._acting.act_for(ask.act, ask.seat, principal(), ask.received_at_ms)
        except Exception as error:
            if isinstance(error, KitError) and error.reason in ELSEWHERE:
                raise  # who asks will do it himself, or ask another process
            return refused_result(ask.act, error)  # the command's trouble is its own result
        return result_of(outcome, ask.act)

    async def _propose(self, ask: game_pb2.ProposeRequest) -> game_pb2.ProposeResponse:
        answer = game_pb2.ProposeResponse()
        game_id = read_game_id(ask.game_id)
        loaded = await self._viewer.at_least(game_id, ask.head_version)
        if loaded.version < ask.head_version:
            raise UnavailableError(f"game {game_id}: version {ask.head_version} cannot be read yet")
        if loaded.version > ask.head_version:
            answer.behind.version = loaded.version
            return answer
        outcomes = [get_auction_outcome(outcome) for outcome in ask.outcomes]
        moves = [(one.outcomes_before, get_instruction(one.instruction)) for one in ask.moves]
        made = propose(loaded, outcomes, moves, ask.time_ms)
        proposal = answer.proposal
        proposal.SetInParent()
        for section in made.sections:
            added = proposal.sections.add()
            added.kind = section.kind  # type: ignore[assignment]  # the same numbers
            added.version = section.version
            added.body = section.body
        for instruction in made.instructions:
            put_instruction(instruction, proposal.instructions.add())
        for change in made.deadlines:
            encode_deadline_change(change, proposal.deadlines.add())
        for one in made.asks:
            asked = proposal.asks.add()
            encode_ask(one.ask, asked.ask)
            asked.available.extend(one.available)
            asked.limits.extend(one.limits)
        proposal.limits.extend(made.limits)
        proposal.out.extend(made.out)
        return answer

    async def _expire(self, ask: timer_pb2.ExpireRequest) -> timer_pb2.ExpireReply:
        reply = timer_pb2.ExpireReply()
        result = await self._service.expire(read_game_id(ask.game_id), ask.deadline_id, ask.seen_version)
        if isinstance(result, NotYet):
            reply.not_yet.remaining_ms = result.remaining_ms
        elif not isinstance(result, Refused):
            reply.done.version = result.commit.version
        elif result.rejection.name in {names.UNKNOWN_DEADLINE, names.UNKNOWN_GAME}:
            reply.gone.version = 0 if result.loaded is None else result.loaded.version
        else:
            raise RefusedError(result.rejection, {"game_id": ask.game_id})
        return reply
