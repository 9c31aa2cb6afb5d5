"""The auction service as the game service asks it, over its open streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.game.ports import ActedBid, AuctionProposal, Behind, DeadlineChange, RefusedBid
from magnate.game.vocabulary_codec import decode_auction_event, encode_ask, get_auction_outcome
from magnate.kit.log.commit import Section
from magnate.kit.rpc.streams import Streams
from magnate.kit.transact_types import KIT_CATEGORIES, KitRejection, kit_rejection
from magnate.peers.bank import get_instruction, put_command
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import PassAuction, PlaceBid
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.ports import AskStep
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command
    from magnate.kit.rpc.channels import Peers
    from magnate.rules.vocabulary import SetProxyBid

SERVICE: Final = "game"
CALL_SECONDS: Final = 20.0
Ask: TypeAlias = auction_pb2.ProposeRequest | auction_pb2.ActRequest | timer_pb2.ExpireRequest


class AuctionClient:
    """The auction service over its open streams."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        self._streams: Streams[Ask, Any] = Streams(
            "auction",
            peers,
            auction_pb2_grpc.AuctionPeerServiceStub,
            auction_pb2.ExchangeRequest,
            keys,
            SERVICE,
        )

    async def propose(
        self, game_id: str, head_version: int, time_ms: int, steps: Sequence[AskStep]
    ) -> AuctionProposal | Behind:
        """Ask what auctions make of the rules' asks (see `ports.AuctionPeer`)."""
        request = auction_pb2.ProposeRequest(game_id=game_id, head_version=head_version, time_ms=time_ms)
        for one in steps:
            step = request.steps.add()
            encode_ask(one.ask, step.ask)
            step.available.extend(one.available)
            step.limits.extend(one.limits)
        answer: auction_pb2.ProposeResponse = await self._streams.call(game_id, request, CALL_SECONDS)
        if answer.WhichOneof("result") == "behind":
            return Behind(answer.behind.version)
        return _proposal(answer.proposal)

    async def act(
        self, game_id: str, seat: int, command: Command, action: PlaceBid | PassAuction | SetProxyBid
    ) -> ActedBid | RefusedBid:
        """Pass a bid on (see `ports.AuctionPeer`)."""
        request = auction_pb2.ActRequest(game_id=game_id, seat=seat)
        put_command(command, request.command)
        request.seen_version = command.seen_version
        request.expected_version = command.expected_version
        request.received_at_ms = command.received_at_ms
        if isinstance(action, PlaceBid):
            request.place_bid.lot = action.lot
            request.place_bid.amount = action.amount
            request.place_bid.auction = action.auction
        elif isinstance(action, PassAuction):
            request.pass_auction.SetInParent()
            request.pass_auction.lot = action.lot
            request.pass_auction.auction = action.auction
        else:
            request.set_proxy_bid.SetInParent()
            request.set_proxy_bid.lot = action.lot
            request.set_proxy_bid.ceiling = action.ceiling
            request.set_proxy_bid.auction = action.auction
        answer: auction_pb2.ActResponse = await self._streams.call(game_id, request, CALL_SECONDS)
        if answer.WhichOneof("outcome") == "rejected":
            rejected = answer.rejected
            rejection = rejection_of(rejected.rejection, rejected.detail)
            return RefusedBid(rejection, rejected.version, dict(rejected.about))
        done = answer.committed
        return ActedBid(done.commit, done.sequence, replayed=done.replayed)

    async def expire(self, game_id: str, deadline_id: str, seen_version: int) -> None:
        """Say that a deadline's time has come (see `ports.AuctionPeer`)."""
        request = timer_pb2.ExpireRequest(game_id=game_id, deadline_id=deadline_id, seen_version=seen_version)
        await self._streams.call(game_id, request, CALL_SECONDS)

    async def close(self) -> None:
        """Close the streams."""
        await self._streams.close()


def rejection_of(name: str, detail: str) -> Rejection | KitRejection:
    """Return a rejection that came over the wire as a value again."""
    if name in KIT_CATEGORIES:
        return kit_rejection(name, detail)
    if name in names.REJECTIONS:
        return Rejection(name, detail)
    return KitRejection(name, "precondition", detail)


def _proposal(message: auction_pb2.Proposal) -> AuctionProposal:
    section = None
    if message.HasField("section"):
        section = Section(message.section.kind, message.section.version, message.section.body)
    return AuctionProposal(
        section,
        [decode_auction_event(event) for event in message.events],
        [decode_deadline_change(change) for change in message.deadlines],
        [get_auction_outcome(outcome) for outcome in message.outcomes],
        [get_instruction(one) for one in message.instructions],
    )


def decode_deadline_change(change: timer_pb2.DeadlineChange) -> DeadlineChange:
    """Read a change of a deadline."""
    kind = change.WhichOneof("change")
    if kind == "set":
        one = change.set
        return DeadlineChange("set", one.deadline_id, owner=one.owner, kind=one.kind, due_ms=one.due_ms)
    if kind == "cleared":
        return DeadlineChange("cleared", change.cleared.deadline_id)
    if kind == "paused":
        return DeadlineChange("paused", change.paused.deadline_id, left_ms=change.paused.left_ms)
    return DeadlineChange("resumed", change.resumed.deadline_id, due_ms=change.resumed.due_ms)
