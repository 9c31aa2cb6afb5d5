"""One connection to NATS, set up against the traps of its client, with a short way for what is frequent.

Acks, reads and live messages are handed from the parser to a function, without a queue and a task wake-up for
each: an append costs half of what the client's own publish costs, a read a fifth. The functions must be quick
and must not wait. This is the only place that touches the inside of the client, whose version is pinned.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final

import structlog
from nats import errors as nats_errors
from nats.aio.client import Client

from magnate.kit.limits import ACK_TIMEOUT_SECONDS, CONNECT_SECONDS_MAX, READ_TIMEOUT_SECONDS
from magnate.kit.log.errors import LogUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from nats.aio.subscription import Subscription

# Gets the subject, the reply subject, the payload and the block of headers.
Handler: TypeAlias = "Callable[[bytes, bytes, bytes, bytes | None], None]"

SWEEP_SECONDS: Final = 0.25
ERROR_LOG_SECONDS: Final = 5.0


class NotSentError(Exception):
    """There is no connection at the moment, or it does not take so much; nothing was sent."""


class NoAnswerError(Exception):
    """Sent, and no answer came: too late, or the connection was lost."""


@final
class Reply:
    """An answer: payload and block of headers, empty if it had none."""

    __slots__ = ("data", "headers")

    def __init__(self, data: bytes, headers: bytes) -> None:
        self.data = data
        self.headers = headers

    @property
    def no_responders(self) -> bool:
        """Say whether nobody listens on the subject: no stream, or a stream without a leader."""
        return self.headers.startswith(b"NATS/1.0 503")


class _FastClient(Client):
    """The client, with functions called straight from its parser for chosen subscriptions."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: dict[int, Handler] = {}

    async def _process_msg(self, sid: int, subject: bytes, reply: bytes, data: bytes, headers: bytes) -> None:
        handler = self.handlers.get(sid)
        if handler is None:
            await super()._process_msg(sid, subject, reply, data, headers)
            return
        try:
            handler(subject, reply, data, headers)
        except Exception as error:  # noqa: BLE001 - the client's read loop would end without a word
            await self._error_cb(error)

    async def listen(self, subject: str, handler: Handler, queue: str = "") -> Subscription:
        """Subscribe with a function; it is there before the first message can be."""
        self.handlers[self._sid + 1] = handler
        return await self.subscribe(subject, queue=queue, cb=_ignore)

    async def send(self, subject: str, reply: bytes, headers: bytes, payload: bytes) -> None:
        """Publish without the client's header building.

        NotSentError without a connection, and for more than the server takes, which would end the connection.
        """
        if not self.is_connected or len(headers) + len(payload) > self.max_payload:
            raise NotSentError
        if headers:
            size = len(headers)
            head = b"HPUB %b %b %d %d\r\n" % (subject.encode(), reply, size, size + len(payload))
            command = b"".join((head, headers, payload, b"\r\n"))
        else:
            command = b"".join(
                (b"PUB %b %b %d\r\n" % (subject.encode(), reply, len(payload)), payload, b"\r\n")
            )
        await self._send_command(command)
        if self._flush_queue is not None and self._flush_queue.empty():
            await self._flush_pending()

    def drop_unsent(self) -> None:
        """Forget what was not written when the connection broke, so that nothing is sent behind our back."""
        self._pending = []
        self._pending_data_size = 0


