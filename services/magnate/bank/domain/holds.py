"""Holds: money that is reserved. They are placed, captured (whole or in part), released or expired."""

from magnate.bank.domain.entries import (
    account_of,
    bad_amount,
    bad_parties,
    bad_reason,
    closed_account,
    credit_overflow,
    debit_overflow,
    insufficient_funds,
    post,
    remember,
    unknown_account,
)
from magnate.bank.domain.instructions import CaptureHold, PlaceHold, ReleaseHold, RevealHold
from magnate.bank.domain.known import (
    CAPTURE,
    HOLD,
    Known,
    Replay,
    again_captured,
    again_held,
    bad_transfer_id,
    reused,
    too_many,
)
from magnate.bank.domain.limits import AMOUNT_MAX, EXPIRY_MS_MAX, HOLD_ID_LENGTH_MAX, HOLDS_MAX
from magnate.bank.domain.records import HoldCaptured, HoldExpired, HoldPlaced, HoldReleased, HoldRevealed
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.state import Hold, LedgerDamagedError, State
from magnate.rules import rejections as names


def unknown_hold(hold_id: str) -> Rejection:
    """Say that no such hold is open."""
    return Rejection(names.UNKNOWN_HOLD, f"no hold {hold_id!r} is open")


def concealed_hold(hold_id: str) -> Rejection:
    """Say that the hold is not for everybody to see or to pay from yet."""
    return Rejection(names.HOLD_CONCEALED, f"hold {hold_id!r} is a sealed bid's")


def bad_place(ask: PlaceHold) -> Rejection | None:
    """Refuse what is wrong with the request itself, whatever the balances are and the time is."""
    if not 0 < len(ask.hold_id) <= HOLD_ID_LENGTH_MAX or not ask.hold_id.isprintable():
        return Rejection(
            names.INVALID_HOLD_ID,
            f"a hold's id has 1 to {HOLD_ID_LENGTH_MAX} characters: {ask.hold_id!r}",
        )
    return bad_amount(ask.amount)


def decide_place(state: State, ask: PlaceHold, time_ms: int) -> HoldPlaced | Replay | Rejection:
    """Decide on placing a hold. At a stand-alone ledger its id is one of the transfers', used once for ever.

    A concealed one never lapses, and its id is not among the transfers', which everybody may look up.

    Refusals, in order: INVALID_TRANSFER_ID INVALID_HOLD_ID INVALID_AMOUNT INVALID_EXPIRY TRANSFER_ID_REUSED
    HOLD_EXISTS UNKNOWN_ACCOUNT ACCOUNT_CLOSED TOO_MANY_TRANSFERS TOO_MANY_HOLDS INSUFFICIENT_FUNDS
    AMOUNT_OVERFLOW. A hold that was placed before is answered so, though it would have lapsed by now.
    """
    once = state.standalone and not ask.concealed
    bad = bad_transfer_id(ask.hold_id) if once else None
    bad = bad or bad_place(ask)
    if bad is not None:
        return bad
    account = state.index.get(ask.account, -1)
    known = state.known.get(ask.hold_id) if once else None
    if known is not None:
        answer = again_held(known, ask, account)
        if isinstance(answer, Replay):
            return answer
    expires = ask.expires_at_ms
    if expires != 0 and ask.concealed:
        return Rejection(names.INVALID_EXPIRY, "a concealed hold does not lapse")
    if expires != 0 and not time_ms < expires <= EXPIRY_MS_MAX:
        detail = f"the hold would lapse at {expires}, not after {time_ms} and by the year 9999"
        return Rejection(names.INVALID_EXPIRY, detail)
    if known is not None:
        return reused(ask.hold_id, known)
    if ask.hold_id in state.holds:
        return Rejection(names.HOLD_EXISTS, f"hold {ask.hold_id!r} is open", ask.account)
    if account < 0:
        return unknown_account(ask.account)
    if state.closed[account]:
        return closed_account(ask.account)
    bad = too_many(state.known) if once else None
    if bad is not None:
        return bad
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
    return HoldPlaced(ask.hold_id, ask.account, ask.amount, ask.expires_at_ms, ask.concealed)


def decide_reveal(state: State, ask: RevealHold) -> HoldRevealed | Rejection:
    """Decide on making a concealed hold an ordinary one. Refusal: UNKNOWN_HOLD."""
    hold = state.holds.get(ask.hold_id)
    if hold is None or not hold.concealed:
        return Rejection(names.UNKNOWN_HOLD, f"no hold {ask.hold_id!r} is concealed")
    return HoldRevealed(ask.hold_id, state.names[hold.account], hold.amount, hold.placed_version)


