"""How a step file hands over its folds: a dict from the event's class to the function that applies it.

    FOLDS: Folds = {DiceThrown: fold_dice_thrown, …}

A fold takes the state and the event and changes the state: it never decides, never draws, never reads the
rule set or anybody's cash. `evolve` collects the dicts of all step files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from magnate.rules.state import State
from magnate.rules.vocabulary import Event

Fold: TypeAlias = Callable[[State, Any], None]
Folds: TypeAlias = dict[type[Event], Fold]


def nothing(_state: State, _event: Event) -> None:
    """Fold an event that only explains; what it is about moved with other events or with the ledger."""
