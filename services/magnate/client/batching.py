"""An open stream on which commands of any number of logs travel together, each answered when it is done."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import grpc

from magnate.client.session import refused

if TYPE_CHECKING:
    from collections.abc import Iterable

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")


class StreamBrokenError(ConnectionError):
    """The stream is over; `reason` is the server's stable name for it, empty if it gave none."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class BatchingStream(Generic[Ask, Answer]):
    """What `PlayStream` and `PostStream` share; each says what a message is made of and what it answers.

    What is asked while another message is on its way travels in the next one.
    """

    def __init__(self, call: grpc.aio.StreamStreamCall[Any, Any]) -> None:
        self._call = call
        self._outbox: list[Ask] = []
        self._waiting: dict[tuple[str, ...], asyncio.Future[Answer]] = {}
        self._writing = False
        self._reader: asyncio.Task[None] | None = None
        self._end: StreamBrokenError | None = None

    async def __aenter__(self) -> Self:
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self._call.cancel()
        if self._reader is not None:
            await asyncio.gather(self._reader, return_exceptions=True)

    def message(self, asked: list[Ask]) -> object:
        """Return the message that carries what is asked."""
        raise NotImplementedError

    def answers(self, message: Any) -> Iterable[tuple[tuple[str, ...], Answer]]:
        """Return what a message answers, each with the key of its question.

        Raises:
            StreamBrokenError: it is the last message, and says why.
        """
        raise NotImplementedError

    async def ask(self, key: tuple[str, ...], asked: Ask) -> Answer:
        """Send a question and return its answer; StreamBrokenError if the stream broke before."""
        if self._reader is None or self._reader.done():
            raise self._end or StreamBrokenError("the stream is closed")
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[key] = answer
        self._outbox.append(asked)
        if not self._writing:
            await self._write()
        return await answer

    async def _write(self) -> None:
        self._writing = True
        try:
            while self._outbox:
                message = self.message(self._outbox)
                self._outbox = []
                await self._call.write(message)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            if self._reader is not None:
                await asyncio.wait([self._reader])  # the call has ended, and the reader learns why
            raise self._end or StreamBrokenError(f"the stream broke: {error}") from error
        finally:
            self._writing = False

    async def _read(self) -> None:
        try:
            async for message in self._call:
                for key, result in self.answers(message):
                    answer = self._waiting.pop(key, None)
                    if answer is not None and not answer.done():
                        answer.set_result(result)
        except StreamBrokenError as error:
            self._break(error)
        except grpc.aio.AioRpcError as error:
            self._break(_broken(error))
        except asyncio.CancelledError as error:
            self._break(StreamBrokenError(f"the stream broke: {error!r}"))
        else:
            self._break(StreamBrokenError("the server ended the stream"))

    def _break(self, error: StreamBrokenError) -> None:
        self._end = error
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)
        self._waiting.clear()


def _broken(error: grpc.aio.AioRpcError) -> StreamBrokenError:
    return StreamBrokenError(f"the stream broke: {error!r}", refused(error).reason)
