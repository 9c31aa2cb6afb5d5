"""The gRPC server of every service: one bootstrap, so that all of them behave alike.

    server = RpcServer(registrations, settings, registry)
    await server.start()      # bound; health says NOT_SERVING
    await server.ready()      # SERVING
    await server.drain()      # NOT_SERVING first, then no new calls, then what runs is finished

A registration is `partial(add_LedgerServiceServicer_to_server, servicer)`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, cast

import grpc
import structlog
from google.protobuf import descriptor_pb2, descriptor_pool
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from magnate.kit.limits import STREAM_DRAIN_SECONDS
from magnate.kit.rpc.call import Method
from magnate.kit.rpc.interceptors import wrap
from magnate.kit.rpc.interceptors.auth import Auth
from magnate.kit.rpc.interceptors.deadlines import Deadlines
from magnate.kit.rpc.interceptors.errors import Errors
from magnate.kit.rpc.interceptors.logline import LogLine
from magnate.kit.rpc.interceptors.metrics import Metrics
from magnate.kit.rpc.interceptors.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from prometheus_client import CollectorRegistry

    from magnate.kit.rpc.interceptors import Handler, Interceptor
    from magnate.kit.settings import Settings

Registration = Callable[[grpc.aio.Server], None]

_SERVING: Final = health_pb2.HealthCheckResponse.SERVING
_NOT_SERVING: Final = health_pb2.HealthCheckResponse.NOT_SERVING

_log = structlog.get_logger("magnate.rpc")


class _Recorder:
    """Stands in for a server while generated code registers servicers, and keeps their handlers."""

    def __init__(self) -> None:
        self.services: dict[str, Mapping[str, Handler]] = {}

    def add_generic_rpc_handlers(self, handlers: Iterable[grpc.GenericRpcHandler]) -> None:
        """Ignore the form that cannot be taken apart; the other one follows."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, Handler]) -> None:
        """Keep the handlers of a service."""
        self.services[service] = handlers


class RpcServer:
    """A server with all that belongs around its servicers."""

    def __init__(
        self, registrations: Sequence[Registration], settings: Settings, registry: CollectorRegistry
    ) -> None:
        self.draining = asyncio.Event()
        self.port = 0
        self._settings = settings
        self._scope = Scope(self.draining)
        self._health = health.aio.HealthServicer()
        self._server = grpc.aio.server(options=_options(settings), maximum_concurrent_rpcs=settings.rpcs_max)
        recorder = _Recorder()
        as_server = cast("grpc.aio.Server", recorder)
        for register in registrations:
            register(as_server)
        self.services = list(recorder.services)
        health_pb2_grpc.add_HealthServicer_to_server(self._health, as_server)
        self._serve(recorder.services, self._interceptors(registry))
        if settings.reflection:
            names = (*self.services, health.SERVICE_NAME, reflection.SERVICE_NAME)
            reflection.enable_server_reflection(names, self._server)

    @property
    def address(self) -> str:
        """Return `host:port` as bound."""
        return f"{self._settings.host}:{self.port}"

    async def start(self) -> None:
        """Bind the port and answer; health says NOT_SERVING until `ready`.

        Raises:
            OSError: the port cannot be bound.
        """
        where = f"{self._settings.host}:{self._settings.port}"
        try:
            self.port = self._server.add_insecure_port(where)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {where}: {error}") from error
        await self._set_health(_NOT_SERVING)
        await self._server.start()

    async def ready(self) -> None:
        """Tell the world that this process serves."""
        await self._set_health(_SERVING)

    async def drain(self) -> None:
        """Stop without losing what runs.

        Health says NOT_SERVING first; after the configured delay new calls are refused; streams that do not
        end by themselves are ended with UNAVAILABLE; what still runs after `drain_seconds` is cancelled.
        """
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self._settings.drain_delay_seconds)
        self.draining.set()
        stopping = asyncio.create_task(self._server.stop(self._settings.drain_seconds))
        patience = min(STREAM_DRAIN_SECONDS, self._settings.drain_seconds)
        await asyncio.wait({stopping}, timeout=patience)
        self._scope.evict_streams()
        await stopping

    async def kill(self) -> None:
        """Stop at once."""
        self.draining.set()
        await self._server.stop(0)

    async def _set_health(self, status: int) -> None:
        for service in ("", *self.services):
            await self._health.set(service, status)

    def _interceptors(self, registry: CollectorRegistry) -> list[Interceptor]:
        """Return the layers around every call, the outermost first."""
        settings = self._settings
        return [
            self._scope,
            Metrics(registry),
            LogLine(),
            Errors(),
            Deadlines(settings.default_deadline_seconds, strict=settings.require_deadlines),
            Auth(settings.key_ring, settings.operators),
        ]

    def _serve(
        self, services: Mapping[str, Mapping[str, Handler]], interceptors: Sequence[Interceptor]
    ) -> None:
        for service, handlers in services.items():
            wrapped = {
                name: wrap(_method(service, name, handler), handler, interceptors)
                for name, handler in handlers.items()
            }
            self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, wrapped),))
            self._server.add_registered_method_handlers(service, wrapped)


def _options(settings: Settings) -> list[tuple[str, Any]]:
    """Return gRPC's channel arguments for a server."""
    options: list[tuple[str, Any]] = [
        # Two servers on one port would silently share its connections.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", settings.message_bytes_max),
        ("grpc.max_send_message_length", -1),
        ("grpc.max_metadata_size", 16 * 1024),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ]
    if settings.connection_age_seconds:
        options += [
            ("grpc.max_connection_age_ms", int(settings.connection_age_seconds * 1000)),
            ("grpc.max_connection_age_grace_ms", int(settings.drain_seconds * 1000)),
        ]
    return options


def _method(service: str, name: str, handler: Handler) -> Method:
    """Describe a method; one that its proto calls `NO_SIDE_EFFECTS` changes nothing."""
    mutating = True
    try:
        # By name, from the pool that generated code has filled.
        found = descriptor_pool.Default().FindMethodByName(f"{service}.{name}")
    except KeyError:
        found = None
    if found is not None:
        level = found.GetOptions().idempotency_level
        mutating = level != descriptor_pb2.MethodOptions.NO_SIDE_EFFECTS
    return Method(
        service,
        name,
        request_streaming=bool(handler.request_streaming),
        response_streaming=bool(handler.response_streaming),
        mutating=mutating,
    )
