"""The streams of this process that carry a seat's token, and which of them the newest supersedes."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from magnate.kit.errors import InvalidArgumentError, KitError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator

Message = TypeVar("Message")
Key: TypeAlias = "tuple[str, int]"
"""A seat: the game and its number."""

WATCH: Final = "watch"
PLAY: Final = "play"
SAME_TIME_SECONDS: Final = 1.0
"""Streams that were opened within so long at two processes are told apart by the servers' clocks."""
FAREWELL_SECONDS: Final = 1.0
"""Between the last message of a superseded stream and its status, which a writing client may not see."""
_CONNECTION: Final = re.compile(r"[A-Za-z0-9._:-]{1,64}")


class SupersededError(KitError):
    """The seat has opened a newer stream of this kind."""

    category = "precondition"
    reason = "SUPERSEDED"


class Held:
    """An open stream of a seat. `name` is what its client calls itself, empty if it does not.

    `newer` is what the client calls itself whose stream has superseded it, when one has.
    """

    __slots__ = ("key", "kind", "name", "newer", "number", "opened_at", "opened_ms")

    def __init__(self, key: Key, kind: str, number: int) -> None:
        self.key = key
        self.kind = kind
        self.number = number
        self.name = ""
        self.opened_ms = 0
        self.opened_at = 0.0
        self.newer: asyncio.Future[str] = asyncio.get_running_loop().create_future()


class Streams:
    """The open streams of this process, by seat."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._held: dict[Key, dict[int, Held]] = {}
        self._first: dict[Key, int] = {}
        self._opened = 0

    def __len__(self) -> int:
        return len(self._held)

    def keys(self) -> Iterator[Key]:
        """Return the seats that have a stream here."""
        return iter(tuple(self._held))

    def seats(self, game_id: str) -> list[int]:
        """Return the seats of a game that have a stream here."""
        return [seat for game, seat in self._held if game == game_id]

    def newest(self, key: Key) -> int:
        """Return the number of a seat's newest stream; 0 if it has none here."""
        return max(self._held.get(key, ()), default=0)

    def first(self, key: Key) -> int:
        """Return the number of the stream since which a seat has always had one here; 0 if it has none."""
        return self._first.get(key, 0)

    def open(self, key: Key, kind: str) -> Held:
        """Note a stream."""
        self._opened += 1
        self._first.setdefault(key, self._opened)
        held = Held(key, kind, self._opened)
        self._held.setdefault(key, {})[held.number] = held
        return held

    def close(self, held: Held) -> bool:
        """Forget a stream; True if it was the seat's last one here."""
        mine = self._held[held.key]
        del mine[held.number]
        if not mine:
            del self._held[held.key]
            del self._first[held.key]
        return not mine

    def name(self, held: Held, name: str, now_ms: int) -> int:
        """Note what the client of a stream calls itself, and end older ones of its kind; return how many."""
        held.name = name
        held.opened_ms = now_ms
        held.opened_at = self._monotonic()
        return self._end(held.key, held.kind, name, lambda other: other is not held)

    def opened_elsewhere(self, key: Key, kind: str, name: str, opened_ms: int, boot: str, own: str) -> int:
        """End the streams that one at another process is newer than; return how many.

        That one is newer than what has been open here for a while, whatever the clocks say. Of two opened at
        the same time the clocks decide, and the processes' ids if they agree: so that one of the two stays.
        """
        at = self._monotonic()
        return self._end(
            key,
            kind,
            name,
            lambda other: (
                at - other.opened_at > SAME_TIME_SECONDS or (other.opened_ms, own) < (opened_ms, boot)
            ),
        )

    def _end(self, key: Key, kind: str, name: str, older: Callable[[Held], bool]) -> int:
        ended = [
            other
            for other in self._held.get(key, {}).values()
            if other.kind == kind and other.name and not other.newer.done() and older(other)
        ]
        for other in ended:
            other.newer.set_result(name)  # and its name stays: what it still sends names it anew no more
        return len(ended)


async def while_newest(
    held: Held | None, messages: AsyncGenerator[Message, None], last: Callable[[str], Message]
) -> AsyncGenerator[Message, None]:
    """Yield the messages of a stream until it is superseded, then the `last` one, which names the newer.

    Raises:
        SupersededError: a moment after the last message, when its client has had the time to read it.
    """
    async with aclosing(messages):
        if held is None:
            async for message in messages:
                yield message
            return
        while True:
            coming = asyncio.ensure_future(anext(messages))
            try:
                await asyncio.wait((coming, held.newer), return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    break
                message = coming.result()
            except StopAsyncIteration:
                return
            finally:
                if not coming.done():
                    coming.cancel()
                    await asyncio.wait((coming,))
            yield message
    name = held.newer.result()
    yield last(name)
    await asyncio.sleep(FAREWELL_SECONDS)
    raise SupersededError(
        f"a newer stream of this seat has taken its place: {name}", metadata={"connection": name}
    )


def read_connection(name: str) -> str:
    """Return what a client calls itself, or raise InvalidArgumentError."""
    if name and _CONNECTION.fullmatch(name) is None:
        raise InvalidArgumentError("connection", "has 1 to 64 letters, digits and . _ : -")
    return name
