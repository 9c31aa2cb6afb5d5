"""Serves `magnate.auction.v1.AuctionService`: translation between messages and use cases, nothing else."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from magnate.auction.domain.decision import NO_END, End
from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.auction.vocabulary_codec import encode_auction_event, put_auction_opened
from magnate.kit.errors import InvalidArgumentError, RefusedError
from magnate.kit.ids import InvalidIdError, check_sent_command_id, parse_game_id, request_hash
from magnate.kit.log.commit import Command
from magnate.kit.rpc.call import principal
from magnate.kit.transact_types import Done
from magnate.peers.actions import hashed_content
from magnate.rules import vocabulary as words
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
    from google.protobuf.timestamp_pb2 import Timestamp

    from magnate.auction.service import AuctionService
    from magnate.auction.state import GameState
    from magnate.auction.watch import Watcher
    from magnate.kit.rpc.interceptors import Context
    from magnate.rules.bidding import Auction
    from magnate.rules.vocabulary import AuctionEvent


class AuctionServicer(auction_pb2_grpc.AuctionServiceServicer):
    """The public face of auctions."""

    def __init__(self, service: AuctionService, watcher: Watcher) -> None:
        self._service = service
        self._watcher = watcher

    async def GetAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.GetAuctionRequest, context: Context
    ) -> auction_pb2.GetAuctionResponse:
        """Return the running auction."""
        del context
        loaded = await self._service.view(_game_id(request.game_id))
        answer = auction_pb2.GetAuctionResponse()
        answer.game_id = request.game_id
        answer.version = loaded.version
        put_auction(loaded.state, answer)
        put_time(self._service.now_ms(), answer.server_time)
        return answer

    async def PlaceBid(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.PlaceBidRequest, context: Context
    ) -> auction_pb2.PlaceBidResponse:
        """Bid for the seat of the caller's token."""
        del context
        answer = auction_pb2.PlaceBidResponse()
        await self._act(request, words.PlaceBid(request.lot, request.amount), answer)
        return answer

    async def PassAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.PassAuctionRequest, context: Context
    ) -> auction_pb2.PassAuctionResponse:
        """Pass for the seat of the caller's token."""
        del context
        answer = auction_pb2.PassAuctionResponse()
        await self._act(request, words.PassAuction(request.lot), answer)
        return answer

    async def WatchAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.WatchAuctionRequest, context: Context
    ) -> AsyncIterator[auction_pb2.WatchAuctionResponse]:
        """Tell what happens to the auctions of a game."""
        del context
        async with aclosing(self._watcher.watch(_game_id(request.game_id), request.from_version)) as seen:
            async for one in seen:
                answer = auction_pb2.WatchAuctionResponse()
                answer.version = one.loaded.version
                put_time(one.loaded.time_ms, answer.commit_time)
                put_events(one.events, answer.events)
                put_auction(one.loaded.state, answer)
                put_time(self._service.now_ms(), answer.server_time)
                yield answer

    async def _act(
        self,
        request: auction_pb2.PlaceBidRequest | auction_pb2.PassAuctionRequest,
        action: words.PlaceBid | words.PassAuction,
        answer: auction_pb2.PlaceBidResponse | auction_pb2.PassAuctionResponse,
    ) -> None:
        received_at_ms = self._service.now_ms()
        game_id = _game_id(request.game_id)
        try:
            check_sent_command_id(request.command_id)
        except InvalidIdError as error:
            raise InvalidArgumentError(error.field, str(error)) from error
        seat = principal().seat_of(game_id)
        actor = f"seat-{seat}"
        command = Command(
            request.command_id,
            action_hash(actor, action),
            actor=actor,
            received_at_ms=received_at_ms,
            seen_version=request.seen_version,
        )
        outcome = await self._service.act(game_id, seat, command, action)
        if not isinstance(outcome, Done):
            raise RefusedError(outcome.rejection)
        answer.version = outcome.commit.version
        answer.replayed = outcome.replayed
        put_events(self._service.events(outcome.commit), answer.events)
        put_auction(outcome.loaded.state, answer)
        put_time(self._service.now_ms(), answer.server_time)


def action_hash(actor: str, action: words.PlaceBid | words.PassAuction) -> bytes:
    """Return the digest of a bid's or pass's content, so that a reused command id is noticed.

    The same as for one that comes through the game service, so that it may be sent again by either way.
    """
    command = vocabulary_pb2.Command()
    if isinstance(action, words.PlaceBid):
        command.place_bid.lot = action.lot
        command.place_bid.amount = action.amount
        command.place_bid.SetInParent()
    else:
        command.pass_auction.lot = action.lot
        command.pass_auction.SetInParent()
    return request_hash(actor.encode(), hashed_content(command))


def put_auction(
    state: GameState,
    answer: (
        auction_pb2.GetAuctionResponse
        | auction_pb2.PlaceBidResponse
        | auction_pb2.PassAuctionResponse
        | auction_pb2.WatchAuctionResponse
    ),
) -> None:
    """Put the running auctions into an answer; the first of them, if there is one, stands alone too."""
    ends = state.ends()
    for running in state.auctions.running.values():
        put_running(running, ends.get(running.auction, NO_END), answer.auctions.add())
    if answer.auctions:
        answer.auction.CopyFrom(answer.auctions[0])


def put_running(running: Auction, end: End, auction: auction_pb2.Auction) -> None:
    """Store what everybody may see of a running auction."""
    auction.auction = running.auction
    auction.lot = running.lot
    auction.bidders.extend(running.active)
    auction.passed.extend(running.passed)
    auction.leader = running.leader
    auction.price = running.price
    auction.least_bid = running.least_bid
    auction.close_ms = running.close_ms
    auction.building = running.building  # type: ignore[assignment]  # the same numbers
    auction.turn_seat = running.turn
    auction.barred_seat = running.barred
    auction.mode = running.opened.mode
    auction.bid_limit = running.opened.bid_limit
    auction.extensions = running.extensions
    auction.calls = running.calls
    auction.sealed_seats.extend(running.sealed_seats)
    put_auction_opened(running.opened, auction.terms)
    auction.paused = end.paused
    if end.due_ms:
        put_time(end.due_ms, auction.close_time)


def put_events(
    events: Iterable[AuctionEvent],
    target: RepeatedCompositeFieldContainer[vocabulary_pb2.AuctionEvent],
) -> None:
    """Put events into an answer."""
    for event in events:
        encode_auction_event(event, target.add())


def put_time(time_ms: int, target: Timestamp) -> None:
    """Put a time into an answer."""
    target.seconds, rest = divmod(time_ms, 1000)
    target.nanos = rest * 1_000_000


def _game_id(game_id: str) -> str:
    try:
        parse_game_id(game_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from error
    return game_id
