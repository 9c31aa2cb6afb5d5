"""Many calls over one open stream between two services.

A unary call costs about 110 us of CPU, a message on an open stream about 37, and a call in a message of
eight about 10. So each message carries *all calls that wait at that moment*; while it is being written the
next ones gather. Replies come in any order, each as soon as it is there, and those that are ready at the
same time share a message. No timer ever delays a call for company.

Both ends are generic in the call and the reply. A service supplies a small codec that packs and unpacks its
own messages, so nothing here is untyped and nothing there knows about streams.
"""

from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import grpc
import structlog

from magnate.kit.errors import ELSEWHERE, KitError
from magnate.kit.limits import (
    STREAM_BACKOFF_SECONDS_MAX,
    STREAM_BACKOFF_SECONDS_MIN,
    STREAM_CALLS_PER_MESSAGE_MAX,
    STREAM_CALLS_RUNNING_MAX,
    STREAM_CALLS_WAITING_MAX,
    STREAM_CONNECT_SECONDS_MAX,
)
from magnate.kit.observe.logging import begin
from magnate.kit.rpc.call import current
from magnate.kit.rpc.status import Failure, RemoteError, failure_of, remote_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Sequence

Ask = TypeVar("Ask")
Answer = TypeVar("Answer")
Out = TypeVar("Out")
In = TypeVar("In")
Ask_contra = TypeVar("Ask_contra", contravariant=True)
Ask_co = TypeVar("Ask_co", covariant=True)
Answer_contra = TypeVar("Answer_contra", contravariant=True)
Answer_co = TypeVar("Answer_co", covariant=True)
Out_co = TypeVar("Out_co", covariant=True)
In_contra = TypeVar("In_contra", contravariant=True)

_TASKS: Final[set[asyncio.Task[None]]] = set()
_log = structlog.get_logger("magnate.rpc.exchange")


class PeerUnavailableError(KitError):
    """The peer did not answer; `outcome_unknown` says whether it may have acted on the call all the same."""

    category = "unavailable"
    reason = "PEER_UNAVAILABLE"

    def __init__(self, message: str, *, outcome_unknown: bool) -> None:
        super().__init__(message, metadata={"outcome": "unknown" if outcome_unknown else "not_sent"})
        self.outcome_unknown = outcome_unknown


class ClientCodec(Protocol[Ask_contra, Answer_co, Out_co, In_contra]):
    """How the asking side packs calls and unpacks replies."""

    def request(self, calls: Sequence[tuple[int, Ask_contra]]) -> Out_co:
        """Return the message that carries these calls, each with its id."""

    def replies(self, message: In_contra) -> Iterable[tuple[int, Answer_co | Failure]]:
        """Return the replies in a message, each with the id of its call."""


class ServerCodec(Protocol[In_contra, Ask_co, Answer_contra, Out_co]):
    """How the answering side unpacks calls and packs replies."""

    def calls(self, message: In_contra) -> Iterable[tuple[int, Ask_co]]:
        """Return the calls in a message, each with its id."""

    def response(self, replies: Sequence[tuple[int, Answer_contra | Failure]]) -> Out_co:
        """Return the message that carries these replies."""


class _Waiting(Generic[Ask, Answer]):
    """One call that waits for its reply."""

    __slots__ = ("ask", "future", "sent", "timer")

    def __init__(self, ask: Ask, future: asyncio.Future[Answer]) -> None:
        self.ask = ask
        self.future = future
        self.sent = False
        self.timer: asyncio.TimerHandle | None = None


def _error_of(failure: Failure, name: str) -> Exception:
    """Return what the caller is told: that the peer is away, so that he asks another one, or what it said."""
    if failure.reason in ELSEWHERE:
        return PeerUnavailableError(f"{name}: {failure.message}", outcome_unknown=False)
    return RemoteError(failure)


