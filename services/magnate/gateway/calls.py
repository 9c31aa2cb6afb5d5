"""Calls in: one ASGI application for all methods, with the metrics and log line of gRPC around each."""

from __future__ import annotations

import asyncio
import json
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

import grpc
import structlog
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf.empty_pb2 import Empty

from magnate.gateway.codecs import Binary, Json
from magnate.gateway.errors import (
    BadTokenError,
    TwoWayStreamError,
    UnknownMethodError,
    code_and_reason,
    connect_error,
    with_reason,
)
from magnate.kit.errors import KitError, UnavailableError
from magnate.kit.rpc.call import CURRENT, Method, Principal
from magnate.kit.rpc.interceptors.logline import LogLine
from magnate.kit.rpc.interceptors.metrics import Metrics

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from prometheus_client import CollectorRegistry
    from starlette.types import Message, Receive, Scope, Send

    from magnate.gateway.catalog import Served
    from magnate.gateway.forward import Forwarder
    from magnate.gateway.settings import GatewaySettings
    from magnate.kit.rpc.interceptors import Behaviour
    from magnate.kit.rpc.interceptors.scope import Scope as Streams

_REFUSAL: Final[ContextVar[KitError | None]] = ContextVar("magnate_gateway_refusal", default=None)
_REFUSED_UNARY, _REFUSED_STREAM = "/refused/unary", "/refused/stream"
_HTTP_WORDS: Final = {
    405: "this method takes {allow} only",
    415: "the content type must be one of application/json, application/proto, application/connect+json, "
    "application/connect+proto (streams), application/grpc-web+proto, application/grpc-web+json",
}

_log = structlog.get_logger("magnate.rpc")


class _Around:
    """Notes how each call ends, and gives every error its details; connectrpc calls it."""

    async def on_start(self, ctx: Any) -> None:
        """Refuse what was found out before, in the protocol that the client speaks."""
        ctx.response_headers["cache-control"] = "no-store"
        refusal = _REFUSAL.get()
        if refusal is not None:
            raise _noted(connect_error(refusal))

    async def on_end(self, _token: None, _ctx: Any, error: Exception | None, /) -> None:
        """Note the outcome; what this raises is answered instead of `error`."""
        call = CURRENT.get()
        if error is None:
            call.code = grpc.StatusCode.OK
            call.reason = ""
        elif call.evicted:
            draining = "this process is stopping; open the stream again"
            raise _noted(connect_error(UnavailableError(draining, reason="SERVER_DRAINING")))
        elif isinstance(error, ConnectError):
            raise _noted(with_reason(error)) from error.__cause__
        else:
            _log.error("call failed", service=call.method.service, method=call.method.name, exc_info=error)
            raise _noted(connect_error(error))


class _Application(ConnectASGIApplication[None]):
    """connectrpc with our endpoints; it wants to be told where generated code would mount it."""

    @property
    def path(self) -> str:
        """Return where it is mounted."""
        return "/"


