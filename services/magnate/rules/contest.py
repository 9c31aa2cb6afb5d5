"""When several want the last buildings of the bank (row 60), and who they are.

Everybody who wants one declares one; a building is contested when what a command takes and one for each other
seat that could place it are together more than the bank has. A seat can place a building if its options, its
groups and its money for the least bid allow one more of that kind somewhere; the turn does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.buildings import places_for
from magnate.rules.choices import FIRST_BID_DEED_PRICE
from magnate.rules.vocabulary import BUILDING_HOTEL, BUILDING_HOUSE

if TYPE_CHECKING:
    from magnate.rules.state import State

MINIMUM: Final = 1


def stock_of(state: State, building: int) -> int:
    """How many of the kind the bank has."""
    return state.hotels_left if building == BUILDING_HOTEL else state.houses_left


def contested(state: State, seat: int, houses: int, hotels: int, asked: int) -> int:
    """The kind (BUILDING_…) of which taking so many is contested, or 0; kinds up to `asked` are settled."""
    for building in (BUILDING_HOUSE, BUILDING_HOTEL):
        taken = hotels if building == BUILDING_HOTEL else houses
        stock = stock_of(state, building)
        if building > asked and taken > 0 and taken + state.alive - 1 > stock:
            others = rivals(state, seat, building)
            if others and taken + len(others) > stock:
                return building
    return 0


def rivals(state: State, seat: int, building: int) -> list[int]:
    """The other seats that could take one of the last buildings of the kind, in turn order from the seat."""
    order = state.order
    start = order.index(seat)
    able = [other for other in order[start:] + order[:start] if can_place(state, other, building)]
    least = least_bid(state, able, building)
    return [other for other in able if other != seat and state.available(other) >= least]


def can_place(state: State, seat: int, building: int) -> bool:
    """Whether the seat could put one more of the kind somewhere, and owes nothing."""
    if state.out[seat] or (state.debts and state.in_debt(seat)):
        return False
    return bool(places_for(state, seat, building))


def least_bid(state: State, seats: list[int], building: int) -> int:
    """The least first bid: the lowest deed price at which one of the seats could place it, or anything."""
    if state.rules.build_shortage_start != FIRST_BID_DEED_PRICE:
        return MINIMUM
    least = 0
    for seat in seats:
        for lot in places_for(state, seat, building):
            price = state.board.house_cost[state.board.group[lot]]
            if least == 0 or price < least:
                least = price
    return max(least, MINIMUM)