class Exchange(Generic[Ask, Answer, Out, In]):
    """The asking side: `await exchange.call(ask, timeout_seconds)`.

    One stream to one peer, opened on first use, opened again with back-off when it breaks. A call that was
    not sent yet waits for the next stream as long as its time-out allows; one that was sent fails at once
    with `PeerUnavailableError(outcome_unknown=True)`, because the peer may have acted on it.
    """

    def __init__(
        self,
        name: str,
        open_stream: Callable[[], grpc.aio.StreamStreamCall[Out, In]],
        codec: ClientCodec[Ask, Answer, Out, In],
        *,
        calls_waiting_max: int = STREAM_CALLS_WAITING_MAX,
    ) -> None:
        self.name = name
        self._open_stream = open_stream
        self._codec = codec
        self._waiting_max = calls_waiting_max
        self._waiting: dict[int, _Waiting[Ask, Answer]] = {}
        self._unsent: list[int] = []
        self._wake = asyncio.Event()
        self._next_id = 1
        self._runner: asyncio.Task[None] | None = None
        self._closed = False
        self._trouble = "not connected yet"
        self.connected = False

    async def call(self, ask: Ask, timeout_seconds: float) -> Answer:
        """Ask and wait for the answer.

        Raises:
            PeerUnavailableError: no answer in time, the stream broke, or too many calls wait already.
            RemoteError: the peer answered with a failure.
        """
        if self._closed or len(self._waiting) >= self._waiting_max:
            why = "closed" if self._closed else f"{self._waiting_max} calls wait already"
            raise PeerUnavailableError(f"{self.name}: {why}", outcome_unknown=False)
        loop = asyncio.get_running_loop()
        if self._runner is None:
            self._runner = loop.create_task(self._run(), name=f"exchange {self.name}")
        number = self._next_id
        self._next_id = number + 1
        waiting: _Waiting[Ask, Answer] = _Waiting(ask, loop.create_future())
        waiting.timer = loop.call_later(timeout_seconds, self._expire, number, timeout_seconds)
        self._waiting[number] = waiting
        self._unsent.append(number)
        if len(self._unsent) > self._waiting_max:  # while the peer is away, forget those that gave up
            self._unsent = [one for one in self._unsent if one in self._waiting]
        self._wake.set()
        try:
            return await waiting.future
        finally:
            waiting.timer.cancel()
            self._waiting.pop(number, None)

    async def close(self) -> None:
        """End the stream; calls that still wait fail."""
        self._closed = True
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        self._fail_sent("closed")
        for waiting in self._waiting.values():
            if not waiting.future.done():
                error = PeerUnavailableError(f"{self.name}: closed", outcome_unknown=False)
                waiting.future.set_exception(error)

    def _expire(self, number: int, timeout_seconds: float) -> None:
        """Fail a call whose time is over."""
        waiting = self._waiting.get(number)
        if waiting is not None and not waiting.future.done():
            why = "" if self.connected else f" ({self._trouble})"
            message = f"{self.name}: no answer within {timeout_seconds:g} s{why}"
            waiting.future.set_exception(PeerUnavailableError(message, outcome_unknown=waiting.sent))

    def _fail_sent(self, why: str) -> None:
        """Fail every call that the broken stream carried; nobody knows what became of them."""
        for waiting in self._waiting.values():
            if waiting.sent and not waiting.future.done():
                error = PeerUnavailableError(f"{self.name}: {why}", outcome_unknown=True)
                waiting.future.set_exception(error)

    async def _run(self) -> None:
        """Keep one stream open for as long as the exchange lives."""
        delay = STREAM_BACKOFF_SECONDS_MIN
        while True:
            try:
                await self._one_stream()
                self._trouble = "the peer ended the stream"
            except asyncio.CancelledError:
                # gRPC raises the same when the channel is closed; only a cancelled task is to end.
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                self._trouble = "the channel was closed"
            except grpc.aio.AioRpcError as error:
                remote = remote_error(error)
                self._trouble = f"{remote.code.name}: {remote.message}"
            except TimeoutError:
                self._trouble = f"no sign of life within {STREAM_CONNECT_SECONDS_MAX:g} s"
            except Exception as error:  # noqa: BLE001 - the next stream may fare better
                self._trouble = repr(error)
                _log.exception("stream failed", peer=self.name)
            if self.connected:
                self.connected = False
                delay = STREAM_BACKOFF_SECONDS_MIN
                _log.info("stream ended", peer=self.name, why=self._trouble)
            self._fail_sent(self._trouble)
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311
            delay = min(delay * 2, STREAM_BACKOFF_SECONDS_MAX)

    async def _one_stream(self) -> None:
        """Use one stream until it ends, in order (the peer drains) or by an error."""
        stream = self._open_stream()
        try:
            # Nothing is sent before the peer has shown that it is there: what an attempt in vain
            # would have carried stays unsent, and its outcome known.
            async with asyncio.timeout(STREAM_CONNECT_SECONDS_MAX):
                await stream.wait_for_connection()
            self.connected = True
            writer = asyncio.create_task(self._write(stream), name=f"exchange {self.name} writer")
            try:
                await self._read(stream)
            finally:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
        finally:
            stream.cancel()

    def _take(self) -> list[tuple[int, Ask]]:
        """Return what waits to be sent, up to one message."""
        unsent, waiting = self._unsent, self._waiting
        self._unsent = unsent[STREAM_CALLS_PER_MESSAGE_MAX:]
        if not self._unsent:
            self._wake.clear()
        calls: list[tuple[int, Ask]] = []
        for number in unsent[:STREAM_CALLS_PER_MESSAGE_MAX]:
            one = waiting.get(number)
            if one is not None:
                one.sent = True
                calls.append((number, one.ask))
        return calls

    async def _write(self, stream: grpc.aio.StreamStreamCall[Out, In]) -> None:
        """Send whatever waits, as much as there is, as soon as the stream takes it."""
        while True:
            await self._wake.wait()
            calls = self._take()
            if not calls:
                continue
            try:
                message = self._codec.request(calls)
            except Exception as error:  # noqa: BLE001 - what cannot be packed fails its callers, not the stream
                for number, _ in calls:
                    one = self._waiting.get(number)
                    if one is not None and not one.future.done():
                        one.future.set_exception(error)
                continue
            await stream.write(message)

    async def _read(self, stream: grpc.aio.StreamStreamCall[Out, In]) -> None:
        """Hand each reply to the call that waits for it."""
        replies, waiting = self._codec.replies, self._waiting
        async for message in stream:
            for number, reply in replies(message):
                one = waiting.get(number)
                if one is None or one.future.done():
                    continue  # its caller has given up
                if isinstance(reply, Failure):
                    one.future.set_exception(_error_of(reply, self.name))
                else:
                    one.future.set_result(reply)