def decide_capture(state: State, ask: CaptureHold) -> HoldCaptured | Replay | Rejection:
    """Decide on paying from a hold.

    Refusals, in order: INVALID_TRANSFER_ID INVALID_AMOUNT INVALID_REASON TRANSFER_ID_REUSED UNKNOWN_HOLD
    HOLD_CONCEALED SAME_ACCOUNT UNKNOWN_ACCOUNT ACCOUNT_CLOSED TOO_MANY_TRANSFERS HOLD_EXCEEDED
    AMOUNT_OVERFLOW.
    """
    named = ask.transfer_id != ""
    bad = bad_transfer_id(ask.transfer_id) if named else None
    bad = bad or bad_amount(ask.amount) or bad_reason(ask.reason)
    if bad is not None:
        return bad
    to = state.index.get(ask.to, -1)
    if named:
        known = state.known.get(ask.transfer_id)
        if known is not None:
            return again_captured(known, ask, to)
    hold = state.holds.get(ask.hold_id)
    if hold is None:
        return unknown_hold(ask.hold_id)
    if hold.concealed:
        return concealed_hold(ask.hold_id)
    payer = state.names[hold.account]
    bad = bad_parties(state, payer, ask.to, hold.account, to)
    if bad is None and named:
        bad = too_many(state.known)
    if bad is not None:
        return bad
    if ask.amount > hold.amount:
        detail = f"hold {ask.hold_id!r} reserves {hold.amount}, less than {ask.amount}"
        return Rejection(names.HOLD_EXCEEDED, detail, payer)
    bad = credit_overflow(state, to, ask.amount)
    if bad is not None:
        return bad
    released = hold.amount - ask.amount
    return HoldCaptured(ask.hold_id, payer, ask.to, ask.amount, released, ask.reason, ask.transfer_id)


def decide_release(state: State, ask: ReleaseHold) -> HoldReleased | Rejection:
    """Decide on giving a hold back. Refusal: UNKNOWN_HOLD."""
    hold = state.holds.get(ask.hold_id)
    if hold is None:
        return unknown_hold(ask.hold_id)
    return HoldReleased(ask.hold_id, state.names[hold.account], hold.amount, hold.concealed)


def decide_expiries(state: State, time_ms: int) -> list[HoldExpired]:
    """Return the holds whose time is over, the one placed first in front."""
    if state.expiring == 0:
        return []
    return [
        HoldExpired(hold.hold_id, state.names[hold.account], hold.amount)
        for hold in state.holds.values()
        if 0 < hold.expires_at_ms <= time_ms
    ]


def evolve_placed(state: State, record: HoldPlaced, version: int, index: int) -> None:
    """Fold a placed hold."""
    account = account_of(state, record.account)
    if record.hold_id in state.holds:
        raise LedgerDamagedError(f"hold {record.hold_id!r} is placed twice")
    if record.amount <= 0 or state.available(account) < record.amount:
        raise LedgerDamagedError(f"hold {record.hold_id!r} reserves {record.amount}, which is not there")
    state.holds[record.hold_id] = Hold(
        record.hold_id, account, record.amount, version, record.expires_at_ms, record.concealed
    )
    state.held[account] += record.amount
    if record.expires_at_ms:
        state.expiring += 1
    if state.standalone and not record.concealed:
        known = Known(
            HOLD, version, index, account, account, record.amount, record.expires_at_ms, "", record.hold_id
        )
        remember(state, record.hold_id, known)


def evolve_revealed(state: State, record: HoldRevealed) -> None:
    """Fold that a concealed hold is an ordinary one; who has only the public records learns of it here."""
    known = state.holds.get(record.hold_id)
    if known is None:
        placed = HoldPlaced(record.hold_id, record.account, record.amount, 0, True)
        evolve_placed(state, placed, record.placed_version, 0)
    elif not known.concealed:
        raise LedgerDamagedError(f"hold {record.hold_id!r} is revealed, but was not concealed")
    hold = take(state, record.hold_id, record.account, record.amount)
    if hold.placed_version != record.placed_version:
        raise LedgerDamagedError(f"hold {record.hold_id!r} was placed in another version")
    state.holds[hold.hold_id] = Hold(hold.hold_id, hold.account, hold.amount, hold.placed_version, 0)
    state.held[hold.account] += hold.amount


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


def evolve_captured(state: State, record: HoldCaptured, version: int, index: int) -> None:
    """Fold a captured hold: the reservation ends, and what was captured is an entry."""
    if record.released < 0:
        raise LedgerDamagedError(f"hold {record.hold_id!r} gives back {record.released}")
    hold = take(state, record.hold_id, record.account, record.captured + record.released)
    to = account_of(state, record.to)
    post(state, hold.account, to, record.captured)
    if record.transfer_id:
        known = Known(
            CAPTURE,
            version,
            index,
            hold.account,
            to,
            record.captured,
            0,
            record.reason,
            record.hold_id,
        )
        remember(state, record.transfer_id, known)


def evolve_ended(state: State, record: HoldReleased | HoldExpired) -> None:
    """Fold a released or an expired hold."""
    take(state, record.hold_id, record.account, record.released)
