"""The RPC shell around a real server and client: status, metrics, log line, deadlines, tokens, drain."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import StringValue
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from grpc_status import rpc_status

from magnate.kit import tokens
from magnate.kit.rpc.status import remote_error
from tests.integration.kit.echo import KEYS, Served, served
from tests.support.logged import logged
from tests.support.waiting import until

KINDS = ["unary", "client_stream", "server_stream", "bidi_stream"]


async def error_of(running: Served, kind: str, word: str, **how: Any) -> grpc.aio.AioRpcError:
    """Make a call that must fail and return its error."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await running.client.say(kind, word, **how)
    return caught.value


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
async def test_calls_of_each_kind_are_answered(kind: str) -> None:
    """The layers leave requests and responses of all four kinds as they are."""
    async with served() as running:
        answer = await running.client.say(kind, "a+b")
        assert "+".join(answer).replace(" ", "+") == "a+b"


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
async def test_a_rejection_becomes_status_and_error_info(kind: str) -> None:
    """A client that knows only google.rpc reads code, reason, domain and metadata of a refusal."""
    async with served() as running:
        error = await error_of(running, kind, "refuse")
        assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
        assert error.details() == "seat 1 is to move"
        status = await rpc_status.aio.from_call(_Ended(error))
        info = error_details_pb2.ErrorInfo()
        assert status is not None
        assert status.details[0].Unpack(info)
        assert (info.reason, info.domain, dict(info.metadata)) == ("NOT_YOUR_TURN", "magnate", {"seat": "1"})


