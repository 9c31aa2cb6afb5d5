"""Entries: money that moves, always from one account to another, so every entry sums to zero."""

from magnate.bank.domain.accounts import KIND_BANK
from magnate.bank.domain.instructions import Transfer
from magnate.bank.domain.limits import AMOUNT_MAX, REASON_LENGTH_MAX
from magnate.bank.domain.records import EntryPosted
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.state import LedgerDamagedError, State
from magnate.rules import rejections as names


def bad_amount(amount: int) -> Rejection | None:
    """Refuse an amount that no entry and no hold can have."""
    if 0 < amount <= AMOUNT_MAX:
        return None
    return Rejection(names.INVALID_AMOUNT, f"amount {amount} is not between 1 and {AMOUNT_MAX}")


def bad_reason(reason: str) -> Rejection | None:
    """Refuse a reason that is not a short plain code."""
    if 0 < len(reason) <= REASON_LENGTH_MAX and reason.isascii() and reason.isprintable():
        return None
    return Rejection(
        names.INVALID_REASON,
        f"a reason has 1 to {REASON_LENGTH_MAX} plain characters, this one: {reason!r}",
    )


def unknown_account(name: str) -> Rejection:
    """Say that the ledger has no account of this name."""
    return Rejection(names.UNKNOWN_ACCOUNT, f"the ledger has no account {name!r}", name)


def closed_account(name: str) -> Rejection:
    """Say that the account is closed."""
    return Rejection(names.ACCOUNT_CLOSED, f"{name} is closed", name)


def insufficient_funds(state: State, account: int, amount: int) -> Rejection:
    """Say what is available and what is needed."""
    name = state.names[account]
    return Rejection(
        names.INSUFFICIENT_FUNDS,
        f"{name} has {state.available(account)} available, needs {amount}",
        name,
    )


def credit_overflow(state: State, credit: int, amount: int) -> Rejection | None:
    """Refuse an entry that would take the payee's balance out of 64 bits."""
    if state.posted[credit] + amount <= AMOUNT_MAX:
        return None
    name = state.names[credit]
    return Rejection(names.AMOUNT_OVERFLOW, f"the balance of {name} would exceed {AMOUNT_MAX}", name)


def debit_overflow(state: State, debit: int, amount: int) -> Rejection | None:
    """Refuse an entry or a hold that would take the payer's available balance out of 64 bits."""
    if state.posted[debit] - state.held[debit] - amount >= -AMOUNT_MAX:
        return None
    name = state.names[debit]
    return Rejection(names.AMOUNT_OVERFLOW, f"the balance of {name} would fall below -{AMOUNT_MAX}", name)


def decide_transfer(state: State, ask: Transfer) -> EntryPosted | Rejection:
    """Decide on a transfer.

    Refusals, in order: INVALID_AMOUNT INVALID_REASON SAME_ACCOUNT UNKNOWN_ACCOUNT ACCOUNT_CLOSED
    INSUFFICIENT_FUNDS AMOUNT_OVERFLOW; of the two accounts the payer is looked at first.
    """
    amount = ask.amount
    bad = bad_amount(amount) or bad_reason(ask.reason)
    if bad is not None:
        return bad
    if ask.debit == ask.credit:
        return Rejection(names.SAME_ACCOUNT, f"{ask.debit} cannot pay itself", ask.debit)
    debit = state.index.get(ask.debit, -1)
    if debit < 0:
        return unknown_account(ask.debit)
    credit = state.index.get(ask.credit, -1)
    if credit < 0:
        return unknown_account(ask.credit)
    if state.closed[debit]:
        return closed_account(ask.debit)
    if state.closed[credit]:
        return closed_account(ask.credit)
    if state.available(debit) < amount:
        return insufficient_funds(state, debit, amount)
    bad = debit_overflow(state, debit, amount) or credit_overflow(state, credit, amount)
    if bad is not None:
        return bad
    return EntryPosted(ask.debit, ask.credit, amount, ask.reason)


def account_of(state: State, name: str) -> int:
    """Return the place of an account that a record names; LedgerDamagedError unless it is open."""
    account = state.index.get(name, -1)
    if account < 0 or state.closed[account]:
        raise LedgerDamagedError(f"a record names account {name!r}, which is not open")
    return account


def post(state: State, debit: int, credit: int, amount: int) -> None:
    """Move money. The only place where a balance changes, and it changes two by the same amount."""
    if amount <= 0 or debit == credit:
        raise LedgerDamagedError(f"an entry of {amount} from account {debit} to account {credit}")
    paid = state.posted[debit] - amount
    got = state.posted[credit] + amount
    if got > AMOUNT_MAX or paid < -AMOUNT_MAX:
        raise LedgerDamagedError(f"an entry of {amount} takes a balance out of 64 bits")
    if paid < state.held[debit] and state.kinds[debit] != KIND_BANK:
        raise LedgerDamagedError(f"an entry of {amount} overdraws {state.names[debit]}")
    state.posted[debit] = paid
    state.posted[credit] = got
    state.entries += 1


def evolve_entry(state: State, record: EntryPosted) -> None:
    """Fold an entry."""
    post(state, account_of(state, record.debit), account_of(state, record.credit), record.amount)
