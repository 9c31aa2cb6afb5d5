"""A client that plays all seats of a table from what each answer says, for load: it hardly thinks.

It buys what it can, bids low, never builds or deals, and in debt mortgages all it has. So it measures the
server and not itself; for play with sense see `bots/sensible.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import grpc

from magnate.client.session import CALL_TIMEOUT_SECONDS, bearer, new_command_id, refused
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.client.session import Session

BID_PRICE_MAX: Final = 60
BID_STEP: Final = 10
RETRIES_MAX: Final = 20

_COMMANDS: Final = {
    kind: getattr(vocabulary_pb2, name)()
    for kind, name in {
        "roll": "Roll", "buy_lot": "BuyLot", "decline_lot": "DeclineLot", "end_turn": "EndTurn",
        "declare_bankruptcy": "DeclareBankruptcy", "pay_debt": "PayDebt",
    }.items()
}  # fmt: skip
PLAIN: Final = {kind: vocabulary_pb2.Command(**{kind: inner}) for kind, inner in _COMMANDS.items()}
FIRST_OPTION: Final = vocabulary_pb2.Command(choose_option=vocabulary_pb2.ChooseOption(option=0))

_BY_PHASE: Final = {
    vocabulary_pb2.PHASE_ROLL: PLAIN["roll"],
    vocabulary_pb2.PHASE_JAIL: PLAIN["roll"],
    vocabulary_pb2.PHASE_BUY: PLAIN["buy_lot"],
    vocabulary_pb2.PHASE_ACT: PLAIN["end_turn"],
    vocabulary_pb2.PHASE_CHOICE: FIRST_OPTION,
}
_AGAIN: Final = frozenset(
    code.value[0]
    for code in (
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    )
)


class UnexpectedRefusalError(Exception):
    """A command was refused that the last answer seemed to allow; names the game and the reason."""


class Sender(Protocol):
    """How a command gets to the server and its result back."""

    async def act(self, request: game_pb2.ActRequest) -> game_pb2.PlayResult:
        """Send one command."""
        ...


class Unary:
    """Sends each command as a call of its own."""

    def __init__(self, session: Session) -> None:
        self._stub = session.stub

    async def act(self, request: game_pb2.ActRequest) -> game_pb2.PlayResult:
        """Send one command; a refusal is returned as a value, as a stream does."""
        result = game_pb2.PlayResult(command_id=request.command_id)
        try:
            answer = await self._stub.Act(
                request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(request.token)
            )
        except grpc.aio.AioRpcError as error:
            reason = refused(error)
            result.refused.code = error.code().value[0]
            result.refused.reason = reason.reason
            result.refused.message = reason.message
        else:
            result.accepted.CopyFrom(answer)
        return result


class QuickTable:
    """One table with a quick player on every seat. `commands` were accepted, `events` came of them."""

    def __init__(self, game_id: str, tokens: Sequence[str], situation: game_pb2.Situation) -> None:
        self.game_id = game_id
        self._tokens = tokens
        self._situation = situation
        self._instead: vocabulary_pb2.Command | None = None
        self.commands = 0
        self.events = 0
        self.refusals = 0
        self.version = 0

    @property
    def over(self) -> bool:
        """Return whether the game has ended."""
        return self._situation.phase == vocabulary_pb2.PHASE_OVER

    async def step(self, session: Session, sender: Sender) -> bool:
        """Carry out one command; True if it was accepted, False if something else is to be tried.

        Raises:
            UnexpectedRefusalError: a refusal that no other try mends.
        """
        seat, command = await self._next(session)
        request = game_pb2.ActRequest(
            game_id=self.game_id,
            command_id=new_command_id(),
            seen_version=self.version,
            command=command,
            token=self._tokens[seat],
        )
        result = await sender.act(request)
        for _ in range(RETRIES_MAX):
            if result.refused.code not in _AGAIN:
                break
            result = await sender.act(request)
        return self._take(result, command)

    def _take(self, result: game_pb2.PlayResult, command: vocabulary_pb2.Command) -> bool:
        if result.HasField("accepted"):
            accepted = result.accepted
            self._situation = accepted.situation
            self.version = accepted.version
            self.commands += 1
            self.events += len(accepted.events) + len(accepted.auction_events)
            return True
        self.refusals += 1
        if command.HasField("buy_lot"):
            self._instead = PLAIN["decline_lot"]
        elif command.HasField("place_bid"):
            lot = command.place_bid.lot
            self._instead = vocabulary_pb2.Command(pass_auction=vocabulary_pb2.PassAuction(lot=lot))
        else:
            told = f"{result.refused.reason}: {result.refused.message}"
            raise UnexpectedRefusalError(
                f"game {self.game_id}: {command.WhichOneof('kind')} was refused: {told}"
            )
        return False

    async def _next(self, session: Session) -> tuple[int, vocabulary_pb2.Command]:
        situation = self._situation
        seat = situation.waiting_seats[0]
        if self._instead is not None:
            command, self._instead = self._instead, None
            return seat, command
        known = _BY_PHASE.get(situation.phase)
        if known is not None:
            return situation.turn_seat, known
        if situation.phase == vocabulary_pb2.PHASE_AUCTION:
            return seat, _bid(situation.auction)
        return seat, await self._raise_money(session, seat)

    async def _raise_money(self, session: Session, seat: int) -> vocabulary_pb2.Command:
        """Mortgage everything; give up when there is nothing left."""
        listed = await session.legal(self.game_id, seat, token=self._tokens[seat])
        legal = {action.kind: action for action in listed.actions}
        if "mortgage_lots" in legal:
            lots = [one.lot for one in legal["mortgage_lots"].lots]
            return vocabulary_pb2.Command(mortgage_lots=vocabulary_pb2.MortgageLots(lots=lots))
        for kind in ("pay_debt", "declare_bankruptcy"):
            if kind in legal:
                return PLAIN[kind]
        raise UnexpectedRefusalError(
            f"game {self.game_id}: seat {seat} has no way out of its debt: {sorted(legal)}"
        )


def _bid(auction: game_pb2.AuctionView) -> vocabulary_pb2.Command:
    if auction.next_minimum < BID_PRICE_MAX:
        amount = auction.next_minimum + BID_STEP
        return vocabulary_pb2.Command(place_bid=vocabulary_pb2.PlaceBid(lot=auction.lot, amount=amount))
    return vocabulary_pb2.Command(pass_auction=vocabulary_pb2.PassAuction(lot=auction.lot))


async def open_table(session: Session, *, seats: int = 4, ruleset: str = "", board: str = "") -> QuickTable:
    """Open a table, seat everybody, start."""
    game_id = await session.create_game(ruleset=ruleset, board=board, seat_count=seats, title="load")
    tokens = [(await session.join(game_id, f"Quick {seat}")).token for seat in range(seats)]
    started = await session.start(game_id, tokens[0])
    table = QuickTable(game_id, tokens, started.situation)
    table.version = started.version
    return table
