"""Debts (rows 76, 78): owing, paying when the money is there, and what a seat could still raise.

What a seat can pay it pays at once (`Draft.charge`). A debt waits in `state.debts`, oldest first, and `flow`
pays it as soon as its debtor can; the game stands in phase DEBT until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.rules.buildings import buildings_raise, resale
from magnate.rules.choices import (
    PAYMENT_AUTOMATIC,
    PAYMENT_BY_CARD,
    SCOPE_GROUP,
    TRANSFER_TEN_NOW_TEN_LATER,
    WHEN_NEVER,
)
from magnate.rules.decision import BANK
from magnate.rules.deeds import lowest
from magnate.rules.folds import nothing
from magnate.rules.prices import interest_on
from magnate.rules.rejections import CARD_REQUIRED, INSUFFICIENT_FUNDS, NOT_IN_DEBT, Rejection
from magnate.rules.vocabulary import (
    TRANSFER_REASON_MORTGAGE_INTEREST,
    TRANSFER_REASON_RENT,
    TRANSFER_REASON_RENT_TAX,
    DebtIncurred,
    DebtPaid,
    DebtsAssigned,
    MortgageInterestCharged,
    OpenDebt,
    PayDebt,
    RedemptionOffered,
)

NO_LIMIT: Final = 1 << 60
"""More than anybody can have."""

if TYPE_CHECKING:
    from magnate.rules.draft import Draft
    from magnate.rules.folds import Folds
    from magnate.rules.state import State


def pay_debt(draft: Draft, seat: int, command: PayDebt) -> Rejection | None:
    """Pay the oldest debt: NOT_IN_DEBT, INSUFFICIENT_FUNDS, CARD_REQUIRED (debt.payment: by_card)."""
    state = draft.state
    due = due_first(state, seat)
    if not due:
        return Rejection(NOT_IN_DEBT)
    amount = due_amount(due)
    if state.available(seat) < amount:
        # Whoever presses the unit's key is told this: not what the card's holder has (row 88).
        return Rejection(INSUFFICIENT_FUNDS, f"{amount} is owed, and less is there")
    if state.rules.debt_payment == PAYMENT_BY_CARD and not command.by_card:
        return Rejection(CARD_REQUIRED, f"{amount} is owed; the card goes to the bank's terminal")
    for debt in due:
        _pay(draft, debt)
    return None


def awaits_card(state: State, seat: int) -> bool:
    """Whether the seat owes what it has, and only its card on the bank's terminal pays it."""
    return state.rules.debt_payment == PAYMENT_BY_CARD and can_pay(state, seat)


def pay_what_can_be_paid(draft: Draft) -> None:
    """Pay what can be paid, each seat's oldest debt first; who is paid may then pay his own."""
    state = draft.state
    if state.rules.debt_payment != PAYMENT_AUTOMATIC:
        return
    paid = True
    while paid:
        paid = False
        waiting = 0
        for debt in state.debts:
            debtor = 1 << debt.debtor
            if waiting & debtor:
                continue
            if can_pay(state, debt.debtor):
                for one in due_first(state, debt.debtor):
                    _pay(draft, one)
                paid = True
                break
            waiting |= debtor


def due_first(state: State, seat: int) -> list[OpenDebt]:
    """What the seat has to pay first (see `first_due`)."""
    return first_due(state.debts, seat)


def first_due(debts: list[OpenDebt], seat: int) -> list[OpenDebt]:
    """Of open debts, those the seat has to pay first, at once: its oldest, and with a rent the tax on it."""
    due: list[OpenDebt] = []
    for debt in debts:
        if debt.debtor != seat:
            continue
        if not due:
            due.append(debt)
            if debt.reason != TRANSFER_REASON_RENT:
                break
        elif debt.reason == TRANSFER_REASON_RENT_TAX and debt.lot == due[0].lot:
            due.append(debt)
            break
    return due


def can_pay(state: State, seat: int) -> bool:
    """Whether the seat owes something and has what it has to pay first."""
    available = state.available(seat)
    for debt in state.debts:
        if debt.debtor == seat:
            alone = debt.reason != TRANSFER_REASON_RENT or len(state.debts) == 1
            if alone or debt.amount > available:
                return debt.amount <= available
            return due_amount(due_first(state, seat)) <= available
    return False


