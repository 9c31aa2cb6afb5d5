"""Watching one game by version: verified commits from any version on, and beats with the head's version."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, final

from magnate.kit.log.commit import ZERO_HASH, ParsedCommit, check_follows, parse_commit
from magnate.kit.log.errors import DataLossError
from magnate.kit.log.port import Beat

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log, Stored


@final
class HeadBeat:
    """Nothing new: the game's newest version is this one."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


async def read_commits(log: Log, keys: KeyRing, game_id: str, after_version: int = 0) -> list[ParsedCommit]:
    """Return a game's commits after a version, each verified and following the one before."""
    stored = await log.load(game_id)
    link = _Link(keys, game_id, stored, after_version)
    return [link.take(message) for message in stored[after_version:]]


async def watch_commits(
    log: Log, keys: KeyRing, game_id: str, after_version: int = 0
) -> AsyncGenerator[ParsedCommit | HeadBeat, None]:
    """Yield a game's commits after a version, for ever, and a HeadBeat every few seconds without one.

    A version that is not there yet is waited for. Close it with `aclose()`.
    """
    link = _Link(keys, game_id, await log.load(game_id), after_version)
    async with aclosing(log.tail(game_id, link.sequence)) as tail:
        async for item in tail:
            if isinstance(item, Beat):
                yield HeadBeat(link.version)
                continue
            commit = link.take(item)
            if commit.version > after_version:
                yield commit


class _Link:
    """The last commit passed, from which the next one must follow.

    Versions have no gap, so the first ones are passed over by counting; the last of them is verified.
    """

    def __init__(self, keys: KeyRing, game_id: str, stored: list[Stored], after_version: int) -> None:
        self._keys = keys
        self._game_id = game_id
        self._hash, self._time_ms = ZERO_HASH, 0
        self.version, self.sequence = 0, 0
        passed = min(after_version, len(stored))
        if passed:
            last = stored[passed - 1]
            before = parse_commit(keys, game_id, last.data, last.sequence)
            if before.version != passed:
                raise DataLossError(game_id, passed, f"missing; in its place is version {before.version}")
            self._pass(before)

    def take(self, message: Stored) -> ParsedCommit:
        """Verify the next commit."""
        commit = parse_commit(self._keys, self._game_id, message.data, message.sequence)
        check_follows(commit, self.version, self._hash, self._time_ms)
        self._pass(commit)
        return commit

    def _pass(self, commit: ParsedCommit) -> None:
        self.version, self.sequence = commit.version, commit.sequence
        self._hash, self._time_ms = commit.hash, commit.time_ms
