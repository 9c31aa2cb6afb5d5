"""What happens around every call, one concern a file.

An interceptor wraps a *behaviour*: a coroutine function of (request or request iterator, context). It is
applied once per method when the server is built, not once per call, and for all four kinds of methods
alike: the innermost layer turns an asynchronous generator into writes, so no layer ever sees a single
message of a stream. gRPC's own server interceptors are looked up and chained anew for each call, which
costs more than all of these.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from inspect import isasyncgenfunction, iscoroutinefunction
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import grpc

from magnate.kit.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.rpc.call import Method

# gRPC hands every method its own message types; what wraps all of them knows none.
Context = grpc.aio.ServicerContext[Any, Any]
Behaviour = Callable[[Any, Any], Awaitable[Any]]
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


class Interceptor(Protocol):
    """One concern around calls."""

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Return `inner` with this concern around it."""


def behaviour_of(handler: Handler) -> Behaviour:
    """Return what a handler does as one coroutine function; a generator's messages become writes."""
    function: Any = (
        handler.unary_unary or handler.unary_stream or handler.stream_unary or handler.stream_stream
    )
    if isasyncgenfunction(function):

        async def write_all(request: Any, context: Context) -> None:
            async with aclosing(function(request, context)) as messages:
                async for message in messages:
                    await context.write(message)

        return write_all
    if not iscoroutinefunction(function):
        # Generated base classes have plain functions, which only say that nobody has written the method.
        return unimplemented
    behaviour: Behaviour = function
    return behaviour


async def unimplemented(_request: Any, _context: Context) -> None:
    """Answer a method that its servicer does not have."""
    raise UnsupportedError("this server does not implement the method")


def decoding(deserialize: Callable[[bytes], Any], inner: Behaviour) -> Behaviour:
    """Decode the request inside the interceptors, so that a malformed one is answered like any other."""

    async def decode_first(request: bytes, context: Context) -> Any:
        return await inner(deserialize(request), context)

    return decode_first


def wrap(method: Method, handler: Handler, interceptors: Sequence[Interceptor]) -> Handler:
    """Return a handler with all interceptors around it, the first one outermost."""
    behaviour = behaviour_of(handler)
    deserialize, serialize = handler.request_deserializer, handler.response_serializer
    if not method.request_streaming and deserialize is not None:
        behaviour = decoding(deserialize, behaviour)
        deserialize = None
    for interceptor in reversed(interceptors):
        behaviour = interceptor.wrap(method, behaviour)
    make: Any = {
        "unary": grpc.unary_unary_rpc_method_handler,
        "client_stream": grpc.stream_unary_rpc_method_handler,
        "server_stream": grpc.unary_stream_rpc_method_handler,
        "bidi_stream": grpc.stream_stream_rpc_method_handler,
    }[method.kind]
    wrapped: Handler = make(behaviour, request_deserializer=deserialize, response_serializer=serialize)
    return wrapped
