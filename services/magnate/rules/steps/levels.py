"""Rent levels (row 35): where a board has them, a lot's rent is that of its level, 1 to 5.

A lot has a level while a seat owns it: 1 when it comes from the bank, and it travels with the lot from seat
to seat (`deeds.set_owner`). What raises it is said by options: a rent paid, its owner landing on it, a group
completed; cards raise and lower it. Own reading: a visitor is charged the present level and the level rises
with the charge, also when it becomes a debt.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import NOBODY
from magnate.rules.deeds import owns_group
from magnate.rules.vocabulary import RentLevelSet, RentsCapped

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

LEVEL_MIN: Final = 1


def rent(state: State, lot: int) -> int:
    """The rent of a street by its level, or by the level at which rents are capped now."""
    extras = state.extras
    level = extras.cap_level if extras.cap_left else extras.rent_level[lot]
    rents = state.board.rents[lot]
    return rents[min(level, len(rents)) - 1]


def after_rent(draft: Draft, lot: int) -> None:
    """A visitor was charged: a cap is used once, and the level rises if the rule set says so."""
    state = draft.state
    extras = state.extras
    if extras.cap_left:
        draft.emit(RentsCapped(extras.cap_level, extras.cap_left - 1))
    if state.rules.rent_level_rises_paid:
        change(draft, lot, 1)


def after_own_landing(draft: Draft, lot: int) -> None:
    """The owner came to his own lot."""
    if draft.state.rules.rent_level_rises_own:
        change(draft, lot, 1)


def after_acquiring(draft: Draft, lots: list[int]) -> None:
    """Lots came to new owners: a group that this completes rises by one, all its lots (row 26)."""
    state = draft.state
    if state.board.rent_levels == 0 or not state.rules.rent_level_rises_set:
        return
    risen = 0
    for lot in lots:
        group = state.board.group[lot]
        owner = state.owner[lot]
        if owner != NOBODY and not risen >> group & 1 and owns_group(state, group, owner):
            risen |= 1 << group
            for member in state.board.members[group]:
                change(draft, member, 1)


def change(draft: Draft, lot: int, delta: int) -> None:
    """Move the level of an owned lot, within 1 and the highest."""
    put(draft, lot, draft.state.extras.rent_level[lot] + delta)


def put(draft: Draft, lot: int, level: int) -> None:
    """Give an owned lot a level, the nearest there is; a lot without one keeps none."""
    state = draft.state
    before = state.extras.rent_level[lot]
    if level > state.board.rent_levels:
        level = state.board.rent_levels
    elif level < LEVEL_MIN:
        level = LEVEL_MIN
    if before and level != before:
        draft.emit(RentLevelSet(lot, level))


def _rent_level_set(state: State, event: RentLevelSet) -> None:
    state.extras.rent_level[event.lot] = event.level


def _rents_capped(state: State, event: RentsCapped) -> None:
    state.extras.cap_level = event.level if event.payments else 0
    state.extras.cap_left = event.payments


FOLDS: Final[Folds] = {RentLevelSet: _rent_level_set, RentsCapped: _rents_capped}
