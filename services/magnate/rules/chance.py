"""Where dice and cards come from: data, never a source of its own.

Draws are numbered from 1 over the whole game; draw n depends on n alone, so any draw can be checked later.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from mypy_extensions import i64

DIE_FACES: Final = 6

_LABEL: Final = b"magnate/1"
_WORD: Final = 1 << 32
_THROWS: Final = [(first, second) for first in range(1, DIE_FACES + 1) for second in range(1, DIE_FACES + 1)]
"""The 36 throws of two dice; a pick of 36 is one of them."""
_LEHMER: Final = (1 << 31) - 1


class ChanceExhausted(Exception):  # noqa: N818 - it says what happened
    """Scripted chance ran out; the message names what was asked for. Only sandbox tables have scripts."""


class Chance:
    """What a game draws from."""

    __slots__ = ()

    def throw(self, draw: int) -> tuple[int, int]:
        """Two dice."""
        raise NotImplementedError

    def pick(self, draw: int, count: int) -> int:
        """One of 0 … count-1, each as likely as the others."""
        raise NotImplementedError

    def card(self, draw: int, deck: int, unseen: list[int]) -> int:  # noqa: ARG002 - a script needs it
        """One of the unseen cards of a deck."""
        return unseen[self.pick(draw, len(unseen))]

    def die(self, draw: int, faces: int = DIE_FACES) -> int:
        """One die."""
        return self.pick(draw, faces) + 1

    def amount(self, draw: int, minimum: int, maximum: int, step: int) -> int:
        """One of minimum, minimum + step, … up to maximum."""
        return minimum + self.pick(draw, (maximum - minimum) // step + 1) * step

    def square(self, draw: int, board_size: int) -> int:
        """Any square of the board."""
        return self.pick(draw, board_size)

    def deal(self, draw: int, lots: list[int]) -> int:
        """One of the lots whose deeds are not dealt yet."""
        return lots[self.pick(draw, len(lots))]

    def seat(self, draw: int, seats: list[int]) -> int:
        """One of the seats that have no place in the order yet."""
        return seats[self.pick(draw, len(seats))]


class SeededChance(Chance):
    """HMAC-SHA256(seed, "magnate/1" | draw | SHA-256(players' entropy)), reduced without bias.

    The 32 bytes are read as eight 32-bit words from the left; a word too large to be fair is skipped, and
    when all are used up the next 32 bytes come from the same key over (…| 1), (…| 2) and so on.
    """

    __slots__ = ("_entropy", "_seed")

    def __init__(self, seed: bytes, entropy: bytes) -> None:
        self._seed = seed
        self._entropy: bytes = hashlib.sha256(entropy).digest()

    def throw(self, draw: int) -> tuple[int, int]:
        """Two dice out of one pick of 36."""
        return _THROWS[self.pick(draw, 36)]

    def pick(self, draw: int, count: int) -> int:
        """The first fair word, modulo `count`."""
        assert 0 < count <= _WORD
        limit = _WORD - _WORD % count
        more = 0
        while True:
            data = _LABEL + draw.to_bytes(8, "big") + self._entropy
            if more:
                data += more.to_bytes(4, "big")
            block = hmac.digest(self._seed, data, "sha256")
            for start in range(0, 32, 4):
                word = int.from_bytes(block[start : start + 4], "big")
                if word < limit:
                    return word % count
            more += 1


class ScriptedChance(Chance):
    """Dice, cards (by deck: places in its list) and the rest in the order of use, for sandbox tables.

    `dice` has pairs; a second die of 0 is a throw of one die. `amounts`, `squares`, `deals` (lots whose deeds
    are dealt) and `seats` (who is drawn by lot) are what the cards and the start ask for. Where nobody is
    written for a lot, it falls on the first who is left. `picks` is for everything else.
    """

    __slots__ = ("amounts", "cards", "deals", "dice", "picks", "seats", "squares")

    def __init__(
        self,
        dice: list[tuple[int, int]],
        cards: list[list[int]],
        picks: list[int],
        amounts: list[int] | None = None,
        squares: list[int] | None = None,
        deals: list[int] | None = None,
        seats: list[int] | None = None,
    ) -> None:
        self.dice = dice
        self.cards = cards
        self.picks = picks
        self.amounts: list[int] = [] if amounts is None else amounts
        self.squares: list[int] = [] if squares is None else squares
        self.deals: list[int] = [] if deals is None else deals
        self.seats: list[int] = [] if seats is None else seats

    def copy(self) -> ScriptedChance:
        """As much script as is left, so that a refused or repeated command uses nothing up."""
        return ScriptedChance(
            list(self.dice),
            [list(deck) for deck in self.cards],
            list(self.picks),
            list(self.amounts),
            list(self.squares),
            list(self.deals),
            list(self.seats),
        )

    def throw(self, draw: int) -> tuple[int, int]:
        """The next two dice of the script."""
        if not self.dice:
            raise ChanceExhausted(f"dice: draw {draw} has no throw left")
        if self.dice[0][1] == 0:
            raise ChanceExhausted(f"dice: draw {draw} throws two, the script has a single die next")
        return self.dice.pop(0)

    def die(self, draw: int, faces: int = DIE_FACES) -> int:
        """The next single die of the script."""
        if not self.dice:
            raise ChanceExhausted(f"dice: draw {draw} has no throw left")
        if self.dice[0][1] != 0 or self.dice[0][0] > faces:
            raise ChanceExhausted(f"dice: draw {draw} throws one die of {faces}, next is {self.dice[0]}")
        return self.dice.pop(0)[0]

    def pick(self, draw: int, count: int) -> int:
        """The next pick of the script."""
        if not self.picks:
            raise ChanceExhausted(f"picks: draw {draw} of {count} has no value left")
        return self.picks.pop(0) % count

    def card(self, draw: int, deck: int, unseen: list[int]) -> int:
        """The next card of the script for this deck."""
        cards = self.cards[deck] if deck < len(self.cards) else []
        if not cards:
            raise ChanceExhausted(f"cards: deck {deck} has no card left for draw {draw}")
        if cards[0] not in unseen:
            raise ChanceExhausted(f"cards: card {cards[0]} of deck {deck} was drawn before")
        return cards.pop(0)

    def amount(self, draw: int, minimum: int, maximum: int, step: int) -> int:
        """The next amount of the script."""
        if not self.amounts:
            raise ChanceExhausted(f"chance.amount: draw {draw} has no amount left")
        amount = self.amounts[0]
        if not minimum <= amount <= maximum or (amount - minimum) % step:
            raise ChanceExhausted(
                f"chance.amount: {amount} is none of {minimum}, {minimum + step} … {maximum}"
            )
        return self.amounts.pop(0)

    def square(self, draw: int, board_size: int) -> int:
        """The next square of the script."""
        if not self.squares:
            raise ChanceExhausted(f"chance.square: draw {draw} has no square left")
        if not 0 <= self.squares[0] < board_size:
            raise ChanceExhausted(f"chance.square: {self.squares[0]} is none of {board_size}")
        return self.squares.pop(0)

    def deal(self, draw: int, lots: list[int]) -> int:
        """The next deed of the script."""
        if not self.deals:
            raise ChanceExhausted(f"deal: draw {draw} has no deed left")
        if self.deals[0] not in lots:
            raise ChanceExhausted(f"deal: {self.deals[0]} is no lot, or was dealt before")
        return self.deals.pop(0)

    def seat(self, draw: int, seats: list[int]) -> int:  # noqa: ARG002 - a lot needs no script
        """The next seat of the script; the first of those left where it says nothing."""
        if self.seats and self.seats[0] in seats:
            return self.seats.pop(0)
        return seats[0]


class RandomChance(Chance):
    """Lehmer's generator: cheap, repeatable, not secret. For simulations and benches."""

    __slots__ = ("_x",)

    def __init__(self, seed: int) -> None:
        # Compiled, a product of two `int` of this size is a slow one; `i64` is an `int` where not compiled.
        self._x: i64 = (seed * 2654435761 + 88172645) % _LEHMER or 1
        for _ in range(3):  # seeds that lie together part ways
            self.below(2)

    def below(self, count: int) -> int:
        """One of 0 … count-1."""
        self._x = x = self._x * 48271 % _LEHMER
        return x % count

    def throw(self, draw: int) -> tuple[int, int]:  # noqa: ARG002 - the stream has no numbers
        """Two dice out of one number."""
        return _THROWS[self.below(36)]

    def pick(self, draw: int, count: int) -> int:  # noqa: ARG002 - same
        """The next number."""
        return self.below(count)
