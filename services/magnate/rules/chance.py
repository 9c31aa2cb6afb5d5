"""Where dice and cards come from: data, never a source of its own.

Draws are numbered from 1 over the whole game; draw n depends on n alone, so any draw can be checked later.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

_LABEL: Final = b"magnate/1"
_WORD: Final = 1 << 32
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
        both = self.pick(draw, 36)
        return both // 6 + 1, both % 6 + 1

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
    """Dice, cards (by deck: places in its list) and picks in the order of use, for sandbox tables."""

    __slots__ = ("cards", "dice", "picks")

    def __init__(self, dice: list[tuple[int, int]], cards: list[list[int]], picks: list[int]) -> None:
        self.dice = dice
        self.cards = cards
        self.picks = picks

    def copy(self) -> ScriptedChance:
        """As much script as is left, so that a refused or repeated command uses nothing up."""
        return ScriptedChance(list(self.dice), [list(deck) for deck in self.cards], list(self.picks))

    def throw(self, draw: int) -> tuple[int, int]:
        """The next two dice of the script."""
        if not self.dice:
            raise ChanceExhausted(f"dice: draw {draw} has no throw left")
        return self.dice.pop(0)

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


class RandomChance(Chance):
    """Lehmer's generator: cheap, repeatable, not secret. For simulations and benches."""

    __slots__ = ("_x",)

    def __init__(self, seed: int) -> None:
        self._x: int = (seed * 2654435761 + 88172645) % _LEHMER or 1
        for _ in range(3):  # seeds that lie together part ways
            self.below(2)

    def below(self, count: int) -> int:
        """One of 0 … count-1."""
        self._x = x = self._x * 48271 % _LEHMER
        return x % count

    def throw(self, draw: int) -> tuple[int, int]:  # noqa: ARG002 - the stream has no numbers
        """Two dice out of one number."""
        both = self.below(36)
        return both // 6 + 1, both % 6 + 1

    def pick(self, draw: int, count: int) -> int:  # noqa: ARG002 - same
        """The next number."""
        return self.below(count)
