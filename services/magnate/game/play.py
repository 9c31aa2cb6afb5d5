"""One Play stream: many commands in flight, those of one game in turn, results as they are ready."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from magnate.game.acting import play_result
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from magnate.game.acting import Acting
    from magnate.kit.clock import Clock
    from magnate.kit.rpc.call import Principal

ACTS_OPEN_MAX: Final = 256
"""Commands of a stream that are not answered yet; a client that does not read its results stops here."""


class PlayStream:
    """Reads commands, carries them out, and yields their results."""

    def __init__(self, acting: Acting, caller: Principal, clock: Clock) -> None:
        self._acting = acting
        self._caller = caller
        self._clock = clock
        self._free = asyncio.Semaphore(ACTS_OPEN_MAX)
        self._ready: list[game_pb2.PlayResult] = []
        self._wake = asyncio.Event()
        self._last: dict[str, asyncio.Task[None]] = {}
        self._open = 0
        self._reading = True

    async def results(
        self, requests: AsyncIterator[game_pb2.PlayRequest]
    ) -> AsyncIterator[game_pb2.PlayResponse]:
        """Yield what became of the commands; ends when the client has sent all and has its answers.

        When the stream breaks, commands under way finish by themselves; the client sends their ids again.
        """
        reader = asyncio.create_task(self._read(requests))
        try:
            while self._reading or self._open or self._ready:
                await self._wake.wait()
                self._wake.clear()
                if self._ready:
                    response = game_pb2.PlayResponse(results=self._ready)
                    answered = len(self._ready)
                    self._ready = []
                    yield response
                    for _ in range(answered):
                        self._free.release()
            await reader
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def _read(self, requests: AsyncIterator[game_pb2.PlayRequest]) -> None:
        try:
            async for message in requests:
                received_at_ms = self._clock.now_ms()
                for request in message.acts:
                    await self._free.acquire()
                    self._open += 1
                    before = self._last.get(request.game_id)
                    task = asyncio.create_task(self._one(request, received_at_ms, before))
                    self._last[request.game_id] = task
        finally:
            self._reading = False
            self._wake.set()

    async def _one(
        self, request: game_pb2.ActRequest, received_at_ms: int, before: asyncio.Task[None] | None
    ) -> None:
        if before is not None and not before.done():
            await asyncio.wait((before,))
        result = await play_result(self._acting, request, self._caller, received_at_ms)
        self._ready.append(result)  # after the wait: the list is another one by then
        self._open -= 1
        self._wake.set()
        if self._last.get(request.game_id) is asyncio.current_task():
            del self._last[request.game_id]