class Connection:
    """One connection of this process, shared by the log and the alarms."""

    def __init__(self, servers: Sequence[str], options: Mapping[str, Any] | None = None) -> None:
        self._servers = list(servers)
        self._options = dict(options or {})
        self._client = _FastClient()
        self._prefix = b""
        self._token = 0
        self._waiting: dict[bytes, Callable[[bytes, bytes | None], None]] = {}
        self._lost: dict[bytes, Callable[[], None]] = {}
        self._expiring: deque[tuple[float, bytes]] = deque()
        self._sweeper: asyncio.Task[None] | None = None
        self._logger = structlog.get_logger("magnate.nats")
        self._quiet_until = 0.0
        self.on_reconnect: set[Callable[[], None]] = set()
        self.reconnects = 0

    @property
    def is_connected(self) -> bool:
        """Say whether there is a connection at this moment."""
        return bool(self._client.is_connected)

    @property
    def server(self) -> str:
        """Return the address of the server this is connected to."""
        url = self._client.connected_url
        return _bare(url.netloc) if url is not None else ""

    async def connect(self) -> None:
        """Connect, waiting for the server for a while; afterwards reconnect for ever."""
        settings: dict[str, Any] = {
            "servers": self._servers,
            "pending_size": -1,  # nothing is buffered while disconnected: no write after its caller gave up
            "max_reconnect_attempts": -1,
            "reconnect_time_wait": 0.2,
            "connect_timeout": 2,
            "ping_interval": 5,
            "max_outstanding_pings": 2,
            "error_cb": self._on_error,
            "disconnected_cb": self._on_disconnected,
            "reconnected_cb": self._on_reconnected,
        }
        try:
            async with asyncio.timeout(CONNECT_SECONDS_MAX):
                await self._client.connect(**(settings | self._options))
        except (TimeoutError, OSError, nats_errors.Error) as error:
            await self._client.close()
            where = ", ".join(_bare(url) for url in self._servers)
            raise LogUnavailableError(f"NATS does not answer at {where}") from error
        inbox = self._client.new_inbox()
        self._prefix = f"{inbox}.".encode()
        await self._client.listen(f"{inbox}.*", self._on_reply)
        self._sweeper = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Close; whoever waits for an answer gets none."""
        if self._sweeper is not None:
            self._sweeper.cancel()
        self._fail_all()
        await self._client.close()

    async def listen(self, subject: str, handler: Handler, queue: str = "") -> Subscription:
        """Call the function for each message on the subject."""
        return await self._client.listen(subject, handler, queue)

    async def unlisten(self, subscription: Subscription) -> None:
        """Stop calling the function."""
        self._client.handlers.pop(subscription._id, None)  # noqa: SLF001 - see the module's docstring
        if not self._client.is_closed:
            await subscription.unsubscribe()

    async def publish(self, subject: str, payload: bytes, headers: bytes = b"") -> None:
        """Publish without an answer; NotSentError without a connection."""
        await self._client.send(subject, b"", headers, payload)

    async def ask(
        self, subject: str, payload: bytes, headers: bytes = b"", timeout_seconds: float = ACK_TIMEOUT_SECONDS
    ) -> Reply:
        """Publish and return the one answer; NotSentError or NoAnswerError."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

        def answered(data: bytes, head: bytes | None) -> None:
            if not future.done():
                future.set_result(Reply(data, head or b""))

        def lost() -> None:
            if not future.done():
                future.set_exception(NoAnswerError())

        token = self._expect(answered, lost, timeout_seconds)
        try:
            await self._client.send(subject, self._prefix + token, headers, payload)
            return await future
        finally:
            self._forget(token)

    async def collect(
        self, subject: str, payload: bytes, until: Callable[[bytes, bytes], bool], timeout_seconds: float
    ) -> None:
        """Publish and call the function with each answer until it returns True."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def answered(data: bytes, head: bytes | None) -> None:
            if not future.done() and until(data, head or b""):
                future.set_result(None)

        def lost() -> None:
            if not future.done():
                future.set_exception(NoAnswerError())

        token = self._expect(answered, lost, timeout_seconds)
        try:
            await self._client.send(subject, self._prefix + token, b"", payload)
            await future
        finally:
            self._forget(token)

    async def api(self, name: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call the JetStream API; errors of the API are in the answer. LogUnavailableError without one."""
        payload = json.dumps(body).encode() if body else b""
        reply = await self.read(f"$JS.API.{name}", payload)
        return cast("dict[str, Any]", json.loads(reply.data))

    async def read(self, subject: str, payload: bytes) -> Reply:
        """Ask for something that changes nothing; LogUnavailableError if nobody answers."""
        try:
            reply = await self.ask(subject, payload, b"", READ_TIMEOUT_SECONDS)
        except (NotSentError, NoAnswerError) as error:
            raise LogUnavailableError(f"no answer on {subject}") from error
        if reply.no_responders:
            raise LogUnavailableError(f"nobody answers on {subject}")
        return reply

    def _expect(
        self,
        answered: Callable[[bytes, bytes | None], None],
        lost: Callable[[], None],
        timeout_seconds: float,
    ) -> bytes:
        self._token += 1
        token = b"%d" % self._token
        self._waiting[token] = answered
        self._lost[token] = lost
        self._expiring.append((time.monotonic() + timeout_seconds, token))
        return token

    def _forget(self, token: bytes) -> None:
        self._waiting.pop(token, None)
        self._lost.pop(token, None)

    def _on_reply(self, subject: bytes, reply: bytes, data: bytes, headers: bytes | None) -> None:
        del reply
        answered = self._waiting.get(subject[len(self._prefix) :])
        if answered is not None:
            answered(data, headers)

    async def _sweep(self) -> None:
        # All time-outs are about equal, so the oldest is in front; no timer for each request.
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now = time.monotonic()
            while self._expiring and self._expiring[0][0] <= now:
                _, token = self._expiring.popleft()
                lost = self._lost.get(token)
                if lost is not None:
                    lost()

    def _fail_all(self) -> None:
        for lost in list(self._lost.values()):
            lost()

    async def _on_disconnected(self) -> None:
        self._client.drop_unsent()
        self._fail_all()

    async def _on_reconnected(self) -> None:
        self.reconnects += 1
        for callback in list(self.on_reconnect):
            callback()

    async def _on_error(self, error: Exception) -> None:
        # The client reports every failed attempt to reconnect; one line in a while says it all.
        now = time.monotonic()
        if now >= self._quiet_until:
            self._quiet_until = now + ERROR_LOG_SECONDS
            self._logger.warning("nats_error", error=repr(error), connected=self.is_connected)


async def _ignore(message: object) -> None:
    del message


def _bare(url: str) -> str:
    """Return an address without the user and password that a URL may hold: it goes into logs and errors."""
    return url.rpartition("@")[2]
