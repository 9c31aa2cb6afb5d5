"""The canonical log line: one per call, at its end, with everything that was bound on the way."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import grpc
import structlog

from magnate.kit.rpc.call import CURRENT

if TYPE_CHECKING:
    from magnate.kit.rpc.call import Method
    from magnate.kit.rpc.interceptors import Behaviour, Context

# Trouble of ours; everything else is an answer.
_OURS: Final = frozenset(
    {
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.DATA_LOSS,
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)

_log = structlog.get_logger("magnate.rpc")


class LogLine:
    """Writes `request` lines: info, or warning when the trouble is ours; health checks only at debug."""

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Write the line after `inner` is done."""
        service, name = method.service, method.name
        quiet = method.open

        async def logged(request: Any, context: Context) -> Any:
            begin = perf_counter()
            try:
                return await inner(request, context)
            finally:
                call = CURRENT.get()
                code = call.code
                write = _log.warning if code in _OURS else _log.debug if quiet else _log.info
                write(
                    "request",
                    service=service,
                    method=name,
                    code=code.name,
                    reason=call.reason,
                    principal=call.principal.name,
                    ms=round((perf_counter() - begin) * 1000, 3),
                )

        return logged
