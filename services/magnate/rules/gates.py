"""The refusals that many steps share, each in one place and always in the same order.

`decide` asks `in_game` before any step: NOT_STARTED, GAME_OVER, UNKNOWN_SEAT, SEAT_OUT. A step of the seat
on turn asks `on_turn` first: NOT_YOUR_TURN, MUST_PAY_FIRST, WRONG_PHASE; its own refusals follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.rejections import (
    GAME_OVER,
    MUST_PAY_FIRST,
    NOT_STARTED,
    NOT_YOUR_TURN,
    SEAT_OUT,
    UNKNOWN_SEAT,
    WRONG_PHASE,
    Rejection,
)
from magnate.rules.vocabulary import PHASE_ACT, PHASE_JAIL, PHASE_NAMES, PHASE_OVER, PHASE_ROLL

if TYPE_CHECKING:
    from magnate.rules.state import State


BETWEEN: Final = (PHASE_ROLL, PHASE_JAIL, PHASE_ACT)
"""Phases in which nothing is pending: where tokens are moved by hand, any seat may act then."""


def in_game(state: State, seat: int) -> Rejection | None:
    """Whether the seat may do anything at all."""
    if state.phase == 0:
        return Rejection(NOT_STARTED)
    if state.phase == PHASE_OVER:
        return Rejection(GAME_OVER)
    if not 0 <= seat < state.seats:
        return Rejection(UNKNOWN_SEAT, f"there is no seat {seat} at this table")
    if state.out[seat]:
        return Rejection(SEAT_OUT, f"seat {seat} has left the game")
    return None


def on_turn(state: State, seat: int, phase: int) -> Rejection | None:
    """Whether it is the seat's turn and the game waits for this."""
    if seat != state.turn_seat:
        return Rejection(NOT_YOUR_TURN, f"seat {state.turn_seat} is on turn")
    if state.phase == phase:
        return None
    if state.debts and state.in_debt(seat):
        return Rejection(MUST_PAY_FIRST, f"{state.owed(seat)} is owed")
    return Rejection(WRONG_PHASE, f"the game waits for {PHASE_NAMES[state.phase]}, not {PHASE_NAMES[phase]}")


def nothing_pending(state: State, seat: int) -> Rejection | None:
    """Whether any seat may act, which is the gate where tokens are moved by hand."""
    if state.phase in BETWEEN:
        return None
    if state.debts and state.in_debt(seat):
        return Rejection(MUST_PAY_FIRST, f"{state.owed(seat)} is owed")
    if seat != state.turn_seat:
        return Rejection(NOT_YOUR_TURN, f"seat {state.turn_seat} is on turn")
    return Rejection(WRONG_PHASE, f"the game waits for {PHASE_NAMES[state.phase]}")
