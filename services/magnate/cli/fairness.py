"""Recomputes every throw and every draw of a card from the seed that was revealed at the end.

The seed's hash was published before the first seat was taken, and the players' own bytes go into each draw:
so neither the server nor a player can have chosen what came.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from magnate.game.domain.table import mixed_entropy
from magnate.game.fold import GameFold
from magnate.game.v1 import game_pb2
from magnate.game.vocabulary_codec import decode_event
from magnate.kit.log.commit import RULES
from magnate.rules.chance import SeededChance
from magnate.rules.evolve import EVOLVE
from magnate.rules.state import State
from magnate.rules.vocabulary import CardDrawn, DiceThrown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.state import GameState
    from magnate.kit.log.commit import ParsedCommit
    from magnate.rules.chance import Chance


class Fairness:
    """What came of it. `checked` draws were recomputed; `faults` says where one differs, empty if none does.

    `known` is False while the seed is secret, and for sandbox tables, whose chance is scripted.
    """

    def __init__(self) -> None:
        self.known = False
        self.checked = 0
        self.faults: list[str] = []

    @property
    def ok(self) -> bool | None:
        """Return whether all was fair; None while it cannot be known."""
        return not self.faults if self.known else None


def check_fairness(commits: Sequence[ParsedCommit], final: GameState) -> Fairness:
    """Fold the game again, and before each draw compute what it must be."""
    found = Fairness()
    table = final.table
    if table.sandbox is not None or not table.revealed_seed:
        return found
    found.known = True
    if sha256(table.revealed_seed).digest() != table.seed_hash:
        found.faults.append("the revealed seed is not the one whose hash was published")
        return found
    chance = SeededChance(table.revealed_seed, mixed_entropy(table.entropies))
    fold = GameFold()
    state = fold.initial(final.game_id)
    for commit in commits:
        section = commit.section(RULES)
        if section is not None:
            _check_section(commit, section.body, state, chance, found)
        state = fold.apply(state, commit)
    return found


def _check_section(
    commit: ParsedCommit, body: bytes, before: GameState, chance: Chance, found: Fairness
) -> None:
    events = [decode_event(message) for message in game_pb2.RulesSection.FromString(body).events]
    if not any(isinstance(event, DiceThrown | CardDrawn) for event in events):
        return
    rules = _rules_before(before)
    for event in events:
        if isinstance(event, DiceThrown):
            _expect_draw(commit, event.draw, rules, found)
            thrown = (event.first, event.second)
            must = chance.throw(event.draw)
            if thrown != must:
                found.faults.append(f"version {commit.version}: dice {thrown}, the seed gives {must}")
            found.checked += 1
        elif isinstance(event, CardDrawn) and event.draw > 0:
            _expect_draw(commit, event.draw, rules, found)
            must_card = chance.card(event.draw, event.deck, rules.unseen[event.deck])
            if event.card != must_card:
                where = f"version {commit.version}: card {event.card} of deck {event.deck}"
                found.faults.append(f"{where}, the seed gives {must_card}")
            found.checked += 1
        EVOLVE[type(event)](rules, event)


def _expect_draw(commit: ParsedCommit, draw: int, rules: State, found: Fairness) -> None:
    if draw != rules.draws + 1:
        found.faults.append(f"version {commit.version}: draw {draw} follows draw {rules.draws}")


def _rules_before(state: GameState) -> State:
    """Return a copy of the rules' state; an empty one before the game started in the same commit."""
    if state.rules is not None:
        return state.rules.copy()
    opened = state.table
    assert opened.board is not None
    assert opened.ruleset is not None
    return State(opened.board, opened.ruleset, len(opened.names))
