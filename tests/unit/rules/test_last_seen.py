"""A game that was checked is checked again as soon as anything changed that the check reads."""

from __future__ import annotations

from functools import partial
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

import pytest

from magnate.rules.extras import LISTS as EXTRA_LISTS
from magnate.rules.extras import NUMBERS as EXTRA_NUMBERS
from magnate.rules.invariants import check_cards, check_deeds, check_things
from magnate.rules.last_seen import LastSeen
from magnate.rules.loader import load_board, load_ruleset, ruleset_ids
from magnate.rules.simulate import Game
from magnate.rules.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# What is of another kind than a number, a list of numbers or a list of such lists.
OTHER = {"board", "debts", "extras", "offers", "rules"}
FIELDS = sorted(
    name
    for name, value in vars(State).items()  # compiled, a class has no __slots__
    if isinstance(value, MemberDescriptorType | GetSetDescriptorType)
    if not name.startswith("__") and name not in OTHER
)


def middle(ruleset: str) -> State:
    """A game of four under way."""
    rules = load_ruleset(ruleset)
    game = Game(load_board(rules.board), rules, 4, seed=5)
    game.start()
    for _ in range(150):
        if not game.over:
            game.step()
    return game.state


def changed(value: Any) -> Iterator[Any]:
    """The value with one number in it changed, for every place and one up or down; and shorter."""
    if isinstance(value, int):
        yield from (value + 1, value - 1)
        return
    for place, one in enumerate(value):
        for other in changed(one):
            yield [*value[:place], other, *value[place + 1 :]]
    if value:
        yield value[:-1]


def spoilt(state: State) -> Iterator[tuple[str, State]]:
    """The game with one thing changed."""
    for name in FIELDS:
        for value in changed(getattr(state, name)):
            made = state.copy()
            setattr(made, name, value)
            yield name, made
    for name in (*EXTRA_NUMBERS, *EXTRA_LISTS):
        for value in changed(getattr(state.extras, name)):
            made = state.copy()
            setattr(made.extras, name, value)
            yield name, made


def says(check: Callable[[], list[str]]) -> str:
    """What the check says, or that it cannot even read the game."""
    try:
        return "; ".join(check())
    except (AssertionError, IndexError, ValueError) as error:
        return repr(error)


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_whatever_the_check_reads_is_remembered(ruleset: str) -> None:
    """No change that the check objects to passes as none; and what is remembered may stay as it is."""
    state = middle(ruleset)
    seen = LastSeen()
    assert not seen.same_deeds(state)
    assert not seen.same_cards(state)
    seen.keep_deeds(state)
    seen.keep_cards(state)
    assert check_things(state) == []
    for again in (state, state.copy()):
        assert seen.same_deeds(again)
        assert seen.same_cards(again)
    objections = 0
    for name, made in spoilt(state):
        if says(partial(check_deeds, made)):
            objections += 1
            assert not seen.same_deeds(made), name
        if says(partial(check_cards, made)):
            objections += 1
            assert not seen.same_cards(made), name
    assert objections > 200
