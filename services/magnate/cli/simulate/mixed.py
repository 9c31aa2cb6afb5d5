"""House rules drawn at random, so that options meet which nobody thought of together."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from magnate.rules.files.reading import DataError
from magnate.rules.fit import misfit
from magnate.rules.options import INT
from magnate.rules.options_table import OPTIONS
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import with_house_rules

if TYPE_CHECKING:
    from magnate.rules.board import Board
    from magnate.rules.loader import Library
    from magnate.rules.options import Option, Written
    from magnate.rules.ruleset import RuleSet

OPTIONS_MAX: Final = 30
SCARCE_ONE_IN: Final = 4
SCARCE: Final = "title: Hardly any buildings\nsupply: {houses: 5, hotels: 2}\n"
"""Bots that choose at random build so little that the bank never runs out otherwise."""

_KEPT: Final = ("players.max", "end.turns_max")
"""Options that say how many and how long, which the simulation is told otherwise."""


def scarce(board: Board, library: Library) -> Board:
    """Return the board with hardly any buildings in the bank; the same where that cannot be said."""
    if board.supply_houses == 0:
        return board
    try:
        return library.variant(board.id, SCARCE)
    except DataError:  # it is a variant already
        return board


def plays_scarce(seed: str) -> bool:
    """Say whether the game of this seed is played so."""
    return Random(f"{seed} board").randrange(SCARCE_ONE_IN) == 0  # noqa: S311 - it is to be repeatable


def mixed(base: RuleSet, board: Board, seats: int, seed: str) -> RuleSet:
    """Return the rule set with some options changed: whatever is played, contradicts nothing and fits."""
    random = Random(seed)  # noqa: S311 - it is to be repeatable
    house: dict[str, Written] = {}
    rules = base
    open_to_choice = [option for option in OPTIONS if option.name not in _KEPT]
    for option in random.sample(open_to_choice, random.randint(1, OPTIONS_MAX)):
        more = {**house, option.name: option.written(_value(option, random))}
        made = with_house_rules(base, more)
        if not isinstance(made, Rejection) and not misfit(board, made, seats):
            house, rules = more, made
    return rules


def changes(base: RuleSet, rules: RuleSet) -> list[str]:
    """Return what differs from the base, as `--option` takes it."""
    return [
        f"{option.name}={option.text(value)}"
        for option, before, value in zip(OPTIONS, base.values, rules.values, strict=True)
        if before != value
    ]


def _value(option: Option, random: Random) -> int:
    if option.supported:
        return random.choice(option.supported)
    if option.kind != INT:
        return random.choice([value for value in range(option.maximum + 1) if option.text(value)])
    low, high = option.minimum, option.maximum
    return random.choice((low, high, random.randint(low, high), min(high, low + random.randint(0, 5))))
