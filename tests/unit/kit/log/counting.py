"""A transactor over a log in memory, and the name of a refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.clock import FakeClock
from magnate.kit.transact import Transactor
from magnate.kit.transact_types import (
    KitRejection,
    Refused,
)
from tests.support.counter import (
    KEYS,
    START_MS,
    Counter,
    CounterCodec,
    CounterFold,
)

if TYPE_CHECKING:
    from magnate.kit.log.memory import MemoryLog


def transactor(
    log: MemoryLog,
    *,
    codec: CounterCodec | None = None,
    queue: int = 128,
    cached: int = 100,
    retry: float = 2.0,
    every: int = 10,
) -> Transactor[Counter]:
    """Return a transactor over the counter service."""
    return Transactor(
        log,
        KEYS,
        CounterFold(),
        codec=codec,
        clock=FakeClock(START_MS),
        queue_per_game_max=queue,
        games_cached_max=cached,
        retry_seconds_max=retry,
        snapshot_every_commits=every,
    )


def name_of(refused: object) -> str:
    """Return the name of a refusal by the kit."""
    assert isinstance(refused, Refused)
    assert isinstance(refused.rejection, KitRejection)
    return refused.rejection.name
