"""When a log was last heard of before a moment, up to which somebody was surely there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from magnate.kit import misfire
from magnate.kit.log.commit import parse_commit

if TYPE_CHECKING:
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor

S = TypeVar("S")


class Pending(Protocol):
    """A deadline, as each service has it; `shifted`: it was missed once and has got its time again."""

    @property
    def owner(self) -> str:
        """The service that deals with it."""

    @property
    def kind(self) -> str:
        """What it is for."""

    @property
    def due_ms(self) -> int:
        """When it is due, 0 while it stands."""

    @property
    def shifted(self) -> bool:
        """It was missed once."""


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


async def again_ms(transactor: Transactor[S], loaded: Loaded[S], pending: Pending, now_ms: int) -> int:
    """Return the time that a deadline gets again because it was missed; 0: none."""
    owner, kind, due_ms, shifted = pending.owner, pending.kind, pending.due_ms, pending.shifted
    if not 0 < due_ms <= now_ms or not misfire.may_shift(owner, kind, shifted=shifted):
        return 0
    last_ms = await heard_ms(transactor, loaded, due_ms)
    return misfire.again_ms(owner, kind, due_ms, now_ms, last_ms, transactor.started_ms, shifted=shifted)


async def left_ms(transactor: Transactor[S], loaded: Loaded[S], pending: Pending, now_ms: int) -> int:
    """Return what is left of a running deadline: of one that was missed, what it gets again."""
    if pending.due_ms > now_ms:
        return pending.due_ms - now_ms
    return await again_ms(transactor, loaded, pending, now_ms)
