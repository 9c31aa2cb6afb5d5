"""How the auction service reaches the game service: its open stream, translated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.ports import Behind, Follow, Step
from magnate.auction.vocabulary_codec import decode_ask, put_auction_outcome
from magnate.game.v1 import game_pb2, game_pb2_grpc
from magnate.kit.log.commit import Section
from magnate.kit.rpc.streams import Streams
from magnate.peers.bank import UnexpectedAnswerError, get_instruction, put_instruction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.channels import Peers
    from magnate.peers.bank import Instruction
    from magnate.rules.vocabulary import AuctionOutcome

CALL_SECONDS: Final = 5.0
"""How long one call may take; what is asked is asked again by the transaction."""
PROPOSE_TRIES_MAX: Final = 3
"""Times a question without effects is put before the command fails."""
SERVICE: Final = "auction"


class GameClient:
    """The game service, as `GamePeer`."""

    def __init__(self, peers: Peers, keys: KeyRing) -> None:
        self._streams: Streams[game_pb2.ProposeRequest, game_pb2.ProposeResponse] = Streams(
            "game", peers, game_pb2_grpc.GamePeerServiceStub, game_pb2.ExchangeRequest, keys, SERVICE
        )

    async def propose(
        self,
        game_id: str,
        head_version: int,
        time_ms: int,
        outcomes: Sequence[AuctionOutcome] = (),
        moves: Sequence[tuple[int, Instruction]] = (),
    ) -> Follow | Behind:
        """Ask what follows from these outcomes; again if nobody answers, as nothing is written."""
        ask = game_pb2.ProposeRequest()
        ask.game_id = game_id
        ask.head_version = head_version
        ask.time_ms = time_ms
        for outcome in outcomes:
            put_auction_outcome(outcome, ask.outcomes.add())
        for number, move in moves:
            put_instruction(move, ask.moves.add(outcomes_before=number).instruction)
        return _follow(await self._streams.first_answer(game_id, ask, CALL_SECONDS, PROPOSE_TRIES_MAX))

    async def close(self) -> None:
        """End the streams."""
        await self._streams.close()


def _follow(answer: game_pb2.ProposeResponse) -> Follow | Behind:
    kind = answer.WhichOneof("result")
    if kind == "behind":
        return Behind(answer.behind.version)
    if kind != "proposal":
        raise UnexpectedAnswerError("the game service answered neither a proposal nor that it is ahead")
    proposal = answer.proposal
    return Follow(
        [Section(one.kind, one.version, one.body) for one in proposal.sections],
        [get_instruction(one) for one in proposal.instructions],
        list(proposal.deadlines),
        [Step(decode_ask(one.ask), list(one.available), list(one.limits)) for one in proposal.asks],
        list(proposal.limits),
        proposal.out,
    )
