"""The table: each refusal, in the order in which they are documented, and what its events add up to."""

from __future__ import annotations

import hashlib

import pytest

from magnate.game.domain import attendance, table
from magnate.game.domain.table import (
    SeatTaken,
    SeedRevealed,
    TableEvent,
    TableOpened,
    TablePaused,
    TableResumed,
    TableStarted,
    TableState,
)
from magnate.rules.loader import load_board, load_ruleset
from magnate.rules.rejections import Rejection

SEED = bytes(range(32))
BOARD = load_board("classic-us")
RULES = load_ruleset("classic")


def opened(seats: int = 2) -> TableOpened:
    """Return the opening of a table."""
    event = table.decide_open(RULES, BOARD, seats, "title", SEED, None)
    assert isinstance(event, TableOpened)
    return event


def after(*events: TableEvent) -> TableState:
    """Return what these events add up to, after an opening for two."""
    state = TableState()
    for event in (opened(), *events):
        table.evolve(state, event)
    return state


def name_of(answer: object) -> str:
    """Return the name of a refusal; empty if it is none."""
    return answer.name if isinstance(answer, Rejection) else ""


SEATED = (SeatTaken(0, "A", b"a"), SeatTaken(1, "B", b"b"))
RUNNING = (*SEATED, TableStarted(1_000))
PAUSED = (*RUNNING, TablePaused(5))
OVER = (*RUNNING, SeedRevealed(SEED))


@pytest.mark.parametrize(
    ("seats", "title", "refusal"),
    [
        (1, "", "INVALID_SEAT_COUNT"),
        (9, "", "INVALID_SEAT_COUNT"),
        (-1, "", "INVALID_SEAT_COUNT"),
        (9, "x" * 81, "INVALID_SEAT_COUNT"),
        (2, "x" * 81, "INVALID_NAME"),
        (2, "a\nb", "INVALID_NAME"),
        (2, "", ""),
        (8, "x" * 80, ""),
    ],
)
def test_a_table_has_two_to_eight_seats_and_a_short_title(seats: int, title: str, refusal: str) -> None:
    """The number of seats is judged first, then the title."""
    assert name_of(table.decide_open(RULES, BOARD, seats, title, SEED, None)) == refusal


def test_no_number_of_seats_means_the_most_there_are() -> None:
    """Zero is what a request says that does not care."""
    assert opened(0).seat_count == 8


def test_a_table_publishes_the_digest_of_its_seed() -> None:
    """The seed itself stays secret until the game is over."""
    state = after()
    assert state.seed_hash == hashlib.sha256(SEED).digest()
    assert state.seed == b""
    assert state.revealed_seed == b""


@pytest.mark.parametrize(
    ("state", "name", "entropy", "refusal"),
    [
        (after(*RUNNING), "", b"x" * 33, "ALREADY_STARTED"),
        (after(*PAUSED), "C", b"", "ALREADY_STARTED"),
        (after(*OVER), "C", b"", "ALREADY_STARTED"),
        (TableState(), "C", b"", "ALREADY_STARTED"),
        (after(*SEATED), "", b"x" * 33, "GAME_FULL"),
        (after(*SEATED), "A", b"", "GAME_FULL"),
        (after(SEATED[0]), "", b"x" * 33, "INVALID_NAME"),
        (after(SEATED[0]), "x" * 41, b"", "INVALID_NAME"),
        (after(SEATED[0]), " B", b"", "INVALID_NAME"),
        (after(SEATED[0]), "B\u202e", b"", "INVALID_NAME"),
        (after(SEATED[0]), "A", b"x" * 33, "NAME_TAKEN"),
        (after(SEATED[0]), "B", b"x" * 33, "INVALID_ENTROPY"),
        (after(SEATED[0]), "x" * 40, b"x" * 32, ""),
        (after(), "Ж", b"", ""),
    ],
)
def test_joining_is_refused_in_order(state: TableState, name: str, entropy: bytes, refusal: str) -> None:
    """ALREADY_STARTED, GAME_FULL, INVALID_NAME, NAME_TAKEN, INVALID_ENTROPY."""
    assert name_of(table.decide_join(state, name, entropy)) == refusal


