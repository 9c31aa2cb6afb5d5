"""How the auction service reaches the game service and the bank: their open streams, translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.domain.decision import HoldPlaced, HoldReleased
from magnate.auction.ports import Behind, Capture, Follow, Step
from magnate.auction.vocabulary_codec import decode_ask, put_auction_outcome
from magnate.bank.v1 import bank_pb2, bank_pb2_grpc
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.errors import KitError
from magnate.kit.log.commit import Section
from magnate.kit.rpc.channels import peer_metadata
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import Failure, RemoteError, failure_of_wire
from magnate.kit.rpc.streams import Streams
from magnate.kit.transact_types import CommitMoved, CommitRefused, Committed, CommitUnknown
from magnate.rules.rejections import REJECTIONS, Rejection
from magnate.rules.vocabulary import TRANSFER_REASON_AUCTION, TRANSFER_REASON_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import grpc

    from magnate.auction.ports import Order
    from magnate.auction.state import GameState
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import Command
    from magnate.kit.log.fold import Loaded
    from magnate.kit.rpc.channels import Peers
    from magnate.kit.transact_types import CommitOutcome
    from magnate.rules.vocabulary import AuctionOutcome

CALL_SECONDS: Final = 5.0
"""How long one call may take; what is asked is asked again by the transaction."""
PROPOSE_TRIES_MAX: Final = 3
"""Times a question without effects is put before the command fails."""
SERVICE: Final = "auction"
_REASON: Final = TRANSFER_REASON_NAMES[TRANSFER_REASON_AUCTION].lower()
_TROUBLE: Final = ("UNAVAILABLE", "DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED", "CANCELLED")


class UnexpectedAnswerError(KitError):
    """A service of ours answered what the protocol does not foresee: a bug, or a newer release."""


class GameCodec:
    """Packs questions to the game service."""

    def request(self, calls: Sequence[tuple[int, game_pb2.ProposeRequest]]) -> game_pb2.ExchangeRequest:
        """Return the message that carries these calls."""
        message = game_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            call.propose.CopyFrom(ask)
        return message

    def replies(
        self, message: game_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, game_pb2.ProposeResponse | Failure]]:
        """Return the replies in a message."""
        for reply in message.replies:
            if reply.HasField("failed"):
                failed = reply.failed
                yield reply.id, failure_of_wire(failed.code, failed.reason, failed.message)
            else:
                yield reply.id, reply.propose


class BankCodec:
    """Packs commits for the bank."""

    def request(self, calls: Sequence[tuple[int, bank_pb2.CommitRequest]]) -> bank_pb2.ExchangeRequest:
        """Return the message that carries these calls."""
        message = bank_pb2.ExchangeRequest()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            call.commit.CopyFrom(ask)
        return message

    def replies(
        self, message: bank_pb2.ExchangeResponse
    ) -> Iterable[tuple[int, bank_pb2.CommitResponse | Failure]]:
        """Return the replies in a message."""
        for reply in message.replies:
            if reply.HasField("failure"):
                failure = reply.failure
                yield reply.id, failure_of_wire(failure.code, failure.reason, failure.message)
            else:
                yield reply.id, reply.commit


class GameClient:
    """The game service, as `GamePeer`."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        metadata = peer_metadata(keys, SERVICE)

        def opened(
            channel: grpc.aio.Channel,
        ) -> Callable[[], grpc.aio.StreamStreamCall[game_pb2.ExchangeRequest, game_pb2.ExchangeResponse]]:
            stub = game_pb2_grpc.GamePeerServiceStub(channel)
            return lambda: stub.Exchange(metadata=metadata)

        self._streams = Streams("game", peers, opened, GameCodec())

    async def propose(
        self,
        game_id: str,
        head_version: int,
        time_ms: int,
        outcomes: Sequence[AuctionOutcome],
        released_holds: Sequence[str],
    ) -> Follow | Behind:
        """Ask what follows from these outcomes; again if nobody answers, as nothing is written."""
        ask = game_pb2.ProposeRequest()
        ask.game_id = game_id
        ask.head_version = head_version
        ask.time_ms = time_ms
        for outcome in outcomes:
            put_auction_outcome(outcome, ask.outcomes.add())
        ask.released_holds.extend(released_holds)
        for attempt in range(PROPOSE_TRIES_MAX):
            try:
                return _follow(await self._streams.call(game_id, ask, CALL_SECONDS, attempt))
            except PeerUnavailableError:
                if attempt + 1 == PROPOSE_TRIES_MAX:
                    raise
        raise UnexpectedAnswerError("unreachable")

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()


