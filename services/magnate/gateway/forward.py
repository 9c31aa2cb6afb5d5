"""Calls out: to the process of a service that answers best, over channels that stay open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import grpc
from connectrpc.server import Endpoint

from magnate.gateway.errors import connect_error
from magnate.kit.ids import rendezvous
from magnate.kit.rpc.channels import connect

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from connectrpc.request import RequestContext

    from magnate.gateway.catalog import Served
    from magnate.gateway.settings import GatewaySettings

ANSWER_BYTES_MAX = 16 << 20
"""As large as an answer may get: the whole view of a long game."""


class Forwarder:
    """Makes the endpoints of connectrpc that pass calls on."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._settings = settings
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._stubs: dict[tuple[str, str], Any] = {}

    def endpoint(self, served: Served) -> Any:
        """Return the endpoint of a method whose client sends one message."""

        async def unary(request: Any, context: RequestContext[Any, Any]) -> Any:
            try:
                return await self._call(served, request, context)
            except grpc.aio.AioRpcError as error:
                raise connect_error(error) from error

        async def stream(request: Any, context: RequestContext[Any, Any]) -> AsyncIterator[Any]:
            call = self._call(served, request, context)
            try:
                async for message in call:
                    yield message
            except grpc.aio.AioRpcError as error:
                raise connect_error(error) from error
            finally:
                call.cancel()  # its client has gone, or we drain; nothing happens to a call that has ended

        if served.method.response_streaming:
            return Endpoint.server_stream(served.info, stream)
        return Endpoint.unary(served.info, unary)

    async def close(self) -> None:
        """Close all channels."""
        for channel in self._channels.values():
            await channel.close()

    def _call(self, served: Served, request: Any, context: RequestContext[Any, Any]) -> Any:
        key = getattr(request, served.key_field) if served.key_field else ""
        stub = self._stub(served, rendezvous(key, self._settings.peers(served.owner)))
        authorization = context.request_headers.get("authorization")
        metadata = [("authorization", authorization)] if authorization else []
        if context.client_address:  # for counting wrong tries; never what a client says of itself
            metadata.append(("x-forwarded-for", context.client_address.rpartition(":")[0]))
        return stub(request, timeout=self._seconds(served, context), metadata=metadata)

    def _seconds(self, served: Served, context: RequestContext[Any, Any]) -> float | None:
        """Return the time a call has: its client's, or ours; a stream lives as long as it likes."""
        if context.timeout_ms is not None:
            return max(context.timeout_ms, 0) / 1000
        # Where deadlines are demanded, the service itself says so.
        endless = served.method.streaming or self._settings.require_deadlines
        return None if endless else self._settings.default_deadline_seconds

    def _stub(self, served: Served, address: str) -> Any:
        stub = self._stubs.get((served.path, address))
        if stub is None:
            channel = self._channels.get(address)
            if channel is None:
                channel = self._channels[address] = connect(address, message_bytes_max=ANSWER_BYTES_MAX)
            make = channel.unary_stream if served.method.response_streaming else channel.unary_unary
            stub = self._stubs[served.path, address] = make(
                served.path,
                request_serializer=served.info.input.SerializeToString,
                response_deserializer=served.info.output.FromString,
            )
        return stub
