"""The last buildings of the bank (row 60): who wants one says so, one goes under the hammer, it is placed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.deeds import set_level
from magnate.rules.rejections import NOTHING_DUE, Rejection
from magnate.rules.vocabulary import (
    BuildingAuctioned,
    BuildingNotWanted,
    BuildingPlaced,
    BuildingPutUp,
    BuildingReturned,
    BuildingWanted,
    PlaceBuilding,
    ShortageClosed,
    ShortageOpened,
    WantBuilding,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def want_building(draft: Draft, seat: int, command: WantBuilding) -> Rejection | None:
    """Say that one wants one of the last buildings."""
    extras = draft.state.extras
    if extras.shortage_building != command.building or seat not in extras.shortage_asked:
        return Rejection(NOTHING_DUE, "no building is asked about")
    raise NotImplementedError


def place_building(draft: Draft, seat: int, command: PlaceBuilding) -> Rejection | None:  # noqa: ARG001
    """Put the building one won on a lot."""
    if draft.state.extras.placing_seat != seat + 1:
        return Rejection(NOTHING_DUE, "no building waits for its place")
    raise NotImplementedError


def _shortage_opened(state: State, event: ShortageOpened) -> None:
    extras = state.extras
    extras.shortage_building = event.building
    extras.shortage_asked = list(event.seats)
    extras.shortage_wanted = []
    extras.first_wanted = event.first_seat + 1


def _building_wanted(state: State, event: BuildingWanted) -> None:
    extras = state.extras
    extras.shortage_wanted.append(event.seat)
    if event.seat in extras.shortage_asked:
        extras.shortage_asked.remove(event.seat)


def _building_not_wanted(state: State, event: BuildingNotWanted) -> None:
    state.extras.shortage_asked.remove(event.seat)


def _shortage_closed(state: State, _event: ShortageClosed) -> None:
    extras = state.extras
    extras.shortage_building = 0
    extras.shortage_asked = []
    extras.shortage_wanted = []
    extras.first_wanted = 0


def _building_put_up(state: State, event: BuildingPutUp) -> None:
    state.auction = event.auction
    state.auction_count = event.auction
    state.auction_lot = -1


def _building_auctioned(state: State, event: BuildingAuctioned) -> None:
    state.auction = 0
    if event.winner >= 0:
        state.extras.placing_seat = event.winner + 1
        state.extras.placing_building = event.building
        state.extras.placing_price = event.price


def _placing_done(state: State) -> None:
    state.extras.placing_seat = 0
    state.extras.placing_building = 0
    state.extras.placing_price = 0


def _building_placed(state: State, event: BuildingPlaced) -> None:
    set_level(state, event.lot, state.level[event.lot] + 1)
    _placing_done(state)


def _building_returned(state: State, _event: BuildingReturned) -> None:
    _placing_done(state)


FOLDS: Final[Folds] = {
    BuildingWanted: _building_wanted,
    BuildingNotWanted: _building_not_wanted,
    ShortageOpened: _shortage_opened,
    ShortageClosed: _shortage_closed,
    BuildingPutUp: _building_put_up,
    BuildingAuctioned: _building_auctioned,
    BuildingPlaced: _building_placed,
    BuildingReturned: _building_returned,
}
