"""The call that is being served: who asks, what becomes of it, what its log line will say.

One slotted object per call, found through a context variable, so that a servicer needs no more parameters
than gRPC gives it.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

import grpc

from magnate.kit.errors import ForbiddenError, UnauthenticatedError

if TYPE_CHECKING:
    import asyncio


class Principal:
    """Who asks: nobody in particular, a seat, somebody at a bank table, a service of ours, or an operator.

    `kind` is `anonymous`, `seat`, `table`, `peer` or `operator`. Of a table token `game_id` is the table, and
    `seat` the one of a card, else -1. `service` is the name of a service, or of an operator.
    """

    __slots__ = ("game_id", "kind", "role", "seat", "service")

    def __init__(
        self, kind: str, *, game_id: str = "", seat: int = -1, service: str = "", role: str = ""
    ) -> None:
        self.kind = kind
        self.game_id = game_id
        self.seat = seat
        self.service = service
        self.role = role

    def __repr__(self) -> str:
        return f"Principal({self.name!r})"

    @property
    def name(self) -> str:
        """Return a stable name: `anonymous`, `seat:<game>:<seat>`, `table:…`, `peer:…` or `operator:…`.

        At a table `table:<table>:<role>`, of a card `table:<table>:card:<seat>`.
        """
        if self.kind == "seat":
            return f"seat:{self.game_id}:{self.seat}"
        if self.kind == "table":
            return f"table:{self.game_id}:{self.role}" + (f":{self.seat}" if self.role == "card" else "")
        return f"{self.kind}:{self.service}" if self.service else self.kind

    def seat_of(self, game_id: str) -> int:
        """Return the seat this caller acts for in a game.

        Raises:
            UnauthenticatedError: it showed no seat token (TOKEN_MISSING).
            ForbiddenError: its token is for another game (TOKEN_FOR_OTHER_GAME).
        """
        if self.kind != "seat":
            raise UnauthenticatedError("this call needs the seat token that joining gave")
        if self.game_id != game_id:
            raise ForbiddenError("the token is for a seat of another game", reason="TOKEN_FOR_OTHER_GAME")
        return self.seat

    def role_at(self, table_id: str) -> str:
        """Return the role this caller has at a bank table: `banker`, `card` or `guest`.

        Raises:
            UnauthenticatedError: it showed no table token (TOKEN_MISSING).
            ForbiddenError: its token is for another table (TOKEN_FOR_OTHER_TABLE).
        """
        if self.kind != "table":
            raise UnauthenticatedError("this call needs a token of the table")
        if self.game_id != table_id:
            raise ForbiddenError("the token is for another table", reason="TOKEN_FOR_OTHER_TABLE")
        return self.role


ANONYMOUS: Final = Principal("anonymous")


class Method:
    """A method as it is served."""

    __slots__ = (
        "kind",
        "mutating",
        "name",
        "open",
        "peer",
        "request_streaming",
        "response_streaming",
        "service",
    )

    def __init__(
        self, service: str, name: str, *, request_streaming: bool, response_streaming: bool, mutating: bool
    ) -> None:
        self.service = service
        self.name = name
        self.request_streaming = request_streaming
        self.response_streaming = response_streaming
        self.mutating = mutating
        # Services of ours speak to each other through services named …PeerService, and only there.
        self.peer = service.endswith("PeerService")
        self.open = service.startswith("grpc.")
        self.kind = {
            (False, False): "unary",
            (True, False): "client_stream",
            (False, True): "server_stream",
            (True, True): "bidi_stream",
        }[request_streaming, response_streaming]

    @property
    def streaming(self) -> bool:
        """Tell whether either side streams."""
        return self.request_streaming or self.response_streaming


class Call:
    """One call while it is served."""

    __slots__ = ("code", "draining", "evicted", "fields", "method", "principal", "reason")

    def __init__(self, method: Method, fields: dict[str, object], draining: asyncio.Event) -> None:
        self.method = method
        self.fields = fields
        self.draining = draining
        self.principal = ANONYMOUS
        self.code = grpc.StatusCode.OK
        self.reason = ""
        self.evicted = False


CURRENT: Final[ContextVar[Call]] = ContextVar("magnate_call")


def current() -> Call:
    """Return the call being served; LookupError outside of one."""
    return CURRENT.get()


def principal() -> Principal:
    """Return who asks; ANONYMOUS outside of a call."""
    call = CURRENT.get(None)
    return ANONYMOUS if call is None else call.principal