class _Answering(Generic[In, Ask, Answer, Out]):
    """The answering side of one stream."""

    __slots__ = ("_codec", "_free", "_handle", "_reading", "_ready", "_running", "_wake")

    def __init__(
        self,
        handle: Callable[[Ask], Awaitable[Answer]],
        codec: ServerCodec[In, Ask, Answer, Out],
        running_max: int,
    ) -> None:
        self._handle = handle
        self._codec = codec
        self._free = asyncio.Semaphore(running_max)
        self._running = 0
        self._reading = True
        self._ready: list[tuple[int, Answer | Failure]] = []
        self._wake = asyncio.Event()

    async def read(self, requests: AsyncIterable[In]) -> None:
        """Start each call; stop reading, and so push back on the peer, while too many run."""
        try:
            async for message in requests:
                for number, ask in self._codec.calls(message):
                    await self._free.acquire()
                    self._running += 1
                    task = asyncio.create_task(self._one(number, ask))
                    # The loop itself holds tasks weakly, and this one may outlive its stream: a commit
                    # that is under way is finished even if nobody waits for the answer any more.
                    _TASKS.add(task)
                    task.add_done_callback(_TASKS.discard)
        finally:
            self._reading = False
            self._wake.set()

    async def _one(self, number: int, ask: Ask) -> None:
        begin()  # fields that this call binds stay out of the lines of its neighbours
        reply: Answer | Failure
        try:
            reply = await self._handle(ask)
        except Exception as error:  # noqa: BLE001 - whatever a handler raises is the reply to its call
            reply = failure_of(error)
            if reply.code is grpc.StatusCode.INTERNAL:
                _log.exception("call failed", call=type(ask).__name__)
        self._free.release()
        self._running -= 1
        self._ready.append((number, reply))
        self._wake.set()

    async def replies(self) -> AsyncIterator[Out]:
        """Yield messages of replies until nothing is read and nothing runs any more."""
        while self._reading or self._running or self._ready:
            await self._wake.wait()
            self._wake.clear()
            while self._ready:
                batch = self._ready[:STREAM_CALLS_PER_MESSAGE_MAX]
                del self._ready[:STREAM_CALLS_PER_MESSAGE_MAX]
                yield self._codec.response(batch)


async def serve_exchange(
    requests: AsyncIterable[In],
    context: grpc.aio.ServicerContext[In, Out],
    handle: Callable[[Ask], Awaitable[Answer]],
    codec: ServerCodec[In, Ask, Answer, Out],
    *,
    calls_running_max: int = STREAM_CALLS_RUNNING_MAX,
) -> AsyncIterator[Out]:
    """Answer the calls of one stream: a servicer's `Exchange` method yields from this.

    Each call runs in a task of its own, at most `calls_running_max` at once. What a handler raises becomes
    the failure of that call alone. When the server drains nothing more is read; what runs is finished and
    answered, and the stream ends in order, which makes the peer open another.
    """
    # Tells the peer at once that somebody is there (see `Exchange._one_stream`).
    await context.send_initial_metadata(())
    answering: _Answering[In, Ask, Answer, Out] = _Answering(handle, codec, calls_running_max)
    reader = asyncio.create_task(answering.read(requests))
    stopper = asyncio.create_task(_stop_reading(current().draining, reader))
    try:
        async for message in answering.replies():
            yield message
    finally:
        for task in (reader, stopper):
            task.cancel()
        await asyncio.gather(reader, stopper, return_exceptions=True)


async def _stop_reading(draining: asyncio.Event, reader: asyncio.Task[None]) -> None:
    await draining.wait()
    reader.cancel()
