"""How a game begins and how it ends (rows 3, 5, 6, 85, 86)."""

from __future__ import annotations

from magnate.rules import plain
from magnate.rules.chance import RandomChance, ScriptedChance
from magnate.rules.decide import abandon, decide, start
from magnate.rules.decision import Decision
from magnate.rules.evolve import evolve
from magnate.rules.loader import load_board
from magnate.rules.rejections import Rejection
from magnate.rules.replaying import apply, replay_moves
from magnate.rules.simulate import Game
from magnate.rules.state import State
from magnate.rules.steps.end import score
from magnate.rules.vocabulary import (
    END_REASON_ABANDONED,
    END_REASON_LAST_PLAYER,
    END_REASON_TURN_CAP,
    PHASE_OVER,
    PHASE_ROLL,
    EndTurn,
    GameStarted,
    Resign,
    Roll,
)
from tests.support.classic import BANK, A, B, C, begin, position, rules


def fresh(seats: int = 3, **house: int | str) -> State:
    """Return a game that has not begun."""
    return State(load_board("classic-us"), rules(**house), seats)


def test_the_highest_throw_begins_and_ties_throw_again() -> None:
    """Row 5: 4 + 4 and 5 + 3 tie, the second throw decides; the order goes round from there."""
    state = fresh()
    chance = ScriptedChance([(4, 4), (1, 2), (5, 3), (1, 1), (2, 1)], [], [])
    decision = start(state, chance)
    assert state.phase == 0  # on a copy
    apply(state, decision)
    began = next(event for event in decision.events if isinstance(event, GameStarted))
    assert (began.first_seat, began.order) == (C, [C, A, B])
    assert (state.turn_seat, state.turn, state.round, state.phase) == (C, 1, 1, PHASE_ROLL)
    assert state.cash == [1500, 1500, 1500]
    assert state.draws == 5
    assert [(pay.payer, pay.payee) for pay in decision.transfers] == [(BANK, C), (BANK, A), (BANK, B)]


def test_the_first_seat_begins_where_the_rules_say_so() -> None:
    """`start.order: seat` needs no throw."""
    state = fresh(start__order="seat")
    apply(state, start(state, ScriptedChance([], [], [])))
    assert (state.turn_seat, state.order, state.draws) == (A, [A, B, C], 0)


def test_before_the_start_nothing_is_accepted() -> None:
    """NOT_STARTED comes before everything else."""
    refused = decide(fresh(), A, Roll(), RandomChance(1))
    assert isinstance(refused, Rejection)
    assert refused.name == "NOT_STARTED"
    ended = abandon(fresh(), Decision())
    assert ended is not None
    assert ended.name == "NOT_STARTED"


def test_rounds_are_counted_over_seats_that_left() -> None:
    """Turn and round go on when the first in order is out."""
    made = position()
    made.at[A] = 17
    table = begin(made, (1, 2), (1, 3))
    assert table.act(A, Roll()) is None
    assert table.act(A, EndTurn()) is None
    assert (table.state.turn_seat, table.state.turn, table.state.round) == (B, 2, 1)
    assert table.act(A, Resign()) is None
    assert table.act(B, Roll()) is None
    assert table.act(B, EndTurn()) is None
    assert (table.state.turn_seat, table.state.round) == (C, 1)


def test_the_cap_on_turns_ends_the_game_by_score() -> None:
    """Own rule, so that every game ends; counted as row 86."""
    made = position(end__turns_max=1).own(B, 39)
    made.at[A] = 17
    table = begin(made, (1, 2))
    assert table.act(A, Roll()) is None
    assert table.act(A, EndTurn()) is None
    state = table.state
    assert (state.phase, state.end_reason) == (PHASE_OVER, END_REASON_TURN_CAP)
    assert (state.ranking, state.scores) == ([B, A, C], [1900, 1500, 1500])
    assert table.refused(B, Roll()) == "GAME_OVER"


def test_the_score() -> None:
    """Row 86: 100 in hand, 60 mortgaged, three hotels on 100, 100, 120 with houses at 50."""
    made = position().own(A, 3, mortgaged=1).own(A, 6, 8, 9, level=5)
    made.cash[A] = 100
    assert score(begin(made).state, A) == 100 + 30 + 320 + 3 * 5 * 50


def test_the_last_one_left_wins() -> None:
    """Row 85: the others rank by when they went, last out first."""
    table = begin(position())
    assert table.act(B, Resign()) is None
    assert table.act(A, Resign()) is None
    assert (table.state.phase, table.state.end_reason) == (PHASE_OVER, END_REASON_LAST_PLAYER)
    assert table.state.ranking == [C, A, B]


def test_an_abandoned_game_is_counted() -> None:
    """Nobody came back: ended in place, ranked by score."""
    table = begin(position().own(B, 39))
    decision = Decision()
    assert abandon(table.state, decision) is None
    assert (table.state.end_reason, table.state.ranking) == (END_REASON_ABANDONED, [B, A, C])
    assert abandon(table.state, decision) is not None


def test_a_simulated_game_can_be_decided_and_folded_again() -> None:
    """The same chance and commands lead to the same state, and so does folding the events."""
    game = Game(load_board("classic-us"), rules(end__turns_max=400), 4, seed=11, record=True)
    game.play()
    assert plain.digest(replay_moves(game, 11)) == plain.digest(game.state)
    folded = State(game.state.board, game.state.rules, game.state.seats)
    for event in game.log:
        evolve(folded, event)
    folded.cash, folded.held = game.state.cash, game.state.held
    assert plain.digest(folded) == plain.digest(game.state)
