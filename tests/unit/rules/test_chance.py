"""Chance is data: seeded draws can be recomputed, scripts say when they run out."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from magnate.rules.chance import ChanceExhausted, RandomChance, ScriptedChance, SeededChance

SEED = bytes(range(32))


def test_a_draw_depends_on_seed_number_and_entropy_only() -> None:
    """The same three, the same draw; any other, mostly another."""
    chance = SeededChance(SEED, b"players")
    again = SeededChance(SEED, b"players")
    assert [chance.throw(n) for n in (3, 1, 2)] == [again.throw(n) for n in (3, 1, 2)]
    others = [SeededChance(SEED, b"other"), SeededChance(SEED[::-1], b"players")]
    for other in others:
        assert [other.pick(n, 10**6) for n in range(1, 9)] != [chance.pick(n, 10**6) for n in range(1, 9)]


def test_the_formula_is_the_documented_one() -> None:
    """HMAC-SHA256(seed, "magnate/1" | draw | SHA-256(entropy)), words of 32 bits from the left."""
    data = b"magnate/1" + (7).to_bytes(8, "big") + hashlib.sha256(b"e").digest()
    word = int.from_bytes(hmac.digest(SEED, data, "sha256")[:4], "big")
    assert SeededChance(SEED, b"e").pick(7, 16) == word % 16
    assert SeededChance(SEED, b"e").throw(7) == (word % 36 // 6 + 1, word % 6 + 1)


def test_dice_are_fair() -> None:
    """36,000 throws: every one of the 36 within 15% of a thousand."""
    chance = SeededChance(SEED, b"")
    counts: dict[tuple[int, int], int] = {}
    for draw in range(1, 36_001):
        dice = chance.throw(draw)
        counts[dice] = counts.get(dice, 0) + 1
    assert len(counts) == 36
    assert all(850 < count < 1150 for count in counts.values())


def test_a_word_too_large_to_be_fair_is_skipped() -> None:
    """With 2**31 + 1 outcomes about half of all words are refused; the draw still comes."""
    chance = SeededChance(SEED, b"")
    many = (1 << 31) + 1
    assert all(0 <= chance.pick(draw, many) < many for draw in range(1, 200))


def test_scripts_say_what_ran_out() -> None:
    """Each kind of script names what was asked for."""
    chance = ScriptedChance([(1, 2)], [[3]], [5])
    assert chance.copy().throw(1) == (1, 2)
    assert chance.throw(1) == (1, 2)
    assert chance.pick(2, 4) == 1
    assert chance.card(3, 0, [1, 3]) == 3
    with pytest.raises(ChanceExhausted, match="dice"):
        chance.throw(4)
    with pytest.raises(ChanceExhausted, match="picks"):
        chance.pick(4, 2)
    with pytest.raises(ChanceExhausted, match="deck 1"):
        chance.card(4, 1, [0])
    with pytest.raises(ChanceExhausted, match="drawn before"):
        ScriptedChance([], [[3]], []).card(1, 0, [1])


def test_random_chance_repeats_by_seed() -> None:
    """For benches: the same seed, the same stream; picks stay in range."""
    assert [RandomChance(9).throw(1) for _ in range(3)] == [RandomChance(9).throw(1) for _ in range(3)]
    chance = RandomChance(9)
    assert {chance.pick(1, 3) for _ in range(100)} == {0, 1, 2}
