"""Which building levels one command can reach: exact, by looking at every even result (rows 51 to 63).

A command that builds or sells in several groups at once is not listed as such; it is accepted when each part
would be and money and stock suffice for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.buildings import (
    first_price,
    houses_free,
    is_even,
    levels_allowed,
    may_stand,
    resale,
    skips_houses,
    sold_apart,
)
from magnate.rules.choices import PER_TURN_UNLIMITED

if TYPE_CHECKING:
    from magnate.rules.state import State

UNEVEN_GROUP_MAX: Final = 4
"""Where building need not be even, groups with more lots are looked at one lot at a time."""


class Reach:
    """What one command can do in a group: by place in `members`, the levels (bits) with others, and alone."""

    __slots__ = ("alone", "any", "together")

    def __init__(self, size: int) -> None:
        self.together: list[int] = [0] * size
        self.alone: list[int] = [0] * size
        self.any = False


def reach_up(state: State, seat: int, group: int, money: int) -> Reach:
    """The levels that building can reach in a group that the seat may build on, with so much money."""
    return _reach(state, seat, group, 1, money)


def reach_down(state: State, seat: int, group: int) -> Reach:
    """The levels that selling can reach on the seat's lots of a group."""
    return _reach(state, seat, group, -1, 0)


def can_build(state: State, seat: int, money: int) -> bool:
    """Whether the seat can build anything anywhere."""
    full = state.full[seat]
    group = 0
    while full:
        if full & 1 and state.group_mortgaged[group] == 0 and _can_build_in(state, seat, group, money):
            return True
        full >>= 1
        group += 1
    return False


def _can_build_in(state: State, seat: int, group: int, money: int) -> bool:
    if money < first_price(state, seat, group):
        return False
    members = state.board.members[group]
    hotel = state.hotel_level
    size = len(members)
    if state.group_buildings[group] == size * hotel:
        return False
    rules = state.rules
    if rules.build_per_turn != PER_TURN_UNLIMITED and levels_allowed(state, seat, group) == 0:
        return False
    low = high = state.level[members[0]]
    for lot in members:
        level = state.level[lot]
        if level < low:
            low = level
        elif level > high:
            high = level
    if high - low <= 1:
        if low + 1 == hotel:
            return state.hotels_left > 0
        if state.houses_left > 0:
            return True
        if rules.build_even and not rules.build_hotel_without_houses:
            # only a row of hotels could give houses back in the same command
            more = size * (hotel - 1) - state.group_buildings[group]
            price = first_price(state, seat, group) + more * state.board.house_cost[group]
            if state.hotels_left == 0 or money < price:
                return False
    return _reach(state, seat, group, 1, money).any


def _reach(state: State, seat: int, group: int, direction: int, money: int) -> Reach:
    members = state.board.members[group]
    size = len(members)
    reach = Reach(size)
    hotel = state.hotel_level
    levels = state.level.copy()
    if state.rules.build_even and not state.rules.build_hotel_without_houses:
        for base in range(hotel):
            for raised in range(1 << size):
                for place, lot in enumerate(members):
                    levels[lot] = base + (raised >> place & 1)
                _consider(state, seat, group, levels, direction, money, reach)
    elif size <= UNEVEN_GROUP_MAX:
        for code in range((hotel + 1) ** size):
            rest = code
            for lot in members:
                levels[lot] = rest % (hotel + 1)
                rest //= hotel + 1
            _consider(state, seat, group, levels, direction, money, reach)
    else:
        for lot in members:
            for level in range(hotel + 1):
                levels[lot] = level
                _consider(state, seat, group, levels, direction, money, reach)
            levels[lot] = state.level[lot]
    return reach


def _consider(
    state: State, seat: int, group: int, levels: list[int], direction: int, money: int, reach: Reach
) -> None:
    """Note a result of one command if it can be had."""
    hotel = state.hotel_level
    members = state.board.members[group]
    changed = steps = houses = hotels = 0
    for lot in members:
        level = levels[lot]
        was = state.level[lot]
        if level == was:
            continue
        step = (level - was) * direction
        if step < 0 or state.owner[lot] != seat:
            return
        changed += 1
        steps += step
        houses += (level if level < hotel else 0) - (was if was < hotel else 0)
        hotels += (1 if level == hotel else 0) - (1 if was == hotel else 0)
    if changed == 0 or hotels > state.hotels_left:
        return
    if direction > 0:
        if houses > state.houses_left or not _may_go_up(state, seat, group, levels, steps, money):
            return
    elif (
        houses > houses_free(state)
        or sold_apart(state, levels, group)
        or (state.rules.build_even and not is_even(state, levels, group))
    ):
        return
    reach.any = True
    for place, lot in enumerate(members):
        if levels[lot] != state.level[lot]:
            reach.together[place] |= 1 << levels[lot]
            if changed == 1:
                reach.alone[place] |= 1 << levels[lot]


def _may_go_up(state: State, seat: int, group: int, levels: list[int], steps: int, money: int) -> bool:
    rules = state.rules
    price = first_price(state, seat, group) + (steps - 1) * state.board.house_cost[group]
    if price > money or not may_stand(state, levels, group):
        return False
    if rules.build_per_turn != PER_TURN_UNLIMITED and steps > levels_allowed(state, seat, group):
        return False
    return not skips_houses(state, levels, group)


def level_price(state: State, group: int) -> int:
    """What one level costs."""
    return state.board.house_cost[group]


def level_resale(state: State, group: int) -> int:
    """What the bank pays for one level; several together may come to one unit more, it is rounded once."""
    return resale(state, state.board.house_cost[group])