class Calls:
    """Serves every method of a catalog; what is none of them is refused as clearly."""

    def __init__(
        self,
        catalog: Mapping[str, Served],
        forwarder: Forwarder,
        streams: Streams,
        settings: GatewaySettings,
        registry: CollectorRegistry,
    ) -> None:
        endpoints = {path: forwarder.endpoint(one) for path, one in catalog.items() if not _two_way(one)}
        self._application = _Application(
            service=None,
            endpoints=lambda _: endpoints | _refused_endpoints(),
            interceptors=(_Around(),),
            read_max_bytes=settings.message_bytes_max,
            codecs=(Binary(), Json()),
        )
        metrics = Metrics(registry)

        def around(method: Method, inner: Behaviour) -> Behaviour:
            return streams.wrap(method, metrics.wrap(method, LogLine().wrap(method, inner)))

        self._behaviours = {path: around(one.method, self._served(one)) for path, one in catalog.items()}
        unknown = Method(
            "unknown", "unknown", request_streaming=False, response_streaming=False, mutating=False
        )
        self._unknown = around(unknown, self._no_method)
        self._services = ", ".join(sorted({one.method.service for one in catalog.values()}))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        behaviour = self._behaviours.get(scope["path"], self._unknown)
        await behaviour((scope, receive, send), None)

    def _served(self, served: Served) -> Behaviour:
        two_way = TwoWayStreamError(
            f"{served.method.name} streams from the client, which this gateway cannot carry; "
            "use the calls that take one message, or gRPC at the service itself"
        )

        async def serve(request: Any, _: Any) -> None:
            await self._answer(*request, refusal=two_way if _two_way(served) else None)

        return serve

    async def _no_method(self, request: Any, _: Any) -> None:
        refusal = UnknownMethodError(
            f"there is no method {request[0]['path']}; services are {self._services}"
        )
        await self._answer(*request, refusal=refusal)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, *, refusal: KitError | None) -> None:
        call = CURRENT.get()
        # Until connectrpc has understood enough of the request to tell us more.
        call.code, call.reason = grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"
        headers = dict(scope["headers"])
        call.principal = Principal("bearer" if b"authorization" in headers else "anonymous")
        if not headers.get(b"authorization", b"").isascii():
            refusal = BadTokenError("the authorization header has characters that no token has")
        kind = headers.get(b"content-type", b"")
        if kind.startswith(b"application/grpc") and not kind.startswith(b"application/grpc-web"):
            headers.pop(b"content-type")  # native gRPC needs HTTP/2 and is for the services themselves
        # Header values may hold any byte; connectrpc reads them as UTF-8, and gRPC takes ASCII alone.
        scope = {**scope, "headers": [(key, value) for key, value in headers.items() if value.isascii()]}
        if refusal is not None:
            _REFUSAL.set(refusal)
            scope["path"] = _REFUSED_STREAM if kind.startswith(b"application/connect+") else _REFUSED_UNARY
        try:
            await self._application(scope, receive, _Explained(send))
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if not call.evicted or task is None:
                raise
            task.uncancel()  # the client has been told


class _Explained:
    """Fills the empty bodies with which connectrpc answers what is no call at all."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._body: bytes | None = None

    async def __call__(self, message: Message) -> None:
        """Pass on a message, or a clearer one."""
        if message["type"] == "http.response.start" and message["status"] in _HTTP_WORDS:
            headers = {key.decode(): value.decode() for key, value in message["headers"]}
            words = _HTTP_WORDS[message["status"]].format(allow=headers.get("allow", "POST"))
            self._body = json.dumps({"code": "invalid_argument", "message": words}).encode()
            length = (b"content-length", str(len(self._body)).encode())
            kind = (b"content-type", b"application/json")
            message = {**message, "headers": [*message["headers"], kind, length]}
        elif self._body is not None:
            message = {**message, "body": self._body}
        await self._send(message)


def _noted(error: ConnectError) -> ConnectError:
    """Put an error's code and reason where metrics and log line find them."""
    call = CURRENT.get()
    call.code, call.reason = code_and_reason(error)
    return error


def _two_way(served: Served) -> bool:
    return served.method.request_streaming


def _refused_endpoints() -> dict[str, Any]:
    """Return where refused calls go; `_Around` refuses them before anything is read."""

    def info(stream_type: StreamType) -> MethodInfo[Empty, Empty]:
        return MethodInfo(
            name="refused",
            service_name="refused",
            input=Empty,
            output=Empty,
            idempotency_level=IdempotencyLevel.NO_SIDE_EFFECTS,
            stream_type=stream_type,
        )

    async def never(_request: Any, _ctx: Any) -> Empty:
        raise AssertionError("refused before")

    async def never_streams(request: Any, ctx: Any) -> AsyncIterator[Empty]:
        yield await never(request, ctx)

    return {
        _REFUSED_UNARY: Endpoint.unary(info(StreamType.UNARY), never),
        _REFUSED_STREAM: Endpoint.server_stream(info(StreamType.SERVER_STREAM), never_streams),
    }