def due_amount(due: list[OpenDebt]) -> int:
    """What these debts come to."""
    amount = 0
    for debt in due:
        amount += debt.amount
    return amount


def interest(state: State, lot: int) -> int:
    """The interest on the lot's mortgage, rounded to what the board counts in (rows 73, 76)."""
    return interest_on(state.board, state.rules, state.board.mortgage_value[lot])


def charge_interest(draft: Draft, seat: int, lot: int) -> None:
    """A mortgaged lot came to the seat out of an estate: the interest is due to the bank at once.

    Until the next throw he may redeem it for what is left of a redemption then (row 82). Where the interest
    is taken over, or mortgaged lots cannot change hands but by an estate, nothing is due.
    """
    state = draft.state
    if state.rules.mortgage_transfer != TRANSFER_TEN_NOW_TEN_LATER:
        return
    amount = interest(state, lot)
    draft.emit(MortgageInterestCharged(seat, lot, amount))
    draft.charge(seat, BANK, amount, TRANSFER_REASON_MORTGAGE_INTEREST, lot)
    draft.emit(RedemptionOffered(seat, lot, state.redeem_cost[lot] - amount))


def liquidation(state: State, seat: int, enough: int = NO_LIMIT) -> int:
    """What the seat could have in hand: its money, buildings sold, lots mortgaged or given back.

    Who only wants to know whether it is `enough` need not look for more.
    """
    total = state.available(seat) + resale(state, buildings_raise(state, seat))
    returns = state.rules.debt_return_lots
    if not returns and state.rules.mortgage_when == WHEN_NEVER:
        return total
    lots = state.owned[seat] & ~state.mortgaged_mask
    while lots and total < enough:
        lot = lowest(lots)
        lots &= lots - 1
        if returns:  # a lot given back counts more than its mortgage (row 78)
            total += state.board.price[lot]
        elif not _barred(state, seat, lot):
            total += state.board.mortgage_value[lot]
    return total


def _barred(state: State, seat: int, lot: int) -> bool:
    """Whether another seat's buildings in the group forbid a mortgage: a bare lot may leave it (row 65)."""
    group = state.board.group[lot]
    if state.group_buildings[group] == 0 or state.rules.mortgage_clear != SCOPE_GROUP:
        return False
    for other in state.board.members[group]:  # noqa: SIM110 - a generator costs more than the loop
        if state.level[other] and state.owner[other] != seat:
            return True
    return False


def _pay(draft: Draft, debt: OpenDebt) -> None:
    draft.emit(DebtPaid(debt.debtor, debt.creditor, debt.amount, debt.reason))
    draft.pay(debt.debtor, debt.creditor, debt.amount, debt.reason)


def _debt_incurred(state: State, event: DebtIncurred) -> None:
    state.debts.append(event.debt)
    state.debt_mark[event.debt.debtor] = state.offer_count


def _debt_paid(state: State, event: DebtPaid) -> None:
    for place, debt in enumerate(state.debts):
        if debt.debtor == event.debtor and debt.creditor == event.creditor and debt.reason == event.reason:
            rest = debt.amount - event.amount
            assert rest >= 0
            if rest == 0:
                del state.debts[place]
            else:
                state.debts[place] = OpenDebt(debt.debtor, debt.creditor, rest, debt.reason, debt.lot)
            return
    raise AssertionError("a debt was paid that nobody owed")


def _debts_assigned(state: State, event: DebtsAssigned) -> None:
    kept: list[OpenDebt] = []
    for debt in state.debts:
        if debt.creditor != event.from_creditor:
            kept.append(debt)
        elif debt.debtor != event.to_creditor:  # else he would owe it to himself
            kept.append(OpenDebt(debt.debtor, event.to_creditor, debt.amount, debt.reason, debt.lot))
    state.debts = kept


FOLDS: Final[Folds] = {
    DebtIncurred: _debt_incurred,
    DebtPaid: _debt_paid,
    DebtsAssigned: _debts_assigned,
    MortgageInterestCharged: nothing,
}
