"""Stand-ins and clocks in every position that random play comes to: the game goes on, and always alike."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

import pytest

from magnate.rules import plain, stand_in
from magnate.rules.chance import RandomChance
from magnate.rules.choices import EXPIRY_DEFAULT_ACTION
from magnate.rules.decision import Decision
from magnate.rules.expiry import time_out
from magnate.rules.loader import load_board, load_ruleset, ruleset_ids
from magnate.rules.rejections import Rejection
from magnate.rules.ruleset import with_house_rules
from magnate.rules.vocabulary import PHASE_AUCTION, PHASE_OVER, PHASE_SHORTAGE, OfferMade
from magnate.rules.waiting import waiting_seats
from tests.support.playing import Table
from tests.support.random_play import choose, inside

if TYPE_CHECKING:
    from magnate.rules.options import Written

HOUSE: dict[str, Written] = {
    "timers.roll_seconds": 20,
    "timers.expiry": "default_action",
    "end.turns_max": 150,
}
COMMANDS = 900


def table_of(ruleset: str, seed: int, *, check_all: bool = False) -> Table:
    """Return a game of four, or as many as can play it."""
    rules = with_house_rules(load_ruleset(ruleset), HOUSE)
    assert not isinstance(rules, Rejection), rules
    assert rules.timers_expiry == EXPIRY_DEFAULT_ACTION
    board = load_board(rules.board)
    table = Table(board, rules, min(4, rules.players_max), RandomChance(seed), check_all=check_all)
    table.start()
    return table


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_whoever_is_waited_for_can_be_played_for(ruleset: str) -> None:
    """Now and then somebody is gone for one decision: it is made, the game goes on, and every rule holds."""
    rng = Random(11)
    table = table_of(ruleset, 11, check_all=True)
    phases: Counter[int] = Counter()
    for _ in range(COMMANDS):
        state = table.state
        if state.phase == PHASE_OVER:
            break
        seats = [] if state.phase in (PHASE_AUCTION, PHASE_SHORTAGE) else waiting_seats(state)
        if seats and rng.random() < 0.3:
            phases[state.phase] += 1
            seat = rng.choice(seats)
            before, decision = plain.digest(state), Decision()
            play = stand_in.play if rng.random() < 0.7 else time_out
            assert play(state, seat, table.chance, decision, 0) is None
            assert plain.digest(state) != before, (ruleset, state.phase)
            assert not [event for event in decision.events if isinstance(event, OfferMade)]
            table.take(decision)
        else:
            seat, action = choose(table, rng)
            assert table.act(seat, inside(table, rng, seat, action)) is None
    assert len(phases) >= 3


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_a_stand_in_always_does_the_same(ruleset: str) -> None:
    """It draws nothing itself: from equal positions come equal commands."""
    rng = Random(5)
    table = table_of(ruleset, 5)
    for _ in range(COMMANDS // 3):
        state = table.state
        if state.phase == PHASE_OVER:
            break
        for seat in waiting_seats(state):
            one, two = stand_in.choose(state, seat), stand_in.choose(state.copy(), seat)
            assert repr(one) == repr(two)
        seat, action = choose(table, rng)
        assert table.act(seat, inside(table, rng, seat, action)) is None


def test_who_has_left_is_played_for_no_more() -> None:
    """A stand-in that comes too late is told so and does nothing."""
    table = table_of("classic", 3)
    state = table.state
    state.out[1] = 1
    refused = stand_in.play(state, 1, table.chance, Decision())
    assert refused is not None
    assert refused.name == "SEAT_OUT"
