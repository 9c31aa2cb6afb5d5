"""What the end of a round brings by itself: loans fall due (row 69), lots not redeemed are lost (row 75)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.steps.loan import fall_due
from magnate.rules.steps.term import forfeit
from magnate.rules.steps.turn import ends_round

if TYPE_CHECKING:
    from magnate.rules.draft import Draft


def end_round(draft: Draft) -> bool:
    """If the next turn begins a new round, let lapse what lapses; whether somebody owes something now."""
    state = draft.state
    if state.rules.mortgage_rounds_max or state.extras.loans:
        if not ends_round(state):
            return False
        if state.rules.mortgage_rounds_max:
            forfeit(draft)
        if state.extras.loans:
            fall_due(draft)
        return len(state.debts) > 0
    return False
