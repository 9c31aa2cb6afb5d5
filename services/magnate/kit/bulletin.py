"""Words between processes that nobody stores: whoever listens at the moment hears them, at most once.

They only make things quick, or are said again and again: nothing may depend on one of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from magnate.kit.log.connection import NotSentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.kit.log.connection import Connection

    Listener: TypeAlias = Callable[[bytes], None]


class Bulletin(Protocol):
    """Where they are posted, and read by everybody, also by who posted."""

    async def post(self, data: bytes) -> bool:
        """Post a few bytes; False if there is no connection at the moment."""
        ...

    async def listen(self, listener: Listener) -> None:
        """Call the function for each posting from now on; it must be quick and must not wait."""
        ...


class NatsBulletin:
    """A subject of core NATS."""

    def __init__(self, connection: Connection, subject: str) -> None:
        self._connection = connection
        self._subject = subject

    async def post(self, data: bytes) -> bool:
        """Post a few bytes."""
        try:
            await self._connection.publish(self._subject, data)
        except NotSentError:
            return False
        return True

    async def listen(self, listener: Listener) -> None:
        """Call the function for each posting from now on."""

        def heard(_subject: bytes, _reply: bytes, data: bytes, _headers: bytes | None) -> None:
            listener(data)

        await self._connection.listen(self._subject, heard)


class MemoryBulletin:
    """The same within a process: for tests, and for services that share one."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    async def post(self, data: bytes) -> bool:
        """Post a few bytes."""
        for listener in self._listeners:
            listener(data)
        return True

    async def listen(self, listener: Listener) -> None:
        """Call the function for each posting from now on."""
        self._listeners.append(listener)
