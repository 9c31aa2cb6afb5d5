"""The ledger as an aggregate: `State, INITIAL, decide, evolve`, and `fold` for a whole section.

    decision = decide(state, instructions, version, time_ms)
    if isinstance(decision, Rejection): ...                  # nothing has changed
    fold(state, version, state.version, decision.records)    # or take decision.state, which is the same

`decide` works on a copy, so it is pure; each record it emits is folded into the copy at once, and the next
instruction sees it. `decide_batch` (in `batch.py`) does the same with a result for each instruction.
"""

from magnate.bank.domain.accounts import KIND_INVALID, kind_of
from magnate.bank.domain.entries import (
    account_of,
    closed_account,
    decide_reverse,
    decide_transfer,
    evolve_entry,
    unknown_account,
)
from magnate.bank.domain.holds import (
    decide_capture,
    decide_expiries,
    decide_place,
    decide_release,
    decide_reveal,
    evolve_captured,
    evolve_ended,
    evolve_placed,
    evolve_revealed,
)
from magnate.bank.domain.instructions import (
    CaptureHold,
    CloseAccount,
    DiscloseBalances,
    Instruction,
    OpenAccount,
    OpenLedger,
    PlaceHold,
    ReleaseHold,
    RevealHold,
    Reverse,
    Transfer,
)
from magnate.bank.domain.known import Replay
from magnate.bank.domain.limits import ACCOUNTS_MAX, SCALE_MAX, UNIT_LENGTH_MAX
from magnate.bank.domain.records import (
    AccountClosed,
    AccountOpened,
    BalancesDisclosed,
    EntryPosted,
    Hidden,
    HoldCaptured,
    HoldPlaced,
    HoldRevealed,
    LedgerOpened,
    Record,
    is_concealed,
)
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.state import INITIAL, Hold, LedgerDamagedError, State, check
from magnate.rules import rejections as names

__all__ = [
    "INITIAL",
    "Decision",
    "Hold",
    "LedgerDamagedError",
    "State",
    "check",
    "decide",
    "evolve",
    "fold",
    "lapsed",
]


class Decision:
    """What is to be stored, and the state after it."""

    __slots__ = ("records", "state")

    def __init__(self, records: list[Record], state: State) -> None:
        self.records = records
        self.state = state


def decide_ledger(state: State, ask: OpenLedger) -> LedgerOpened | Rejection:
    """Decide on opening the ledger itself. Refusals, in order: INVALID_CURRENCY LEDGER_EXISTS."""
    if len(ask.unit) > UNIT_LENGTH_MAX or not ask.unit.isprintable() or not 1 <= ask.scale <= SCALE_MAX:
        detail = (
            f"a currency has a name of at most {UNIT_LENGTH_MAX} printable characters and a scale from 1 to "
            f"{SCALE_MAX}, not {ask.unit!r} and {ask.scale}"
        )
        return Rejection(names.INVALID_CURRENCY, detail)
    if state.scale or (ask.standalone and state.names):
        return Rejection(names.LEDGER_EXISTS, "the ledger is there already")
    return LedgerOpened(ask.unit, ask.scale, ask.standalone)


def decide_open(state: State, ask: OpenAccount) -> AccountOpened | Rejection:
    """Decide on opening an account. Refusals, in order: INVALID_ACCOUNT ACCOUNT_EXISTS TOO_MANY_ACCOUNTS."""
    kind = kind_of(ask.account)
    if kind == KIND_INVALID:
        return Rejection(names.INVALID_ACCOUNT, f"{ask.account!r} is no name of an account", ask.account)
    if ask.account in state.index:
        return Rejection(names.ACCOUNT_EXISTS, f"{ask.account} was opened before", ask.account)
    if len(state.names) >= ACCOUNTS_MAX:
        return Rejection(names.TOO_MANY_ACCOUNTS, f"the ledger has {ACCOUNTS_MAX} accounts", ask.account)
    return AccountOpened(ask.account, kind, ask.private)


def decide_close(state: State, ask: CloseAccount) -> AccountClosed | Rejection:
    """Decide on closing an account. Refusals, in order: UNKNOWN_ACCOUNT ACCOUNT_CLOSED ACCOUNT_NOT_EMPTY."""
    account = state.index.get(ask.account, -1)
    if account < 0:
        return unknown_account(ask.account)
    if state.closed[account]:
        return closed_account(ask.account)
    if state.posted[account] != 0 or state.held[account] != 0:
        state = state.seen()  # who is told may not know all that is on hold
        detail = f"{ask.account} has posted {state.posted[account]} and held {state.held[account]}"
        return Rejection(names.ACCOUNT_NOT_EMPTY, detail, ask.account)
    return AccountClosed(ask.account)


