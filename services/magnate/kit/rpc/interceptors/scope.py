"""Outermost: makes the `Call` that everything else reads, and ends streams that outstay a drain."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from magnate.kit.observe.logging import begin
from magnate.kit.rpc.call import CURRENT, Call

if TYPE_CHECKING:
    from magnate.kit.rpc.call import Method
    from magnate.kit.rpc.interceptors import Behaviour, Context


class Scope:
    """Gives each call its context and knows the streams that are open."""

    def __init__(self, draining: asyncio.Event) -> None:
        self._draining = draining
        self._streams: dict[asyncio.Task[Any], Call] = {}

    def evict_streams(self) -> None:
        """End every open stream: its client gets UNAVAILABLE and opens another one elsewhere."""
        for task, call in list(self._streams.items()):
            call.evicted = True
            task.cancel()

    def wrap(self, method: Method, inner: Behaviour) -> Behaviour:
        """Put the call into the context."""
        draining, streams = self._draining, self._streams

        async def scoped(request: Any, context: Context) -> Any:
            CURRENT.set(Call(method, begin(), draining))
            return await inner(request, context)

        async def scoped_stream(request: Any, context: Context) -> Any:
            call = Call(method, begin(), draining)
            CURRENT.set(call)
            task = asyncio.current_task()
            assert task is not None  # gRPC serves every call in a task
            streams[task] = call
            try:
                return await inner(request, context)
            finally:
                del streams[task]

        return scoped_stream if method.streaming else scoped
