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
    from magnate.kit.log.port import Log


@final
class HeadBeat:
    """Nothing new: the game's newest version is this one."""

    __slots__ = ("version",)

    def __init__(self, version: int) -> None:
        self.version = version


async def read_commits(log: Log, keys: KeyRing, game_id: str, after_version: int = 0) -> list[ParsedCommit]:
    """Return a game's commits after a version, each verified and following the one before.

    Versions have no gap, so the ones up to `after_version` are passed over by counting.
    """
    stored = await log.load(game_id)
    version, commit_hash, time_ms = 0, ZERO_HASH, 0
    if after_version and len(stored) >= after_version:
        before = parse_commit(
            keys, game_id, stored[after_version - 1].data, stored[after_version - 1].sequence
        )
        if before.version != after_version:
            raise DataLossError(game_id, after_version, f"missing; in its place is version {before.version}")
        version, commit_hash, time_ms = before.version, before.hash, before.time_ms
    commits = []
    for message in stored[after_version:]:
        commit = parse_commit(keys, game_id, message.data, message.sequence)
        check_follows(commit, version, commit_hash, time_ms)
        version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
        commits.append(commit)
    return commits


async def watch_commits(
    log: Log, keys: KeyRing, game_id: str, after_version: int = 0
) -> AsyncGenerator[ParsedCommit | HeadBeat, None]:
    """Yield a game's commits after a version, for ever, and a HeadBeat every few seconds without one.

    A version that is not there yet is waited for. Close it with `aclose()`.
    """
    stored = await log.load(game_id)
    position, version, commit_hash, time_ms = 0, 0, ZERO_HASH, 0
    # Begin one commit early, so that the first one yielded is checked against it.
    skipped = min(after_version, len(stored))
    if skipped:
        last = stored[skipped - 1]
        before = parse_commit(keys, game_id, last.data, last.sequence)
        if before.version != skipped:
            raise DataLossError(game_id, skipped, f"missing; in its place is version {before.version}")
        position, version, commit_hash, time_ms = last.sequence, before.version, before.hash, before.time_ms
    async with aclosing(log.tail(game_id, position)) as tail:
        async for item in tail:
            if isinstance(item, Beat):
                yield HeadBeat(version)
                continue
            commit = parse_commit(keys, game_id, item.data, item.sequence)
            check_follows(commit, version, commit_hash, time_ms)
            version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
            if version > after_version:
                yield commit
