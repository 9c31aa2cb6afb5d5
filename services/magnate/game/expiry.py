"""What a clock that ran out leads to (rows 84, 85, 89): the rules say it, here their function is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.game import clocks
from magnate.game.chance import chance_of
from magnate.game.ports import DeadlineChange
from magnate.rules.chance import ChanceExhausted
from magnate.rules.decide import close_window, pass_time
from magnate.rules.decision import Decision
from magnate.rules.expiry import close_offer, time_out
from magnate.rules.vocabulary import TimeExpired

if TYPE_CHECKING:
    from magnate.game.compose import Draft
    from magnate.rules.rejections import Rejection


def expire(draft: Draft, deadline_id: str, kind: str, now_ms: int) -> Rejection | None:
    """Act on a clock of the game, in place; its deadline is cleared.

    Where the script of a sandbox has no dice for what would be done for a seat, it is said that its time is
    over, and it has as much time again.
    """
    state = draft.state
    rules = state.rules
    assert rules is not None
    draft.deadlines.append(DeadlineChange("cleared", deadline_id))
    state.deadlines = {key: one for key, one in state.deadlines.items() if key != deadline_id}
    elapsed_ms = state.table.elapsed_ms(now_ms)
    chance = chance_of(state)
    number = clocks.number_of(deadline_id)
    if kind == clocks.TIME:
        return pass_time(rules, chance, draft.decision, elapsed_ms)
    if kind == clocks.SHORTAGE:
        return close_window(rules, draft.decision)
    if kind == clocks.DEAL:
        return close_offer(rules, number, chance, draft.decision)
    before = rules.copy() if state.table.sandbox is not None else rules
    try:
        return time_out(rules, number, chance, draft.decision, elapsed_ms)
    except ChanceExhausted:
        state.rules = before
        draft.decision = Decision()
        draft.decision.events.append(TimeExpired(number))
        return None
