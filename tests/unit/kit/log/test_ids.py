"""Ids say where a game lives, and internal ones are derived."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from magnate.kit.clock import FakeClock, SystemClock
from magnate.kit.ids import (
    GameAddress,
    InvalidIdError,
    check_command_id,
    check_sent_command_id,
    derive_game_id,
    derived_id,
    expire_id,
    parse_game_id,
    rendezvous,
    request_hash,
)
from magnate.kit.log.subjects import game_stream, game_subject
from magnate.kit.log.tail_guard import TailGuard
from magnate.kit.log.window import Window
from tests.support.counter import chain, game


def test_a_game_id_says_where_the_game_lives() -> None:
    """Epoch and shard are read from the id and from nowhere else."""
    game_id = "12-3-" + "0a" * 12
    assert parse_game_id(game_id) == GameAddress(12, 3, "0a" * 12)
    assert game_stream(game_id) == "LOG_12_3"
    assert game_subject("log", "main", game_id) == f"log.12.3.main.{game_id}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1-2",
        "1-2-xyz",
        "01-2-" + "a" * 24,
        "1-2-" + "A" * 24,
        "1-2-" + "a" * 24 + "\n",
        "1.2.*",
        "1-2->" * 99,
    ],
)
def test_a_malformed_game_id_is_named(text: str) -> None:
    """The error has the field, the value (shortened) and what was expected."""
    with pytest.raises(InvalidIdError, match=r"game_id .* is malformed: expected <epoch>") as error:
        parse_game_id(text)
    assert len(str(error.value)) < 250


@given(principal=st.text(max_size=20), shards=st.integers(1, 64))
def test_the_same_creating_command_makes_the_same_game(principal: str, shards: int) -> None:
    """Creating is idempotent, also over principals with odd characters."""
    first = derive_game_id("main", principal, "c-1", epoch=1, shards=shards)
    assert first == derive_game_id("main", principal, "c-1", epoch=1, shards=shards)
    assert first != derive_game_id("main", principal + "|", "c-1", epoch=1, shards=shards)
    assert parse_game_id(first).shard < shards


def test_command_ids_are_bounded() -> None:
    """A command id is short and of harmless characters; the error says so."""
    assert check_command_id("expire:12.a_B-9") == "expire:12.a_B-9"
    for wrong in ("", "a b", "a|b", "x" * 129, "ü"):
        with pytest.raises(InvalidIdError, match="command_id"):
            check_command_id(wrong)


def test_clients_cannot_take_the_id_of_an_expiry() -> None:
    """Else a bidder could see to it that the auction never closes."""
    assert check_sent_command_id("c:1") == "c:1"
    for wrong in (expire_id("a1-2"), "", "a b"):
        with pytest.raises(InvalidIdError, match="command_id"):
            check_sent_command_id(wrong)


def test_derived_ids_read_well() -> None:
    """They say what they are for."""
    assert expire_id("d7") == derived_id("expire", "d7") == "expire:d7"
    assert derived_id("close", 7, "lot") == "close:7:lot"


def test_rendezvous_moves_only_the_keys_of_the_member_that_left() -> None:
    """Every instance chooses the same worker, whatever the order of its list."""
    members = [f"w{n}" for n in range(5)]
    keys = [game(f"{n}") for n in range(200)]
    before = {key: rendezvous(key, members) for key in keys}
    assert before == {key: rendezvous(key, reversed(members)) for key in keys}
    after = {key: rendezvous(key, members[1:]) for key in keys}
    assert all(after[key] == before[key] for key in keys if before[key] != "w0")
    assert len(set(before.values())) == 5


def test_request_hashes_keep_parts_apart() -> None:
    """Moving a byte from one part to the next is another request."""
    assert request_hash(b"ab", b"c") != request_hash(b"a", b"bc")
    assert request_hash(b"a") == request_hash(b"a")


def test_clocks_tell_milliseconds() -> None:
    """The fake stands still until moved."""
    clock = FakeClock(5)
    assert (clock.now_ms(), clock.advance(7), clock.now_ms()) == (5, 12, 12)
    clock.set(3)
    assert clock.now_ms() == 3
    assert SystemClock().now_ms() > 1_700_000_000_000


def test_the_window_holds_the_last_commands_and_the_first_for_ever() -> None:
    """256 commands, and the one that created the game."""
    window = Window()
    for commit in chain(game(), 300):
        window.add(commit)
    assert len(window.entries) == 256
    first, recent = window.find("c0"), window.find("c299")
    assert first is not None
    assert recent is not None
    assert (first.version, recent.version) == (1, 300)
    assert window.find("c40") is None
    assert window.reaches_back_to(44)
    assert not window.reaches_back_to(43)
    assert Window().reaches_back_to(0)


def test_the_guard_stops_a_stream_that_ends_too_early() -> None:
    """Smaller than ever seen: stopped, and it stays so; others are not concerned."""
    guard = TailGuard()
    guard.observe("A", 10)
    guard.judge("A", 10)
    guard.judge("B", 3)
    assert guard.stopped == {}
    guard.judge("A", 9)
    assert guard.stopped == {"A": "stream A ends at sequence 9; 10 was stored"}
    guard.judge("A", 11)
    assert "A" in guard.stopped
