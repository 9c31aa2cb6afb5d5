"""Owner, buildings and mortgage of a lot, with the counters that depend on them: nobody else writes these.

For folds. `check` of the invariants compares every counter with a scan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.rules.board import STREET
from magnate.rules.choices import SCOPE_GROUP

if TYPE_CHECKING:
    from magnate.rules.state import State


def lowest(lots: int) -> int:
    """The first lot of a set that is not empty; `lots &= lots - 1` leaves the others."""
    return (lots & -lots).bit_length() - 1


def listed(found: int) -> list[int]:
    """The members of a set, in order."""
    members: list[int] = []
    while found:
        members.append(lowest(found))
        found &= found - 1
    return members


def bare(state: State, lots: int) -> int:
    """Those of the lots (bits) on which nothing is built."""
    found = 0
    for lot in state.board.lots:
        if lots >> lot & 1 and state.level[lot] == 0:
            found |= 1 << lot
    return found


def unencumbered(state: State, lots: int) -> int:
    """Those of the lots (bits) that are not mortgaged, and bare as for a deal (row 65)."""
    lots &= ~state.mortgaged_mask
    return lots & ~state.built_mask if state.rules.trade_clear == SCOPE_GROUP else bare(state, lots)


def set_owner(state: State, lot: int, seat: int) -> None:
    """Give the lot to a seat, or to the bank (-1). Buildings do not travel: the lot is bare.

    Where there are rent levels (row 35) a lot begins at 1, keeps its level from seat to seat, and loses it.
    """
    assert state.level[lot] == 0
    board = state.board
    group = board.group[lot]
    base = group * state.seats
    before = state.owner[lot]
    count = state.group_count
    owned = state.owned
    if before >= 0:
        count[base + before] = count[base + before] - 1  # not `-=`: compiled, that works on objects
        owned[before] = owned[before] & ~(1 << lot)
        state.full[before] = state.full[before] & ~(1 << group)
    if seat >= 0:
        has = count[base + seat] + 1
        count[base + seat] = has
        owned[seat] = owned[seat] | 1 << lot
        if board.house_cost[group] > 0 and has == len(board.members[group]):
            state.full[seat] = state.full[seat] | 1 << group
    state.owner[lot] = seat
    if board.rent_levels and (seat < 0 or before < 0) and board.kind[lot] == STREET:
        state.extras.rent_level[lot] = 0 if seat < 0 else 1
    if state.extras.redeem_offer:
        end_redeem_offer(state, lot)
    if state.extras.passes:
        state.extras.passes = [one for one in state.extras.passes if one.lot != lot]


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
    group = state.board.group[lot]
    buildings = state.group_buildings[group] + level - before
    state.group_buildings[group] = buildings
    if buildings > 0:
        state.built_mask |= state.board.group_mask[group]
    else:
        state.built_mask &= ~state.board.group_mask[group]
    state.built[state.owner[lot]] += level - before
    state.level[lot] = level


def set_mortgaged(state: State, lot: int, mortgaged: int) -> None:
    """Mark the lot as mortgaged (1) or not (0)."""
    if state.mortgaged[lot] == mortgaged:
        return
    if state.extras.redeem_offer:
        end_redeem_offer(state, lot)
    state.group_mortgaged[state.board.group[lot]] += mortgaged - state.mortgaged[lot]
    state.mortgaged[lot] = mortgaged
    if mortgaged:
        state.mortgaged_mask |= 1 << lot
    else:
        state.mortgaged_mask &= ~(1 << lot)
        state.extras.last_round[lot] = 0


def end_redeem_offer(state: State, lot: int) -> None:
    """Redeeming the lot costs as much as ever again (row 82)."""
    extras = state.extras
    if lot in extras.redeem_offer:
        place = extras.redeem_offer.index(lot)
        del extras.redeem_offer[place]
        del extras.redeem_price[place]


def owns_group(state: State, group: int, seat: int) -> bool:
    """Whether the seat owns every lot of the group."""
    return state.group_count[group * state.seats + seat] == len(state.board.members[group])
