"""The one table from what may go wrong to a status, and back."""

from __future__ import annotations

from urllib.parse import quote

import grpc
import pytest
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from magnate.kit.errors import InvalidArgumentError, KitError, NotFoundError, RefusedError, Rejection
from magnate.kit.ids import InvalidIdError
from magnate.kit.log.errors import DataLossError, LogNewerError, LogUnavailableError
from magnate.kit.rpc.status import (
    CATEGORIES,
    Failure,
    RemoteError,
    code_of,
    failure_of,
    failure_of_proto,
    failure_of_wire,
    remote_error,
)
from magnate.rules import rejections


def test_every_category_of_the_rules_is_in_the_table() -> None:
    """A rejection with a category nobody knows would answer INTERNAL."""
    used = {category for category, _ in rejections.REJECTIONS.values()}
    assert used <= CATEGORIES.keys()


def test_a_rejection_of_the_rules_fits() -> None:
    """What a decider returns is what the table takes."""
    rejection = rejections.Rejection(rejections.NOT_YOUR_TURN, "seat 2 is to move")
    assert isinstance(rejection, Rejection)
    failure = failure_of(RefusedError(rejection))
    assert (failure.reason, failure.message) == ("NOT_YOUR_TURN", "seat 2 is to move")
    assert failure.code is code_of(rejection.category)


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        (DataLossError("1-0-a", 3, "chain broken"), grpc.StatusCode.DATA_LOSS, "DATA_LOSS"),
        (LogNewerError("1-0-a", 3, "section TABLE 9"), grpc.StatusCode.UNAVAILABLE, "LOG_NEWER"),
        (LogUnavailableError("no answer"), grpc.StatusCode.UNAVAILABLE, "LOG_UNAVAILABLE"),
        (InvalidArgumentError("seat", "no"), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
        (NotFoundError("", reason="UNKNOWN_GAME"), grpc.StatusCode.NOT_FOUND, "UNKNOWN_GAME"),
        (InvalidIdError("game_id", "x", "no"), grpc.StatusCode.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
        (TimeoutError(), grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED"),
        (DecodeError("x"), grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE"),
        (ValueError("secret inside"), grpc.StatusCode.INTERNAL, "INTERNAL"),
    ],
)
def test_errors_have_their_place(error: Exception, code: grpc.StatusCode, reason: str) -> None:
    """Each error of the shared parts has one status and one stable reason."""
    failure = failure_of(error)
    assert (failure.code, failure.reason) == (code, reason)
    assert "secret" not in failure.message


def test_an_unknown_category_is_a_bug() -> None:
    """It is INTERNAL, never OK by accident."""
    assert code_of("nonsense") is grpc.StatusCode.INTERNAL


def test_a_failure_survives_the_wire() -> None:
    """Code, reason, message, metadata and violations come back as they went."""
    sent = Failure(
        grpc.StatusCode.INVALID_ARGUMENT, "BAD", "two fields", {"game_id": "g"}, [("a.b", "x"), ("c", "y")]
    )
    got = failure_of_proto(status_pb2.Status.FromString(sent.proto().SerializeToString()))
    assert (got.code, got.reason, got.message) == (sent.code, "BAD", "two fields")
    assert (got.metadata, got.violations) == (sent.metadata, sent.violations)


def test_error_info_of_another_domain_is_not_ours() -> None:
    """A proxy may add details of its own; its reason must not pass for one of ours."""
    status = status_pb2.Status(code=14, message="proxy")
    status.details.add().Pack(error_details_pb2.ErrorInfo(reason="THEIRS", domain="example.com"))
    assert failure_of_proto(status).reason == "UNAVAILABLE"


def test_a_bare_status_has_its_code_as_reason() -> None:
    """A client that asks for the reason always gets one."""
    empty = grpc.aio.Metadata()
    error = grpc.aio.AioRpcError(grpc.StatusCode.UNAVAILABLE, empty, empty, details="gone")
    remote = remote_error(error)
    assert (remote.code, remote.reason, remote.message) == (
        grpc.StatusCode.UNAVAILABLE,
        "UNAVAILABLE",
        "gone",
    )
    assert failure_of(error).code is grpc.StatusCode.UNAVAILABLE


def test_a_remote_failure_is_passed_on_as_it_is() -> None:
    """A service that forwards a call answers what the peer answered."""
    remote = RemoteError(failure_of_wire(9, "NOT_YOUR_TURN", "seat 1 is to move"))
    assert failure_of(remote).reason == "NOT_YOUR_TURN"
    assert failure_of(remote).code is grpc.StatusCode.FAILED_PRECONDITION
    assert failure_of_wire(9, "", "x").reason == "FAILED_PRECONDITION"
    assert failure_of_wire(999, "", "x").code is grpc.StatusCode.UNKNOWN


@pytest.mark.parametrize("letter", ["x", "ж", "💰", "\ud800"])
def test_long_texts_are_cut(letter: str) -> None:
    """A status travels in headers, where a letter may take twelve bytes; all of it stays short."""
    failure = failure_of(InvalidArgumentError("account", letter * 70_000))
    (path, text), *others = failure.violations
    assert (path, others) == ("account", [])
    assert failure.message.startswith("account: ")
    assert text.endswith("…")
    header = len(failure.proto().SerializeToString()) * 4 // 3
    assert len(quote(failure.message)) + header < 8192
    metadata = {"about": letter * 70_000}
    assert len(failure_of(KitError(letter * 5000, metadata=metadata)).metadata["about"].encode()) <= 1024


def test_of_many_wrong_fields_the_first_are_named() -> None:
    """However many are wrong, the answer still reaches who asked."""
    wrong = [(f"bidders[{place}]", "is 5000, not a seat from 0 to 1023") for place in range(10_000)]
    failure = failure_of(InvalidArgumentError(*wrong[0], wrong[1:]))
    assert 10 < len(failure.violations) < 100
    assert failure.violations == wrong[: len(failure.violations)]
    assert len(quote(failure.message)) + len(failure.proto().SerializeToString()) * 4 // 3 < 8192
