"""Which chance a game draws from: the seed and what the players added, or a sandbox's script."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from magnate.game.domain.table import mixed_entropy
from magnate.game.state import AMOUNTS, DEALS, SQUARES
from magnate.rules.chance import Chance, ScriptedChance, SeededChance

if TYPE_CHECKING:
    from magnate.game.state import GameState


CHANCES_CACHED_MAX: Final = 4096


@lru_cache(CHANCES_CACHED_MAX)
def _seeded(seed: bytes, entropies: tuple[bytes, ...]) -> SeededChance:
    """Return the chance of a game, made once: it depends on nothing else."""
    return SeededChance(seed, mixed_entropy(entropies))


def chance_of(state: GameState) -> Chance:
    """Return the chance of this game, where it is now."""
    sandbox = state.table.sandbox
    if sandbox is None:
        return _seeded(state.table.seed, tuple(state.table.entropies))
    board = state.table.board
    decks = 0 if board is None else len(board.decks)
    cards = [[one.card for one in sandbox.cards if one.deck == deck] for deck in range(decks)]
    left = [deck[state.cards_used.get(number, 0) :] for number, deck in enumerate(cards)]
    used = state.script_used
    return ScriptedChance(
        sandbox.dice[state.throws_used :],
        left,
        [],
        sandbox.amounts[used[AMOUNTS] :],
        sandbox.squares[used[SQUARES] :],
        sandbox.deals[used[DEALS] :],
        list(sandbox.drawn_seats),
    )
