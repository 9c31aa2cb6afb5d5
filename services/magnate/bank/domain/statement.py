"""What is read from a ledger: statements, page by page, and the trial balance."""

from magnate.bank.domain.entries import unknown_account
from magnate.bank.domain.ledger import evolve
from magnate.bank.domain.records import EntryPosted, Hidden, HoldCaptured, Record
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.state import LedgerDamagedError, State, check


class Section:
    """The ledger section of one commit, with what a statement says of that commit. Read only.

    `records` are the public ones, `hidden` those of concealed holds, which move no money.
    """

    __slots__ = ("actor", "command_id", "hidden", "previous_version", "records", "time_ms", "version")

    def __init__(
        self,
        version: int,
        time_ms: int,
        command_id: str,
        previous_version: int,
        records: list[Record],
        actor: str = "",
        hidden: list[Hidden] | None = None,
    ) -> None:
        self.version = version
        self.time_ms = time_ms
        self.command_id = command_id
        self.previous_version = previous_version
        self.records = records
        self.actor = actor
        self.hidden: list[Hidden] = hidden or []


class Line:
    """One entry of a statement; `balance` is what was posted after it, 0 when it is about all accounts."""

    __slots__ = (
        "actor", "amount", "balance", "command_id", "credit", "debit", "hold_id", "index", "note", "reason",
        "reverses", "time_ms", "transfer_id", "version",
    )  # fmt: skip

    def __init__(self, section: Section, index: int, entry: EntryPosted, hold_id: str) -> None:
        self.version = section.version
        self.index = index
        self.time_ms = section.time_ms
        self.command_id = section.command_id
        self.debit = entry.debit
        self.credit = entry.credit
        self.amount = entry.amount
        self.reason = entry.reason
        self.transfer_id = entry.transfer_id
        self.reverses = entry.reverses
        self.note = entry.note
        self.actor = section.actor
        self.hold_id = hold_id
        self.balance = 0


class Page:
    """Lines, oldest first, and whether there are more."""

    __slots__ = ("lines", "more")

    def __init__(self, lines: list[Line], more: bool) -> None:
        self.lines = lines
        self.more = more


def entry_of(section: Section, index: int) -> Line | None:
    """Return the statement line of a record, or None if it moved no money."""
    record = section.records[index]
    if isinstance(record, EntryPosted):
        return Line(section, index, record, "")
    if isinstance(record, HoldCaptured):
        entry = EntryPosted(record.account, record.to, record.captured, record.reason, record.transfer_id)
        return Line(section, index, entry, record.hold_id)
    return None


class Filter:
    """Which entries a statement has: of `account`, with `counterparty` on the other side, of `reason`.

    An empty text stands for any; a counterparty without an account may be on either side.
    """

    __slots__ = ("account", "counterparty", "reason")

    def __init__(self, account: str = "", counterparty: str = "", reason: str = "") -> None:
        self.account = account
        self.counterparty = counterparty
        self.reason = reason

    def passes(self, line: Line) -> bool:
        """Tell whether the statement has this entry."""
        if self.reason and self.reason != line.reason:
            return False
        account, other = self.account, self.counterparty
        if account == line.debit:
            return other in ("", line.credit)
        if account == line.credit:
            return other in ("", line.debit)
        return account == "" and other in ("", line.debit, line.credit)


def statement(
    state: State, sections: list[Section], wanted: Filter, after: tuple[int, int], limit: int
) -> Page | Rejection:
    """Fold `sections` into `state` and return at most `limit` of their entries.

    Only those that `wanted` lets pass and that come after the record `after` = (version, index). Refusal:
    UNKNOWN_ACCOUNT, when no section opens the account.
    """
    account = wanted.account
    lines: list[Line] = []
    more = False
    for section in sections:
        if section.previous_version != state.version:
            raise LedgerDamagedError(
                f"the ledger section of version {section.version} follows {section.previous_version}, "
                f"but the last one read is {state.version}"
            )
        for index, record in enumerate(section.records):
            evolve(state, record, section.version, index)
            if (section.version, index) <= after:
                continue
            line = entry_of(section, index)
            if line is None or not wanted.passes(line):
                continue
            if len(lines) == limit:
                more = True
                break
            if account:
                line.balance = state.posted[state.index[account]]
            lines.append(line)
        if more:
            break
        state.version = section.version
        check(state)
    for name in (account, wanted.counterparty):
        if name and name not in state.index:
            return unknown_account(name)
    return Page(lines, more)


class TrialBalance:
    """Balances in their columns: (account, debit, credit) with one of the two 0, and the equal totals."""

    __slots__ = ("credit_total", "debit_total", "rows")

    def __init__(self, rows: list[tuple[str, int, int]]) -> None:
        self.rows = rows
        self.debit_total = sum([row[1] for row in rows])
        self.credit_total = sum([row[2] for row in rows])


def trial_balance(state: State) -> TrialBalance:
    """Return the trial balance; LedgerDamagedError if its columns differ."""
    balance = TrialBalance(
        [
            (name, max(-posted, 0), max(posted, 0))
            for name, posted in zip(state.names, state.posted, strict=True)
        ]
    )
    if balance.debit_total != balance.credit_total:
        raise LedgerDamagedError(f"debits of {balance.debit_total}, credits of {balance.credit_total}")
    return balance
