"""Turns whatever a servicer raises into the status that the one table says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import grpc
import structlog

from magnate.kit.rpc.call import CURRENT
from magnate.kit.rpc.status import Failure, abort, code_of_number, failure_of

if TYPE_CHECKING:
    from magnate.kit.rpc.call import Call, Method
    from magnate.kit.rpc.interceptors import Behaviour, Context

_DRAINED: Final = Failure(
    grpc.StatusCode.UNAVAILABLE, "SERVER_DRAINING", "this process is stopping; open the stream again"
)

_log = structlog.get_logger("magnate.rpc")


class Errors:
    """Maps errors and notes the code of the call for the layers around it."""

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Answer what `inner` raises."""

        async def mapped(request: Any, context: Context) -> Any:
            call = CURRENT.get()
            try:
                response = await inner(request, context)
            except asyncio.CancelledError:
                failure = _of_cancelled(call, context)
                if call.evicted:
                    _uncancel()
                    await abort(context, failure)
                raise
            except grpc.aio.AbortError:
                call.code = _code(context)
                raise
            except grpc.aio.InternalError:  # what we send does not arrive: the client left while we sent
                failure = Failure(grpc.StatusCode.CANCELLED, "CANCELLED", "")
                call.code, call.reason = failure.code, failure.reason
                await abort(context, failure)
            except Exception as error:  # noqa: BLE001 - the table knows every one, a bug is INTERNAL
                failure = failure_of(error)
                call.code, call.reason = failure.code, failure.reason
                if failure.code is grpc.StatusCode.INTERNAL:
                    _log.exception("call failed", service=method.service, method=method.name)
                await abort(context, failure)
            call.code = _code(context)
            return response

        return mapped


def _code(context: Context) -> grpc.StatusCode:
    """Return the code a servicer has set itself; OK if none."""
    code: Any = context.code()
    return code if isinstance(code, grpc.StatusCode) else code_of_number(int(code or 0))


def _of_cancelled(call: Call, context: Context) -> Failure:
    """Note why a call was cancelled: we drain, its time is over, or its client has gone."""
    if call.evicted:
        failure = _DRAINED
    else:
        left: float | None = context.time_remaining()
        late = left is not None and left <= 0
        code = grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED
        failure = Failure(code, code.name, "")
    call.code, call.reason = failure.code, failure.reason
    return failure


def _uncancel() -> None:
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()
