"""Moving a token (rows 9, 12 to 15): forwards GO pays when it is reached or passed, backwards never."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import BANK
from magnate.rules.folds import nothing
from magnate.rules.vocabulary import (
    MOVE_CAUSE_CARD,
    MOVE_CAUSE_CARD_BACK,
    TRANSFER_REASON_SALARY,
    LandingBonusEarned,
    MovePending,
    SalaryEarned,
    TokenMoved,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State

GO_SQUARE: Final = 0


def forward(draft: Draft, seat: int, steps: int, cause: int, salary: bool = True) -> None:
    """Go so many squares in the direction of the arrow."""
    state = draft.state
    start = state.at[seat]
    target = start + steps
    passed = target >= state.board.size
    if passed:
        target -= state.board.size
    draft.emit(TokenMoved(seat, start, target, cause))
    if passed and salary and (target != GO_SQUARE or state.rules.go_landing_pays):
        amount = state.board.go_salary
        if amount > 0:
            draft.emit(SalaryEarned(seat, amount))
            draft.pay(BANK, seat, amount, TRANSFER_REASON_SALARY)


def to_square(draft: Draft, seat: int, square: int, salary: bool) -> None:
    """Go forwards to a square by a card; from the square itself that is once round the board."""
    state = draft.state
    steps = square - state.at[seat]
    if steps <= 0:
        steps += state.board.size
    forward(draft, seat, steps, MOVE_CAUSE_CARD, salary)


def back(draft: Draft, seat: int, steps: int) -> None:
    """Go so many squares backwards by a card; no salary, whatever is passed."""
    state = draft.state
    start = state.at[seat]
    draft.emit(TokenMoved(seat, start, (start - steps) % state.board.size, MOVE_CAUSE_CARD_BACK))


def _token_moved(state: State, event: TokenMoved) -> None:
    state.at[event.seat] = event.to_square
    state.pending_move = 0


def _move_pending(state: State, event: MovePending) -> None:
    state.pending_move = event.steps


FOLDS: Final[Folds] = {
    TokenMoved: _token_moved,
    SalaryEarned: nothing,
    LandingBonusEarned: nothing,
    MovePending: _move_pending,
}