class _Ended:
    """An error in the form in which grpc_status wants a call."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        self._error = error

    async def code(self) -> grpc.StatusCode:
        """Return the code."""
        return self._error.code()

    async def details(self) -> str | None:
        """Return the message."""
        return self._error.details()

    async def trailing_metadata(self) -> Any:
        """Return the trailer."""
        return self._error.trailing_metadata()


@pytest.mark.asyncio
async def test_a_wrong_field_is_named_by_its_path() -> None:
    """INVALID_ARGUMENT carries BadRequest, and our own decoder finds the violation."""
    async with served() as running:
        error = remote_error(await error_of(running, "unary", "invalid"))
        assert error.code is grpc.StatusCode.INVALID_ARGUMENT
        assert error.reason == "INVALID_ARGUMENT"
        assert error.violations == [("trade.items[2].lot", "no such lot")]


@pytest.mark.asyncio
async def test_a_bug_tells_nothing_of_its_inside() -> None:
    """An exception that nobody expected is INTERNAL without its text."""
    async with served() as running:
        error = await error_of(running, "unary", "bug")
        assert error.code() is grpc.StatusCode.INTERNAL
        assert "inside of a bug" not in str(error)


@pytest.mark.asyncio
async def test_a_message_that_cannot_be_decoded_is_an_invalid_argument() -> None:
    """Garbage is refused by name, counted like any other call, and reaches no servicer."""
    async with served() as running:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await running.client.raw(b"\xff\xff\xff")
        assert remote_error(caught.value).reason == "MALFORMED_MESSAGE"
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        await until(lambda: running.value("grpc_server_handled_total", grpc_code="InvalidArgument") == 1)


@pytest.mark.asyncio
async def test_a_message_that_is_too_large_is_refused() -> None:
    """The bound on messages holds and says so."""
    async with served(message_bytes_max=1024) as running:
        error = await error_of(running, "unary", "x" * 2000)
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("hello", "OK"),
        ("refuse", "FailedPrecondition"),
        ("bug", "Internal"),
        ("abort", "OutOfRange"),
        ("set code", "NotFound"),
    ],
)
async def test_metrics_count_each_call_by_its_code(kind: str, word: str, code: str) -> None:
    """Started, handled by code, seconds: one each, whichever way the call ended; nothing left in progress."""
    async with served() as running:
        try:
            await running.client.say(kind, word)
        except grpc.aio.AioRpcError:
            assert code != "OK"
        else:
            assert code == "OK"
        labels = {"grpc_type": kind}
        assert running.value("grpc_server_started_total", **labels) == 1
        await until(lambda: running.value("grpc_server_handled_total", **labels, grpc_code=code) == 1)
        await until(lambda: running.value("grpc_server_in_progress", **labels) == 0)
        assert running.value("grpc_server_handled_total", **labels) == 1
        assert running.value("grpc_server_handling_seconds_count", **labels) == 1


@pytest.mark.asyncio
async def test_one_canonical_line_per_call_and_one_per_stream() -> None:
    """A unary call and a stream of a hundred messages write one line each, with what was bound on the way."""
    with logged(service="test") as out:
        async with served() as running:
            await running.client.say("unary", "hello")
            await running.client.say("bidi_stream", "+".join(["x"] * 100))
            await error_of(running, "unary", "refuse")
            await until(lambda: out.getvalue().count('"event":"request"') == 3)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    requests = [line for line in lines if line["event"] == "request"]
    assert [(one["method"], one["code"], one["reason"]) for one in requests] == [
        ("Unary", "OK", ""),
        ("Chat", "OK", ""),
        ("Unary", "FAILED_PRECONDITION", "NOT_YOUR_TURN"),
    ]
    assert requests[0]["word"] == "hello"
    assert requests[0]["ms"] >= 0
    assert "word" not in requests[2], "fields of one call must not show up on another's line"


@pytest.mark.asyncio
async def test_the_default_deadline_ends_a_call_without_one() -> None:
    """A call without a deadline gets ours."""
    async with served(default_deadline_seconds=0.1) as running:
        begin = time.perf_counter()
        error = await error_of(running, "unary", "wait")
        assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert time.perf_counter() - begin < 25  # it would wait for 30 s
        await until(lambda: running.value("grpc_server_handled_total", grpc_code="DeadlineExceeded") == 1)


@pytest.mark.asyncio
async def test_strict_mode_refuses_a_changing_call_without_a_deadline() -> None:
    """With a deadline the same call is served."""
    async with served(require_deadlines=True) as running:
        error = remote_error(await error_of(running, "unary", "hello"))
        assert error.violations[0][0] == "grpc-timeout"
        assert await running.client.say("unary", "hello", timeout=5) == ["hello"]


@pytest.mark.asyncio
async def test_a_client_that_leaves_cancels_its_call() -> None:
    """The servicer stops working for a client that is gone, and the call is counted as cancelled."""
    async with served() as running:
        pending = running.client.unary(StringValue(value="wait"))
        await until(lambda: running.value("grpc_server_started_total"))
        pending.cancel()
        await until(lambda: running.value("grpc_server_handled_total", grpc_code="Cancelled"))


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
async def test_a_seat_token_names_the_caller(kind: str) -> None:
    """The servicer sees whose seat asks; without a token nobody in particular asks."""
    async with served() as running:
        token = tokens.mint_seat(KEYS, "1-0-abc", 3)
        metadata = (("authorization", f"Bearer {token}"),)
        assert await running.client.say(kind, "who", metadata=metadata) == ["seat:1-0-abc:3"]
        assert await running.client.say(kind, "seat", metadata=metadata) == ["3"]
        assert await running.client.say(kind, "who") == ["anonymous"]
        error = remote_error(await error_of(running, kind, "seat"))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("Bearer v1.AAAA.AAAA", "TOKEN_INVALID"),
        ("Bearer nonsense", "TOKEN_MALFORMED"),
        ("Basic dXNlcjpwdw==", "TOKEN_MALFORMED"),
    ],
)
async def test_a_token_that_does_not_hold_is_refused_even_where_none_is_needed(
    header: str, reason: str
) -> None:
    """Its owner should learn of it."""
    async with served() as running:
        error = remote_error(await error_of(running, "unary", "hello", metadata=(("authorization", header),)))
        assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, reason)


@pytest.mark.asyncio
async def test_the_token_of_another_game_is_forbidden() -> None:
    """A seat of one game cannot act in another."""
    async with served() as running:
        token = tokens.mint_seat(KEYS, "1-0-other", 3)
        metadata = (("authorization", f"Bearer {token}"),)
        error = remote_error(await error_of(running, "unary", "seat", metadata=metadata))
        assert (error.code, error.reason) == (grpc.StatusCode.PERMISSION_DENIED, "TOKEN_FOR_OTHER_GAME")


@pytest.mark.asyncio
@pytest.mark.parametrize("kind", KINDS)
async def test_peer_methods_are_for_peers(kind: str) -> None:
    """Neither nobody nor a seat may call a method of a …PeerService; a service with a peer token may."""
    async with served() as running:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await running.peer.say(kind, "who")
        assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
        seat = (("authorization", f"Bearer {tokens.mint_seat(KEYS, '1-0-abc', 0)}"),)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await running.peer.say(kind, "who", metadata=seat)
        assert caught.value.code() is grpc.StatusCode.PERMISSION_DENIED
        peer = (("authorization", f"Bearer {tokens.mint_peer(KEYS, 'game')}"),)
        assert await running.peer.say(kind, "who", metadata=peer) == ["peer:game"]


@pytest.mark.asyncio
async def test_health_and_reflection_tell_what_is_served() -> None:
    """Standard tools find the services and their state."""
    async with served() as running:
        stub: Any = health_pb2_grpc.HealthStub(running.client.channel)
        for service in ("", "test.v1.EchoService"):
            answer = await stub.Check(health_pb2.HealthCheckRequest(service=service))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        channel: Any = running.client.channel
        mirror: Any = reflection_pb2_grpc.ServerReflectionStub(channel)
        ask = reflection_pb2.ServerReflectionRequest(list_services="")
        async for answer in mirror.ServerReflectionInfo(iter([ask])):
            names = [one.name for one in answer.list_services_response.service]
            assert "test.v1.EchoService" in names


@pytest.mark.asyncio
async def test_a_second_server_cannot_take_the_port() -> None:
    """Two processes on one port would silently share its connections."""
    async with served() as running:
        with pytest.raises(OSError, match="cannot listen on 127"):
            async with served(port=running.server.port):
                pass


@pytest.mark.asyncio
async def test_drain_finishes_calls_refuses_new_ones_and_ends_streams() -> None:
    """Health turns first, a running call is answered, an idle stream is ended, no new call starts."""
    async with served() as running:
        stub: Any = health_pb2_grpc.HealthStub(running.client.channel)
        states: list[int] = []

        async def watch_health() -> None:
            async for answer in stub.Watch(health_pb2.HealthCheckRequest(service="")):
                states.append(answer.status)  # noqa: PERF401 - they are wanted even if the stream breaks

        watching = asyncio.create_task(watch_health())
        stream = running.client.chat()
        await stream.write(StringValue(value="hello"))
        assert (await stream.read()).value == "hello"
        slow = asyncio.create_task(running.client.say("unary", "nap"))
        await until(lambda: running.value("grpc_server_in_progress", grpc_method="Unary"))
        begin = time.perf_counter()
        await running.server.drain()
        assert time.perf_counter() - begin < 4, "an idle stream held the process up"
        assert await slow == ["nap"]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert remote_error(caught.value).reason == "SERVER_DRAINING"
        error = await error_of(running, "unary", "hello")
        assert error.code() is grpc.StatusCode.UNAVAILABLE
        await asyncio.gather(watching, return_exceptions=True)
        serving, not_serving = (
            health_pb2.HealthCheckResponse.SERVING,
            health_pb2.HealthCheckResponse.NOT_SERVING,
        )
        assert states == [serving, not_serving]
