"""Turns: ending one, and beginning the next (rows 6, 10, 43); one that a card takes away is skipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.choices import TOKENS_BY_HAND
from magnate.rules.gates import on_turn
from magnate.rules.rejections import MUST_ROLL, Rejection
from magnate.rules.vocabulary import (
    PHASE_ACT,
    PHASE_JAIL,
    PHASE_ROLL,
    EndTurn,
    MoveReversed,
    PhaseEntered,
    TurnEnded,
    TurnSkipped,
    TurnsLost,
    TurnStarted,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def end_turn(draft: Draft, seat: int, _command: EndTurn) -> Rejection | None:
    """End the turn: NOT_YOUR_TURN, MUST_ROLL, MUST_PAY_FIRST, WRONG_PHASE.

    Where tokens are moved by hand nobody knows of a throw, so nobody must have made one.
    """
    state = draft.state
    if seat != state.turn_seat or state.phase != PHASE_ACT:
        if seat != state.turn_seat or state.phase not in (PHASE_ROLL, PHASE_JAIL):
            return on_turn(state, seat, PHASE_ACT)
        if state.rules.table_tokens != TOKENS_BY_HAND:
            return Rejection(MUST_ROLL)
    draft.emit(TurnEnded(seat))
    return None


def ends_round(state: State) -> bool:
    """Whether nobody who is still in the game comes after the seat on turn in this round."""
    for seat in reversed(state.order):
        if seat == state.turn_seat:
            break
        if not state.out[seat]:
            return False
    return True


def next_turn(draft: Draft) -> None:
    """Begin the turn of the next seat in order that is still in the game; skip it if the seat lost turns."""
    state = draft.state
    if state.turn_over == 1:
        draft.emit(TurnEnded(state.turn_seat))
    order = state.order
    place = order.index(state.turn_seat)
    game_round = state.round
    while True:
        place += 1
        if place == state.seats:
            place = 0
            game_round += 1
        seat = order[place]
        if not state.out[seat]:
            break
    draft.emit(TurnStarted(seat, state.turn + 1, game_round))
    if state.extras.skip[seat]:
        draft.emit(TurnSkipped(seat))


def _turn_started(state: State, event: TurnStarted) -> None:
    state.turn_seat = event.seat
    state.turn = event.turn
    state.round = event.round
    state.doubles = 0
    state.to_roll = 1
    state.turn_over = 0
    extras = state.extras
    extras.built_groups = 0
    extras.built_any = 0


def _turn_ended(state: State, _event: TurnEnded) -> None:
    state.turn_over = 2


def _phase_entered(state: State, event: PhaseEntered) -> None:
    state.phase = event.phase


def _turns_lost(state: State, event: TurnsLost) -> None:
    state.extras.skip[event.seat] = event.turns


def _turn_skipped(state: State, event: TurnSkipped) -> None:
    state.extras.skip[event.seat] -= 1
    state.to_roll = 0
    state.turn_over = 1


def _move_reversed(state: State, event: MoveReversed) -> None:
    state.extras.reverse[event.seat] = 1


FOLDS: Final[Folds] = {
    TurnStarted: _turn_started,
    TurnEnded: _turn_ended,
    PhaseEntered: _phase_entered,
    TurnsLost: _turns_lost,
    TurnSkipped: _turn_skipped,
    MoveReversed: _move_reversed,
}
