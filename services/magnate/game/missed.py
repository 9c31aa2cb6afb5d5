"""Clocks of a game that were missed while the services were down: they get their time again, once.

Whatever the game service writes first after a downtime says so, before anything is judged or charged: the
command of a seat, somebody who comes back, a break, or what the timer announces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game.draft import Draft
from magnate.game.ports import OWNER, DeadlineChange
from magnate.kit.log import heard
from magnate.rules.decision import NOBODY, Decision

if TYPE_CHECKING:
    from magnate.game.state import GameState
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor


async def begin(
    transactor: Transactor[GameState], loaded: Loaded[GameState], now_ms: int, seat: int = NOBODY
) -> Draft:
    """Return the draft of a commit after `loaded`, in which every clock that was missed runs on.

    `seat` is whose command it is.
    """
    draft = Draft(loaded.state.draft(), Decision(), seat=seat)
    for deadline_id, one in loaded.state.deadlines.items():
        if one.due_ms == 0 or one.due_ms > now_ms:
            continue
        more_ms = await again_ms(transactor, loaded, deadline_id, now_ms)
        if more_ms:
            due_ms = now_ms + more_ms
            draft.deadlines.append(DeadlineChange("shifted", deadline_id, due_ms=due_ms))
            moved = one.running(due_ms, shifted=True)
            draft.state.deadlines = {**draft.state.deadlines, deadline_id: moved}
    return draft


async def again_ms(
    transactor: Transactor[GameState], loaded: Loaded[GameState], deadline_id: str, now_ms: int
) -> int:
    """Return the time that a deadline of this service gets again because it was missed; 0: none."""
    late = loaded.state.deadlines.get(deadline_id)
    if late is None or late.owner != OWNER:
        return 0
    return await heard.again_ms(transactor, loaded, late, now_ms)
