"""How the bank folds a game's log: into balances, or into a journal from which any version can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, final

from magnate.bank import codec
from magnate.bank.domain.ledger import INITIAL, LedgerDamagedError, State, fold
from magnate.bank.domain.statement import Section
from magnate.kit.log.commit import LEDGER
from magnate.kit.log.errors import DataLossError, LogNewerError

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit


def read_section(commit: ParsedCommit) -> Section | None:
    """Return the ledger section of a commit with what its secret part adds, None if it has none.

    Who reads a commit from outside has no secret part, and gets the public records only.

    Raises:
        DataLossError: the section does not parse.
        LogNewerError: a later build wrote it.
    """
    stored = commit.section(LEDGER)
    if stored is None:
        return None
    try:
        previous_version, records = codec.decode(stored.version, stored.body)
        hidden = [
            one
            for secret in commit.secret_sections()
            if secret.kind == LEDGER
            for one in codec.decode_hidden(secret.version, secret.body)
        ]
    except codec.SectionTooNewError as error:
        raise LogNewerError(commit.game_id, commit.version, str(error)) from error
    except LedgerDamagedError as error:
        raise DataLossError(commit.game_id, commit.version, str(error)) from error
    return Section(
        commit.version,
        commit.time_ms,
        commit.command_id,
        previous_version,
        records,
        commit.actor,
        hidden,
    )


@final
class LedgerFold:
    """Folds commits into balances; what is not a ledger section is passed over."""

    def initial(self, game_id: str) -> State:
        """Return the ledger of a game that does not exist yet."""
        del game_id
        return INITIAL.copy()

    def apply(self, state: State, commit: ParsedCommit) -> State:
        """Fold a commit in place; DataLossError when it contradicts the ones before."""
        section = read_section(commit)
        if section is not None:
            try:
                fold(state, section.version, section.previous_version, section.records, section.hidden)
            except LedgerDamagedError as error:
                raise DataLossError(commit.game_id, commit.version, str(error)) from error
        return state

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        return state.copy()


@final
class Journal:
    """All ledger sections of a game, and the time of each of its commits (version 1 first)."""

    __slots__ = ("sections", "times_ms")

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.times_ms: list[int] = []

    def until(self, version: int) -> list[Section]:
        """Return the sections up to a version."""
        return [section for section in self.sections if section.version <= version]


@final
class JournalFold:
    """Collects a game's ledger sections without folding them."""

    def initial(self, game_id: str) -> Journal:
        """Return the journal of a game that does not exist yet."""
        del game_id
        return Journal()

    def apply(self, state: Journal, commit: ParsedCommit) -> Journal:
        """Add a commit in place."""
        state.times_ms.append(commit.time_ms)
        section = read_section(commit)
        if section is not None:
            state.sections.append(section)
        return state

    def copy(self, state: Journal) -> Journal:
        """Return an independent copy."""
        other = Journal()
        other.sections = state.sections.copy()
        other.times_ms = state.times_ms.copy()
        return other
