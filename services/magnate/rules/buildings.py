"""What the options say about buildings: evenness, hotels, stock, limits, and what a level is worth.

Rows 53 to 63, contradictions C6, C7, C10, C39, C40. Building, selling, debts, legal actions and the
invariants all ask here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import (
    HOTEL_SALE_FULL_STACK,
    HOTEL_SALE_HOUSES_ONLY,
    PER_TURN_ONE,
    PER_TURN_UNLIMITED,
    SCOPE_LOT,
)
from magnate.rules.vocabulary import BUILDING_HOTEL, BUILDING_HOUSE

if TYPE_CHECKING:
    from magnate.rules.state import State

NO_LIMIT: Final = 1 << 20
"""More levels than any group has."""


def is_even(state: State, levels: list[int], group: int) -> bool:
    """Whether the lots of the group differ by one building at most (row 54).

    Where a hotel may go up without its last house (build.hotel_without_houses) it counts as its houses.
    """
    most = state.hotel_level - 1 if state.rules.build_hotel_without_houses else state.hotel_level
    return _spread(state, levels, group, most) <= 1


def may_stand(state: State, levels: list[int], group: int) -> bool:
    """Whether what goes up in a group is even, and no hotel stands too early (rows 54, 56, C39).

    A new hotel needs all houses on every lot of the group, or on its own lot only (build.hotel_needs). It may
    go up one house early, by build.hotel_without_houses, when the bank has too few for all of them.
    """
    rules = state.rules
    hotel = state.hotel_level
    new = _new_hotel(state, levels, group)
    free = rules.build_hotel_without_houses and (
        not new or houses_between(state, levels, group) > state.houses_left
    )
    if rules.build_even:
        return _spread(state, levels, group, hotel - 1 if free else hotel) <= 1
    if not new or rules.build_hotel_needs == SCOPE_LOT:
        return True
    low = hotel
    for lot in state.board.members[group]:
        low = min(low, levels[lot])
    return low >= (hotel - 2 if free else hotel - 1)


def _spread(state: State, levels: list[int], group: int, most: int) -> int:
    """How far the lots of the group are apart; more than `most` buildings count as `most`."""
    members = state.board.members[group]
    low = high = min(levels[members[0]], most)
    for lot in members:
        level = min(levels[lot], most)
        low = min(low, level)
        high = max(high, level)
    return high - low


def _new_hotel(state: State, levels: list[int], group: int) -> bool:
    hotel = state.hotel_level
    for lot in state.board.members[group]:  # noqa: SIM110 - a generator costs more than the loop
        if levels[lot] == hotel > state.level[lot]:
            return True
    return False


def houses_between(state: State, levels: list[int], group: int) -> int:
    """How many houses the bank must have so that new hotels can go up house by house; 0 without new hotels.

    That all the other lots need, too, where a hotel needs the whole group; else what one hotel needs, which
    then gives back more than the next one takes.
    """
    hotel = state.hotel_level
    needed = 0
    least = NO_LIMIT
    for lot in state.board.members[group]:
        missing = max(0, hotel - 1 - state.level[lot])
        needed += missing
        if levels[lot] == hotel > state.level[lot]:
            least = min(least, missing)
    if least == NO_LIMIT:
        return 0
    return least if _stands_alone(state) else needed


def skips_houses(state: State, levels: list[int], group: int) -> bool:
    """Whether a hotel would go up on a lone lot without houses that the bank has not (case C019).

    Where a hotel needs the whole group the stock after the command decides, as everywhere (row 59): all lots
    come up together, or none.
    """
    if state.rules.build_hotel_without_houses or not _stands_alone(state):
        return False
    return houses_between(state, levels, group) > state.houses_left


def _stands_alone(state: State) -> bool:
    return not state.rules.build_even and state.rules.build_hotel_needs == SCOPE_LOT


def sold_apart(state: State, levels: list[int], group: int) -> bool:
    """Whether some hotels of the group would be sold and others not, where that is not allowed (row 62)."""
    if not state.rules.build_hotels_sold_together:
        return False
    hotel = state.hotel_level
    sold = left = False
    for lot in state.board.members[group]:
        if levels[lot] == hotel:
            left = True
        elif state.level[lot] == hotel:
            sold = True
    return sold and left


def levels_allowed(state: State, seat: int, group: int) -> int:
    """How many levels the seat may still build in the group in this turn (row 53, C10)."""
    rule = state.rules.build_per_turn
    if rule == PER_TURN_UNLIMITED:
        return NO_LIMIT
    if rule == PER_TURN_ONE:
        return 0 if state.extras.built_any >> seat & 1 else 1
    return 0 if state.extras.built_groups >> group & 1 else 1


def discount(state: State, seat: int, price: int) -> int:
    """What a card takes off a level of this price, the first of the seat's next building command."""
    return price * state.extras.discount[seat] // 100


