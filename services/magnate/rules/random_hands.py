"""What random players do at a table where they throw, move and draw themselves, and tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.gates import BETWEEN
from magnate.rules.steps.hand import asked_to_draw, decks_told, may_pass_go
from magnate.rules.steps.questions import tellable
from magnate.rules.vocabulary import PHASE_ACT, PHASE_ROLL, Command, DrawnCard, PassGo, PlaceToken

if TYPE_CHECKING:
    from magnate.rules.chance import RandomChance
    from magnate.rules.state import State

_DOUBLE_ONE_IN: Final = 6
_FACES: Final = 6
_NOBODY: Final = -1


class RandomHands:
    """Throws real dice and keeps in mind who has passed GO; its `random` is not the chance of the game."""

    __slots__ = ("passed_go", "random", "state")

    def __init__(self, state: State, random: RandomChance) -> None:
        self.state = state
        self.random = random
        self.passed_go: int = _NOBODY

    def next_seat(self) -> int:
        """Who tells something next: whoever has the turn, or the next one without waiting for its end."""
        state = self.state
        seat = state.turn_seat
        if state.phase != PHASE_ACT or self.passed_go == seat or self.random.below(2):
            return seat
        order = state.order
        place = order.index(seat)
        for step in range(1, state.seats):
            other = order[(place + step) % state.seats]
            if not state.out[other]:
                return seat if state.jailed[other] else other
        return seat

    def tell(self, seat: int) -> Command | None:
        """What the seat has done; None if it goes on as at any table, such as by ending its turn."""
        state = self.state
        if seat == self.passed_go:
            self.passed_go = _NOBODY
            if may_pass_go(state, seat):
                return PassGo()
        if asked_to_draw(state, seat) and self.random.below(2):
            deck = decks_told(state, seat)[0]
            cards = tellable(state, deck)
            return DrawnCard(deck, cards[self.random.below(len(cards))])
        if state.phase not in BETWEEN:
            return None
        again = seat == state.turn_seat and state.phase != PHASE_ROLL
        return None if again and self.random.below(_DOUBLE_ONE_IN) else self._throw(seat)

    def _throw(self, seat: int) -> Command:
        state = self.state
        target = state.at[seat] + 2 + self.random.below(_FACES) + self.random.below(_FACES)
        if target >= state.board.size:
            target -= state.board.size
            self.passed_go = seat
        return PlaceToken(target)
