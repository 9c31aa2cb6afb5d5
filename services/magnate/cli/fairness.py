"""Recomputes every throw, card, deed, order, amount and square from the seed that was revealed at the end.

The seed's hash was published before the first seat was taken, and the players' own bytes go into each draw:
so neither the server nor a player can have chosen what came.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from magnate.game.domain.table import mixed_entropy
from magnate.game.fold import GameFold
from magnate.game.upcast import rules_events
from magnate.game.vocabulary_codec import decode_event
from magnate.kit.log.commit import RULES
from magnate.rules import purse
from magnate.rules.chance import DIE_FACES, SeededChance
from magnate.rules.choices import START_RANDOM
from magnate.rules.decision import BANK
from magnate.rules.effects import EFFECT_GAIN_RANDOM, EFFECT_PAY_RANDOM
from magnate.rules.evolve import EVOLVE
from magnate.rules.state import State
from magnate.rules.steps.card import drawable
from magnate.rules.steps.start import dealable
from magnate.rules.vocabulary import (
    DICE_PURPOSE_JACKPOT,
    AmountDrawn,
    CardDrawn,
    DeedDealt,
    DiceThrown,
    GameStarted,
    OrderDrawn,
    SquareDrawn,
    StakePlaced,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.state import GameState
    from magnate.kit.log.commit import ParsedCommit
    from magnate.rules.chance import Chance
    from magnate.rules.effects import Effect
    from magnate.rules.vocabulary import Event

DRAWS: Final = (DiceThrown, CardDrawn, OrderDrawn, DeedDealt, AmountDrawn, SquareDrawn)
"""Events that say what chance brought."""


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
            events = [decode_event(one) for one in rules_events(section)]
            if any(isinstance(event, DRAWS) for event in events):
                Draws(commit.version, _rules_before(state), chance, found).check(events)
        state = fold.apply(state, commit)
    return found


class Draws:
    """Events of the rules in order: each is folded into `rules` after the draw in it was recomputed."""

    def __init__(self, version: int, rules: State, chance: Chance, found: Fairness) -> None:
        self._version = version
        self._rules = rules
        self._chance = chance
        self._found = found
        self._amounts: list[Effect] = []  # what the card drawn last draws amounts for
        self._column = 0  # of the jackpot machine

    def check(self, events: list[Event]) -> None:
        """Compare every draw with what the seed gives, and fold."""
        for event in events:
            if isinstance(event, CardDrawn):
                self._card(event)
            elif isinstance(event, DiceThrown | OrderDrawn | DeedDealt | AmountDrawn | SquareDrawn):
                self._other(event)
            elif isinstance(event, StakePlaced):
                self._column = 0
            elif isinstance(event, GameStarted) and self._rules.rules.deal_deeds:
                self._cash()
            EVOLVE[type(event)](self._rules, event)
            if isinstance(event, DeedDealt) and event.price:
                purse.moved(self._rules, event.seat, BANK, event.price)

    def _other(self, event: DiceThrown | OrderDrawn | DeedDealt | AmountDrawn | SquareDrawn) -> None:
        if isinstance(event, OrderDrawn):
            self._order(event)
            return
        self._numbered(event.draw)
        if isinstance(event, DiceThrown):
            self._compare("dice", (event.first, event.second), self._dice(event))
        elif isinstance(event, DeedDealt):
            must = self._chance.deal(event.draw, dealable(self._rules, event.seat))
            self._compare("deed", event.lot, must)
        elif isinstance(event, SquareDrawn):
            self._compare("square", event.square, self._chance.square(event.draw, self._rules.board.size))
        elif self._amounts:
            effect = self._amounts.pop(0)
            must = self._chance.amount(event.draw, effect.minimum, effect.maximum, effect.step)
            self._compare("amount", event.amount, must)
        else:
            self._found.faults.append(f"version {self._version}: no card draws an amount")

    def _card(self, event: CardDrawn) -> None:
        board = self._rules.board
        if event.draw > 0:
            self._numbered(event.draw)
            must = self._chance.card(event.draw, event.deck, drawable(self._rules, event.deck))
            self._compare(f"card of deck {event.deck}", event.card, must)
        effects = board.decks[event.deck].cards[event.card].effects
        self._amounts = [one for one in effects if one.kind in (EFFECT_GAIN_RANDOM, EFFECT_PAY_RANDOM)]

    def _dice(self, event: DiceThrown) -> tuple[int, int]:
        if event.purpose != DICE_PURPOSE_JACKPOT:
            return self._chance.throw(event.draw)
        machine, numbers = self._rules.board.jackpot_machine, self._rules.board.jackpot_numbers
        faces = DIE_FACES
        if machine is not None and self._column < len(machine.reels):
            faces = len(machine.reels[self._column])
        elif numbers is not None:
            faces = numbers.faces
        self._column += 1
        return self._chance.die(event.draw, faces), 0

    def _order(self, event: OrderDrawn) -> None:
        """Who begins may be known already; one draw a place follows while several seats are left."""
        rules = self._rules
        first = 0 if rules.rules.start_order == START_RANDOM else 1
        places = rules.seats if rules.rules.start_order_by_lot else 1
        left = [seat for seat in range(rules.seats) if seat not in event.order[:first]]
        draw = rules.draws
        for seat in event.order[first:places]:
            if len(left) > 1:
                draw += 1
                self._compare("seat", seat, self._chance.seat(draw, left))
            left = [one for one in left if one != seat]
        if event.draw != draw:
            self._found.faults.append(f"version {self._version}: {event.draw} draws for an order")

    def _cash(self) -> None:
        """Give everybody the start money: what can be dealt depends on it."""
        for seat in range(self._rules.seats):
            purse.moved(self._rules, BANK, seat, self._rules.board.start_money)

    def _numbered(self, draw: int) -> None:
        if draw != self._rules.draws + 1:
            self._found.faults.append(
                f"version {self._version}: draw {draw} follows draw {self._rules.draws}"
            )

    def _compare(self, what: str, fell: object, must: object) -> None:
        self._found.checked += 1
        if fell != must:
            self._found.faults.append(f"version {self._version}: {what} {fell}, the seed gives {must}")


def _rules_before(state: GameState) -> State:
    """Return a copy of the rules' state; an empty one before the game started in the same commit."""
    if state.rules is not None:
        return state.rules.copy()
    opened = state.table
    assert opened.board is not None
    assert opened.ruleset is not None
    return State(opened.board, opened.ruleset, len(opened.names))
