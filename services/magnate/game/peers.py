"""Adapters to the bank and the auction service: plain values in, calls on open streams, plain values out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.bank.v1 import bank_pb2, bank_pb2_grpc
from magnate.game.ports import (
    ActedBid,
    AuctionProposal,
    Behind,
    Capture,
    DeadlineChange,
    Open,
    Pay,
    Place,
    Release,
)
from magnate.game.vocabulary_codec import decode_auction_event, encode_ask, get_auction_outcome
from magnate.kit.log.commit import Section
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import Failure, RemoteError, failure_of_wire
from magnate.kit.rpc.streams import Streams
from magnate.kit.transact_types import CommitMoved, CommitRefused, Committed, CommitUnknown, KitRejection
from magnate.rules import rejections as names
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import PlaceBid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import grpc

    from magnate.game.ports import Instruction
    from magnate.game.state import GameState
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.channels import Peers
    from magnate.kit.transact_types import CommitOutcome
    from magnate.log.v1 import log_pb2
    from magnate.rules.vocabulary import Ask, PassAuction
    from magnate.timer.v1 import timer_pb2

SERVICE: Final = "game"
CALL_SECONDS: Final = 20.0
_TROUBLE: Final = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "CANCELLED")


class _BankCodec:
    """Packs commits for the bank."""

    def request(self, calls: Sequence[tuple[int, bank_pb2.CommitRequest]]) -> bank_pb2.ExchangeRequest:
        """Pack calls."""
        message = bank_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            call.commit.CopyFrom(ask)
        return message

    def replies(
        self, message: bank_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, bank_pb2.CommitResponse | Failure]]:
        """Unpack replies."""
        for reply in message.replies:
            if reply.HasField("failure"):
                yield (
                    reply.id,
                    failure_of_wire(reply.failure.code, reply.failure.reason, reply.failure.message),
                )
            else:
                yield reply.id, reply.commit


class BankClient:
    """The bank over its open streams: one stream to each of its processes."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        metadata = peer_metadata(keys, SERVICE)

        def opened(
            channel: grpc.aio.Channel,
        ) -> Callable[[], grpc.aio.StreamStreamCall[bank_pb2.ExchangeRequest, bank_pb2.ExchangeResponse]]:
            stub = bank_pb2_grpc.BankPeerServiceStub(channel)
            return lambda: stub.Exchange(metadata=metadata)

        self._streams = Streams("bank", peers, opened, _BankCodec())

    async def commit(
        self,
        loaded: Loaded[GameState],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        secret_sections: Sequence[Section],
        instructions: Sequence[Instruction],
    ) -> CommitOutcome[Rejection]:
        """Have the bank append (see `ports.BankPeer`)."""
        request = _commit_request(loaded, command, now_ms, sections, instructions)
        assert not secret_sections, "no commit of this service moves money and keeps secrets"
        try:
            answer = await self._streams.call(loaded.game_id, request, CALL_SECONDS)
        except PeerUnavailableError as error:
            return CommitUnknown(str(error))
        except RemoteError as error:
            if error.code.name not in _TROUBLE:
                raise
            return CommitUnknown(str(error))
        outcome = answer.WhichOneof("outcome")
        if outcome == "committed":
            return Committed(answer.committed.commit, answer.committed.sequence)
        if outcome == "refused":
            refused = answer.refused
            return CommitRefused(Rejection(refused.rejection, refused.detail), refused.head.version)
        # A conflict, or a command id that the log knows: reading the tail tells which.
        return CommitMoved()

    async def close(self) -> None:
        """Close the streams."""
        await self._streams.close()


def _commit_request(
    loaded: Loaded[GameState],
    command: Command,
    now_ms: int,
    sections: Sequence[Section],
    instructions: Sequence[Instruction],
) -> bank_pb2.CommitRequest:
    request = bank_pb2.CommitRequest()
    request.game_id = loaded.game_id
    head = request.head
    head.version = loaded.version
    head.sequence = loaded.sequence
    head.hash = loaded.hash
    head.time_ms = loaded.time_ms
    head.ledger_version = loaded.ledger_version
    put_command(command, request.command)
    request.received_at_ms = command.received_at_ms
    request.now_ms = now_ms
    for section in sections:
        added = request.sections.add()
        added.kind = section.kind  # type: ignore[assignment]  # the same numbers
        added.version = section.version
        added.body = section.body
    for instruction in instructions:
        encode_instruction(instruction, request.instructions.add())
    return request


