"""Loans (row 69): the bank's where the rule set has them, and players' as part of a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.rejections import NOTHING_DUE, TRADE_NOT_ALLOWED, Rejection
from magnate.rules.vocabulary import TRANSFER_REASON_LOAN_REPAYMENT, LoanEnded, LoanTaken, RepayLoan, TakeLoan

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def take_loan(draft: Draft, seat: int, command: TakeLoan) -> Rejection | None:  # noqa: ARG001
    """Borrow from the bank."""
    if not draft.state.rules.loan_enabled:
        return Rejection(TRADE_NOT_ALLOWED, "the bank lends nothing by this rule set")
    raise NotImplementedError


def fall_due(draft: Draft) -> None:
    """The round ends: loans that last until it are debts from now on, like any others."""
    state = draft.state
    for loan in list(state.extras.loans):
        if 0 < loan.due_round <= state.round:
            draft.emit(LoanEnded(loan.debtor, loan.creditor, loan.amount, due=True))
            draft.charge(loan.debtor, loan.creditor, loan.amount, TRANSFER_REASON_LOAN_REPAYMENT, -1)


def repay_loan(draft: Draft, seat: int, command: RepayLoan) -> Rejection | None:
    """Pay the oldest loan of a creditor back, whole."""
    if not any(one.debtor == seat and one.creditor == command.creditor for one in draft.state.extras.loans):
        return Rejection(NOTHING_DUE, "nothing was borrowed there")
    raise NotImplementedError


def _loan_taken(state: State, event: LoanTaken) -> None:
    state.extras.loans.append(event.loan)


def _loan_ended(state: State, event: LoanEnded) -> None:
    loans = state.extras.loans
    for place, loan in enumerate(loans):
        if loan.debtor == event.debtor and loan.creditor == event.creditor:
            del loans[place]
            break
    if event.creditor < 0:
        state.extras.loan_ended[event.debtor] = state.round


FOLDS: Final[Folds] = {LoanTaken: _loan_taken, LoanEnded: _loan_ended}
