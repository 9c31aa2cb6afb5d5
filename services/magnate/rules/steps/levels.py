"""Rent levels (row 35): where a board has them, a lot's rent is that of its level, 1 to 5."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import RentLevelSet, RentsCapped

if TYPE_CHECKING:
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def _rent_level_set(state: State, event: RentLevelSet) -> None:
    state.extras.rent_level[event.lot] = event.level


def _rents_capped(state: State, event: RentsCapped) -> None:
    state.extras.cap_level = event.level if event.payments else 0
    state.extras.cap_left = event.payments


FOLDS: Final[Folds] = {RentLevelSet: _rent_level_set, RentsCapped: _rents_capped}
