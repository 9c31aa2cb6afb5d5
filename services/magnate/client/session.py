"""Calls on a game server with the manners every client needs: deadlines, same id on retries, refusals."""

from __future__ import annotations

import asyncio
import secrets
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import grpc
from google.rpc import error_details_pb2, status_pb2

from magnate.game.v1 import game_pb2, game_pb2_grpc

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from magnate.rules.v1 import vocabulary_pb2

CALL_TIMEOUT_SECONDS: Final = 20.0
RETRY_SECONDS_MAX: Final = 60.0
RETRY_WAIT_SECONDS: Final = 0.2
REACH_SECONDS: Final = 3.0
SILENCE_SECONDS_MAX: Final = 15.0
"""A stream that says nothing for so long is dead: a server sends something at least every five seconds."""

_RETRYABLE: Final = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.CANCELLED,
}
TOO_OLD: Final = "COMMAND_TOO_OLD"
FINAL: Final = frozenset({"TOO_MANY_TRIES", TOO_OLD})
"""Refusals that do not pass by sending the same again."""
SUPERSEDED: Final = "SUPERSEDED"
"""How a stream ends whose seat has opened a newer one."""
_LOG_IDS: Final = ("game_id", "table_id", "ledger_id")
_CHANNEL_OPTIONS: Final = [
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.max_receive_message_length", 16 * 1024 * 1024),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
]

Answer = TypeVar("Answer")


class RefusedError(Exception):
    """The server refused a call; `reason` is the stable name, such as NOT_YOUR_TURN.

    `version` is that of the game it was judged at, 0 where the refusal names none.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, message: str, version: int = 0) -> None:
        super().__init__(f"{reason}: {message}")
        self.code = code
        self.reason = reason
        self.message = message
        self.version = version


def refused(error: grpc.aio.AioRpcError) -> RefusedError:
    """Decode the google.rpc.ErrorInfo of a failed call."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for packed in status_pb2.Status.FromString(value).details:
                info = error_details_pb2.ErrorInfo()
                if packed.Unpack(info):
                    version = int(info.metadata.get("version", 0))
                    return RefusedError(error.code(), info.reason, error.details() or "", version)
    return RefusedError(error.code(), error.code().name, error.details() or "")


def may_retry(error: grpc.aio.AioRpcError) -> bool:
    """Say whether the same call may be answered otherwise in a moment; who guesses too often is to stop."""
    return error.code() in _RETRYABLE and refused(error).reason not in FINAL


def is_passing(error: RefusedError) -> bool:
    """Say whether the same call may be answered otherwise later."""
    return error.code in _RETRYABLE and error.reason not in FINAL


def new_command_id() -> str:
    """Return an id that no other command has."""
    return secrets.token_hex(12)


def new_connection() -> str:
    """Return a name for a client's streams, by which the server tells it from others of the same seat."""
    return secrets.token_hex(8)


class Connection:
    """A connection to a server of any service, and how its calls are sent until they are answered."""

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        self.address = address
        self._retry_seconds = retry_seconds
        self._seen: dict[str, int] = {}
        self._channel = grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self._channel.close()

    async def call(self, send: Callable[[], Awaitable[Answer]]) -> Answer:
        """Send until it is answered: the same command id again after an unknown outcome.

        Raises:
            RefusedError: a refusal, or no answer for so long.
        """
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self._retry_seconds
        while True:
            try:
                return await send()
            except grpc.aio.AioRpcError as error:
                if not may_retry(error) or loop.time() > give_up:
                    raise refused(error) from None
                await asyncio.sleep(RETRY_WAIT_SECONDS)

    async def ask(self, method: Callable[..., Awaitable[Answer]], request: Any, token: str = "") -> Answer:
        """Send a request until it is answered; what the answer tells of counts as seen.

        Raises:
            RefusedError: a refusal, or no answer for so long.
        """
        answer = await self.call(
            lambda: method(request, timeout=CALL_TIMEOUT_SECONDS, metadata=bearer(token))
        )
        told = getattr(answer, "table", getattr(answer, "game", answer))
        self.note(_log_id(request) or _log_id(told), getattr(told, "version", 0))
        return answer

    async def command(
        self, method: Callable[..., Awaitable[Answer]], request: Any, token: str = ""
    ) -> Answer:
        """Send a command until it is answered: it has one effect, however often it is sent.

        It gets an id unless it has one, and says which version its sender has seen: the one that it names,
        else the newest that came through this connection. If that is so long ago that the server cannot tell
        whether it knows the id, one that was made here and sent once is new, and is sent with the newest.

        Raises:
            RefusedError: a refusal, or no answer for so long.
        """
        is_new = not request.command_id and not getattr(request, "seen_version", True)
        request.command_id = request.command_id or new_command_id()
        if not getattr(request, "seen_version", True):
            request.seen_version = self._seen.get(_log_id(request), 0)
        while True:
            sent = 0

            def send(*args: Any, **fields: Any) -> Awaitable[Answer]:
                nonlocal sent
                sent += 1
                return method(*args, **fields)

            try:
                return await self.ask(send, request, token)
            except RefusedError as error:
                if error.reason != TOO_OLD or not is_new or sent > 1:
                    raise
                if error.version <= request.seen_version:
                    raise
                request.seen_version = error.version

    def note(self, log_id: str, version: int) -> None:
        """Take a version of a game, a table or a ledger for seen."""
        self._seen[log_id] = max(version, self._seen.get(log_id, 0))


