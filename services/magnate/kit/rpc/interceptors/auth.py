"""Who asks: reads the bearer token into the call's principal.

Public methods may be called by anybody; whether a seat is needed, and which, the servicer says by
`principal().seat_of(game_id)`. Methods of services named …PeerService are for our own services alone. A token
that does not hold is refused everywhere, even where none is needed: its owner should learn of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from magnate.kit.errors import ForbiddenError, UnauthenticatedError
from magnate.kit.limits import TOKENS_KNOWN_MAX
from magnate.kit.operators import OPERATOR_PREFIX, Operators
from magnate.kit.rpc.call import CURRENT, Principal
from magnate.kit.tokens import PEER_PREFIX, TABLE_PREFIX, verify_peer, verify_seat, verify_table

if TYPE_CHECKING:
    from magnate.kit.keys import KeyRing
    from magnate.kit.rpc.call import Method
    from magnate.kit.rpc.interceptors import Behaviour, Context

_SCHEME: Final = "bearer "


class Auth:
    """Verifies tokens with the key ring; once per call, so once in the life of a stream."""

    def __init__(self, keys: KeyRing, operators: Operators | None = None) -> None:
        self._keys = keys
        self._operators = operators or Operators()
        # What has been verified, by the whole header: a verification costs 20 us, and a bot sends the same
        # token with every command. Only what held is kept, so guessing learns nothing from the time it takes.
        self._known: dict[str | bytes, Principal] = {}

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Set the principal before `inner`."""
        if method.open:
            return inner
        peer_only, known = method.peer, self._known

        async def authenticated(request: Any, context: Context) -> Any:
            call = CURRENT.get()
            for key, value in context.invocation_metadata() or ():
                if key == "authorization":
                    call.principal = known.get(value) or self.principal_of(value)
                    break
            if peer_only and call.principal.kind != "peer":
                if call.principal.kind == "anonymous":
                    raise UnauthenticatedError("this method is for services that show a peer token")
                raise ForbiddenError("this method is not for players", reason="PEERS_ONLY")
            return await inner(request, context)

        return authenticated

    def principal_of(self, authorization: str | bytes) -> Principal:
        """Return who an `authorization` value stands for; raises UnauthenticatedError if it does not hold."""
        if not isinstance(authorization, str) or not authorization[: len(_SCHEME)].lower() == _SCHEME:
            raise UnauthenticatedError("authorization must be `Bearer <token>`", reason="TOKEN_MALFORMED")
        token = authorization[len(_SCHEME) :].strip()
        if token.startswith(OPERATOR_PREFIX):
            principal = Principal("operator", service=self._operators.verify(token))
        else:
            principal = token_principal(self._keys, token)
        if len(self._known) >= TOKENS_KNOWN_MAX:
            self._known.clear()
        self._known[authorization] = principal
        return principal


def token_principal(keys: KeyRing, token: str) -> Principal:
    """Return who a token of any kind stands for; raises UnauthenticatedError if it does not hold."""
    if token.startswith(PEER_PREFIX):
        return Principal("peer", service=verify_peer(keys, token))
    if token.startswith(TABLE_PREFIX):
        table = verify_table(keys, token)
        return Principal("table", game_id=table.table_id, role=table.role, seat=table.seat)
    seat = verify_seat(keys, token)
    return Principal("seat", game_id=seat.game_id, seat=seat.seat)
