"""An open `Play` stream: commands of any number of games and seats, each answered as soon as it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.client.batching import BatchingStream, StreamBrokenError
from magnate.client.session import SUPERSEDED, bearer
from magnate.game.v1 import game_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable

    from magnate.client.session import Session


class PlayStream(BatchingStream[game_pb2.ActRequest, game_pb2.PlayResult]):
    """`async with PlayStream(session) as stream: result = await stream.act(request)`.

    With a seat's token the seat is there as long as the stream is open, and commands need no token of their
    own. With a `connection` too (`session.new_connection`), it ends when the seat opens a newer one that has
    a name: the ConnectionError's reason is SUPERSEDED then.
    """

    def __init__(self, session: Session, token: str = "", connection: str = "") -> None:
        super().__init__(session.stub.Play(metadata=bearer(token)))
        self._connection = connection

    async def act(self, request: game_pb2.ActRequest) -> game_pb2.PlayResult:
        """Send a command and return its result: accepted, or refused as a value.

        Raises:
            ConnectionError: the stream broke; the outcome is unknown, send the same id on a new one.
        """
        return await self.ask((request.command_id,), request)

    def message(self, asked: list[game_pb2.ActRequest]) -> game_pb2.PlayRequest:
        """Return the message that carries commands."""
        return game_pb2.PlayRequest(acts=asked, connection=self._connection)

    def answers(
        self, message: game_pb2.PlayResponse
    ) -> Iterable[tuple[tuple[str, ...], game_pb2.PlayResult]]:
        """Return the results in a message; a command's id is its key. StreamBrokenError: SUPERSEDED."""
        if message.HasField("superseded"):
            newer = message.superseded.connection
            raise StreamBrokenError(f"a newer stream has taken this one's place: {newer}", SUPERSEDED)
        return (((result.command_id,), result) for result in message.results)
