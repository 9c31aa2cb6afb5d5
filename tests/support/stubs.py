"""Stubs of services without a server: they note what they are asked, and fail as a test wants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2
from grpc.aio import AioRpcError, Metadata

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import ledger_pb2, terminal_pb2
from magnate.game.v1 import game_pb2
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import grpc
    from google.protobuf.message import Message

SERVICES: Final = {
    name: service
    for proto in (auction_pb2, ledger_pb2, terminal_pb2, game_pb2, timer_pb2)
    for name, service in proto.DESCRIPTOR.services_by_name.items()
}


class Recorder:
    """Takes the place of a client's stub and notes what it is asked.

    It answers or fails as given, then answers with nothing set.
    """

    def __init__(self, client: Any, service: str, *answers: Message | Exception) -> None:
        client.stub = self
        self._methods = SERVICES[service].methods_by_name
        self._answers = list(answers)
        self.asked: list[Any] = []

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = self._methods[name]

        async def answer(request: Any, **_how: object) -> Any:
            copy = GetMessageClass(method.input_type)()
            copy.CopyFrom(request)
            self.asked.append(copy)
            told = self._answers.pop(0) if self._answers else GetMessageClass(method.output_type)()
            if isinstance(told, Exception):
                raise told
            return told

        return answer


def failed(code: grpc.StatusCode, reason: str = "", version: int = 7) -> AioRpcError:
    """Return the error of a failed call, with or without an ErrorInfo."""
    trailing = Metadata()
    if reason:
        packed = AnyMessage()
        info = error_details_pb2.ErrorInfo(
            reason=reason, domain="magnate", metadata={"version": str(version)}
        )
        packed.Pack(info)
        status = status_pb2.Status(code=code.value[0], message="why", details=[packed])
        trailing = Metadata(("grpc-status-details-bin", status.SerializeToString()))
    return AioRpcError(code, Metadata(), trailing, details="why")
