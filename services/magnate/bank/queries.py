"""Reading ledgers: balances, statements, trial balances, holds, transfers and proofs, at any version or time.

The newest version is answered from the ledger this process keeps, after a look at the log; an older one, and
every statement, is folded from the log itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Protocol, final

from magnate.bank.checks import check_ledger_id
from magnate.bank.domain.ledger import INITIAL, LedgerDamagedError, fold, lapsed
from magnate.bank.domain.limits import STATEMENT_PAGE_DEFAULT, STATEMENT_PAGE_MAX
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.statement import Filter, Line, statement
from magnate.bank.fold import Journal, JournalFold
from magnate.bank.pages import check_account, check_reason, read_token, write_token
from magnate.kit.errors import InvalidArgumentError, KitError, RefusedError
from magnate.kit.log.damage import noticing
from magnate.kit.log.errors import DataLossError
from magnate.kit.log.fold import Loader
from magnate.rules.rejections import BALANCE_HIDDEN, UNKNOWN_LEDGER, UNKNOWN_TRANSFER

if TYPE_CHECKING:
    from collections.abc import Callable

    from magnate.bank.domain.known import Known
    from magnate.bank.domain.ledger import State
    from magnate.bank.service import Bank
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log


JOURNAL_COMMITS_MAX: Final = 50_000
"""Commits of journals that are kept for who reads page by page, in all; the newest one is kept anyway."""


class VersionNotReachedError(KitError):
    """The log has not got so far yet."""

    category = "out_of_range"
    reason = "VERSION_NOT_REACHED"


class TimeBeforeLedgerError(KitError):
    """The log began later."""

    category = "out_of_range"
    reason = "TIME_BEFORE_LEDGER"


class Newest(Protocol):
    """Where the newest state of a ledger is kept."""

    async def newest(self, game_id: str) -> Loaded[State]:
        """Return it as new as the log was when this was called; version 0 if there is no such log."""
        ...


@final
class Reader:
    """Who asks, as far as private accounts go: the one account that is the caller's, or all of them.

    Concealed holds are for the account's own seat only; no banker sees them.
    """

    __slots__ = ("account", "banker")

    def __init__(self, account: str = "", *, banker: bool = False) -> None:
        self.account = account
        self.banker = banker

    def hidden(self, private: set[str]) -> set[str]:
        """Return the accounts whose figures are not for this caller."""
        return set() if self.banker else private - {self.account}


@final
class Ledger:
    """A ledger at one version, as of a time, and the accounts that are private now."""

    __slots__ = ("private", "state", "time_ms", "until_ms", "version")

    def __init__(self, version: int, time_ms: int, state: State, private: set[str], until_ms: int) -> None:
        self.version = version
        self.time_ms = time_ms
        self.state = state
        self.private = private
        self.until_ms = until_ms


@final
class StatementPage:
    """Lines of a statement, the version it ends at, and the token of the next page (empty: the last one)."""

    __slots__ = ("lines", "next_page_token", "state", "version")

    def __init__(self, version: int, lines: list[Line], next_page_token: str, state: State) -> None:
        self.version = version
        self.lines = lines
        self.next_page_token = next_page_token
        self.state = state


class Queries:
    """Answers what clients ask about ledgers."""

    def __init__(
        self,
        newest: Newest | Bank,
        log: Log,
        keys: KeyRing,
        clock: Clock,
        on_damage: Callable[[], None] = lambda: None,
    ) -> None:
        self.on_damage = on_damage  # where `newest` came from counts for itself
        self._newest_of = newest
        self._journals: Loader[Journal] = Loader(log, keys, JournalFold())
        self._clock = clock
        self.kept_commits_max = JOURNAL_COMMITS_MAX
        self._held: OrderedDict[str, Loaded[Journal]] = OrderedDict()

    async def ledger(
        self, ledger_id: str, version: int = 0, at_ms: int | None = None, reader: Reader | None = None
    ) -> Ledger:
        """Return the ledger at a version, or at a time; the newest as it is now if neither is given.

        Without what was concealed then to who asks, so that the answer for a version stays the same for ever.

        Raises:
            InvalidArgumentError: malformed id, or both. RefusedError: no such log (UNKNOWN_LEDGER).
            VersionNotReachedError, TimeBeforeLedgerError: the log does not have it.
            DataLossError, LogNewerError, LogUnavailableError.
        """
        check_ledger_id(ledger_id)
        if version and at_ms is not None:
            raise InvalidArgumentError("time", "stands beside a version; one moment can be asked for")
        newest = await self.newest(ledger_id)
        own = "" if reader is None else reader.account
        private = private_accounts(newest.state)
        now_ms = max(self._clock.now_ms(), newest.time_ms)
        if version == 0 and (at_ms is None or at_ms >= newest.time_ms):
            until_ms = now_ms if at_ms is None else at_ms
            state = lapsed(newest.state, until_ms).seen(own)
            return Ledger(newest.version, newest.time_ms, state, private, until_ms)
        journal = await self.journal(newest, version)
        if at_ms is not None:
            version = bisect_right(journal.times_ms, at_ms)
            if version == 0:
                began = f"the log begins at {journal.times_ms[0]} ms, after {at_ms}"
                raise TimeBeforeLedgerError(began)
        time_ms = journal.times_ms[version - 1]
        until_ms = time_ms if at_ms is None else at_ms
        with noticing(self.on_damage):
            state = lapsed(fold_until(ledger_id, journal, version), until_ms).seen(own)
        return Ledger(version, time_ms, state, private, until_ms)

    async def statement(
        self,
        ledger_id: str,
        wanted: Filter,
        version: int = 0,
        page_size: int = 0,
        page_token: str = "",
        *,
        reader: Reader | None = None,
    ) -> StatementPage:
        """Return a page of a statement.

        Raises what `ledger` raises, InvalidArgumentError for what it is filtered by, page_size and
        page_token, and RefusedError for a private account of somebody else (BALANCE_HIDDEN) and for one that
        the ledger does not have at this version (UNKNOWN_ACCOUNT).
        """
        check_ledger_id(ledger_id)
        check_account(wanted.account)
        check_account(wanted.counterparty, "counterparty")
        check_reason(wanted.reason)
        if not 0 <= page_size <= STATEMENT_PAGE_MAX:
            raise InvalidArgumentError("page_size", f"is {page_size}, not from 0 to {STATEMENT_PAGE_MAX}")
        after = (0, -1)
        if page_token:
            version, *place = read_token(page_token, wanted)
            after = (place[0], place[1])
        newest = await self.newest(ledger_id)
        account = wanted.account
        if account in (reader or Reader()).hidden(private_accounts(newest.state)):
            detail = f"what is on {account} is for its own player to know; show the seat's token"
            raise RefusedError(Rejection(BALANCE_HIDDEN, detail, account), {"ledger_id": ledger_id})
        journal = await self.journal(newest, version)
        version = version or len(journal.times_ms)
        with noticing(self.on_damage):
            try:
                page = statement(
                    INITIAL.copy(), journal.until(version), wanted, after, page_size or STATEMENT_PAGE_DEFAULT
                )
            except LedgerDamagedError as error:
                raise DataLossError(ledger_id, None, str(error)) from error
        if isinstance(page, Rejection):
            raise RefusedError(page)
        token = write_token(version, page.lines[-1], wanted) if page.more else ""
        return StatementPage(version, page.lines, token, newest.state)

    async def transfer(self, ledger_id: str, transfer_id: str) -> tuple[Known, State]:
        """Return what is known of a transfer, and the ledger; RefusedError UNKNOWN_TRANSFER if it is not."""
        check_ledger_id(ledger_id)
        state = (await self.newest(ledger_id)).state
        known = state.known.get(transfer_id)
        if known is None:
            detail = f"the ledger knows no transfer {transfer_id!r}"
            raise RefusedError(Rejection(UNKNOWN_TRANSFER, detail), {"ledger_id": ledger_id})
        return known, state

    async def newest(self, ledger_id: str) -> Loaded[State]:
        """Return the newest state; RefusedError UNKNOWN_LEDGER if there is none."""
        newest = await self._newest_of.newest(ledger_id)
        if newest.version == 0:
            raise RefusedError(unknown_ledger(ledger_id), {"ledger_id": ledger_id})
        return newest

    async def journal(self, newest: Loaded[State], version: int) -> Journal:
        """Return the journal of a log, which must reach a version; what was read before is kept a while."""
        with noticing(self.on_damage):
            loaded = self._held.pop(newest.game_id, None) or await self._journals.load(newest.game_id)
            if loaded.version < newest.version:  # kept from before, or a replica that is behind answered
                loaded = await self._journals.refresh(loaded, newest.sequence)
        self._held[newest.game_id] = loaded
        while sum(one.version for one in self._held.values()) > self.kept_commits_max and len(self._held) > 1:
            self._held.popitem(last=False)
        self.require(version, loaded.version)
        return loaded.state

    def require(self, version: int, newest: int) -> None:
        """Raise VersionNotReachedError if a version is beyond the newest one."""
        if version > newest:
            raise VersionNotReachedError(
                f"version {version} is not reached; the newest is {newest}", metadata={"version": str(newest)}
            )


def fold_until(ledger_id: str, journal: Journal, version: int) -> State:
    """Return the ledger as it was at a version."""
    state = INITIAL.copy()
    try:
        for section in journal.until(version):
            fold(state, section.version, section.previous_version, section.records, section.hidden)
    except LedgerDamagedError as error:
        raise DataLossError(ledger_id, state.version, str(error)) from error
    return state


def private_accounts(state: State) -> set[str]:
    """Return the accounts that only their own seats may look at."""
    return {name for name, private in zip(state.names, state.private, strict=True) if private}


def unknown_ledger(ledger_id: str) -> Rejection:
    """Say that there is no such ledger."""
    return Rejection(UNKNOWN_LEDGER, f"there is no game and no table {ledger_id}")
