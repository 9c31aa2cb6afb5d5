"""Owner, buildings and mortgage of a lot, with the counters that depend on them: nobody else writes these.

For folds. `check` of the invariants compares every counter with a scan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from magnate.rules.state import State


def set_owner(state: State, lot: int, seat: int) -> None:
    """Give the lot to a seat, or to the bank (-1). Buildings do not travel: the lot is bare."""
    assert state.level[lot] == 0
    base = state.board.group[lot] * state.seats
    before = state.owner[lot]
    if before >= 0:
        state.group_count[base + before] -= 1
    if seat >= 0:
        state.group_count[base + seat] += 1
    state.owner[lot] = seat


def set_level(state: State, lot: int, level: int) -> None:
    """Change the buildings on an owned lot; the bank gives and takes the pieces."""
    before = state.level[lot]
    hotel = state.hotel_level
    if before == hotel:
        state.hotels_left += 1
    else:
        state.houses_left += before
    if level == hotel:
        state.hotels_left -= 1
    else:
        state.houses_left -= level
    state.group_buildings[state.board.group[lot]] += level - before
    state.built[state.owner[lot]] += level - before
    state.level[lot] = level


def set_mortgaged(state: State, lot: int, mortgaged: int) -> None:
    """Mark the lot as mortgaged (1) or not (0)."""
    state.group_mortgaged[state.board.group[lot]] += mortgaged - state.mortgaged[lot]
    state.mortgaged[lot] = mortgaged


def owns_group(state: State, group: int, seat: int) -> bool:
    """Whether the seat owns every lot of the group."""
    return state.group_count[group * state.seats + seat] == len(state.board.members[group])