class BankClient:
    """The bank, as `BankPeer`."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        metadata = peer_metadata(keys, SERVICE)

        def opened(
            channel: grpc.aio.Channel,
        ) -> Callable[[], grpc.aio.StreamStreamCall[bank_pb2.ExchangeRequest, bank_pb2.ExchangeResponse]]:
            stub = bank_pb2_grpc.BankPeerServiceStub(channel)
            return lambda: stub.Exchange(metadata=metadata)

        self._streams = Streams("bank", peers, opened, BankCodec())

    async def commit(
        self,
        loaded: Loaded[GameState],
        command: Command,
        now_ms: int,
        sections: Sequence[Section],
        orders: Sequence[Order],
    ) -> CommitOutcome[Rejection]:
        """Have the bank write the commit; what happened when nobody answers is unknown."""
        ask = commit_request(loaded, command, now_ms, sections, orders)
        try:
            answer = await self._streams.call(loaded.game_id, ask, CALL_SECONDS)
        except PeerUnavailableError as error:
            return CommitUnknown(str(error))
        except RemoteError as error:
            if error.code.name in _TROUBLE:
                return CommitUnknown(str(error))
            raise
        return commit_outcome(answer)

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()


def commit_request(
    loaded: Loaded[GameState],
    command: Command,
    now_ms: int,
    sections: Sequence[Section],
    orders: Sequence[Order],
) -> bank_pb2.CommitRequest:
    """Return the question to the bank."""
    ask = bank_pb2.CommitRequest()
    ask.game_id = loaded.game_id
    head = ask.head
    head.version = loaded.version
    head.sequence = loaded.sequence
    head.hash = loaded.hash
    head.time_ms = loaded.time_ms
    head.ledger_version = loaded.ledger_version
    reference = ask.command
    reference.command_id = command.command_id
    reference.request_hash = command.request_hash
    reference.actor = command.actor
    reference.causation_id = command.causation_id
    reference.correlation_id = command.correlation_id
    ask.received_at_ms = command.received_at_ms
    ask.now_ms = now_ms
    for section in sections:
        target = ask.sections.add()
        target.kind = section.kind  # type: ignore[assignment]  # an int that stays one
        target.version = section.version
        target.body = section.body
    for order in orders:
        _put_order(order, ask.instructions.add())
    return ask


def _put_order(order: Order, message: bank_pb2.Instruction) -> None:
    if isinstance(order, HoldReleased):
        message.release_hold.hold_id = order.hold_id
    elif isinstance(order, HoldPlaced):
        message.place_hold.hold_id = order.hold_id
        message.place_hold.account = f"seat-{order.seat}"
        message.place_hold.amount = order.amount
    elif isinstance(order, Capture):
        message.capture_hold.hold_id = order.hold_id
        message.capture_hold.to = "bank"
        message.capture_hold.amount = order.amount
        message.capture_hold.reason = _REASON
    else:
        message.CopyFrom(order)


def commit_outcome(answer: bank_pb2.CommitResponse) -> CommitOutcome[Rejection]:
    """Return what became of a commit."""
    kind = answer.WhichOneof("outcome")
    if kind == "committed":
        return Committed(answer.committed.commit, answer.committed.sequence)
    if kind in {"conflict", "command_reused"}:
        return CommitMoved()  # the transaction reads on, and finds the command if it is there
    if kind == "refused" and answer.refused.rejection in REJECTIONS:
        refused = answer.refused
        return CommitRefused(Rejection(refused.rejection, refused.detail), refused.head.version)
    raise UnexpectedAnswerError(f"the bank answered {kind}: {answer.refused.rejection}")


def _follow(answer: game_pb2.ProposeResponse) -> Follow | Behind:
    kind = answer.WhichOneof("result")
    if kind == "behind":
        return Behind(answer.behind.version)
    if kind != "proposal":
        raise UnexpectedAnswerError("the game service answered neither a proposal nor that it is ahead")
    proposal = answer.proposal
    return Follow(
        [Section(one.kind, one.version, one.body) for one in proposal.sections],
        list(proposal.instructions),
        list(proposal.deadlines),
        [Step(decode_ask(one.ask), list(one.available)) for one in proposal.asks],
    )
