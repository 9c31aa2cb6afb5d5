"""Game time (rows 12, 36, 85): the board's time rules by the minute, and the agreed time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.vocabulary import TimeRuleEntered, TimeUp

if TYPE_CHECKING:
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def _time_rule_entered(state: State, event: TimeRuleEntered) -> None:
    state.extras.time_rule = event.rule


def _time_up(state: State, _event: TimeUp) -> None:
    state.extras.time_up = 1


FOLDS: Final[Folds] = {TimeRuleEntered: _time_rule_entered, TimeUp: _time_up}
