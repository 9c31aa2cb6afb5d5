"""The jackpot (row 41): a machine of three columns, or a bet on the faces of a die."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.folds import nothing
from magnate.rules.rejections import NO_CHOICE_PENDING, Rejection
from magnate.rules.vocabulary import QUESTION_STAKE, JackpotPlayed, Stake, StakePlaced

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds


def stake(draft: Draft, seat: int, command: Stake) -> Rejection | None:  # noqa: ARG001
    """Play at the jackpot one stands on."""
    if draft.state.extras.question != QUESTION_STAKE:
        return Rejection(NO_CHOICE_PENDING)
    raise NotImplementedError


FOLDS: Final[Folds] = {StakePlaced: nothing, JackpotPlayed: nothing}
