"""A game as it was at a version, read from a replica that is a moment behind."""

from __future__ import annotations

import pytest

from magnate.kit.log.commit import Command, build_commit
from magnate.kit.log.fold import Loader
from magnate.kit.log.memory import MemoryLog
from magnate.kit.log.port import Appended, Stored
from magnate.timer.codec import TimerFold
from tests.support.banking import KEYS, START_MS, new_game

VERSIONS = 3


class Behind(MemoryLog):
    """A log whose replica lacks the newest commit, unless it is asked for."""

    async def load(self, game_id: str, after_sequence: int = 0, at_least: int = 0) -> list[Stored]:
        """Return what the replica has, or what is asked for by its sequence."""
        found = await super().load(game_id, after_sequence)
        return found if found and found[-1].sequence <= at_least else found[:-1]


@pytest.mark.asyncio
async def test_what_is_known_to_be_stored_is_read_though_a_replica_lacks_it() -> None:
    """Else an answer about a version that was just written would be made from the one before it."""
    log, game_id = Behind(), new_game("behind")
    previous, sequence = None, 0
    for version in range(VERSIONS):
        commit = build_commit(
            KEYS,
            game_id,
            Command(f"c{version}", b"", actor="test", received_at_ms=START_MS),
            [],
            previous_version=version,
            previous_hash=bytes(32) if previous is None else previous.hash,
            previous_time_ms=0 if previous is None else previous.time_ms,
            now_ms=START_MS,
        )
        result = await log.append(game_id, commit.data, sequence)
        assert isinstance(result, Appended)
        previous, sequence = commit, result.sequence
    loader = Loader(log, KEYS, TimerFold())
    assert (await loader.load_at(game_id, VERSIONS, sequence)).version == VERSIONS
    assert (await loader.load_at(game_id, VERSIONS)).version == VERSIONS - 1
