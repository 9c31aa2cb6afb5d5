"""Whatever chance brings in any rule set can be computed again from the seed, and a change is noticed."""

from __future__ import annotations

import pytest

from magnate.cli.fairness import DRAWS, Draws, Fairness
from magnate.rules.chance import SeededChance
from magnate.rules.loader import load_board, load_ruleset, ruleset_ids
from magnate.rules.simulate import Game
from magnate.rules.state import State
from magnate.rules.vocabulary import (
    AmountDrawn,
    CardDrawn,
    DeedDealt,
    DiceThrown,
    Event,
    OrderDrawn,
    SquareDrawn,
)

CHANCE = SeededChance(b"seed", b"players")
GAMES = {
    "short": ("classic-us", DeedDealt),
    "online": ("online", SquareDrawn),
    "millionaire": ("millionaire-classic", OrderDrawn),
    "ultimate-banking": ("ultimate-banking", CardDrawn),
}
STEPS = 1500


def played(ruleset: str, board: str) -> tuple[Game, State]:
    """Play with chance from a seed; also return the state as it was before the start."""
    rules = load_ruleset(ruleset)
    game = Game(load_board(board), rules, 4, 5, record=True)
    game.draft.chance = CHANCE
    game.start()
    for _ in range(STEPS):
        if game.over:
            break
        game.step()
    return game, State(game.state.board, rules, 4)


def examined(events: list[Event], state: State) -> Fairness:
    """Examine the events of a game."""
    found = Fairness()
    Draws(1, state, CHANCE, found).check(events)
    return found


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_draw_is_computed_again(ruleset: str) -> None:
    """Dice, single dice, cards, deeds, orders, amounts and squares."""
    board, special = GAMES[ruleset]
    game, state = played(ruleset, board)
    found = examined(game.log, state)
    assert found.faults == []
    assert found.checked >= sum(isinstance(event, DRAWS) and event.draw > 0 for event in game.log)
    assert any(isinstance(event, special) for event in game.log)


def test_all_rule_sets_are_covered_by_these() -> None:
    """The others draw nothing but dice, cards and dealt deeds."""
    assert set(ruleset_ids()) - set(GAMES) == {"classic", "computer", "e-banking", "timed"}


def forged(event: Event) -> Event | None:
    """Return the event as somebody else would have liked it."""
    if isinstance(event, DeedDealt):
        return DeedDealt(event.seat, 39 if event.lot != 39 else 37, event.price, event.draw)
    if isinstance(event, OrderDrawn):
        return OrderDrawn(event.order[::-1], event.draw)
    if isinstance(event, AmountDrawn):
        return AmountDrawn(event.seat, event.amount + 50, event.draw)
    if isinstance(event, SquareDrawn):
        return SquareDrawn(event.seat, (event.square + 1) % 40, event.draw)
    if isinstance(event, DiceThrown) and event.second == 0:
        return DiceThrown(event.seat, event.first % 6 + 1, 0, event.purpose, event.draw)
    return None


@pytest.mark.parametrize("ruleset", ["short", "online", "millionaire"])
def test_a_draw_that_was_changed_is_noticed(ruleset: str) -> None:
    """Each kind of draw by itself, wherever it first stands."""
    game, _ = played(ruleset, GAMES[ruleset][0])
    kinds: set[tuple[type[Event], bool]] = set()
    for place, event in enumerate(game.log):
        other = forged(event)
        kind = (type(event), isinstance(event, DiceThrown) and event.second == 0)
        if other is None or kind in kinds:
            continue
        kinds.add(kind)
        found = examined([*game.log[:place], other], State(game.state.board, game.state.rules, 4))
        assert found.faults, other
    assert len(kinds) >= (1 if ruleset == "short" else 2)
