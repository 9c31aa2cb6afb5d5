"""Auctions in messages: what everybody may see, and to whom it belongs a ceiling or a sealed bid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.auction.domain.auctions import find
from magnate.auction.domain.decision import NO_END
from magnate.auction.v1 import auction_pb2
from magnate.auction.vocabulary_codec import encode_auction_event, put_auction_opened
from magnate.rules import vocabulary as words
from magnate.rules.bidding import MODE_DUTCH, NOBODY, dutch_price
from magnate.rules.rejections import AUCTION_CLOSED, Rejection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
    from google.protobuf.timestamp_pb2 import Timestamp

    from magnate.auction.domain.decision import End
    from magnate.auction.state import GameState
    from magnate.rules.bidding import Auction
    from magnate.rules.v1 import vocabulary_pb2
    from magnate.rules.vocabulary import AuctionEvent

NOBODY_IN_PARTICULAR: Final = NOBODY
"""Who looks without the token of a seat."""

One: TypeAlias = (
    auction_pb2.GetAuctionResponse
    | auction_pb2.PlaceBidResponse
    | auction_pb2.PassAuctionResponse
    | auction_pb2.SetProxyBidResponse
    | auction_pb2.WatchAuctionResponse
)
Answer: TypeAlias = One | auction_pb2.OpenAuctionResponse | auction_pb2.CancelAuctionResponse


def put_auctions(state: GameState, now_ms: int, answer: Answer, viewer: int) -> None:
    """Put the running auctions into an answer, as a seat sees them, with the server's time."""
    ends = state.ends()
    for running in state.auctions.running.values():
        put_running(running, ends.get(running.auction, NO_END), now_ms, answer.auctions.add(), viewer)
    put_time(now_ms, answer.server_time)


def put_auction(answer: One, number: int = 0) -> None:
    """Let one of the auctions stand alone, too: that of a number if it is named, else the first."""
    for auction in answer.auctions:
        if number in (0, auction.auction):
            answer.auction.CopyFrom(auction)
            return


def put_running(
    running: Auction, end: End, now_ms: int, auction: auction_pb2.Auction, viewer: int = NOBODY_IN_PARTICULAR
) -> None:
    """Store what a seat may see of a running auction."""
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
    auction.remaining_ms = end.left_ms if end.paused else max(0, end.due_ms - now_ms)
    if end.due_ms:
        put_time(end.due_ms, auction.close_time)
    if running.opened.mode == MODE_DUTCH:
        auction.least_bid = dutch_price(running.opened, running.close_ms - auction.remaining_ms)
    if viewer != NOBODY_IN_PARTICULAR:
        auction.own_ceiling = running.ceilings.get(viewer, 0)
        sealed = running.sealed.get(viewer)
        auction.own_bid = 0 if sealed is None else sealed.amount


def about_refusal(state: GameState | None, now_ms: int, action: object) -> dict[str, str]:
    """Return what a refusal says besides its reason: the server's time, and when the auction ends or did."""
    about = {"server_time_ms": str(now_ms)}
    if state is None or not isinstance(action, words.PlaceBid | words.PassAuction | words.SetProxyBid):
        return about
    found = find(state.auctions, action.lot, action.auction)
    if not isinstance(found, Rejection):
        number = found.auction
        close_ms = state.ends().get(number, NO_END).due_ms
    elif found.name == AUCTION_CLOSED:
        number = action.auction or state.auctions.ended.get(action.lot, 0)
        close_ms = state.closed_ms.get(number, 0)
    else:
        return about
    about["auction"] = str(number)
    if close_ms:
        about["close_time_ms"] = str(close_ms)
    return about


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
