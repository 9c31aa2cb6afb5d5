"""Holds: money that is reserved. They are placed, captured (whole or in part), released or expired."""

from magnate.bank.domain.entries import (
    account_of,
    bad_amount,
    bad_reason,
    closed_account,
    credit_overflow,
    debit_overflow,
    insufficient_funds,
    post,
    unknown_account,
)
from magnate.bank.domain.instructions import CaptureHold, PlaceHold, ReleaseHold
from magnate.bank.domain.limits import AMOUNT_MAX, HOLD_ID_LENGTH_MAX, HOLDS_MAX
from magnate.bank.domain.records import HoldCaptured, HoldExpired, HoldPlaced, HoldReleased
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.state import Hold, LedgerDamagedError, State
from magnate.rules import rejections as names


def unknown_hold(hold_id: str) -> Rejection:
    """Say that no such hold is open."""
    return Rejection(names.UNKNOWN_HOLD, f"no hold {hold_id!r} is open")


def bad_place(state: State, ask: PlaceHold, time_ms: int) -> Rejection | None:
    """Refuse what is wrong with the request itself, whatever the balances are."""
    if not 0 < len(ask.hold_id) <= HOLD_ID_LENGTH_MAX or not ask.hold_id.isprintable():
        return Rejection(
            names.INVALID_HOLD_ID,
            f"a hold's id has 1 to {HOLD_ID_LENGTH_MAX} characters: {ask.hold_id!r}",
        )
    bad = bad_amount(ask.amount)
    if bad is not None:
        return bad
    expires = ask.expires_at_ms
    if expires != 0 and not time_ms < expires <= AMOUNT_MAX:
        return Rejection(names.INVALID_EXPIRY, f"the hold would lapse at {expires}, and it is {time_ms}")
    if ask.hold_id in state.holds:
        return Rejection(names.HOLD_EXISTS, f"hold {ask.hold_id!r} is open", ask.account)
    return None


def decide_place(state: State, ask: PlaceHold, time_ms: int) -> HoldPlaced | Rejection:
    """Decide on placing a hold.

    Refusals, in order: INVALID_HOLD_ID INVALID_AMOUNT INVALID_EXPIRY HOLD_EXISTS UNKNOWN_ACCOUNT
    ACCOUNT_CLOSED TOO_MANY_HOLDS INSUFFICIENT_FUNDS AMOUNT_OVERFLOW.
    """
    bad = bad_place(state, ask, time_ms)
    if bad is not None:
        return bad
    account = state.index.get(ask.account, -1)
    if account < 0:
        return unknown_account(ask.account)
    if state.closed[account]:
        return closed_account(ask.account)
    if len(state.holds) >= HOLDS_MAX:
        return Rejection(names.TOO_MANY_HOLDS, f"{HOLDS_MAX} holds are open", ask.account)
    if state.available(account) < ask.amount:
        return insufficient_funds(state, account, ask.amount)
    bad = debit_overflow(state, account, ask.amount)
    if bad is not None:
        return bad
    if state.held[account] + ask.amount > AMOUNT_MAX:
        detail = f"what is held of {ask.account} would exceed {AMOUNT_MAX}"
        return Rejection(names.AMOUNT_OVERFLOW, detail, ask.account)
    return HoldPlaced(ask.hold_id, ask.account, ask.amount, ask.expires_at_ms)


def decide_capture(state: State, ask: CaptureHold) -> HoldCaptured | Rejection:
    """Decide on paying from a hold.

    Refusals, in order: INVALID_AMOUNT INVALID_REASON UNKNOWN_HOLD SAME_ACCOUNT UNKNOWN_ACCOUNT ACCOUNT_CLOSED
    HOLD_EXCEEDED AMOUNT_OVERFLOW.
    """
    bad = bad_amount(ask.amount) or bad_reason(ask.reason)
    if bad is not None:
        return bad
    hold = state.holds.get(ask.hold_id)
    if hold is None:
        return unknown_hold(ask.hold_id)
    payer = state.names[hold.account]
    if payer == ask.to:
        return Rejection(names.SAME_ACCOUNT, f"{payer} cannot pay itself", payer)
    to = state.index.get(ask.to, -1)
    if to < 0:
        return unknown_account(ask.to)
    if state.closed[to]:
        return closed_account(ask.to)
    if ask.amount > hold.amount:
        detail = f"hold {ask.hold_id!r} reserves {hold.amount}, less than {ask.amount}"
        return Rejection(names.HOLD_EXCEEDED, detail, payer)
    bad = credit_overflow(state, to, ask.amount)
    if bad is not None:
        return bad
    return HoldCaptured(ask.hold_id, payer, ask.to, ask.amount, hold.amount - ask.amount, ask.reason)


def decide_release(state: State, ask: ReleaseHold) -> HoldReleased | Rejection:
    """Decide on giving a hold back. Refusal: UNKNOWN_HOLD."""
    hold = state.holds.get(ask.hold_id)
    if hold is None:
        return unknown_hold(ask.hold_id)
    return HoldReleased(ask.hold_id, state.names[hold.account], hold.amount)


def decide_expiries(state: State, time_ms: int) -> list[HoldExpired]:
    """Return the holds whose time is over, the one placed first in front."""
    if state.expiring == 0:
        return []
    return [
        HoldExpired(hold.hold_id, state.names[hold.account], hold.amount)
        for hold in state.holds.values()
        if 0 < hold.expires_at_ms <= time_ms
    ]


def evolve_placed(state: State, record: HoldPlaced, version: int) -> None:
    """Fold a placed hold."""
    account = account_of(state, record.account)
    if record.hold_id in state.holds:
        raise LedgerDamagedError(f"hold {record.hold_id!r} is placed twice")
    if record.amount <= 0 or state.available(account) < record.amount:
        raise LedgerDamagedError(f"hold {record.hold_id!r} reserves {record.amount}, which is not there")
    state.holds[record.hold_id] = Hold(record.hold_id, account, record.amount, version, record.expires_at_ms)
    state.held[account] += record.amount
    if record.expires_at_ms:
        state.expiring += 1


def take(state: State, hold_id: str, account: str, amount: int) -> Hold:
    """Take an open hold out of the state after comparing it with what a record says of it."""
    hold = state.holds.pop(hold_id, None)
    if hold is None:
        raise LedgerDamagedError(f"a record ends hold {hold_id!r}, which is not open")
    if hold.amount != amount or state.names[hold.account] != account:
        raise LedgerDamagedError(f"a record ends hold {hold_id!r} with another amount or account")
    state.held[hold.account] -= amount
    if hold.expires_at_ms:
        state.expiring -= 1
    return hold


def evolve_captured(state: State, record: HoldCaptured) -> None:
    """Fold a captured hold: the reservation ends, and what was captured is an entry."""
    if record.released < 0:
        raise LedgerDamagedError(f"hold {record.hold_id!r} gives back {record.released}")
    hold = take(state, record.hold_id, record.account, record.captured + record.released)
    post(state, hold.account, account_of(state, record.to), record.captured)


def evolve_ended(state: State, record: HoldReleased | HoldExpired) -> None:
    """Fold a released or an expired hold."""
    take(state, record.hold_id, record.account, record.released)
