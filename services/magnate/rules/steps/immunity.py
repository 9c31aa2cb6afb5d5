"""Free visits of a lot by a deal (row 64): granted, used up by landing, ended with the lot's owner.

A pass is its seat's own: it cannot be dealt on. It counts visits for which rent would be due, and ends when
the lot changes hands (`deeds.set_owner`) or its seat leaves the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.offers import VISITS_TOTAL_MAX
from magnate.rules.vocabulary import LotPass, PassChanged, PassGranted, RentSpared

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State
    from magnate.rules.vocabulary import Immunity


def grant(draft: Draft, granter: int, seat: int, visits: list[Immunity]) -> None:
    """Let a seat visit lots of another freely; visits it has already are added to."""
    for one in visits:
        had = _pass_of(draft.state, seat, one.lot)
        if had is None:
            draft.emit(PassGranted(LotPass(one.lot, granter, seat, one.visits)))
        else:
            draft.emit(PassChanged(one.lot, seat, min(had.visits + one.visits, VISITS_TOTAL_MAX)))


def spared(draft: Draft, payer: int, lot: int) -> bool:
    """Use up one of the visitor's free visits, if he has any: whether no rent is due."""
    had = _pass_of(draft.state, payer, lot)
    if had is None:
        return False
    draft.emit(RentSpared(payer, had.owner, lot))
    draft.emit(PassChanged(lot, payer, had.visits - 1))
    return True


def _pass_of(state: State, seat: int, lot: int) -> LotPass | None:
    for one in state.extras.passes:
        if one.lot == lot and one.seat == seat:
            return one
    return None


def _pass_granted(state: State, event: PassGranted) -> None:
    state.extras.passes.append(event.granted)


def _pass_changed(state: State, event: PassChanged) -> None:
    passes = state.extras.passes
    for place, one in enumerate(passes):
        if one.lot == event.lot and one.seat == event.seat:
            if event.visits:
                passes[place] = LotPass(one.lot, one.owner, one.seat, event.visits)
            else:
                del passes[place]
            return


FOLDS: Final[Folds] = {PassGranted: _pass_granted, PassChanged: _pass_changed}