class Session(Connection):
    """One connection to a game server. `async with Session(address) as session: …`."""

    def __init__(self, address: str, *, retry_seconds: float = RETRY_SECONDS_MAX) -> None:
        super().__init__(address, retry_seconds=retry_seconds)
        self.stub = game_pb2_grpc.GameServiceStub(self._channel)

    async def reach(self) -> None:
        """Make sure that a server is there.

        Raises:
            RefusedError: it does not answer within a few seconds.
        """
        try:
            await self.stub.ListGames(
                game_pb2.ListGamesRequest(page_size=1), timeout=REACH_SECONDS, wait_for_ready=True
            )
        except grpc.aio.AioRpcError as error:
            told = error.details() or "no answer"
            raise RefusedError(
                error.code(), "UNAVAILABLE", f"{self.address} does not answer: {told}"
            ) from None

    async def create_game(
        self,
        *,
        ruleset: str = "",
        board: str = "",
        seat_count: int = 0,
        title: str = "",
        options: dict[str, str] | None = None,
        sandbox: game_pb2.Sandbox | None = None,
        start: game_pb2.StartPosition | None = None,
    ) -> str:
        """Open a table and return its id."""
        request = game_pb2.CreateGameRequest(
            ruleset=ruleset,
            board=board,
            seat_count=seat_count,
            title=title,
            options=[game_pb2.OptionSetting(name=k, value=v) for k, v in (options or {}).items()],
            sandbox=sandbox,
            start=start,
        )
        answer = await self.command(self.stub.CreateGame, request)
        return answer.game_id

    async def join(self, game_id: str, name: str, entropy: bytes = b"") -> game_pb2.JoinGameResponse:
        """Take a seat; the answer has the seat and its token."""
        request = game_pb2.JoinGameRequest(game_id=game_id, name=name, entropy=entropy)
        return await self.command(self.stub.JoinGame, request)

    async def start(self, game_id: str, token: str) -> game_pb2.StartGameResponse:
        """Begin the game."""
        request = game_pb2.StartGameRequest(game_id=game_id)
        return await self.command(self.stub.StartGame, request, token)

    async def pause(self, game_id: str, token: str) -> game_pb2.PauseGameResponse:
        """Stop the clocks, or propose it where all have to agree; as a seat or as an operator."""
        request = game_pb2.PauseGameRequest(game_id=game_id)
        return await self.command(self.stub.PauseGame, request, token)

    async def resume(self, game_id: str, token: str) -> game_pb2.ResumeGameResponse:
        """Let the clocks run on, or propose it where all have to agree."""
        request = game_pb2.ResumeGameRequest(game_id=game_id)
        return await self.command(self.stub.ResumeGame, request, token)

    async def grant_time(
        self, game_id: str, token: str, seat: int, seconds: int
    ) -> game_pb2.GrantTimeResponse:
        """Give the decision that another seat is about to make more time."""
        request = game_pb2.GrantTimeRequest(game_id=game_id, seat=seat, seconds=seconds)
        return await self.command(self.stub.GrantTime, request, token)

    async def act(
        self,
        game_id: str,
        token: str,
        command: vocabulary_pb2.Command,
        seen_version: int = 0,
        *,
        expected_version: int = 0,
    ) -> game_pb2.ActResponse:
        """Send one command; its id stays the same over retries, so it has one effect.

        Without a `seen_version` it is the newest that came through this session. With an `expected_version`
        it has an effect only if the game is still there (STALE_VERSION).
        """
        request = game_pb2.ActRequest(
            game_id=game_id,
            seen_version=seen_version,
            command=command,
            expected_version=expected_version,
        )
        return await self.command(self.stub.Act, request, token)

    async def game(
        self, game_id: str, at_version: int = 0, seen_version: int = 0, *, token: str = ""
    ) -> game_pb2.GameView:
        """Return the public state: the newest, at a version, or (quicker) not older than one seen.

        Where balances are private, a seat's token shows what this seat has.
        """
        request = game_pb2.GetGameRequest(game_id=game_id, at_version=at_version, seen_version=seen_version)
        answer = await self.ask(self.stub.GetGame, request, token)
        return answer.game

    async def legal(
        self, game_id: str, seat: int, seen_version: int = 0, *, with_reasons: bool = False, token: str = ""
    ) -> game_pb2.GetLegalActionsResponse:
        """Return all that a seat may do now, or (quicker) at a moment not older than the version seen.

        Where balances are private, it takes the seat's token.
        """
        request = game_pb2.GetLegalActionsRequest(
            game_id=game_id, seat=seat, seen_version=seen_version, with_reasons=with_reasons
        )
        return await self.ask(self.stub.GetLegalActions, request, token)

    async def watch(
        self,
        game_id: str,
        after_version: int = 0,
        *,
        token: str = "",
        connection: str = "",
        lost: Callable[[], None] = lambda: None,
    ) -> AsyncIterator[game_pb2.WatchGameResponse]:
        """Yield every update, in order and without a gap, over reconnects; ends when the caller stops.

        The first, and the first after a reconnect, is the game as it stands. With a seat's token the seat is
        there as long as this goes on; with a `connection` too (`new_connection`), it is the seat's only such
        stream. `lost` is told whenever the stream has broken off.

        Raises:
            RefusedError: SUPERSEDED, when the seat has a newer stream elsewhere; or why there is none.
        """
        seen = after_version
        while True:
            request = game_pb2.WatchGameRequest(game_id=game_id, after_version=seen, connection=connection)
            stream = self.stub.WatchGame(request, metadata=bearer(token))
            try:
                while True:
                    async with asyncio.timeout(SILENCE_SECONDS_MAX):
                        update = await stream.read()
                    if not isinstance(update, game_pb2.WatchGameResponse):
                        break  # the server ended the stream
                    if update.HasField("superseded"):
                        newer = f"a newer stream has taken this one's place: {update.superseded.connection}"
                        raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, SUPERSEDED, newer)
                    if update.HasField("commit"):
                        if update.commit.version <= seen:
                            continue
                        seen = update.commit.version
                        self.note(game_id, seen)
                    yield update
            except TimeoutError:
                pass
            except grpc.aio.AioRpcError as error:
                if not may_retry(error):
                    raise refused(error) from None
            finally:
                stream.cancel()
            lost()
            await asyncio.sleep(RETRY_WAIT_SECONDS)

    async def export(self, game_id: str, after_version: int = 0) -> list[game_pb2.ExportGameResponse]:
        """Return the stored records of a game."""
        request = game_pb2.ExportGameRequest(game_id=game_id, after_version=after_version)

        async def read() -> list[game_pb2.ExportGameResponse]:
            return [record async for record in self.stub.ExportGame(request)]

        return await self.call(read)


def _log_id(message: object) -> str:
    """Return the id of the game, table or ledger that a message is about; empty if it names none."""
    return next((found for name in _LOG_IDS if (found := getattr(message, name, ""))), "")


def bearer(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that shows a seat's token; none for an empty one."""
    return (("authorization", f"Bearer {token}"),) if token else ()
