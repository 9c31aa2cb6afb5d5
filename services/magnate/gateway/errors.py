"""Failures as connectrpc writes them: the same code, message and details that gRPC clients get."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import grpc
from connectrpc.code import Code
from connectrpc.errors import ConnectError, ErrorDetail
from google.protobuf.json_format import MessageToDict
from google.rpc import status_pb2
from protobuf import message_from_json_value
from protobuf import wkt as connect_types

from magnate.kit.errors import KitError, UnauthenticatedError, UnsupportedError
from magnate.kit.rpc.status import Failure, code_of_number, failure_of, failure_of_proto

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf import any_pb2

_CODES: Final[dict[grpc.StatusCode, Code]] = {
    code: Code("canceled" if code is grpc.StatusCode.CANCELLED else code.name.lower())
    for code in grpc.StatusCode
    if code is not grpc.StatusCode.OK
}
_STATUS_CODES: Final = {theirs: ours for ours, theirs in _CODES.items()}


class MalformedError(KitError):
    """The bytes are not the message that the method takes; says what is wrong and where."""

    category = "invalid"
    reason = "MALFORMED_MESSAGE"


class UnknownMethodError(UnsupportedError):
    """There is no such method for clients."""

    reason = "UNKNOWN_METHOD"


class TwoWayStreamError(UnsupportedError):
    """The client would stream, which no browser can and HTTP/1.1 does not carry."""

    reason = "STREAM_NOT_SUPPORTED"


class BadTokenError(UnauthenticatedError):
    """The authorization header can be no token of ours."""

    reason = "TOKEN_MALFORMED"


class _Detail(ErrorDetail):
    """A detail that Connect's JSON also shows in readable form, as `debug`."""

    def __init__(self, packed: any_pb2.Any) -> None:
        super().__init__(connect_types.Any(type_url=packed.type_url, value=packed.value))
        self._packed = packed

    def value(self, *_: Any) -> connect_types.Struct:  # type: ignore[override]
        """Return what the detail says, as a plain object."""
        shown = MessageToDict(self._packed)
        shown.pop("@type", None)
        return message_from_json_value(connect_types.Struct, shown)


def connect_error(failure: BaseException | Failure) -> ConnectError:
    """Return what a client gets for a failure; a bug becomes INTERNAL without a word about its inside."""
    if isinstance(failure, grpc.aio.AioRpcError):
        for key, value in failure.trailing_metadata() or ():
            if key == "grpc-status-details-bin" and isinstance(value, bytes):
                return _of_status(status_pb2.Status.FromString(value))
    return _of_status((failure if isinstance(failure, Failure) else failure_of(failure)).proto())


def _of_status(status: status_pb2.Status) -> ConnectError:
    code = _CODES.get(code_of_number(status.code), Code.UNKNOWN)
    return ConnectError(code, status.message, [_Detail(one) for one in status.details])


def with_reason(error: ConnectError) -> ConnectError:
    """Give an error of connectrpc's own the details that all of ours have."""
    if error.details:
        return error
    code = _STATUS_CODES[error.code]
    reason = "MESSAGE_TOO_LARGE" if code is grpc.StatusCode.RESOURCE_EXHAUSTED else code.name
    return connect_error(Failure(code, reason, error.message))


def code_and_reason(error: ConnectError) -> tuple[grpc.StatusCode, str]:
    """Return what metrics and log line say about an error."""
    details: Iterable[ErrorDetail] = error.details
    status = status_pb2.Status(code=_STATUS_CODES[error.code].value[0], message=error.message)
    for one in details:
        status.details.add(type_url=f"type.googleapis.com/{one.type_name}", value=one.message_bytes)
    failure = failure_of_proto(status)
    return failure.code, failure.reason
