"""The list of all tables, kept from the heads and the live log; this service is the one that writes heads."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2
from magnate.kit.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable

PAGE_SIZE_DEFAULT: Final = 50
PAGE_SIZE_MAX: Final = 100


class Lists:
    """Tables by id with what lists show of them."""

    def __init__(self) -> None:
        self._games: dict[str, game_pb2.GameSummary] = {}

    def put(self, summary: game_pb2.GameSummary) -> None:
        """Take what is known of a table; an older version never replaces a newer one."""
        known = self._games.get(summary.game_id)
        if known is None or known.version <= summary.version:
            self._games[summary.game_id] = summary

    def page(self, page_size: int, page_token: str, status: int) -> game_pb2.ListGamesResponse:
        """Return a page of tables, newest change first.

        Raises:
            InvalidArgumentError: the size is out of range or the token is none of ours.
        """
        if not 0 <= page_size <= PAGE_SIZE_MAX:
            raise InvalidArgumentError("page_size", f"must be from 0 to {PAGE_SIZE_MAX}, not {page_size}")
        size = page_size or PAGE_SIZE_DEFAULT
        found = sorted(self._matching(status), key=_newest_first)
        if page_token:
            after = _read_token(page_token)
            found = [one for one in found if _newest_first(one) > after]
        response = game_pb2.ListGamesResponse(games=found[:size])
        if len(found) > size:
            response.next_page_token = _write_token(found[size - 1])
        return response

    def count(self) -> dict[int, int]:
        """Return how many tables there are of each status."""
        counts: dict[int, int] = {}
        for summary in self._games.values():
            counts[summary.status] = counts.get(summary.status, 0) + 1
        return counts

    def _matching(self, status: int) -> Iterable[game_pb2.GameSummary]:
        return (one for one in self._games.values() if status in {0, one.status})


def _newest_first(summary: game_pb2.GameSummary) -> tuple[int, str]:
    return -(summary.update_time.seconds * 1000 + summary.update_time.nanos // 1_000_000), summary.game_id


def _write_token(summary: game_pb2.GameSummary) -> str:
    time_ms, game_id = _newest_first(summary)
    return base64.urlsafe_b64encode(f"{time_ms}|{game_id}".encode()).decode()


def _read_token(token: str) -> tuple[int, str]:
    try:
        time_text, game_id = base64.urlsafe_b64decode(token.encode()).decode().split("|")
        return int(time_text), game_id
    except ValueError:
        raise InvalidArgumentError("page_token", "is none that this server gave") from None
