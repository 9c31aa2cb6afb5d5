"""The port through which every service stores and reads the log.

An append is one attempt and answers with a value: what became of the bytes is part of the protocol, never an
exception. Reads raise LogUnavailableError when the log does not answer within its limits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, final

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from magnate.kit.log.tail_guard import TailGuard


@final
class Stored:
    """Stored bytes and their sequence in the stream."""

    __slots__ = ("data", "sequence")

    def __init__(self, sequence: int, data: bytes) -> None:
        self.sequence = sequence
        self.data = data

    def __repr__(self) -> str:
        return f"Stored({self.sequence}, {len(self.data)} bytes)"


@final
class Beat:
    """Nothing new arrived; the reader is at `sequence` (of the game, or of the stream) and so is the log."""

    __slots__ = ("sequence", "stream")

    def __init__(self, sequence: int, stream: str = "") -> None:
        self.sequence = sequence
        self.stream = stream


@final
class Followed:
    """One commit as a follower of all games gets it."""

    __slots__ = ("data", "game_id", "sequence", "stream")

    def __init__(self, stream: str, sequence: int, game_id: str, data: bytes) -> None:
        self.stream = stream
        self.sequence = sequence
        self.game_id = game_id
        self.data = data


@final
class Appended:
    """The bytes are stored. `duplicate`: an earlier attempt with the same message id had stored them."""

    __slots__ = ("duplicate", "sequence")

    def __init__(self, sequence: int, *, duplicate: bool = False) -> None:
        self.sequence = sequence
        self.duplicate = duplicate

    def __repr__(self) -> str:
        return f"Appended({self.sequence}{', duplicate' if self.duplicate else ''})"


@final
class Conflict:
    """Another message holds the place; these bytes were not stored by this attempt.

    `last_sequence` is the last one of that subject as the server named it, or None when another append is
    still in flight and nothing is decided: then the same bytes must be sent again.
    """

    __slots__ = ("last_sequence",)

    def __init__(self, last_sequence: int | None) -> None:
        self.last_sequence = last_sequence

    def __repr__(self) -> str:
        return f"Conflict({self.last_sequence})"


@final
class OutcomeUnknown:
    """Sent, and no answer: stored or not. Send the same bytes again until the answer is certain."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"OutcomeUnknown({self.reason!r})"


@final
class Unavailable:
    """Certainly not stored by this attempt: nothing was sent, or the server refused it for the moment."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __repr__(self) -> str:
        return f"Unavailable({self.reason!r})"


AppendResult: TypeAlias = Appended | Conflict | OutcomeUnknown | Unavailable


class Log(Protocol):
    """Commits of all games of one tenant, and the caches derived from them."""

    tenant: str
    guard: TailGuard

    async def append(
        self, game_id: str, data: bytes, expected_sequence: int, message_id: str = ""
    ) -> AppendResult:
        """Try once to store the bytes after `expected_sequence`, the game's last one (0: the game is new).

        DataLossError if the game's stream lost its tail and is stopped.
        """
        ...

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return the game's commits after a sequence, in order.

        A replica may answer a moment behind; what is stored up to `at_least` is there all the same.
        """
        ...

    async def read(self, game_id: str, sequence: int) -> Stored | None:
        """Return the game's commit at exactly this sequence."""
        ...

    async def last(self, game_id: str) -> Stored | None:
        """Return the game's newest commit from the stream's leader."""
        ...

    def tail(self, game_id: str, after_sequence: int = 0) -> AsyncGenerator[Stored | Beat, None]:
        """Yield the game's commits after a sequence, stored ones first, without a gap, for ever.

        A Beat tells every few seconds that the reader has the newest. Close it with `aclose()`.
        """
        ...

    def watch_all(self, after: Mapping[str, int]) -> AsyncGenerator[Followed | Beat, None]:
        """Yield all games' commits after the given sequence of each stream (0 for one that is not named).

        Each stream is in order; streams interleave. A Beat names the stream that has been read to its end.
        """
        ...

    async def snapshot_put(self, kind: str, game_id: str, data: bytes) -> None:
        """Store a service's snapshot of a game; a failure is of no consequence and not reported."""
        ...

    async def snapshot_get(self, kind: str, game_id: str) -> bytes | None:
        """Return the snapshot, or None; never fails."""
        ...

    async def snapshot_drop(self, kind: str, game_id: str) -> None:
        """Forget the snapshot."""
        ...

    async def checkpoint_put(self, name: str, data: bytes) -> None:
        """Store how far the named follower has got."""
        ...

    async def checkpoint_get(self, name: str) -> bytes | None:
        """Return what the named follower stored last."""
        ...

    async def head_put(self, game_id: str, data: bytes, expected_sequence: int) -> AppendResult:
        """Replace the game's head, if its sequence in the stream of heads is the expected one (0: none)."""
        ...

    async def head_get(self, game_id: str) -> Stored | None:
        """Return the game's head."""
        ...

    async def heads(self) -> list[tuple[str, Stored]]:
        """Return all games' heads."""
        ...

    async def last_sequences(self) -> dict[str, int]:
        """Return the last sequence of each stream of commits, by stream name."""
        ...

    async def ensure(self) -> None:
        """Create what is missing and check what is there; StreamConfigError if facts could be lost."""
        ...

    async def close(self) -> None:
        """Let go of the connection; pending appends end as OutcomeUnknown."""
        ...
