"""A seat's command on its way: who acts, which service decides, and the answer as the API gives it.

Bids and passes go on to the auction service; everything else the rules decide here. A worker that is not the
game's preferred one passes the command on over an open stream.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from magnate.auction.v1 import auction_pb2
from magnate.game.ports import ActedBid
from magnate.game.requests import check_act, content_of_action, read_action, read_command, read_game_id
from magnate.game.v1 import game_pb2
from magnate.game.view import put_situation
from magnate.kit.errors import ForbiddenError, RefusedError
from magnate.kit.log.commit import AUCTION, RULES, parse_commit
from magnate.kit.log.skew import GUARD
from magnate.kit.rpc.call import Principal
from magnate.kit.rpc.exchange import PeerUnavailableError
from magnate.kit.rpc.status import Failure, RemoteError, code_of, code_of_number, failure_of
from magnate.kit.tokens import verify_seat
from magnate.kit.transact_types import Refused
from magnate.rules.vocabulary import PassAuction, PlaceBid, SetProxyBid

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from magnate.game.metrics import GameMetrics
    from magnate.game.ports import AuctionPeer
    from magnate.game.service import GameService
    from magnate.game.state import GameState
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact_types import KitRejection
    from magnate.rules.rejections import Rejection

    class Forwarder(Protocol):
        """Passes a command on to the game's preferred worker."""

        def elsewhere(self, game_id: str) -> bool:
            """Say whether another worker is preferred for this game."""
            ...

        async def act(
            self, request: game_pb2.ActRequest, seat: int, received_at_ms: int
        ) -> game_pb2.PlayResult:
            """Have it carried out there."""
            ...


TOKENS_CACHED_MAX = 65_536
TERMINAL: Final = "bank"
"""The service that has the card terminal."""
ACT_FOR_SEATS: Final = ("game", TERMINAL)
"""The services that may bring a seat's command: another worker of this one, and the bank for a card."""


class Acted:
    """A command of a seat that is in the log."""

    __slots__ = ("commit", "loaded", "replayed", "seat")

    def __init__(self, seat: int, commit: ParsedCommit, loaded: Loaded[GameState], *, replayed: bool) -> None:
        self.seat = seat
        self.commit = commit
        self.loaded = loaded
        self.replayed = replayed


class NotActed:
    """A command that was refused, and the version it was judged at; `about` says more of a bid."""

    __slots__ = ("about", "rejection", "version")

    def __init__(
        self, rejection: Rejection | KitRejection, version: int, about: Mapping[str, str] | None = None
    ) -> None:
        self.rejection = rejection
        self.version = version
        self.about: Mapping[str, str] = about or {}


Outcome: TypeAlias = "Acted | NotActed | game_pb2.PlayResult"


class Acting:
    """Carries out the commands of seats."""

    def __init__(self, service: GameService, auction: AuctionPeer, keys: KeyRing) -> None:
        self._service = service
        self._auction = auction
        self._keys = keys
        self._forwarder: Forwarder | None = None
        self._metrics: GameMetrics | None = None
        self._seats: dict[str, Principal] = {}

    def forward_to(self, forwarder: Forwarder | None) -> None:
        """Pass on the commands of games that another worker is preferred for."""
        self._forwarder = forwarder

    def count_in(self, metrics: GameMetrics) -> None:
        """Count commands in these metrics."""
        self._metrics = metrics

    async def act(self, request: game_pb2.ActRequest, caller: Principal, received_at_ms: int) -> Outcome:
        """Carry out one command of an authenticated seat.

        Raises:
            UnauthenticatedError, ForbiddenError: no token of a seat of this game, or not its command to give.
            InvalidArgumentError: the request is malformed; names the field.
            LogError, PeerUnavailableError: not now, or the outcome is unknown; the same id may be sent again.
        """
        GUARD.require()  # whoever carries it out, its time is judged by when it came, which is by our clock
        game_id = read_game_id(request.game_id)
        if request.token:
            caller = self._principal(request.token)
        seat = caller.seat_of(game_id)
        refuse_card(request, caller)
        if self._forwarder is not None and self._forwarder.elsewhere(game_id):
            check_act(request)
            try:
                return await self._forwarder.act(request, seat, received_at_ms)
            except PeerUnavailableError:
                pass  # any worker may do it, also one that the other has begun: the log takes it once
        return await self.act_here(request, seat, received_at_ms)

    async def act_for(
        self, request: game_pb2.ActRequest, seat: int, caller: Principal, received_at_ms: int
    ) -> Acted | NotActed:
        """Carry out a command that a service of ours brings for a seat.

        Raises:
            ForbiddenError: this service speaks for no seat, or not by card.
        """
        if caller.service not in ACT_FOR_SEATS:
            detail = f"the service {caller.service!r} does not act for seats"
            raise ForbiddenError(detail, reason="PEER_MAY_NOT_ACT")
        refuse_card(request, caller)
        return await self.act_here(request, seat, received_at_ms)

    async def act_here(
        self, request: game_pb2.ActRequest, seat: int, received_at_ms: int
    ) -> Acted | NotActed:
        """Carry out a command whose seat is known, in this process."""
        metrics = self._metrics
        try:
            outcome = await self._carry_out(request, seat, received_at_ms)
        except Exception:
            if metrics is not None:
                metrics.failed.inc()
            raise
        if metrics is not None:
            if isinstance(outcome, NotActed):
                metrics.refused.inc()
                metrics.refusals.labels(outcome.rejection.name).inc()
            else:
                (metrics.replayed if outcome.replayed else metrics.done).inc()
        return outcome

    async def _carry_out(
        self, request: game_pb2.ActRequest, seat: int, received_at_ms: int
    ) -> Acted | NotActed:
        game_id = read_game_id(request.game_id)
        content = content_of_action(request.command)
        action = read_action(request.command)
        command = read_command(
            request.command_id,
            content,
            actor=f"seat-{seat}",
            received_at_ms=received_at_ms,
            seen_version=request.seen_version,
            expected_version=request.expected_version,
        )
        transactor = self._service.transactor
        if isinstance(action, PlaceBid | PassAuction | SetProxyBid):
            answer = await self._auction.act(game_id, seat, command, action)
            if not isinstance(answer, ActedBid):
                return NotActed(answer.rejection, answer.version, answer.about)
            commit = parse_commit(self._keys, game_id, answer.data, answer.sequence)
            loaded = await transactor.observe(game_id, commit)
            return Acted(seat, commit, loaded, replayed=answer.replayed)
        result = await self._service.act(game_id, seat, command, action)
        if isinstance(result, Refused):
            return NotActed(result.rejection, 0 if result.loaded is None else result.loaded.version)
        return Acted(seat, result.commit, result.loaded, replayed=result.replayed)

    def _principal(self, token: str) -> Principal:
        found = self._seats.get(token)
        if found is None:
            seat = verify_seat(self._keys, token)
            found = Principal("seat", game_id=seat.game_id, seat=seat.seat)
            if len(self._seats) >= TOKENS_CACHED_MAX:
                self._seats.clear()
            self._seats[token] = found
        return found


