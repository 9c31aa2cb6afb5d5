"""Positions of sandbox tables: what stands as given, and what could not have come about."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from magnate.rules.chance import RandomChance
from magnate.rules.decide import given
from magnate.rules.rejections import Rejection
from magnate.rules.state import State
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_AUCTION,
    PHASE_BUY,
    PHASE_CHOICE,
    PHASE_DEBT,
    PHASE_JAIL,
    PHASE_SHORTAGE,
    TRANSFER_REASON_RENT,
    HeldCard,
    OpenDebt,
    PayDebt,
    PositionGiven,
)
from tests.support.classic import CHANCE, CHEST, A, B, position

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.playing import Position


def fault_of(change: Callable[[Position], object]) -> str:
    """Return what is said about a position after a change, checking that it is refused."""
    made = position()
    change(made)
    hotel = 5
    houses = 32 - sum(level for level in made.level if level < hotel)
    event = PositionGiven(
        made.turn_seat, made.phase, 1, made.doubles, made.at, made.jailed, made.jail_tries, made.out,
        made.owner, made.level, made.mortgaged, houses if made.houses is None else made.houses,
        12 if made.hotels is None else made.hotels, made.cards, made.debts, made.offered_lot,
    )  # fmt: skip
    answer = given(State(made.board, made.rules, 3), event, made.cash)
    assert isinstance(answer, Rejection), answer
    assert answer.name == "INVALID_POSITION"
    return answer.detail


def _set(name: str, index: int, value: int) -> Callable[[Position], object]:
    def change(made: Position) -> None:
        cast("list[int]", getattr(made, name))[index] = value

    return change


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_set("at", A, 40), "at: seat 0"),
        (_set("jailed", A, 1), "jailed: seat 0 is not on square 10"),
        (_set("jail_tries", A, 1), "jail_tries: seat 0 is not in jail"),
        (_set("cash", B, -1), "cash: seat 1"),
        (_set("out", B, 1), "out: seat 1 is out and has money"),
        (_set("owner", 0, A), "owner: square 0 cannot be owned"),
        (_set("owner", 1, 5), "owner: square 1 belongs to 5"),
        (_set("level", 1, 1), "level, mortgaged: square 1 belongs to the bank"),
        (_set("level", 1, 6), "level: square 1 has 6"),
        (lambda made: made.own(A, 1, level=1), "has not the whole group"),
        (lambda made: made.own(A, 5, level=1), "nothing can be built on square 5"),
        (lambda made: made.own(A, 1, 3, level=1).own(A, 3, mortgaged=1), "mortgaged: a lot in the group"),
        (lambda made: made.own(A, 1, level=2).own(A, 3), "built unevenly"),
        (lambda made: setattr(made, "houses", 33), "houses: 0 stand and 33 are left of 32"),
        (lambda made: setattr(made, "houses", 0), "houses: 0 stand and 0 are left of 32"),
        (lambda made: setattr(made, "hotels", -1), "hotels"),
        (lambda made: setattr(made, "hotels", 11), "hotels: 0 stand and 11 are left of 12"),
        (lambda made: made.cards.append(HeldCard(A, CHANCE, 0)), "ch01 is no card to keep"),
        (lambda made: made.cards.extend([HeldCard(A, CHEST, 4)] * 2), "cc05 is held twice"),
        (lambda made: made.cards.append(HeldCard(A, 2, 0)), "no deck 2"),
        (lambda made: setattr(made, "phase", PHASE_DEBT), "debts and phase debt"),
        (lambda made: setattr(made, "phase", PHASE_JAIL), "not in jail"),
        (lambda made: setattr(made, "phase", PHASE_CHOICE), "one thing is asked"),
        (lambda made: setattr(made, "phase", PHASE_SHORTAGE), "cannot begin in phase"),
        (lambda made: setattr(made, "phase", PHASE_BUY), "offered_lot: -1 is no lot"),
        (lambda made: setattr(made, "offered_lot", 3), "nothing is offered"),
        (lambda made: setattr(made, "turn_seat", 3), "turn_seat: 3"),
        (lambda made: setattr(made, "doubles", 3), "doubles"),
    ],
)
def test_a_position_that_could_not_have_come_about(change: Callable[[Position], object], says: str) -> None:
    """INVALID_POSITION, and the detail names the field and what is wrong with it."""
    assert says in fault_of(change)


def test_a_debt_that_could_be_paid_waits_for_the_first_command() -> None:
    """It would not come about in play, where such payments are made at once; here paying can be tried."""
    made = position()
    made.phase = PHASE_DEBT
    made.debts = [OpenDebt(A, B, 100, TRANSFER_REASON_RENT, -1)]
    table = made.table(RandomChance(1))
    assert table.act(A, PayDebt()) is None
    assert (table.state.cash, table.state.phase) == ([1400, 1600, 1500], PHASE_ACT)


def test_a_position_stands_as_given() -> None:
    """Deeds, buildings, cards, money, the bank's stock; the invariants hold from the first command on."""
    made = position().own(A, 1, 3, level=5).own(B, 5, 12, mortgaged=1)
    made.cash, made.at[B], made.jailed[B] = [10, 20, 30], 10, 1
    made.cards = [HeldCard(B, CHEST, 4)]
    table = made.table(RandomChance(1))
    state = table.state
    assert (state.cash, state.owner[3], state.level[3], state.mortgaged[12]) == ([10, 20, 30], A, 5, 1)
    assert (state.houses_left, state.hotels_left, state.cards[B]) == (32, 10, [CHEST * 64 + 4])
    table.verify()


def test_an_auction_begins_with_the_table() -> None:
    """Phase auction puts the lot up at once, as if the seat on turn had declined it."""
    made = position()
    made.phase, made.offered_lot = PHASE_AUCTION, 24
    table = made.table(RandomChance(1))
    assert (table.state.auction, table.state.auction_lot, table.state.phase) == (1, 24, PHASE_AUCTION)
    assert table.auction is not None


def test_no_auction_where_the_rule_set_has_none() -> None:
    """A position under the hammer could not have come about without auctions (row 19, C27)."""
    made = position(auction__enabled=False, bankrupt__to_bank="free", build__shortage="first_come")
    made.phase, made.offered_lot = PHASE_AUCTION, 5
    event = PositionGiven(
        0, made.phase, 1, 0, made.at, made.jailed, made.jail_tries, made.out, made.owner, made.level,
        made.mortgaged, 32, 12, [], [], made.offered_lot,
    )  # fmt: skip
    answer = given(State(made.board, made.rules, 3), event, made.cash)
    assert isinstance(answer, Rejection)
    assert answer.detail == "phase: there are no auctions by this rule set"