def first_price(state: State, seat: int, group: int) -> int:
    """What the next level in the group costs the seat."""
    price = state.board.house_cost[group]
    return price - price * state.extras.discount[seat] // 100


def worth(state: State, lot: int, level: int) -> int:
    """The price that counts when a built lot is sold down to `level` (C7); the bank pays a share of it.

    A hotel that leaves houses behind counts as itself and the houses that go with it (row 63); sold whole it
    counts as the option says.
    """
    before = state.level[lot]
    levels = before - level
    rule = state.rules.build_hotel_sale
    if rule != HOTEL_SALE_FULL_STACK and level == 0 and before == state.hotel_level:
        levels = before - 1 if rule == HOTEL_SALE_HOUSES_ONLY else 1
    return levels * state.board.house_cost[state.board.group[lot]]


def resale(state: State, price: int) -> int:
    """What the bank pays for buildings that cost `price` (C6)."""
    return price * state.rules.build_sell_percent // 100


def buildings_worth(state: State, seat: int) -> int:
    """What counts when the seat sells all its buildings in one command."""
    total = 0
    if state.built[seat]:
        for lot in state.board.streets:
            if state.owner[lot] == seat and state.level[lot]:
                total += worth(state, lot, 0)
    return total


def buildings_raise(state: State, seat: int) -> int:
    """What counts when the seat sells all its buildings, hotels down to a house first where that counts more.

    For that the bank must have the houses that stay when all lots of a group come down to one (row 59).
    """
    total = buildings_worth(state, seat)
    if state.rules.build_hotel_sale == HOTEL_SALE_FULL_STACK or state.built[seat] == 0:
        return total
    hotel = state.hotel_level
    for group, members in enumerate(state.board.members):
        more = needed = 0
        for lot in members:
            if state.owner[lot] != seat or state.level[lot] == 0:
                continue
            needed += 1
            if state.level[lot] == hotel:
                more += hotel * state.board.house_cost[group] - worth(state, lot, 0)
            else:
                needed -= state.level[lot]
        if needed <= houses_free(state):
            total += more
    return total


def houses_free(state: State) -> int:
    """The houses the bank can give for a hotel: one that is under the hammer or won is spoken for."""
    extras = state.extras
    if extras.shortage_building == BUILDING_HOUSE and (
        extras.placing_seat or (state.auction and state.auction_lot < 0)
    ):
        return state.houses_left - 1
    return state.houses_left


def places_for(state: State, seat: int, building: int) -> list[int]:
    """The lots on which the seat can put one more building of the kind, money and moment aside."""
    found: list[int] = []
    full = state.full[seat]
    if not full:
        return found
    hotel = state.hotel_level
    if (state.hotels_left if building == BUILDING_HOTEL else state.houses_left) <= 0:
        return found
    levels = state.level.copy()
    for group, members in enumerate(state.board.members):
        if not full >> group & 1 or state.group_mortgaged[group]:
            continue
        for lot in members:
            level = levels[lot] + 1
            if level > hotel or (level == hotel) != (building == BUILDING_HOTEL):
                continue
            levels[lot] = level
            if may_stand(state, levels, group):
                found.append(lot)
            levels[lot] = level - 1
    return found