def refuse_card(request: game_pb2.ActRequest, caller: Principal) -> None:
    """Raise ForbiddenError if somebody else than the bank says that a card was on its terminal."""
    if request.command.pay_debt.by_card and caller.service != TERMINAL:
        raise ForbiddenError(
            "only the bank's terminal may say that a payment is made by card", reason="CARD_TERMINAL_ONLY"
        )


def acted(outcome: Outcome, request: game_pb2.ActRequest) -> game_pb2.ActResponse:
    """Return the response of a unary call, or raise the refusal."""
    if isinstance(outcome, Acted):
        response = game_pb2.ActResponse()
        put_acted(outcome, request.command_id, response)
        return response
    if isinstance(outcome, NotActed):
        metadata = {**outcome.about, "game_id": request.game_id, "version": str(outcome.version)}
        raise RefusedError(outcome.rejection, metadata)
    if outcome.WhichOneof("result") == "accepted":
        return outcome.accepted
    raise RemoteError(failure_from(outcome.refused))


async def play_result(
    acting: Acting, request: game_pb2.ActRequest, caller: Principal, received_at_ms: int
) -> game_pb2.PlayResult:
    """Return the result of one command of a stream; trouble is a refusal of that command alone."""
    try:
        outcome = await acting.act(request, caller, received_at_ms)
    except Exception as error:  # noqa: BLE001 - one command's trouble is its own result
        return refused_result(request, error)
    return result_of(outcome, request)


def result_of(outcome: Outcome, request: game_pb2.ActRequest) -> game_pb2.PlayResult:
    """Return an outcome as the result of one command of a stream."""
    if isinstance(outcome, game_pb2.PlayResult):
        return outcome
    result = game_pb2.PlayResult()
    result.command_id = request.command_id
    if isinstance(outcome, Acted):
        put_acted(outcome, request.command_id, result.accepted)
    else:
        rejection = outcome.rejection
        refused = result.refused
        refused.code = code_of(rejection.category).value[0]
        refused.reason = rejection.name
        refused.message = rejection.detail
        refused.game_id = request.game_id
        refused.version = outcome.version
        refused.about.update(outcome.about)
    return result


def refused_result(request: game_pb2.ActRequest, error: Exception) -> game_pb2.PlayResult:
    """Return an error as the result of one command of a stream."""
    failure = failure_of(error)
    return game_pb2.PlayResult(
        command_id=request.command_id,
        refused=game_pb2.Refusal(
            code=failure.number, reason=failure.reason, message=failure.message, game_id=request.game_id
        ),
    )


def put_acted(outcome: Acted, command_id: str, response: game_pb2.ActResponse) -> None:
    """Store what a command made."""
    response.command_id = command_id
    response.version = outcome.commit.version
    response.replayed = outcome.replayed
    for section in outcome.commit.sections:
        if section.kind == RULES:
            response.events.extend(game_pb2.RulesSection.FromString(section.body).events)
        elif section.kind == AUCTION:
            response.auction_events.extend(auction_pb2.AuctionSection.FromString(section.body).events)
    put_situation(outcome.loaded.state, response.situation, outcome.seat)


def failure_from(refused: game_pb2.Refusal) -> Failure:
    """Return a refusal that another worker answered with as the failure of a unary call."""
    metadata = {**refused.about, "game_id": refused.game_id, "version": str(refused.version)}
    return Failure(code_of_number(refused.code), refused.reason, refused.message, metadata)
