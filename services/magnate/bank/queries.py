"""Reading ledgers: balances, statements, trial balances and holds, at any version.

The newest version is answered from the ledger this process keeps, after a look at the log; an older one, and
every statement, is folded from the log itself.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from typing import TYPE_CHECKING, final

from magnate.bank.checks import check_game_id
from magnate.bank.domain.accounts import KIND_INVALID, kind_of
from magnate.bank.domain.ledger import INITIAL, LedgerDamagedError, fold
from magnate.bank.domain.limits import STATEMENT_PAGE_DEFAULT, STATEMENT_PAGE_MAX
from magnate.bank.domain.rejections import Rejection
from magnate.bank.domain.statement import Line, statement
from magnate.bank.fold import Journal, JournalFold
from magnate.kit.errors import InvalidArgumentError, KitError, NotFoundError, RefusedError
from magnate.kit.log.errors import DataLossError
from magnate.kit.log.fold import Loader
from magnate.rules.rejections import BALANCE_HIDDEN

if TYPE_CHECKING:
    from magnate.bank.domain.ledger import State
    from magnate.bank.service import Bank
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log


class VersionNotReachedError(KitError):
    """The game has not got so far yet."""

    category = "out_of_range"
    reason = "VERSION_NOT_REACHED"


@final
class Ledger:
    """A game's ledger at one version, when that was committed, and the accounts that are private now."""

    __slots__ = ("private", "state", "time_ms", "version")

    def __init__(self, version: int, time_ms: int, state: State, private: set[str]) -> None:
        self.version = version
        self.time_ms = time_ms
        self.state = state
        self.private = private


@final
class StatementPage:
    """Lines of a statement, the version it ends at, and the token of the next page (empty: the last one)."""

    __slots__ = ("lines", "next_page_token", "version")

    def __init__(self, version: int, lines: list[Line], next_page_token: str) -> None:
        self.version = version
        self.lines = lines
        self.next_page_token = next_page_token


class Queries:
    """Answers what clients ask about ledgers."""

    def __init__(self, bank: Bank, log: Log, keys: KeyRing) -> None:
        self._bank = bank
        self._journals: Loader[Journal] = Loader(log, keys, JournalFold())

    async def ledger(self, game_id: str, version: int = 0) -> Ledger:
        """Return the ledger at a version, the newest if it is 0.

        Raises:
            InvalidArgumentError: malformed game id. NotFoundError: no such game.
            VersionNotReachedError: the game is not so far. DataLossError, LogNewerError, LogUnavailableError.
        """
        check_game_id(game_id)
        newest = await self._newest(game_id)
        private = private_accounts(newest.state)
        if version == 0:
            return Ledger(newest.version, newest.time_ms, newest.state, private)
        journal = await self._journal(newest, version)
        state = INITIAL.copy()
        try:
            for section in journal.until(version):
                fold(state, section.version, section.previous_version, section.records)
        except LedgerDamagedError as error:
            raise DataLossError(game_id, state.version, str(error)) from error
        return Ledger(version, journal.times_ms[version - 1], state, private)

    async def statement(
        self,
        game_id: str,
        account: str = "",
        version: int = 0,
        page_size: int = 0,
        page_token: str = "",
        *,
        own: str = "",
    ) -> StatementPage:
        """Return a page of a statement; of all accounts if `account` is empty. `own` is the caller's account.

        Raises what `ledger` raises, InvalidArgumentError for account, page_size and page_token,
        and RefusedError for a private account of somebody else (BALANCE_HIDDEN) and for one that the ledger
        does not have at this version (UNKNOWN_ACCOUNT).
        """
        check_game_id(game_id)
        check_account(account)
        if not 0 <= page_size <= STATEMENT_PAGE_MAX:
            raise InvalidArgumentError("page_size", f"is {page_size}, not from 0 to {STATEMENT_PAGE_MAX}")
        after = (0, -1)
        if page_token:
            version, *place = read_token(page_token, account)
            after = (place[0], place[1])
        newest = await self._newest(game_id)
        if account != own and account in private_accounts(newest.state):
            detail = f"what is on {account} is for its own player to know; show the seat's token"
            raise RefusedError(Rejection(BALANCE_HIDDEN, detail, account), {"game_id": game_id})
        journal = await self._journal(newest, version)
        version = version or len(journal.times_ms)
        try:
            page = statement(
                INITIAL.copy(), journal.until(version), account, after, page_size or STATEMENT_PAGE_DEFAULT
            )
        except LedgerDamagedError as error:
            raise DataLossError(game_id, None, str(error)) from error
        if isinstance(page, Rejection):
            raise RefusedError(page)
        token = ""
        if page.more:
            token = write_token(version, page.lines[-1], account)
        return StatementPage(version, page.lines, token)

    async def _newest(self, game_id: str) -> Loaded[State]:
        newest = await self._bank.newest(game_id)
        if newest.version == 0:
            raise unknown_game(game_id)
        return newest

    async def _journal(self, newest: Loaded[State], version: int) -> Journal:
        """Read a game's whole log, which must reach a version."""
        loaded = await self._journals.load(newest.game_id)
        if loaded.version < newest.version:  # a replica that is behind answered
            loaded = await self._journals.refresh(loaded, newest.sequence)
        if version > loaded.version:
            raise VersionNotReachedError(
                f"version {version} is not reached; the newest is {loaded.version}",
                metadata={"version": str(loaded.version)},
            )
        return loaded.state


def private_accounts(state: State) -> set[str]:
    """Return the accounts that only their own seats may look at."""
    return {name for name, private in zip(state.names, state.private, strict=True) if private}


def unknown_game(game_id: str) -> NotFoundError:
    """Say that there is no such game."""
    return NotFoundError(f"there is no game {game_id}", reason="UNKNOWN_GAME")


def check_account(account: str) -> None:
    """Raise InvalidArgumentError unless it is empty or the name of an account."""
    if account and kind_of(account) == KIND_INVALID:
        raise InvalidArgumentError(
            "account", f"{account!r} is not bank, seat-<n>, pot-<name> or escrow-<name>"
        )


def write_token(version: int, last: Line, account: str) -> str:
    """Return the token of the page after `last`."""
    text = f"{version}.{last.version}.{last.index}.{account}"
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_token(token: str, account: str) -> tuple[int, int, int]:
    """Return the statement's version and the last record seen; InvalidArgumentError if it is not ours."""
    try:
        text = urlsafe_b64decode(token + "=" * (-len(token) % 4)).decode()
        version, at, index, of = text.split(".")
        found = (int(version), int(at), int(index))
    except (ValueError, Base64Error) as error:
        raise InvalidArgumentError("page_token", "was not issued by this service") from error
    if of != account or not 0 < found[1] <= found[0] or found[2] < 0:
        raise InvalidArgumentError("page_token", "belongs to another statement")
    return found
