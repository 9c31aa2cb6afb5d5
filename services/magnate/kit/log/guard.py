"""What the guard of the tail (see `tail_guard`) is told at the start: by heads and by followers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from magnate.kit.log.errors import LogUnavailableError
from magnate.kit.log.heads import list_heads
from magnate.kit.log.keys import unseal
from magnate.kit.log.subjects import game_stream
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log

CHECKPOINT_PURPOSE = "checkpoint"
START_SECONDS_MAX: Final = 15.0
"""An election takes up to so long."""
START_PAUSE_SECONDS: Final = 0.2


async def raise_guard(log: Log, keys: KeyRing, followers: Sequence[str] = ()) -> None:
    """Tell the log's guard what heads and followers have seen, and judge every stream; for the start.

    Streams that nobody leads yet (a cluster that has just started, an election) are waited for.
    """
    loop = asyncio.get_running_loop()
    give_up = loop.time() + START_SECONDS_MAX
    while True:
        try:
            await _raise(log, keys, followers)
        except LogUnavailableError:
            if loop.time() > give_up:
                raise
            await asyncio.sleep(START_PAUSE_SECONDS)
        else:
            return


async def _raise(log: Log, keys: KeyRing, followers: Sequence[str]) -> None:
    guard = log.guard
    for head in await list_heads(log, keys):
        guard.observe(game_stream(head.game_id), head.sequence)
    for name in followers:
        for stream, sequence in (await read_checkpoint(log, keys, name)).items():
            guard.observe(stream, sequence)
    last_sequences = await log.last_sequences()
    for stream in guard.highest.keys() | last_sequences.keys():
        guard.judge(stream, last_sequences.get(stream, 0))


async def read_checkpoint(log: Log, keys: KeyRing, name: str) -> dict[str, int]:
    """Return how far the named follower has got in each stream; nothing if its checkpoint is odd."""
    data = await log.checkpoint_get(name)
    body = unseal(keys, CHECKPOINT_PURPOSE, data) if data else None
    if body is None:
        return {}
    try:
        return dict(log_pb2.Checkpoint.FromString(body).positions)
    except DecodeError:
        return {}
