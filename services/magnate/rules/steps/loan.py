"""Loans (row 69): the bank's where the rule set has them, and players' as part of a deal.

The bank lends up to `board.loan_amount`, one loan at a time, from round `loan.first_round` on, and the next
one `loan.pause_rounds` after the last was paid back. A loan may be paid back whenever its debtor owes nothing
else; at the end of its last round (`loan.rounds`, `trade.loan_rounds` after it was taken) it is a debt like
any other. There is no interest: the texts name none. A player's loan of 0 rounds never falls due by itself.

Who leaves the game owes his loans as debts, and what he lent passes on with the estate (`estate`).

Refusals of `take_loan`, in this order: LOANS_NOT_ALLOWED; NOT_YOUR_TURN unless in debt; LOAN_NOT_YET;
ONE_LOAN_AT_A_TIME; INVALID_AMOUNT. Of `repay_loan`: NOTHING_DUE, MUST_PAY_FIRST, INSUFFICIENT_FUNDS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules import rejections
from magnate.rules.choices import WHEN_OWN_TURN_OR_IN_DEBT
from magnate.rules.decision import BANK
from magnate.rules.moments import refuse_moment
from magnate.rules.rejections import Rejection
from magnate.rules.vocabulary import (
    TRANSFER_REASON_LOAN,
    TRANSFER_REASON_LOAN_REPAYMENT,
    LoanEnded,
    LoanTaken,
    OpenLoan,
    RepayLoan,
    TakeLoan,
)

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def take_loan(draft: Draft, seat: int, command: TakeLoan) -> Rejection | None:
    """Borrow from the bank."""
    state = draft.state
    name = refuse_borrowing(state, seat)
    if name:
        return Rejection(name)
    if not 0 < command.amount <= state.board.loan_amount:
        return Rejection(rejections.INVALID_AMOUNT, f"the bank lends up to {state.board.loan_amount}")
    lend(draft, BANK, seat, command.amount, state.round + state.rules.loan_rounds)
    return None


def repay_loan(draft: Draft, seat: int, command: RepayLoan) -> Rejection | None:
    """Pay the oldest loan of a creditor back, whole."""
    state = draft.state
    loan = oldest_loan(state, seat, command.creditor)
    if loan is None:
        return Rejection(rejections.NOTHING_DUE, "nothing was borrowed there")
    if state.debts and state.in_debt(seat):
        return Rejection(rejections.MUST_PAY_FIRST, f"{state.owed(seat)} is owed")
    if loan.amount > state.available(seat):
        return Rejection(rejections.INSUFFICIENT_FUNDS, f"{loan.amount} was borrowed")
    draft.emit(LoanEnded(loan, due=False))
    draft.pay(seat, loan.creditor, loan.amount, TRANSFER_REASON_LOAN_REPAYMENT)
    return None


def lend(draft: Draft, creditor: int, debtor: int, amount: int, due_round: int) -> None:
    """Pay out a loan that is known to be allowed, and remember it; 0 lends nothing."""
    if amount:
        draft.emit(LoanTaken(OpenLoan(debtor, creditor, amount, due_round)))
        draft.pay(creditor, debtor, amount, TRANSFER_REASON_LOAN)


def refuse_borrowing(state: State, seat: int) -> str:
    """Why the bank lends nothing to the seat at this moment, or empty."""
    rules = state.rules
    if not rules.loan_enabled or state.board.loan_amount == 0:
        return rejections.LOANS_NOT_ALLOWED
    name = refuse_moment(state, seat, WHEN_OWN_TURN_OR_IN_DEBT)
    if name:
        return name
    first = rules.loan_first_round
    if state.extras.loan_ended[seat]:
        first = max(first, state.extras.loan_ended[seat] + rules.loan_pause_rounds)
    if state.round < first:
        return rejections.LOAN_NOT_YET
    return rejections.ONE_LOAN_AT_A_TIME if oldest_loan(state, seat, BANK) is not None else ""


def oldest_loan(state: State, seat: int, creditor: int) -> OpenLoan | None:
    """The loan that paying back to this creditor ends."""
    for loan in state.extras.loans:
        if loan.debtor == seat and loan.creditor == creditor:
            return loan
    return None


def repayable(state: State, seat: int) -> list[int]:
    """To whom the seat can pay a loan back now (-1 the bank)."""
    found: list[int] = []
    if state.debts and state.in_debt(seat):
        return found
    seen: list[int] = []
    for loan in state.extras.loans:
        if loan.debtor == seat and loan.creditor not in seen:
            seen.append(loan.creditor)
            if loan.amount <= state.available(seat):
                found.append(loan.creditor)
    return found


def can_repay(state: State, seat: int) -> bool:
    """Whether there are any."""
    if state.debts and state.in_debt(seat):
        return False
    for loan in state.extras.loans:
        if loan.debtor == seat:
            return loan.amount <= state.available(seat) or len(repayable(state, seat)) > 0
    return False


def fall_due(draft: Draft) -> None:
    """The round ends: loans that last until it are debts from now on, like any others."""
    state = draft.state
    ended = state.round
    for loan in [one for one in state.extras.loans if 0 < one.due_round <= ended]:
        draft.emit(LoanEnded(loan, due=True))
        draft.charge(loan.debtor, loan.creditor, loan.amount, TRANSFER_REASON_LOAN_REPAYMENT, -1)


def _loan_taken(state: State, event: LoanTaken) -> None:
    state.extras.loans.append(event.loan)


def _loan_ended(state: State, event: LoanEnded) -> None:
    state.extras.loans.remove(event.loan)  # of equal ones the oldest
    if event.loan.creditor < 0:
        state.extras.loan_ended[event.loan.debtor] = state.round


FOLDS: Final[Folds] = {LoanTaken: _loan_taken, LoanEnded: _loan_ended}
