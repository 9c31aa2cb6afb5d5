"""What the last buildings of the bank allow a seat to say and to place (row 60), for `legal_actions`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.buildings import places_for
from magnate.rules.kinds import PLACE_BUILDING, SKIP, WANT_BUILDING
from magnate.rules.legal_values import LegalLot
from magnate.rules.steps.shortage import refuse_wanting, window_least

if TYPE_CHECKING:
    from magnate.rules.legal_values import LegalAction
    from magnate.rules.state import State

SHORTAGE_KINDS: Final = WANT_BUILDING | PLACE_BUILDING
"""The kinds whose parameters `fill_shortage` knows."""


def kinds_of_shortage(state: State, seat: int) -> int:
    """What a seat may answer in a window, and whether it has a building to place."""
    extras = state.extras
    found = 0
    if seat in extras.shortage_asked:
        found |= SKIP
        if not refuse_wanting(state, seat):
            found |= WANT_BUILDING
    if extras.placing_seat == seat + 1 and places_for(state, seat, extras.placing_building):
        found |= PLACE_BUILDING
    return found


def fill_shortage(state: State, seat: int, kind: int, action: LegalAction) -> None:
    """Fill in the building that is asked about and the least bid, or the lots where one can stand."""
    extras = state.extras
    if kind == WANT_BUILDING:
        action.answers = [extras.shortage_building]
        action.amount_min = window_least(state)
        action.amount_max = state.available(seat)
        return
    for lot in places_for(state, seat, extras.placing_building):
        level = state.level[lot] + 1
        action.lots.append(LegalLot(lot, level, level, 0, level))


def refuse_shortage(state: State, seat: int, kind: int) -> str:
    """Why the seat can want, or place, nothing now."""
    return refuse_wanting(state, seat) if kind == WANT_BUILDING else rejections.NOTHING_DUE
