"""Serves `magnate.auction.v1.AuctionService`: translation between messages and use cases, nothing else."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.auction.tables.state import NO_SEAT, seat_account
from magnate.auction.tables.terms import read_asked
from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.auction.view import (
    NOBODY_IN_PARTICULAR,
    about_refusal,
    put_auction,
    put_auctions,
    put_events,
    put_time,
)
from magnate.kit.errors import ForbiddenError, InvalidArgumentError, RefusedError
from magnate.kit.ids import InvalidIdError, check_sent_command_id, parse_game_id, request_hash
from magnate.kit.log.commit import Command
from magnate.kit.observe.logging import bind
from magnate.kit.rpc.call import principal
from magnate.kit.transact_types import Done
from magnate.peers.actions import hashed_content
from magnate.rules import rejections as names
from magnate.rules import vocabulary as words
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from google.protobuf.message import Message

    from magnate.auction.service import Answer, AuctionService
    from magnate.auction.state import GameState
    from magnate.auction.watch import Watcher
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.call import Principal
    from magnate.kit.rpc.interceptors import Context

Acting: TypeAlias = (
    auction_pb2.PlaceBidRequest | auction_pb2.PassAuctionRequest | auction_pb2.SetProxyBidRequest
)
Acted: TypeAlias = (
    auction_pb2.PlaceBidResponse | auction_pb2.PassAuctionResponse | auction_pb2.SetProxyBidResponse
)
Selling: TypeAlias = auction_pb2.OpenAuctionRequest | auction_pb2.CancelAuctionRequest
Sold: TypeAlias = auction_pb2.OpenAuctionResponse | auction_pb2.CancelAuctionResponse
Action: TypeAlias = words.PlaceBid | words.PassAuction | words.SetProxyBid

CARD: Final = "card"
GUEST: Final = "guest"
_NOT_CONTENT: Final = ("command_id", "seen_version")


class AuctionServicer(auction_pb2_grpc.AuctionServiceServicer):
    """The public face of auctions."""

    def __init__(self, service: AuctionService, watcher: Watcher) -> None:
        self._service = service
        self._watcher = watcher

    async def GetAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.GetAuctionRequest, context: Context
    ) -> auction_pb2.GetAuctionResponse:
        """Return the running auctions."""
        del context
        loaded = await self._service.view(_game_id(request.game_id))
        viewer = viewer_of(principal(), loaded)
        answer = auction_pb2.GetAuctionResponse()
        answer.game_id = request.game_id
        answer.version = loaded.version
        put_auctions(loaded.state, self._service.now_ms(), answer, viewer)
        put_auction(answer)
        return answer

    async def PlaceBid(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.PlaceBidRequest, context: Context
    ) -> auction_pb2.PlaceBidResponse:
        """Bid for the seat of the caller's token."""
        del context
        answer = auction_pb2.PlaceBidResponse()
        await self._act(request, words.PlaceBid(request.lot, request.amount, request.auction), answer)
        return answer

    async def PassAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.PassAuctionRequest, context: Context
    ) -> auction_pb2.PassAuctionResponse:
        """Pass for the seat of the caller's token."""
        del context
        answer = auction_pb2.PassAuctionResponse()
        await self._act(request, words.PassAuction(request.lot, request.auction), answer)
        return answer

    async def SetProxyBid(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.SetProxyBidRequest, context: Context
    ) -> auction_pb2.SetProxyBidResponse:
        """Have bids made for the seat of the caller's token."""
        del context
        answer = auction_pb2.SetProxyBidResponse()
        await self._act(request, words.SetProxyBid(request.lot, request.ceiling, request.auction), answer)
        return answer

    async def OpenAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.OpenAuctionRequest, context: Context
    ) -> auction_pb2.OpenAuctionResponse:
        """Open an auction at a table."""
        del context
        received_at_ms = self._service.now_ms()
        table_id, seller = _seller(request.table_id)
        asked = read_asked(request)
        command = _selling(request, seller, received_at_ms)
        outcome = await self._service.open(table_id, command, seller, asked)
        answer = auction_pb2.OpenAuctionResponse()
        self._sold(outcome, answer, seller)
        for event in answer.events:
            if event.HasField("auction_opened"):
                answer.auction = event.auction_opened.auction
        return answer

    async def CancelAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.CancelAuctionRequest, context: Context
    ) -> auction_pb2.CancelAuctionResponse:
        """End an auction at a table without a sale."""
        del context
        received_at_ms = self._service.now_ms()
        table_id, seller = _seller(request.table_id)
        command = _selling(request, seller, received_at_ms)
        outcome = await self._service.cancel(table_id, command, seller, request.auction)
        answer = auction_pb2.CancelAuctionResponse()
        self._sold(outcome, answer, seller)
        return answer

    async def WatchAuction(  # noqa: N802 - the name in the proto
        self, request: auction_pb2.WatchAuctionRequest, context: Context
    ) -> AsyncIterator[auction_pb2.WatchAuctionResponse]:
        """Tell what happens to the auctions of a game."""
        del context
        game_id, who = _game_id(request.game_id), principal()
        loaded = await self._service.view(game_id)
        viewer = viewer_of(who, loaded)
        if request.from_version > loaded.version:
            raise InvalidArgumentError("from_version", f"the newest version is {loaded.version}")
        async with aclosing(self._watcher.watch(game_id, request.from_version)) as seen:
            async for one in seen:
                answer = auction_pb2.WatchAuctionResponse()
                answer.version = one.loaded.version
                put_time(one.loaded.time_ms, answer.commit_time)
                put_events(one.events, answer.events)
                put_auctions(one.loaded.state, self._service.now_ms(), answer, viewer)
                put_auction(answer)
                yield answer

    async def _act(self, request: Acting, action: Action, answer: Acted) -> None:
        received_at_ms = self._service.now_ms()
        game_id, who = _game_id(request.game_id), principal()
        _check_command(request.command_id)
        at_table = who.kind == "table"
        seat = _card(who, game_id) if at_table else who.seat_of(game_id)
        actor = seat_account(seat)
        command = Command(
            request.command_id,
            action_hash(actor, action),
            actor=actor,
            received_at_ms=received_at_ms,
            seen_version=request.seen_version,
        )
        outcome = await self._service.act(game_id, seat, command, action, at_table=at_table)
        if not isinstance(outcome, Done):
            raise self._refused(outcome.rejection, outcome.loaded, action)
        events = self._service.events(outcome.commit)
        answer.version = outcome.commit.version
        answer.replayed = outcome.replayed
        put_events(events, answer.events)
        put_auctions(outcome.loaded.state, self._service.now_ms(), answer, seat)
        put_auction(answer, getattr(events[0], "auction", 0) if events else 0)

    def _sold(self, outcome: Answer, answer: Sold, viewer: int) -> None:
        if not isinstance(outcome, Done):
            raise self._refused(outcome.rejection, outcome.loaded)
        answer.version = outcome.commit.version
        answer.replayed = outcome.replayed
        put_events(self._service.events(outcome.commit), answer.events)
        put_auctions(outcome.loaded.state, self._service.now_ms(), answer, viewer)

    def _refused(
        self, rejection: object, loaded: Loaded[GameState] | None, action: Action | None = None
    ) -> RefusedError:
        """Return the error of a refusal: with the server's time, and the close by which a bid was judged."""
        state = None if loaded is None else loaded.state
        about = about_refusal(state, self._service.now_ms(), action)
        if loaded is not None:
            about["version"] = str(loaded.version)
        return RefusedError(rejection, about)  # type: ignore[arg-type]  # every one of them is a rejection


