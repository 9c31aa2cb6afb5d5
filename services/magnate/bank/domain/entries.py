"""Entries: money that moves, always from one account to another, so every entry sums to zero."""

from typing import Final

from magnate.bank.domain.accounts import KIND_BANK
from magnate.bank.domain.instructions import Reverse, Transfer
from magnate.bank.domain.known import (
    CAPTURE,
    HOLD,
    REVERSAL,
    TRANSFER,
    Known,
    Replay,
    again,
    again_reversed,
    bad_transfer_id,
    too_many,
)
from magnate.bank.domain.limits import AMOUNT_MAX, NOTE_LENGTH_MAX, REASON_LENGTH_MAX
from magnate.bank.domain.records import EntryPosted
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.state import LedgerDamagedError, State
from magnate.rules import rejections as names

REVERSAL_REASON: Final = "reversal"
"""Why an entry that takes another back was posted."""


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


def bad_note(note: str) -> Rejection | None:
    """Refuse a note that is too long or cannot be shown."""
    if len(note) <= NOTE_LENGTH_MAX and note.isprintable():
        return None
    return Rejection(names.INVALID_NOTE, f"a note has at most {NOTE_LENGTH_MAX} printable characters")


def unknown_account(name: str) -> Rejection:
    """Say that the ledger has no account of this name."""
    return Rejection(names.UNKNOWN_ACCOUNT, f"the ledger has no account {name!r}", name)


def closed_account(name: str) -> Rejection:
    """Say that the account is closed."""
    return Rejection(names.ACCOUNT_CLOSED, f"{name} is closed", name)


def insufficient_funds(state: State, account: int, amount: int) -> Rejection:
    """Say what is available and what is needed, unless who is told may not know it: private, or concealed."""
    name = state.names[account]
    if state.private[account] or has_concealed(state, account):
        detail = f"{name} has less than {amount} available"
    else:
        detail = f"{name} has {state.available(account)} available, needs {amount}"
    return Rejection(names.INSUFFICIENT_FUNDS, detail, name)


def has_concealed(state: State, account: int) -> bool:
    """Tell whether something of an account is on hold that only its own seat may know of."""
    return any(hold.concealed and hold.account == account for hold in state.holds.values())


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


def decide_transfer(state: State, ask: Transfer) -> EntryPosted | Replay | Rejection:
    """Decide on a transfer.

    Refusals, in order: INVALID_TRANSFER_ID INVALID_AMOUNT INVALID_REASON TRANSFER_ID_REUSED SAME_ACCOUNT
    UNKNOWN_ACCOUNT ACCOUNT_CLOSED TOO_MANY_TRANSFERS NOTHING_TO_MOVE INSUFFICIENT_FUNDS AMOUNT_OVERFLOW; of
    the two accounts the payer is looked at first.
    """
    amount = ask.amount
    bad: Rejection | None = None
    named = ask.transfer_id != ""
    if named:
        bad = bad_transfer_id(ask.transfer_id)
    bad = bad or bad_amount(amount) or bad_reason(ask.reason)
    if bad is not None:
        return bad
    debit = state.index.get(ask.debit, -1)
    credit = state.index.get(ask.credit, -1)
    if named:
        known = state.known.get(ask.transfer_id)
        if known is not None:
            return again(known, ask, debit, credit)
    bad = bad_parties(state, ask.debit, ask.credit, debit, credit)
    if bad is None and named:
        bad = too_many(state.known)
    if bad is not None:
        return bad
    available = state.available(debit)
    if ask.up_to:
        amount = min(amount, available)
        if amount <= 0:
            return Rejection(names.NOTHING_TO_MOVE, f"{ask.debit} has nothing available", ask.debit)
    elif available < amount:
        return insufficient_funds(state, debit, amount)
    bad = debit_overflow(state, debit, amount) or credit_overflow(state, credit, amount)
    if bad is not None:
        return bad
    at_most = ask.amount if ask.up_to else 0
    return EntryPosted(ask.debit, ask.credit, amount, ask.reason, ask.transfer_id, at_most)