def decide_one(state: State, ask: Instruction, time_ms: int) -> Record | Replay | Rejection:
    """Decide on one instruction without changing anything."""
    if isinstance(ask, Transfer):
        return decide_transfer(state, ask)
    if isinstance(ask, PlaceHold):
        return decide_place(state, ask, time_ms)
    if isinstance(ask, CaptureHold):
        return decide_capture(state, ask)
    if isinstance(ask, ReleaseHold):
        return decide_release(state, ask)
    if isinstance(ask, RevealHold):
        return decide_reveal(state, ask)
    if isinstance(ask, Reverse):
        return decide_reverse(state, ask)
    if isinstance(ask, OpenAccount):
        return decide_open(state, ask)
    if isinstance(ask, OpenLedger):
        return decide_ledger(state, ask)
    if isinstance(ask, DiscloseBalances):
        return BalancesDisclosed()
    return decide_close(state, ask)


def begin(state: State, version: int, time_ms: int, records: list[Record]) -> State:
    """Return a copy to decide on, in which the holds whose time is over at `time_ms` have expired."""
    draft = state.copy()
    for expired in decide_expiries(draft, time_ms):
        evolve(draft, expired, version, len(records))
        records.append(expired)
    return draft


def lapsed(state: State, time_ms: int) -> State:
    """Return the ledger as it is at a time not before its newest commit's: what lapsed is not held."""
    if not decide_expiries(state, time_ms):
        return state
    return begin(state, state.version, time_ms, [])


def decide(state: State, instructions: list[Instruction], version: int, time_ms: int) -> Decision | Rejection:
    """Decide on all instructions, in order, all or none: the first refusal is the answer.

    Holds whose time is over at `time_ms` expire first. `version` is that of the commit.
    """
    records: list[Record] = []
    draft = begin(state, version, time_ms, records)
    public = len(records)
    for place, ask in enumerate(instructions):
        answer = decide_one(draft, ask, time_ms)
        if isinstance(answer, Rejection):
            answer.instruction = place
            return answer
        if not isinstance(answer, Replay):
            evolve(draft, answer, version, public)
            records.append(answer)
            if not is_concealed(answer):
                public += 1
    if records:
        draft.version = version
    check(draft)
    return Decision(records, draft)


def evolve(state: State, record: Record, version: int, index: int) -> None:
    """Fold one record into `state`; LedgerDamagedError when it contradicts what came before.

    `index` is its place among the public records of the commit `version`.
    """
    if isinstance(record, EntryPosted):
        evolve_entry(state, record, version, index)
    elif isinstance(record, HoldPlaced):
        evolve_placed(state, record, version, index)
    elif isinstance(record, HoldRevealed):
        evolve_revealed(state, record)
    elif isinstance(record, HoldCaptured):
        evolve_captured(state, record, version, index)
    elif isinstance(record, AccountOpened):
        evolve_opened(state, record)
    elif isinstance(record, AccountClosed):
        evolve_closed(state, record)
    elif isinstance(record, BalancesDisclosed):
        state.private = [False] * len(state.names)
    elif isinstance(record, LedgerOpened):
        evolve_ledger(state, record)
    else:
        evolve_ended(state, record)


def evolve_ledger(state: State, record: LedgerOpened) -> None:
    """Fold the opening of the ledger."""
    if state.scale or record.scale < 1 or (record.standalone and state.names):
        raise LedgerDamagedError("a ledger is opened that was there before")
    state.unit, state.scale, state.standalone = record.unit, record.scale, record.standalone


def evolve_opened(state: State, record: AccountOpened) -> None:
    """Fold an opened account. The chart is replaced, since copies share it."""
    if record.account in state.index:
        raise LedgerDamagedError(f"account {record.account!r} is opened twice")
    state.index = {**state.index, record.account: len(state.names)}
    state.names = [*state.names, record.account]
    state.kinds = [*state.kinds, record.kind]
    state.private = [*state.private, record.private]
    state.posted.append(0)
    state.held.append(0)
    state.closed.append(False)


def evolve_closed(state: State, record: AccountClosed) -> None:
    """Fold a closed account."""
    account = account_of(state, record.account)
    if state.posted[account] != 0 or state.held[account] != 0:
        raise LedgerDamagedError(f"account {record.account!r} is closed with money on it")
    state.closed[account] = True


def fold(
    state: State,
    version: int,
    previous_version: int,
    records: list[Record],
    hidden: list[Hidden] | None = None,
) -> None:
    """Fold the ledger section of the commit `version`; LedgerDamagedError when one before it is missing.

    `hidden` are the records of its secret part, for who has it.
    """
    if previous_version != state.version:
        raise LedgerDamagedError(
            f"the ledger section of version {version} follows {previous_version}, but the last one read is "
            f"{state.version}"
        )
    waiting = hidden or []
    done = 0
    for index, record in enumerate(records):
        while done < len(waiting) and waiting[done].place <= index:
            evolve(state, waiting[done].record, version, index)
            done += 1
        evolve(state, record, version, index)
    for one in waiting[done:]:
        evolve(state, one.record, version, len(records))
    state.version = version
    check(state)
