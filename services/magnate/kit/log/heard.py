"""When a log was last heard of before a moment: until then somebody was surely there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from magnate.kit.log.commit import parse_commit

if TYPE_CHECKING:
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor

S = TypeVar("S")


async def heard_ms(transactor: Transactor[S], loaded: Loaded[S], before_ms: int) -> int:
    """Return the time of the newest commit that is not after a moment.

    It is looked for among the commits whose commands are remembered; if there is none, the time of the newest
    is returned. Who asks at a later version gets the same answer.
    """
    if loaded.time_ms <= before_ms or not loaded.window.entries:
        return loaded.time_ms
    oldest = next(iter(loaded.window.entries.values())).sequence
    stored = await transactor.log.load(loaded.game_id, oldest - 1, loaded.sequence)
    for one in reversed(stored):
        time_ms = parse_commit(transactor.keys, loaded.game_id, one.data, one.sequence).time_ms
        if time_ms <= before_ms:
            return time_ms
    return loaded.time_ms
