"""The one table from what may go wrong to a gRPC status, and the way back for clients.

Three kinds of things arrive here:

* a *rejection*: a value with `name`, `category` and `detail`, what a decider refuses with;
* an expected error: a `KitError`, which has a `category` and a `reason`;
* a bug: every other exception. It becomes INTERNAL without a word about its inside.

Each becomes a `Failure`: status code, stable reason, message, metadata, field violations. On the wire that
is a `google.rpc.Status` with `ErrorInfo{reason, domain: "magnate", metadata}` and, for a field at fault,
`BadRequest`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Never

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from magnate.kit.errors import KitError
from magnate.kit.ids import InvalidIdError
from magnate.kit.limits import ERROR_BYTES_MAX, VIOLATIONS_BYTES_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


DOMAIN: Final = "magnate"

_STATUS_DETAILS: Final = "grpc-status-details-bin"
_CODES: Final[dict[int, grpc.StatusCode]] = {code.value[0]: code for code in grpc.StatusCode}

CATEGORIES: Final[dict[str, grpc.StatusCode]] = {
    # The request itself is wrong; sending it again cannot help.
    "invalid": grpc.StatusCode.INVALID_ARGUMENT,
    "out_of_range": grpc.StatusCode.OUT_OF_RANGE,
    "unsupported": grpc.StatusCode.UNIMPLEMENTED,
    # Who asks.
    "unauthenticated": grpc.StatusCode.UNAUTHENTICATED,
    "forbidden": grpc.StatusCode.PERMISSION_DENIED,
    # The state of things does not allow it.
    "not_found": grpc.StatusCode.NOT_FOUND,
    "exists": grpc.StatusCode.ALREADY_EXISTS,
    "precondition": grpc.StatusCode.FAILED_PRECONDITION,
    "conflict": grpc.StatusCode.ABORTED,
    # Trouble of ours.
    "exhausted": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "unavailable": grpc.StatusCode.UNAVAILABLE,
    "timeout": grpc.StatusCode.DEADLINE_EXCEEDED,
    "cancelled": grpc.StatusCode.CANCELLED,
    "data_loss": grpc.StatusCode.DATA_LOSS,
    "internal": grpc.StatusCode.INTERNAL,
}


class Failure:
    """What went wrong, ready for the wire: code, reason, message, metadata, field violations."""

    __slots__ = ("code", "message", "metadata", "reason", "violations")

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str] | None = None,
        violations: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.code = code
        self.reason = reason
        # All of it travels in headers, of which clients take 8 KiB; and it may quote what was sent.
        self.message = clipped(message)
        self.metadata = {key: clipped(value) for key, value in (metadata or {}).items()}
        self.violations = _fitting((clipped(path), clipped(text)) for path, text in violations)

    def __repr__(self) -> str:
        return f"Failure({self.code.name}, {self.reason!r}, {self.message!r})"

    @property
    def number(self) -> int:
        """Return the number of the status code, as messages that carry a failure store it."""
        return int(self.code.value[0])

    def proto(self) -> status_pb2.Status:
        """Return it as `google.rpc.Status` with its details."""
        status = status_pb2.Status(code=self.number, message=self.message)
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata)
        status.details.add().Pack(info)
        if self.violations:
            bad = error_details_pb2.BadRequest()
            for path, text in self.violations:
                bad.field_violations.add(field=path, description=text)
            status.details.add().Pack(bad)
        return status


def clipped(text: str) -> str:
    """Return a text that fits into the headers of an answer, whatever letters it has."""
    data = text.encode(errors="replace")
    if len(data) <= ERROR_BYTES_MAX:
        return text
    return data[: ERROR_BYTES_MAX - len("…".encode())].decode(errors="ignore") + "…"


def _fitting(violations: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the first of them, as many as fit into the headers of an answer, too."""
    found: list[tuple[str, str]] = []
    room = VIOLATIONS_BYTES_MAX
    for path, text in violations:
        room -= len(path.encode(errors="replace")) + len(text.encode(errors="replace"))
        if room < 0:
            break
        found.append((path, text))
    return found


def code_of(category: str) -> grpc.StatusCode:
    """Return the status code of a category; an unknown category is a bug and answers INTERNAL."""
    return CATEGORIES.get(category, grpc.StatusCode.INTERNAL)


def code_of_number(number: int) -> grpc.StatusCode:
    """Return the status code with this number; UNKNOWN if there is none."""
    return _CODES.get(number, grpc.StatusCode.UNKNOWN)


def failure_of(error: BaseException) -> Failure:
    """Return the failure an exception answers with; never tells the inside of a bug."""
    if isinstance(error, grpc.aio.AioRpcError):
        error = remote_error(error)
    if isinstance(error, RemoteError):
        return Failure(error.code, error.reason, error.message, error.metadata, error.violations)
    if isinstance(error, KitError) and error.category in CATEGORIES:
        return Failure(CATEGORIES[error.category], error.reason, str(error), error.metadata, error.violations)
    if isinstance(error, InvalidIdError):
        violations = [(error.field, str(error))]
        return Failure(grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT", str(error), None, violations)
    if isinstance(error, DecodeError):
        return Failure(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", "the message cannot be decoded")
    if isinstance(error, TimeoutError):
        return Failure(grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", "not answered in time")
    return Failure(grpc.StatusCode.INTERNAL, "INTERNAL", "internal error; see the server's log")


class RemoteError(Exception):
    """A status that another service answered with, decoded."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.code.name} {failure.reason}: {failure.message}")
        self.code = failure.code
        self.reason = failure.reason
        self.message = failure.message
        self.metadata = failure.metadata
        self.violations = failure.violations


def put_failure(failure: Failure, message: Any) -> None:
    """Store a failure in a message of an open stream, as number, reason and message."""
    message.code = failure.number
    message.message = failure.message
    message.reason = failure.reason


def failure_of_wire(code: int, reason: str, message: str) -> Failure:
    """Return the failure that a message of an open stream carried as number, reason and message."""
    status = code_of_number(code)
    return Failure(status, reason or status.name, message)


def failure_of_proto(status: status_pb2.Status) -> Failure:
    """Return the failure inside a `google.rpc.Status`; details of other domains are kept out of `reason`."""
    code = code_of_number(status.code)
    failure = Failure(code, code.name, status.message)
    for packed in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if packed.Is(info.DESCRIPTOR) and packed.Unpack(info) and info.domain == DOMAIN:
            failure.reason = info.reason
            failure.metadata = dict(info.metadata)
        elif packed.Is(bad.DESCRIPTOR) and packed.Unpack(bad):
            failure.violations = [(one.field, one.description) for one in bad.field_violations]
    return failure


def remote_error(error: grpc.aio.AioRpcError) -> RemoteError:
    """Decode the error of a client call: code, stable reason, message, metadata, violations."""
    for key, value in error.trailing_metadata() or ():
        if key == _STATUS_DETAILS and isinstance(value, bytes):
            return RemoteError(failure_of_proto(status_pb2.Status.FromString(value)))
    code = error.code()
    return RemoteError(Failure(code, code.name, error.details() or ""))


async def abort(context: grpc.aio.ServicerContext[object, object], failure: Failure) -> Never:
    """End a call with a failure; raises, so nothing after it runs."""
    details = failure.proto().SerializeToString()
    await context.abort(failure.code, failure.message, ((_STATUS_DETAILS, details),))
