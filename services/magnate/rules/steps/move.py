"""Moving a token (rows 9, 12 to 15): GO pays when it is reached or passed; backwards only by an option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.decision import BANK, NOBODY
from magnate.rules.folds import nothing
from magnate.rules.steps.clock import salary_pays
from magnate.rules.vocabulary import (
    MOVE_CAUSE_CARD,
    MOVE_CAUSE_CARD_BACK,
    MOVE_CAUSE_DICE,
    MOVE_CAUSE_DICE_BACK,
    MOVE_CAUSE_HAND,
    TRANSFER_REASON_LANDING_BONUS,
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


def by_dice(draft: Draft, seat: int, steps: int) -> None:
    """Go as far as the dice say: forwards, unless a card reversed the seat's next move."""
    if draft.state.extras.reverse[seat]:
        _back(draft, seat, steps, MOVE_CAUSE_DICE_BACK)
    else:
        forward(draft, seat, steps, MOVE_CAUSE_DICE)


def forward(draft: Draft, seat: int, steps: int, cause: int, salary: bool = True) -> None:
    """Go so many squares in the direction of the arrow."""
    state = draft.state
    start = state.at[seat]
    target = start + steps
    passes = 0
    while target >= state.board.size:  # twice at most with two dice, and only round a board of twelve squares
        target -= state.board.size
        passes += 1
    draft.emit(TokenMoved(seat, start, target, cause))
    if passes and salary:
        _earn_all(draft, seat, target, passes)


def _earn_all(draft: Draft, seat: int, target: int, passes: int) -> None:
    """Pay for each time GO was passed; the last of them may have been stopping there."""
    for _ in range(passes - 1):
        earn(draft, seat, NOBODY)
    earn(draft, seat, target)


def at_go(state: State, target: int) -> tuple[int, int]:
    """The salary and the bonus for GO, which was passed, or reached if that is the target."""
    stopped = target == GO_SQUARE
    if (stopped and not state.rules.go_landing_pays) or not salary_pays(state):
        return 0, 0
    salary = state.board.go_salary
    if not stopped:
        return salary, 0
    return salary * 2 if state.rules.go_landing_doubles else salary, state.board.go_landing_bonus


def earn(draft: Draft, seat: int, target: int) -> None:
    """Pay for GO, which was passed, or reached if that is the target (-1: it surely was passed)."""
    amount, bonus = at_go(draft.state, target)
    if amount > 0:
        draft.emit(SalaryEarned(seat, amount))
        draft.pay(BANK, seat, amount, TRANSFER_REASON_SALARY)
    if bonus > 0:
        draft.emit(LandingBonusEarned(seat, bonus))
        draft.pay(BANK, seat, bonus, TRANSFER_REASON_LANDING_BONUS)


def to_square(draft: Draft, seat: int, square: int, salary: bool) -> None:
    """Go forwards to a square by a card; from the square itself that is once round the board."""
    state = draft.state
    steps = square - state.at[seat]
    if steps <= 0:
        steps += state.board.size
    forward(draft, seat, steps, MOVE_CAUSE_CARD, salary)


def back(draft: Draft, seat: int, steps: int) -> None:
    """Go so many squares backwards by a card."""
    _back(draft, seat, steps, MOVE_CAUSE_CARD_BACK)


def _back(draft: Draft, seat: int, steps: int, cause: int) -> None:
    """Go backwards; leaving GO is not passing it."""
    state = draft.state
    start = state.at[seat]
    target = (start - steps) % state.board.size
    draft.emit(TokenMoved(seat, start, target, cause))
    size = state.board.size
    passes = (steps - (start or size)) // size + 1
    if state.rules.go_backward_pays and passes > 0:
        _earn_all(draft, seat, target, passes)


def _token_moved(state: State, event: TokenMoved) -> None:
    state.at[event.seat] = event.to_square
    state.pending_move = 0
    if event.cause == MOVE_CAUSE_DICE_BACK:
        state.extras.reverse[event.seat] = 0
    elif event.cause == MOVE_CAUSE_HAND:
        state.to_roll = 0


def _move_pending(state: State, event: MovePending) -> None:
    state.pending_move = event.steps


FOLDS: Final[Folds] = {
    TokenMoved: _token_moved,
    SalaryEarned: nothing,
    LandingBonusEarned: nothing,
    MovePending: _move_pending,
}
