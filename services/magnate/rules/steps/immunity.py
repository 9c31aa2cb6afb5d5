"""Free visits of a lot, agreed on in a deal (row 64): granted, used up, ended with the lot's owner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import LotPass, PassChanged, PassGranted

if TYPE_CHECKING:
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


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
