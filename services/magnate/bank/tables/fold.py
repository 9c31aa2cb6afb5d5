"""How the bank folds the log of a table: terminal and ledger sections and what else is pending there."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from google.protobuf.message import DecodeError

from magnate.bank.domain.ledger import LedgerDamagedError, fold
from magnate.bank.domain.records import EntryPosted, HoldCaptured
from magnate.bank.fold import read_section
from magnate.bank.tables.codec import SECTION_VERSION, UnknownEventError, decode_section
from magnate.bank.tables.events import CardIssued, CardRetired
from magnate.bank.tables.pending import (
    AUCTION_VERSION,
    DEADLINES_VERSION,
    UnknownChangeError,
    fold_auctions,
    fold_deadlines,
)
from magnate.bank.tables.state import MISSING, TableState, evolve
from magnate.kit.log.commit import AUCTION, DEADLINES, TERMINAL, require_version
from magnate.kit.log.errors import DataLossError, LogNewerError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.domain.statement import Section as LedgerSection
    from magnate.bank.tables.events import Event
    from magnate.kit.log.commit import ParsedCommit


def read_events(commit: ParsedCommit) -> list[Event]:
    """Return what happened at the table in this commit.

    Raises:
        DataLossError: the section does not parse. LogNewerError: a later build wrote it.
    """
    section = commit.section(TERMINAL)
    if section is None:
        return []
    require_version(commit, section, SECTION_VERSION)
    try:
        return decode_section(section.body)
    except UnknownEventError as error:
        raise LogNewerError(commit.game_id, commit.version, f"unknown {error}") from error
    except (DecodeError, ValueError) as error:
        raise DataLossError(commit.game_id, commit.version, f"terminal section: {error}") from error


@final
class TableFold:
    """The fold of a table (see `kit.log.fold.Fold`)."""

    def initial(self, game_id: str) -> TableState:
        """Return a table that is not there yet."""
        del game_id
        return TableState()

    def copy(self, state: TableState) -> TableState:
        """Return an independent copy."""
        return state.copy()

    def apply(self, state: TableState, commit: ParsedCommit) -> TableState:
        """Fold a commit in place; raises as `read_events` does, and if it contradicts what came before."""
        events = read_events(commit)
        for event in events:
            try:
                evolve(state.table, event, commit.time_ms)
            except (KeyError, ValueError) as error:
                what = f"{type(event).__name__} does not fold: {error}"
                raise DataLossError(commit.game_id, commit.version, what) from error
        _fold_pending(state, commit)
        section = read_section(commit)
        if section is not None:
            try:
                fold(state.ledger, section.version, section.previous_version, section.records, section.hidden)
            except LedgerDamagedError as error:
                raise DataLossError(commit.game_id, commit.version, str(error)) from error
            if state.table.status != MISSING:  # a ledger alone has no operations
                _note(state, commit, section, events)
        return state


def _fold_pending(state: TableState, commit: ParsedCommit) -> None:
    """Fold what other services wrote that runs at the table."""
    try:
        for section in commit.sections:
            if section.kind == AUCTION:
                require_version(commit, section, AUCTION_VERSION)
                state.auctions = fold_auctions(state.auctions, section.body)
            elif section.kind == DEADLINES:
                require_version(commit, section, DEADLINES_VERSION)
                state.pending = fold_deadlines(state.pending, section.body)
    except UnknownChangeError as error:
        raise LogNewerError(commit.game_id, commit.version, f"unknown {error}") from error
    except (DecodeError, KeyError) as error:
        raise DataLossError(commit.game_id, commit.version, f"pending: {error!r}") from error


def _note(state: TableState, commit: ParsedCommit, section: LedgerSection, events: Sequence[Event]) -> None:
    """Note what can be taken back, and forget what a reversal has taken back, whoever asked for it.

    What begins or ends a card cannot: it opens or closes the account. A reversal cannot either.
    """
    reversal = False
    for record in section.records:
        if isinstance(record, EntryPosted) and record.reverses:
            reversal = True
            known = state.ledger.known.get(record.reverses)
            if known is not None:
                state.undone(known.version)
    lasting = reversal or any(isinstance(event, CardIssued | CardRetired) for event in events)
    if moves_money(section) and not lasting:
        state.moved(commit.version, commit.sequence)


def moves_money(section: LedgerSection) -> bool:
    """Say whether a ledger section has entries."""
    return any(isinstance(record, EntryPosted | HoldCaptured) for record in section.records)