def test_seats_are_taken_from_the_first_on() -> None:
    """Who comes first sits first."""
    first = table.decide_join(after(), "A", b"")
    assert isinstance(first, SeatTaken)
    assert first.seat == 0
    second = table.decide_join(after(first), "B", b"")
    assert isinstance(second, SeatTaken)
    assert second.seat == 1


@pytest.mark.parametrize(
    ("state", "refusal"),
    [
        (after(*RUNNING), "ALREADY_STARTED"),
        (after(*OVER), "ALREADY_STARTED"),
        (after(), "TOO_FEW_PLAYERS"),
        (after(SEATED[0]), "TOO_FEW_PLAYERS"),
        (after(*SEATED), ""),
    ],
)
def test_starting_needs_two_and_is_done_once(state: TableState, refusal: str) -> None:
    """ALREADY_STARTED, TOO_FEW_PLAYERS."""
    assert name_of(table.decide_start(state, 1_000)) == refusal


@pytest.mark.parametrize(
    ("state", "playing", "pausing", "resuming"),
    [
        (after(*SEATED), "NOT_STARTED", "NOT_STARTED", "NOT_PAUSED"),
        (after(*RUNNING), "", "", "NOT_PAUSED"),
        (after(*PAUSED), "GAME_PAUSED", "GAME_PAUSED", ""),
        (after(*PAUSED, TableResumed(9_000)), "", "", "NOT_PAUSED"),
        (after(*OVER), "GAME_OVER", "GAME_OVER", "GAME_OVER"),
        (after(*PAUSED, SeedRevealed(SEED)), "GAME_OVER", "GAME_OVER", "GAME_OVER"),
    ],
)
def test_a_table_is_played_paused_and_resumed_when_it_may_be(
    state: TableState, playing: str, pausing: str, resuming: str
) -> None:
    """Each status refuses what does not fit it, with a name of its own."""
    assert name_of(table.refuse_unless_running(state)) == playing
    assert name_of(attendance.decide_pause(state, 7)) == pausing
    assert name_of(attendance.decide_resume(state, 9_000)) == resuming


def test_a_pause_is_remembered_until_it_ends() -> None:
    """The time at which the clocks stopped is part of the state."""
    assert after(*PAUSED).paused_at_ms == 5
    assert after(*PAUSED, TableResumed(9_000)).paused_at_ms == 0


def test_what_players_add_to_chance_cannot_run_together() -> None:
    """Each player's bytes go in with their length, so moving a byte to a neighbour changes the whole."""
    one = after(SeatTaken(0, "A", b"ab"), SeatTaken(1, "B", b"c"))
    other = after(SeatTaken(0, "A", b"a"), SeatTaken(1, "B", b"bc"))
    assert table.mixed_entropy(one.entropies) != table.mixed_entropy(other.entropies)


def test_a_copy_is_independent() -> None:
    """What joins the copy does not sit at the original."""
    state = after(SEATED[0])
    twin = state.copy()
    table.evolve(twin, SEATED[1])
    table.evolve(twin, TableStarted(1_000))
    assert state.names == ["A"]
    assert state.entropies == [b"a"]
    assert state.status == table.OPEN


def test_every_refusal_explains_itself() -> None:
    """A sentence goes with each name."""
    for answer in (
        table.decide_open(RULES, BOARD, 9, "", SEED, None),
        table.decide_open(RULES, BOARD, 2, "\n", SEED, None),
        table.decide_join(after(*SEATED), "C", b""),
        table.decide_join(after(SEATED[0]), "A", b""),
        table.decide_start(after(), 1_000),
        attendance.decide_pause(after(), 1),
        attendance.decide_resume(after(), 9_000),
    ):
        assert isinstance(answer, Rejection)
        assert answer.detail
