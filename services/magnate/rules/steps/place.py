"""Placing a building that was won at auction (row 60), or giving it back when it fits nowhere any more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.buildings import places_for
from magnate.rules.decision import BANK
from magnate.rules.deeds import set_level
from magnate.rules.offers import void_lots
from magnate.rules.rejections import Rejection
from magnate.rules.steps.build import lots_of_groups
from magnate.rules.vocabulary import (
    BUILDING_HOTEL,
    TRANSFER_REASON_AUCTION,
    BuildingPlaced,
    BuildingReturned,
    PlaceBuilding,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def place_building(draft: Draft, seat: int, command: PlaceBuilding) -> Rejection | None:
    """Put the building one won on a lot.

    NOTHING_DUE, UNKNOWN_LOT, NOT_OWNER, GROUP_INCOMPLETE, GROUP_MORTGAGED, MAX_BUILDINGS, INVALID_TARGET (a
    building of the other kind comes next), UNEVEN_BUILDING.
    """
    state = draft.state
    extras = state.extras
    if extras.placing_seat != seat + 1:
        return Rejection(rejections.NOTHING_DUE, "no building waits for its place")
    lot = command.lot
    if not 0 <= lot < state.board.size or state.board.group[lot] < 0:
        return Rejection(rejections.UNKNOWN_LOT)
    if lot not in places_for(state, seat, extras.placing_building):
        return Rejection(_unfit(state, seat, lot))
    draft.emit(BuildingPlaced(seat, extras.placing_building, lot))
    if state.offers:
        void_lots(draft, lots_of_groups(state.board, 1 << state.board.group[lot]))
    return None


def _unfit(state: State, seat: int, lot: int) -> str:
    """Why the building cannot stand on this lot."""
    group = state.board.group[lot]
    level = state.level[lot] + 1
    if state.owner[lot] != seat:
        return rejections.NOT_OWNER
    if not state.full[seat] >> group & 1:
        return rejections.GROUP_INCOMPLETE
    if state.group_mortgaged[group]:
        return rejections.GROUP_MORTGAGED
    if level > state.hotel_level:
        return rejections.MAX_BUILDINGS
    if (level == state.hotel_level) != (state.extras.placing_building == BUILDING_HOTEL):
        return rejections.INVALID_TARGET
    return rejections.UNEVEN_BUILDING


def give_back(draft: Draft) -> None:
    """The building that was won goes back to the bank, and its price to the winner."""
    extras = draft.state.extras
    seat = extras.placing_seat - 1
    price = extras.placing_price
    draft.emit(BuildingReturned(seat, extras.placing_building, price))
    draft.pay(BANK, seat, price, TRANSFER_REASON_AUCTION)


def _placing_done(state: State) -> None:
    state.extras.placing_seat = 0
    state.extras.placing_building = 0
    state.extras.placing_price = 0


def _building_placed(state: State, event: BuildingPlaced) -> None:
    set_level(state, event.lot, state.level[event.lot] + 1)
    _placing_done(state)


def _building_returned(state: State, _event: BuildingReturned) -> None:
    _placing_done(state)


FOLDS: Final[Folds] = {BuildingPlaced: _building_placed, BuildingReturned: _building_returned}
