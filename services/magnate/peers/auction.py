"""The auction service as a bank knows it that stops or closes a table: the client of its open streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

from magnate.auction.v1 import auction_pb2, auction_pb2_grpc
from magnate.kit.log.commit import DEADLINES, Section
from magnate.kit.rpc.streams import Streams
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from magnate.bank.v1 import bank_pb2
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers

Ask: TypeAlias = auction_pb2.ProposeRequest | timer_pb2.ExpireRequest
CALL_SECONDS: Final = 5.0
"""How long one process is asked; any other knows as much."""
DEADLINES_VERSION: Final = 1


@final
class Cancelled:
    """What the end of auctions adds to a commit: sections, and what the ledger has to do."""

    __slots__ = ("instructions", "sections")

    def __init__(self, sections: list[Section], instructions: Sequence[bank_pb2.Instruction]) -> None:
        self.sections = sections
        self.instructions = instructions


class Auctions:
    """Asks auctions what their end adds to a commit, and for the hammer that is due."""

    def __init__(self, peers: Peers, keys: KeyRing, service: str) -> None:
        self._streams: Streams[Ask, Any] = Streams(
            "auction",
            peers,
            auction_pb2_grpc.AuctionPeerServiceStub,
            auction_pb2.ExchangeRequest,
            keys,
            service,
        )

    async def cancel(
        self, table_id: str, head_version: int, time_ms: int, numbers: Iterable[int]
    ) -> Cancelled | None:
        """Return what it takes to cancel these auctions after a version; None: the log is further on.

        Nothing is written by it.

        Raises:
            PeerUnavailableError: nobody answers; nothing has happened.
        """
        ask = auction_pb2.ProposeRequest(game_id=table_id, head_version=head_version, time_ms=time_ms)
        for number in numbers:
            ask.steps.add().ask.cancel_auction.auction = number
        answer: auction_pb2.ProposeResponse = await self._streams.first_answer(table_id, ask, CALL_SECONDS)
        return None if answer.WhichOneof("result") == "behind" else _cancelled(answer.proposal)

    async def expire(self, table_id: str, deadline_id: str, seen_version: int) -> None:
        """Let the hammer fall, if it is time: what this deadline leads to is in the log then.

        Raises:
            PeerUnavailableError: nobody answers; it may have fallen.
        """
        ask = timer_pb2.ExpireRequest(game_id=table_id, deadline_id=deadline_id, seen_version=seen_version)
        await self._streams.call(table_id, ask, CALL_SECONDS)

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()


def _cancelled(proposal: auction_pb2.Proposal) -> Cancelled:
    section = proposal.section
    sections = [Section(section.kind, section.version, section.body)]
    changes = timer_pb2.DeadlinesSection(changes=proposal.deadlines)
    if changes.changes:
        sections.append(Section(DEADLINES, DEADLINES_VERSION, changes.SerializeToString()))
    return Cancelled(sections, proposal.instructions)
