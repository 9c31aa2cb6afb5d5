"""`evolve(state, event)`: what a fact does to the state. It never decides, never draws, never reads a rule.

The folds stand in the step files, beside the steps that emit their events; here they are collected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import position
from magnate.rules.steps import (
    auction,
    bankrupt,
    build,
    buy,
    card,
    choice,
    claim,
    clock,
    debt,
    delivery,
    end,
    give_back,
    immunity,
    jackpot,
    jail,
    kept,
    land,
    levels,
    loan,
    mortgage,
    move,
    place,
    pots,
    rent,
    roll,
    shortage,
    start,
    term,
    trade,
    turn,
)
from magnate.rules.vocabulary import EVENT_KINDS, Event

if TYPE_CHECKING:
    from magnate.rules.folds import Fold, Folds
    from magnate.rules.state import State

_COLLECTED: Final[list[Folds]] = [
    start.FOLDS, turn.FOLDS, roll.FOLDS, move.FOLDS, land.FOLDS, rent.FOLDS, buy.FOLDS, auction.FOLDS,
    jail.FOLDS, card.FOLDS, choice.FOLDS, debt.FOLDS, build.FOLDS, mortgage.FOLDS, trade.FOLDS,
    bankrupt.FOLDS, end.FOLDS, position.FOLDS, claim.FOLDS, clock.FOLDS, give_back.FOLDS, immunity.FOLDS,
    jackpot.FOLDS, kept.FOLDS, levels.FOLDS, loan.FOLDS, pots.FOLDS, shortage.FOLDS, place.FOLDS,
    term.FOLDS, delivery.FOLDS,
]  # fmt: skip


def _collect() -> dict[type[Event], Fold]:
    folds: dict[type[Event], Fold] = {}
    for part in _COLLECTED:
        for kind, fold in part.items():
            assert kind not in folds, f"{kind.__name__} is folded twice"
            folds[kind] = fold
    missing = [kind.__name__ for kind in EVENT_KINDS if kind not in folds]
    assert not missing, f"no fold for {missing}"
    return folds


EVOLVE: Final[dict[type[Event], Fold]] = _collect()


def evolve(state: State, event: Event) -> None:
    """Apply one event in place."""
    EVOLVE[type(event)](state, event)