def bad_parties(state: State, payer: str, payee: str, debit: int, credit: int) -> Rejection | None:
    """Refuse accounts between which nothing can be paid; `debit` and `credit` are their places or -1."""
    if payer == payee:
        return Rejection(names.SAME_ACCOUNT, f"{payer} cannot pay itself", payer)
    if debit < 0:
        return unknown_account(payer)
    if credit < 0:
        return unknown_account(payee)
    if state.closed[debit]:
        return closed_account(payer)
    if state.closed[credit]:
        return closed_account(payee)
    return None


def decide_reverse(state: State, ask: Reverse) -> EntryPosted | Replay | Rejection:
    """Decide on taking a transfer or a capture back.

    Refusals, in order: INVALID_TRANSFER_ID INVALID_NOTE TRANSFER_ID_REUSED UNKNOWN_TRANSFER NOT_REVERSIBLE
    ALREADY_REVERSED ACCOUNT_CLOSED TOO_MANY_TRANSFERS INSUFFICIENT_FUNDS AMOUNT_OVERFLOW.
    """
    bad = bad_transfer_id(ask.transfer_id) or bad_note(ask.note)
    if bad is not None:
        return bad
    known = state.known.get(ask.transfer_id)
    if known is not None:
        return again_reversed(known, ask)
    old = state.known.get(ask.reverses)
    if old is None:
        return Rejection(names.UNKNOWN_TRANSFER, f"the ledger knows no transfer {ask.reverses!r}")
    if old.kind not in (TRANSFER, CAPTURE):
        what = "a hold" if old.kind == HOLD else "a reversal"
        return Rejection(names.NOT_REVERSIBLE, f"{ask.reverses!r} is {what}")
    if old.reversed_by:
        detail = f"{ask.reverses!r} was taken back by {old.reversed_by!r}"
        return Rejection(names.ALREADY_REVERSED, detail)
    debit, credit = old.credit, old.debit
    bad = bad_parties(state, state.names[debit], state.names[credit], debit, credit) or too_many(state.known)
    if bad is not None:
        return bad
    if state.available(debit) < old.amount:
        return insufficient_funds(state, debit, old.amount)
    bad = debit_overflow(state, debit, old.amount) or credit_overflow(state, credit, old.amount)
    if bad is not None:
        return bad
    return EntryPosted(
        state.names[debit],
        state.names[credit],
        old.amount,
        REVERSAL_REASON,
        ask.transfer_id,
        0,
        ask.reverses,
        ask.note,
    )


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


def remember(state: State, transfer_id: str, known: Known) -> None:
    """Take down a transfer with an id; LedgerDamagedError if there is one of this id."""
    if state.known.get(transfer_id) is not None:
        raise LedgerDamagedError(f"transfer {transfer_id!r} is posted twice")
    state.known.add(transfer_id, known)


def evolve_entry(state: State, record: EntryPosted, version: int, index: int) -> None:
    """Fold an entry."""
    debit, credit = account_of(state, record.debit), account_of(state, record.credit)
    post(state, debit, credit, record.amount)
    if not record.transfer_id:
        return
    if not record.reverses:
        known = Known(
            TRANSFER, version, index, debit, credit, record.amount, record.at_most, record.reason, ""
        )
    else:
        old = state.known.get(record.reverses)
        if old is None or old.reversed_by or old.kind not in (TRANSFER, CAPTURE):
            raise LedgerDamagedError(f"a record takes back {record.reverses!r}, which does not stand")
        if (old.amount, old.debit, old.credit) != (record.amount, credit, debit):
            raise LedgerDamagedError(
                f"a record takes back {record.reverses!r} with another amount or account"
            )
        state.known.replace(record.reverses, old.taken_back(record.transfer_id))
        known = Known(REVERSAL, version, index, debit, credit, record.amount, 0, record.note, record.reverses)
    remember(state, record.transfer_id, known)
