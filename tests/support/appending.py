"""Appending as the port asks of every caller: the same bytes again until the answer is certain."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from magnate.kit.log.port import Appended, AppendResult, Conflict, OutcomeUnknown, Unavailable

if TYPE_CHECKING:
    from magnate.kit.log.port import Log

RESEND_SECONDS = 0.05
GIVE_UP_SECONDS = 30.0


async def certain(log: Log, game_id: str, data: bytes, expected: int, message_id: str = "") -> AppendResult:
    """Append until it is decided: a cluster may call an append in flight although it has acknowledged it."""
    async with asyncio.timeout(GIVE_UP_SECONDS):
        while True:
            result = await log.append(game_id, data, expected, message_id)
            undecided = isinstance(result, Conflict) and result.last_sequence is None
            if not undecided and not isinstance(result, OutcomeUnknown | Unavailable):
                return result
            await asyncio.sleep(RESEND_SECONDS)


async def stored(log: Log, game_id: str, data: bytes, expected: int, message_id: str = "") -> int:
    """Append for certain and return the sequence; an AssertionError if other bytes hold the place."""
    result = await certain(log, game_id, data, expected, message_id)
    if isinstance(result, Appended):
        return result.sequence
    last = await log.last(game_id)  # an attempt without an answer may have been stored
    assert last is not None, result
    assert last.data == data, result
    return last.sequence