def put_command(command: Command, reference: log_pb2.CommandRef) -> None:
    """Store a command as the log does."""
    reference.command_id = command.command_id
    reference.request_hash = command.request_hash
    reference.actor = command.actor
    reference.causation_id = command.causation_id
    reference.correlation_id = command.correlation_id


def encode_instruction(instruction: Instruction, message: bank_pb2.Instruction) -> None:
    """Store an instruction in an empty message."""
    if isinstance(instruction, Pay):
        transfer = message.transfer
        transfer.debit = instruction.debit
        transfer.credit = instruction.credit
        transfer.amount = instruction.amount
        transfer.reason = instruction.reason
    elif isinstance(instruction, Release):
        message.release_hold.hold_id = instruction.hold_id
    elif isinstance(instruction, Capture):
        message.capture_hold.hold_id = instruction.hold_id
        message.capture_hold.to = instruction.credit
        message.capture_hold.amount = instruction.amount
        message.capture_hold.reason = instruction.reason
    elif isinstance(instruction, Place):
        message.place_hold.hold_id = instruction.hold_id
        message.place_hold.account = instruction.account
        message.place_hold.amount = instruction.amount
    else:
        assert isinstance(instruction, Open)
        message.open_account.account = instruction.account


class _AuctionCodec:
    """Packs questions and bids for the auction service."""

    def request(
        self, calls: Sequence[tuple[int, auction_pb2.ProposeRequest | auction_pb2.ActRequest]]
    ) -> auction_pb2.ExchangeRequest:
        """Pack calls."""
        message = auction_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            if isinstance(ask, auction_pb2.ProposeRequest):
                call.propose.CopyFrom(ask)
            else:
                call.act.CopyFrom(ask)
        return message

    def replies(
        self, message: auction_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, auction_pb2.Reply | Failure]]:
        """Unpack replies."""
        for reply in message.replies:
            if reply.HasField("failure"):
                yield (
                    reply.id,
                    failure_of_wire(reply.failure.code, reply.failure.reason, reply.failure.message),
                )
            else:
                yield reply.id, reply


class AuctionClient:
    """The auction service over its open streams."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        metadata = peer_metadata(keys, SERVICE)

        def opened(
            channel: grpc.aio.Channel,
        ) -> Callable[
            [], grpc.aio.StreamStreamCall[auction_pb2.ExchangeRequest, auction_pb2.ExchangeResponse]
        ]:
            stub = auction_pb2_grpc.AuctionPeerServiceStub(channel)
            return lambda: stub.Exchange(metadata=metadata)

        self._streams = Streams("auction", peers, opened, _AuctionCodec())

    async def propose(
        self, game_id: str, head_version: int, time_ms: int, steps: Sequence[tuple[Ask, list[int]]]
    ) -> AuctionProposal | Behind:
        """Ask what auctions make of the rules' asks (see `ports.AuctionPeer`)."""
        request = auction_pb2.ProposeRequest(game_id=game_id, head_version=head_version, time_ms=time_ms)
        for ask, available in steps:
            step = request.steps.add()
            encode_ask(ask, step.ask)
            step.available.extend(available)
        answer = (await self._streams.call(game_id, request, CALL_SECONDS)).propose
        if answer.WhichOneof("result") == "behind":
            return Behind(answer.behind.version)
        return _proposal(answer.proposal)

    async def act(
        self, game_id: str, seat: int, command: Command, action: PlaceBid | PassAuction
    ) -> ActedBid | Rejection | KitRejection:
        """Pass a bid on (see `ports.AuctionPeer`)."""
        request = auction_pb2.ActRequest(game_id=game_id, seat=seat)
        put_command(command, request.command)
        request.seen_version = command.seen_version
        request.received_at_ms = command.received_at_ms
        if isinstance(action, PlaceBid):
            request.place_bid.lot = action.lot
            request.place_bid.amount = action.amount
        else:
            request.pass_auction.SetInParent()
            request.pass_auction.lot = action.lot
        answer = (await self._streams.call(game_id, request, CALL_SECONDS)).act
        if answer.WhichOneof("outcome") == "rejected":
            return rejection_of(answer.rejected.rejection, answer.rejected.detail)
        done = answer.committed
        return ActedBid(done.commit, done.sequence, replayed=done.replayed)

    async def close(self) -> None:
        """Close the streams."""
        await self._streams.close()


def rejection_of(name: str, detail: str) -> Rejection | KitRejection:
    """Return a rejection that came over the wire as a value again."""
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
        [one.release_hold.hold_id for one in message.instructions],
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
