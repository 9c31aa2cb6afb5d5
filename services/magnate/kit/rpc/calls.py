"""How calls and replies lie in the messages of an open stream: alike for all our services.

A request is a list of `calls`: each has an `id` and, in the oneof `call`, what is asked. A response is a list
of `replies`: each has the `id` of its call and, in the oneof `reply`, the answer, or what a unary call would
have ended with instead (`failure`; the game service says `failed`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

import grpc

from magnate.kit.rpc.status import Failure, failure_of_wire, put_failure

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from google.protobuf.message import Message

Ask = TypeVar("Ask", bound="Message")
Answer = TypeVar("Answer", bound="Message")

_FAILURES: Final = ("failure", "failed")


def _places(message: Any, items: str, oneof: str) -> dict[str, str]:
    """Return by a type's full name where such a message goes in an item of a request or response."""
    item = message.DESCRIPTOR.fields_by_name[items].message_type
    return {one.message_type.full_name: one.name for one in item.oneofs_by_name[oneof].fields}


class AskingCodec(Generic[Ask, Answer]):
    """Packs calls and unpacks replies (see `exchange.ClientCodec`)."""

    def __init__(self, request: type[Message]) -> None:
        self._request: Any = request
        self._places = _places(request, "calls", "call")

    def request(self, calls: Sequence[tuple[int, Ask]]) -> Any:
        """Return the message that carries these calls."""
        message = self._request()
        for number, ask in calls:
            call = message.calls.add()
            call.id = number
            getattr(call, self._places[ask.DESCRIPTOR.full_name]).CopyFrom(ask)
        return message

    def replies(self, message: Any) -> Iterable[tuple[int, Answer | Failure]]:
        """Return the replies in a message."""
        for reply in message.replies:
            kind = reply.WhichOneof("reply")
            if kind is None:
                why = "the answer is of a kind that this build does not know"
                yield reply.id, Failure(grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED", why)
            elif kind in _FAILURES:
                failure = getattr(reply, kind)
                yield reply.id, failure_of_wire(failure.code, failure.reason, failure.message)
            else:
                yield reply.id, getattr(reply, kind)


class AnsweringCodec(Generic[Ask, Answer]):
    """Unpacks calls and packs replies (see `exchange.ServerCodec`)."""

    def __init__(self, response: type[Message]) -> None:
        self._response: Any = response
        self._places = _places(response, "replies", "reply")
        (self._failure,) = set(_FAILURES) & set(self._places.values())

    def calls(self, message: Any) -> Iterable[tuple[int, Ask | None]]:
        """Return the calls in a message; None for a kind that this build does not know."""
        for call in message.calls:
            kind = call.WhichOneof("call")
            yield call.id, None if kind is None else getattr(call, kind)

    def response(self, replies: Sequence[tuple[int, Answer | Failure]]) -> Any:
        """Return the message that carries these replies."""
        message = self._response()
        for number, answer in replies:
            reply = message.replies.add()
            reply.id = number
            if isinstance(answer, Failure):
                put_failure(answer, getattr(reply, self._failure))
            else:
                getattr(reply, self._places[answer.DESCRIPTOR.full_name]).CopyFrom(answer)
        return message
