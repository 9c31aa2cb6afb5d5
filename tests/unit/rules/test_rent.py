"""Rent with the numbers of the deeds (rows 25 to 34; cases C001 to C003, C011 to C013)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.rules.vocabulary import PHASE_ACT, PHASE_BUY, PHASE_ROLL, DiceThrown, Roll
from tests.support.classic import BANK, A, B, begin, paid, position, said

if TYPE_CHECKING:
    from tests.support.playing import Position


def at(made: Position, square: int) -> Position:
    """Put seat A on a square."""
    made.at[A] = square
    return made


def test_a_bare_lot_and_a_full_group() -> None:
    """C014, row 26: charged by landing; double when the owner has the whole group."""
    table = begin(at(position().own(B, 31), 28), (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 26)]
    table = begin(at(position().own(B, 31, 32, 34), 28), (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 52)]


@pytest.mark.parametrize(("level", "rent"), [(1, 50), (2, 150), (3, 450), (4, 625), (5, 750)])
def test_buildings_earn_what_the_deed_says(level: int, rent: int) -> None:
    """Row 29: one house to hotel."""
    made = at(position().own(B, 11, 13, 14, level=level), 8)
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, rent)]


def test_a_bare_lot_beside_a_built_one() -> None:
    """Row 28: still double in the classic rules; not where the whole group has to be bare."""
    made = at(position().own(B, 11, 13, 14), 8)
    made.level[13] = 1
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 20)]
    made = at(position(rent__double_needs_unbuilt_group=True).own(B, 11, 13, 14), 8)
    made.level[13] = 1
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 10)]


def test_one_mortgaged_lot_stops_the_doubling() -> None:
    """C011, row 27: 16 on the free lot by the printed rules, 32 by the option; 0 on the mortgaged one."""
    made = at(position().own(B, 16, 18, 19), 10)
    made.mortgaged[18] = 1
    table = begin(made, (4, 5))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 16)]
    made = at(position(rent__double_needs_unmortgaged_group=False).own(B, 16, 18, 19), 10)
    made.mortgaged[18] = 1
    table = begin(made, (4, 5))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 32)]
    table = begin(at(made, 10), (3, 5))
    assert table.act(A, Roll()) is None
    assert paid(table) == []
    assert table.state.phase == PHASE_ACT


@pytest.mark.parametrize(
    ("owned", "rent"), [((5,), 25), ((5, 15), 50), ((5, 15, 25), 100), ((5, 15, 25, 35), 200)]
)
def test_railroads_by_their_number(owned: tuple[int, ...], rent: int) -> None:
    """C012, row 33: the fourth railroad counts at once."""
    table = begin(at(position().own(B, *owned), 2), (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, rent)]


def test_utilities_by_the_throw_that_brought_one() -> None:
    """C012, row 31: four times the throw, ten times with both."""
    table = begin(at(position().own(B, 12), 5), (2, 5))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 28)]
    table = begin(at(position().own(B, 12, 28), 5), (2, 5))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 70)]


def test_utilities_by_a_new_throw_where_the_rules_say_so() -> None:
    """C3: `rent.utility_roll: new` throws again; that throw moves nobody and is no double."""
    made = at(position(rent__utility_roll="new").own(B, 12), 5)
    table = begin(made, (2, 5), (6, 6))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 48)]
    assert (table.state.at[A], table.state.phase) == (12, PHASE_ACT)


def test_the_nearest_railroad_is_paid_double() -> None:
    """C001: from the first chance square to the second railroad; two owned: 2 x 50, once."""
    table = begin(at(position().own(B, 5, 15), 0), (3, 4), chance=("ch05",))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 15
    assert paid(table) == [(A, B, 100)]


def test_the_nearest_railroad_past_go() -> None:
    """C001: from the last chance square GO pays first; a free railroad is offered; mortgaged: 0."""
    table = begin(at(position(), 34), (1, 1), chance=("ch05",))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 5
    assert paid(table) == [(BANK, A, 200)]
    assert table.state.phase == PHASE_BUY
    made = at(position().own(B, 5, mortgaged=1), 34)
    table = begin(made, (1, 1), chance=("ch05",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(BANK, A, 200)]
    assert table.state.phase == PHASE_ROLL


def test_the_nearest_utility_is_ten_times_a_new_throw() -> None:
    """C002: 10 x 8 although one is owned; the new throw is no double, the earned extra throw stays."""
    table = begin(at(position().own(B, 28), 12), (5, 5), (4, 4), chance=("ch07",))
    assert table.act(A, Roll()) is None
    assert table.state.at[A] == 28
    assert paid(table) == [(A, B, 80)]
    assert said(table, DiceThrown) == ["DiceThrown", "DiceThrown"]
    assert (table.state.doubles, table.state.phase) == (1, PHASE_ROLL)


def test_a_free_nearest_utility_is_offered_without_a_throw() -> None:
    """C002: no new throw when nobody owns it."""
    table = begin(at(position(), 12), (5, 5), chance=("ch07",))
    assert table.act(A, Roll()) is None
    assert said(table, DiceThrown) == ["DiceThrown"]
    assert (table.state.phase, table.state.offered_lot) == (PHASE_BUY, 28)


def test_the_square_a_card_leads_to_is_dealt_with() -> None:
    """C003: rent is charged there, or the lot is offered."""
    table = begin(at(position().own(B, 24), 0), (3, 4), chance=("ch03",))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 20)]
    table = begin(at(position(), 0), (3, 4), chance=("ch03",))
    assert table.act(A, Roll()) is None
    assert (table.state.phase, table.state.offered_lot) == (PHASE_BUY, 24)


def test_an_owner_in_jail_collects() -> None:
    """C013, row 34: unless the option says no."""
    made = at(position().own(B, 39), 36)
    made.at[B], made.jailed[B] = 10, 1
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == [(A, B, 50)]
    made = at(position(rent__owner_in_jail=False).own(B, 39), 36)
    made.at[B], made.jailed[B] = 10, 1
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == []


def test_ones_own_lot_costs_nothing() -> None:
    """C044: no posting to oneself."""
    table = begin(at(position().own(A, 31), 28), (1, 2))
    assert table.act(A, Roll()) is None
    assert paid(table) == []
    assert table.state.phase == PHASE_ACT
