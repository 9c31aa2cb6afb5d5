"""What is served: every client-facing method of the protos, found in the generated descriptors.

A new method, service or proto of a package needs nothing here; a new package needs a word in `PACKAGES`.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final

from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from google.protobuf.message_factory import GetMessageClass

from magnate.kit.rpc.call import Method

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor

PACKAGES: Final = ("game", "bank", "auction", "timer")
"""Each is named like the service whose processes answer for it."""

_STREAM_TYPES: Final = {
    "unary": StreamType.UNARY,
    "client_stream": StreamType.CLIENT_STREAM,
    "server_stream": StreamType.SERVER_STREAM,
    "bidi_stream": StreamType.BIDI_STREAM,
}


class Served:
    """One method: how the kit and connectrpc describe it, and which service's processes answer it."""

    __slots__ = ("info", "key_field", "method", "owner", "path")

    def __init__(self, owner: str, descriptor: MethodDescriptor) -> None:
        service, level = descriptor.containing_service.full_name, descriptor.GetOptions().idempotency_level
        self.owner = owner
        self.path = f"/{service}/{descriptor.name}"
        self.method = Method(
            service,
            descriptor.name,
            request_streaming=descriptor.client_streaming,
            response_streaming=descriptor.server_streaming,
            mutating=level != descriptor.GetOptions().NO_SIDE_EFFECTS,
        )
        self.info: MethodInfo[Any, Any] = MethodInfo(
            name=descriptor.name,
            service_name=service,
            input=GetMessageClass(descriptor.input_type),
            output=GetMessageClass(descriptor.output_type),
            idempotency_level=IdempotencyLevel.UNKNOWN
            if self.method.mutating
            else IdempotencyLevel.NO_SIDE_EFFECTS,
            stream_type=_STREAM_TYPES[self.method.kind],
        )
        fields = descriptor.input_type.fields_by_name
        # What belongs to one log goes to the process that holds it, whoever asks.
        self.key_field = next((name for name in ("game_id", "table_id", "ledger_id") if name in fields), "")


def services() -> Iterator[tuple[str, ServiceDescriptor]]:
    """Yield each client-facing service with its owner; services of ours among themselves are left out."""
    for owner in PACKAGES:
        package = import_module(f"magnate.{owner}.v1")
        for module in sorted(one.name for one in iter_modules(package.__path__)):
            if module.endswith("_pb2"):
                file = import_module(f"{package.__name__}.{module}").DESCRIPTOR
                for service in file.services_by_name.values():
                    if not service.name.endswith("PeerService"):
                        yield owner, service


def catalog() -> dict[str, Served]:
    """Return every method that clients may call, by its path."""
    served = (Served(owner, method) for owner, service in services() for method in service.methods)
    return {one.path: one for one in served}
