"""Every call that is not a stream has a deadline: its client's, or ours."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from magnate.kit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from magnate.kit.rpc.call import Method
    from magnate.kit.rpc.interceptors import Behaviour, Context


class Deadlines:
    """Applies the default deadline; in strict mode refuses changing calls that bring none.

    A client without a deadline may have left long ago while we still work for it, and it never learns that an
    outcome is unknown. gRPC itself cancels a call whose own deadline passes.
    """

    def __init__(self, default_seconds: float, *, strict: bool) -> None:
        self._default_seconds = default_seconds
        self._strict = strict

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Bound `inner` in time; streams live as long as they like."""
        if method.streaming or method.open:
            return inner
        refuse = self._strict and method.mutating
        default_seconds = self._default_seconds

        async def bounded(request: Any, context: Context) -> Any:
            left: float | None = context.time_remaining()
            if left is not None:
                return await inner(request, context)
            if refuse:
                raise InvalidArgumentError("grpc-timeout", "a call that changes something needs a deadline")
            async with asyncio.timeout(default_seconds):
                return await inner(request, context)

        return bounded
