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


def test_the_rest_of_a_script_is_used_in_order_and_checked() -> None:
    """Single dice, amounts, squares, deeds and seats; what does not fit says what was asked for."""
    chance = ScriptedChance([(4, 0), (1, 2)], [], [], [750, 40], [24, 99], [1, 1], [2])
    with pytest.raises(ChanceExhausted, match="single die next"):
        chance.throw(1)
    assert chance.die(1) == 4
    with pytest.raises(ChanceExhausted, match="throws one die"):
        chance.die(2)
    assert chance.amount(2, 250, 750, 50) == 750
    with pytest.raises(ChanceExhausted, match="40 is none of"):
        chance.amount(3, 250, 750, 50)
    assert chance.square(3, 40) == 24
    with pytest.raises(ChanceExhausted, match="99 is none of 40"):
        chance.square(4, 40)
    assert chance.deal(4, [1, 3]) == 1
    with pytest.raises(ChanceExhausted, match="dealt before"):
        chance.deal(5, [3])
    assert (chance.seat(5, [0, 1, 2]), chance.seat(6, [0, 1])) == (2, 0)
    empty = ScriptedChance([], [], [])
    for draw in (empty.die, lambda n: empty.amount(n, 1, 2, 1), lambda n: empty.square(n, 9)):
        with pytest.raises(ChanceExhausted, match="left"):
            draw(1)


def test_what_a_seed_gives_is_within_what_is_asked_for() -> None:
    """Amounts keep their step, squares are on the board, deeds and seats are of the list."""
    chance = SeededChance(b"seed", b"")
    for draw in range(1, 200):
        assert 1 <= chance.die(draw) <= 6
        assert chance.amount(draw, 250, 750, 50) in range(250, 751, 50)
        assert 0 <= chance.square(draw, 40) < 40
        assert chance.deal(draw, [3, 39]) in (3, 39)
        assert chance.seat(draw, [1, 4]) in (1, 4)
