"""When building, selling, mortgaging, redeeming and trading are allowed: one check for the options `….when`.

Rows 52, 66 and 74. A seat that owes something may always raise money, whatever the moment; that is the
caller's to say. "Before the roll" includes the throw a double grants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules import rejections
from magnate.rules.choices import (
    AUCTION_SEALED,
    AUCTION_VICKREY,
    WHEN_ANY_TIME,
    WHEN_OWN_TURN_BEFORE_ROLL,
    WHEN_OWN_TURN_OR_BETWEEN_TURNS,
    WHEN_OWN_TURN_OR_IN_DEBT,
)
from magnate.rules.vocabulary import PHASE_ACT, PHASE_JAIL, PHASE_ROLL

if TYPE_CHECKING:
    from magnate.rules.state import State


def bids_are_sealed(state: State) -> bool:
    """Whether money may be on hold for a bid that nobody may know of.

    Then nothing is done that hangs on whether somebody else can pay: the answer would tell of his bid.
    """
    return state.auction != 0 and state.rules.auction_mode in (AUCTION_SEALED, AUCTION_VICKREY)


def refuse_moment(state: State, seat: int, when: int) -> str:
    """The name of the refusal at this moment, or empty if `when` (a WHEN_…) allows it."""
    if when == WHEN_ANY_TIME:
        return ""
    if when == WHEN_OWN_TURN_OR_BETWEEN_TURNS:
        between = state.phase in (PHASE_ROLL, PHASE_JAIL, PHASE_ACT)
        return "" if between or state.turn_seat == seat else rejections.NOT_YOUR_TURN
    if when == WHEN_OWN_TURN_OR_IN_DEBT and state.in_debt(seat):
        return ""
    if state.turn_seat != seat:
        return rejections.NOT_YOUR_TURN
    if when == WHEN_OWN_TURN_BEFORE_ROLL and state.phase not in (PHASE_ROLL, PHASE_JAIL):
        return rejections.WRONG_PHASE
    return ""
