"""What proves an entry: the bytes of its commit, and the digests of the commits from it up to a head."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, final

from magnate.bank.domain.statement import entry_of
from magnate.bank.fold import read_section
from magnate.kit.errors import InvalidArgumentError, NotFoundError
from magnate.kit.log.damage import noticing
from magnate.kit.log.fold import Loader

if TYPE_CHECKING:
    from magnate.bank.queries import Queries
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.port import Log


@final
class CommitsFold:
    """Collects a log's commits, verified and in their order."""

    def initial(self, game_id: str) -> list[ParsedCommit]:
        """Return no commits."""
        del game_id
        return []

    def apply(self, state: list[ParsedCommit], commit: ParsedCommit) -> list[ParsedCommit]:
        """Add a commit in place."""
        state.append(commit)
        return state

    def copy(self, state: list[ParsedCommit]) -> list[ParsedCommit]:
        """Return an independent list."""
        return state.copy()


@final
class Proof:
    """A commit with an entry, the links (digests of public and secret bytes) after it, and where they end."""

    __slots__ = ("commit", "head_hash", "head_version", "links")

    def __init__(self, commits: list[ParsedCommit]) -> None:
        self.commit = commits[0]
        self.links = [(sha256(one.public).digest(), one.secret_digest()) for one in commits[1:]]
        self.head_version = commits[-1].version
        self.head_hash = commits[-1].hash


class Proofs:
    """Proves entries."""

    def __init__(self, queries: Queries, log: Log, keys: KeyRing) -> None:
        self._queries = queries
        self._commits: Loader[list[ParsedCommit]] = Loader(log, keys, CommitsFold())

    async def prove(self, ledger_id: str, entry_id: str, head_version: int = 0) -> Proof:
        """Return the proof of an entry up to a head.

        Raises:
            InvalidArgumentError: a malformed id, or a head before the entry.
            NotFoundError: no such entry (UNKNOWN_ENTRY). RefusedError: no such log (UNKNOWN_LEDGER).
            VersionNotReachedError: the log has no such head.
            DataLossError, LogNewerError, LogUnavailableError.
        """
        version, index = read_entry_id(entry_id)
        newest = await self._queries.newest(ledger_id)
        if head_version and version > head_version:
            raise InvalidArgumentError("head_version", f"is {head_version}, before the entry {entry_id}")
        with noticing(self._queries.on_damage):
            loaded = await self._commits.load(ledger_id)
            if loaded.version < newest.version:  # a replica that is behind answered
                loaded = await self._commits.refresh(loaded, newest.sequence)
        self._queries.require(head_version, loaded.version)
        section = read_section(loaded.state[version - 1]) if version <= loaded.version else None
        if section is None or index >= len(section.records) or entry_of(section, index) is None:
            raise NotFoundError(f"{ledger_id} has no entry {entry_id}", reason="UNKNOWN_ENTRY")
        return Proof(loaded.state[version - 1 : head_version or loaded.version])


def read_entry_id(entry_id: str) -> tuple[int, int]:
    """Return version and index; InvalidArgumentError unless this can be the id of an entry."""
    version, dot, index = entry_id.partition(".")
    plain = entry_id.isascii() and len(entry_id) <= 32 and version.isdecimal() and index.isdecimal()
    if not plain or not dot or int(version) == 0 or f"{int(version)}.{int(index)}" != entry_id:
        raise InvalidArgumentError("entry_id", f"{entry_id!r} is not <version>.<index>")
    return int(version), int(index)
