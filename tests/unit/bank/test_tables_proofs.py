"""Secrets, codes, places and tries: what is derived, and what has to hold whatever the values are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.bank.tables.credentials import (
    ALPHABET,
    card_id_of,
    card_secret,
    join_code,
    read_join_code,
    secret_digest,
    secret_holds,
    veiled,
)
from magnate.bank.tables.decide import rank
from magnate.bank.tables.limits import TRIES_BURST, TRIES_BURST_ALL, TRIES_PER_SECOND
from magnate.bank.tables.paging import read_page_token, write_page_token
from magnate.bank.tables.tries import Tries
from magnate.kit.errors import ExhaustedError, InvalidArgumentError
from magnate.kit.keys import KeyRing
from tests.support.banking import KEYS, new_game

TABLE, OTHER = new_game("a"), new_game("b")
RING = KeyRing("k2", {"k2": b"2" * 32, "k1": b"k" * 32})


def test_secrets_differ_by_table_card_and_key() -> None:
    """And are the same whenever they are asked for, also from a ring that has a newer key."""
    made = {
        card_secret(RING, key_id, table, card_id_of(table, seat))
        for key_id in ("k1", "k2")
        for table in (TABLE, OTHER)
        for seat in range(16)
    }
    assert len(made) == 64
    assert all(len(secret) == 26 and set(secret) <= set(ALPHABET) for secret in made)
    card_id = card_id_of(TABLE, 0)
    assert card_secret(KEYS, "k1", TABLE, card_id) == card_secret(RING, "k1", TABLE, card_id)


def test_a_digest_is_of_one_secret_at_one_table() -> None:
    """Another secret, another table or another key does not hold."""
    secret = card_secret(RING, "k1", TABLE, card_id_of(TABLE, 0))
    digest = secret_digest(RING, "k1", TABLE, secret)
    assert secret_holds(RING, "k1", TABLE, f"{secret[:5]}-{secret[5:].lower()}", digest)
    assert not secret_holds(RING, "k1", TABLE, secret[:-1] + "!", digest)
    assert not secret_holds(RING, "k1", TABLE, "", digest)
    assert not secret_holds(RING, "k1", OTHER, secret, digest)
    assert not secret_holds(RING, "k2", TABLE, secret, digest)


@given(st.text(max_size=20))
def test_any_text_is_a_code_or_none(text: str) -> None:
    """What is read as a code is written in one way, and reading it again gives the same."""
    code = read_join_code(text)
    assert code == "" or (len(code) == 9 and code[4] == "-" and read_join_code(code.lower()) == code)


def test_codes_as_people_write_them() -> None:
    """O is 0, I and L are 1, dashes and blanks do not matter."""
    assert read_join_code("oil1 abcd") == "0111-ABCD"
    assert read_join_code(join_code(KEYS, "k1", TABLE)) == join_code(KEYS, "k1", TABLE)
    assert read_join_code("UUUU-UUUU") == ""


def test_a_veil_tells_apart_what_runs_together() -> None:
    """Secrets of a request cannot be exchanged between its fields."""
    assert veiled(KEYS, "k1", TABLE, "12", "345") != veiled(KEYS, "k1", TABLE, "123", "45")
    assert veiled(KEYS, "k1", TABLE, "12", "345") != veiled(KEYS, "k1", OTHER, "12", "345")


@given(st.lists(st.integers(min_value=0, max_value=5), max_size=16))
def test_places(totals: list[int]) -> None:
    """A place is one more than how many are richer; equal sums share it; seats decide the order only."""
    ranking = rank([(total, seat) for seat, total in enumerate(totals)])
    assert [one.total for one in ranking] == sorted(totals, reverse=True)
    for one in ranking:
        assert one.place == 1 + sum(total > one.total for total in totals)
        assert totals[one.seat] == one.total


def test_tries_fill_up_again() -> None:
    """After the burst an address waits for one try's worth of time; another address does not."""
    now = 0.0
    tries = Tries(lambda: now)
    for _ in range(TRIES_BURST):
        tries.check("a")
        tries.wrong("a")
    with pytest.raises(ExhaustedError):
        tries.check("a")
    tries.check("b")
    now = 1 / TRIES_PER_SECOND
    tries.check("a")
    tries.wrong("a")
    with pytest.raises(ExhaustedError):
        tries.check("a")


def test_many_addresses_together_have_a_bound_too() -> None:
    """Guessing from everywhere at once is slowed down for everybody."""
    tries = Tries(lambda: 0.0)
    for number in range(TRIES_BURST_ALL):
        tries.wrong(f"address {number}")
    with pytest.raises(ExhaustedError):
        tries.check("somebody else")


@given(st.text(max_size=24))
def test_a_page_token_is_ours_or_refused(token: str) -> None:
    """Nothing that somebody makes up is read as a page."""
    if token == "":
        assert read_page_token(token) == 0
        return
    try:
        before = read_page_token(token)
    except InvalidArgumentError:
        return
    assert write_page_token(before) == token


def test_a_page_token_is_read_as_it_was_written() -> None:
    """For any version."""
    assert [read_page_token(write_page_token(one)) for one in (1, 7, 10**9)] == [1, 7, 10**9]
