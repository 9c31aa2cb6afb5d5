"""Auctions whose end was missed while the services were down: they get the time in which nobody could bid."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from magnate.auction.codec import DEADLINES_VERSION
from magnate.auction.state import OWNER
from magnate.kit import misfire
from magnate.kit.ids import expire_id, request_hash
from magnate.kit.log import heard
from magnate.kit.log.commit import DEADLINES, Command, Section
from magnate.kit.transact_types import Proposal
from magnate.rules.rejections import UNKNOWN_DEADLINE, Rejection
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from magnate.auction.state import GameState
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor

Decide: TypeAlias = "Callable[[Loaded[GameState]], Awaitable[Proposal[GameState, Rejection] | Rejection]]"


async def shift_ms(
    transactor: Transactor[GameState], seen: Loaded[GameState], deadline_id: str, now_ms: int
) -> int:
    """Return the time that a deadline gets again because it was missed; 0: none."""
    late = seen.state.deadlines.get(deadline_id)
    if late is None or late.owner != OWNER:
        return 0
    return await heard.again_ms(transactor, seen, late, now_ms)


def shift(seen: Loaded[GameState], deadline_id: str, now_ms: int, more_ms: int) -> tuple[Command, Decide]:
    """Return the command that moves a missed deadline, and how it is decided; it is done once at most."""
    command = Command(
        expire_id(f"{deadline_id}:{misfire.SHIFT}"),
        request_hash(b"shift", deadline_id.encode()),
        actor="timer",
        received_at_ms=now_ms,
        seen_version=seen.version,
        causation_id=deadline_id,
    )

    async def decide(loaded: Loaded[GameState]) -> Proposal[GameState, Rejection] | Rejection:
        late = loaded.state.deadlines.get(deadline_id)
        if late is None or not 0 < late.due_ms <= now_ms:
            return Rejection(UNKNOWN_DEADLINE, f"{deadline_id} is not late any more")
        section = timer_pb2.DeadlinesSection()
        shifted = section.changes.add().shifted
        shifted.deadline_id, shifted.due_ms = deadline_id, now_ms + more_ms
        return Proposal([Section(DEADLINES, DEADLINES_VERSION, section.SerializeToString())])

    return command, decide
