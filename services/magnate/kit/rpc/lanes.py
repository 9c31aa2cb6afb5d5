"""An open stream of commands: many in flight, those of one lane in turn, answers as they are ready."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable

Message = TypeVar("Message")
Request = TypeVar("Request")
Answer = TypeVar("Answer")

OPEN_MAX: Final = 256
"""Commands of a stream that are not answered yet; a client that does not read its answers stops here."""


class Lanes(Generic[Message, Request, Answer]):
    """Reads commands, carries them out, and yields their answers.

    Args:
        requests: the commands in a message, read when it arrives.
        lane: the name of a command's lane, e.g. its game.
        carry_out: carries one out; must not raise, since one command's trouble is its own answer.
    """

    def __init__(
        self,
        requests: Callable[[Message], Iterable[Request]],
        lane: Callable[[Request], str],
        carry_out: Callable[[Request], Awaitable[Answer]],
    ) -> None:
        self._requests = requests
        self._lane = lane
        self._carry_out = carry_out
        self._free = asyncio.Semaphore(OPEN_MAX)
        self._ready: list[Answer] = []
        self._wake = asyncio.Event()
        self._last: dict[str, asyncio.Task[None]] = {}
        self._open = 0
        self._reading = True

    async def answers(self, messages: AsyncIterator[Message]) -> AsyncGenerator[list[Answer], None]:
        """Yield the answers that are ready; ends when the client has sent all and has its answers.

        When the stream breaks, commands under way finish by themselves; the client sends their ids again.
        """
        reader = asyncio.create_task(self._read(messages))
        try:
            while self._reading or self._open or self._ready:
                await self._wake.wait()
                self._wake.clear()
                if self._ready:
                    ready, self._ready = self._ready, []
                    yield ready
                    for _ in ready:
                        self._free.release()
            await reader
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def _read(self, messages: AsyncIterator[Message]) -> None:
        try:
            async for message in messages:
                for request in self._requests(message):
                    await self._free.acquire()
                    self._open += 1
                    lane = self._lane(request)
                    before = self._last.get(lane)
                    self._last[lane] = asyncio.create_task(self._one(request, lane, before))
        finally:
            self._reading = False
            self._wake.set()

    async def _one(self, request: Request, lane: str, before: asyncio.Task[None] | None) -> None:
        if before is not None and not before.done():
            await asyncio.wait((before,))
        answer = await self._carry_out(request)
        self._ready.append(answer)  # after the wait: the list is another one by then
        self._open -= 1
        self._wake.set()
        if self._last.get(lane) is asyncio.current_task():
            del self._last[lane]