def viewer_of(who: Principal, loaded: Loaded[GameState]) -> int:
    """Return for whose eyes auctions are shown: a seat, or nobody in particular.

    Raises:
        UnauthenticatedError, ForbiddenError: it is a table, of which the caller has no token.
    """
    if loaded.state.table is not None:
        who.role_at(loaded.game_id)
        return who.seat
    mine = who.kind == "seat" and who.game_id == loaded.game_id
    return who.seat if mine else NOBODY_IN_PARTICULAR


def action_hash(actor: str, action: Action) -> bytes:
    """Return the digest of a bid's or pass's content, so that a reused command id is noticed.

    The same as for one that comes through the game service, so that it may be sent again by either way.
    """
    command = vocabulary_pb2.Command()
    if isinstance(action, words.PlaceBid):
        command.place_bid.lot = action.lot
        command.place_bid.amount = action.amount
        command.place_bid.auction = action.auction
        command.place_bid.SetInParent()
    elif isinstance(action, words.PassAuction):
        command.pass_auction.lot = action.lot
        command.pass_auction.auction = action.auction
        command.pass_auction.SetInParent()
    else:
        command.set_proxy_bid.lot = action.lot
        command.set_proxy_bid.ceiling = action.ceiling
        command.set_proxy_bid.auction = action.auction
        command.set_proxy_bid.SetInParent()
    return request_hash(actor.encode(), hashed_content(command))


def _card(who: Principal, table_id: str) -> int:
    """Return the seat of a card's token; the banker and guests have none to bid for."""
    role = who.role_at(table_id)
    if role != CARD:
        raise ForbiddenError(f"a {role} has no card to bid with", reason=names.NOT_A_CARD)
    return who.seat


def _seller(table_id: str) -> tuple[str, int]:
    """Return a table and who sells there: the seat of a card, or -1 for the banker."""
    who = principal()
    role = who.role_at(_game_id(table_id, "table_id"))
    if role == GUEST:
        raise ForbiddenError("a guest sells nothing", reason=names.NOT_THE_BANKER)
    return table_id, who.seat if role == CARD else NO_SEAT


def _selling(request: Selling, seller: int, received_at_ms: int) -> Command:
    _check_command(request.command_id)
    actor = "banker" if seller == NO_SEAT else seat_account(seller)
    content: Message = type(request)()
    content.CopyFrom(request)
    for name in _NOT_CONTENT:
        content.ClearField(name)
    kind = type(request).DESCRIPTOR.name.encode()
    return Command(
        request.command_id,
        request_hash(actor.encode(), kind, content.SerializeToString(deterministic=True)),
        actor=actor,
        received_at_ms=received_at_ms,
        seen_version=request.seen_version,
    )


def _check_command(command_id: str) -> None:
    try:
        check_sent_command_id(command_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(error.field, str(error)) from error
    bind(command_id=command_id)


def _game_id(game_id: str, field: str = "game_id") -> str:
    try:
        parse_game_id(game_id)
    except InvalidIdError as error:
        raise InvalidArgumentError(field, str(error)) from error
    bind(game_id=game_id)
    return game_id
