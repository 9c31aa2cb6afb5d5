"""The command window: what a game remembers of its last commands, so that each has one effect."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from magnate.kit.limits import WINDOW_COMMANDS

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit


class Remembered(NamedTuple):
    """The effect of one command: which request it was and where its commit is."""

    request_hash: bytes
    version: int
    sequence: int


@final
class Window:
    """The last commands of one game by id, oldest first, and the one that created it."""

    __slots__ = ("created", "created_id", "entries")

    def __init__(self) -> None:
        self.entries: dict[str, Remembered] = {}
        self.created_id = ""
        self.created: Remembered | None = None

    def copy(self) -> Window:
        """Return an independent copy."""
        twin = Window()
        twin.entries = dict(self.entries)
        twin.created_id = self.created_id
        twin.created = self.created
        return twin

    def add(self, commit: ParsedCommit) -> None:
        """Remember a commit's command and forget the oldest."""
        remembered = Remembered(commit.request_hash, commit.version, commit.sequence)
        if commit.version == 1:
            self.created_id = commit.command_id
            self.created = remembered
        entries = self.entries
        entries[commit.command_id] = remembered
        if len(entries) > WINDOW_COMMANDS:
            del entries[next(iter(entries))]

    def find(self, command_id: str) -> Remembered | None:
        """Return what is remembered of this command."""
        found = self.entries.get(command_id)
        if found is None and command_id == self.created_id:
            # Creating is idempotent for as long as the game is, not for 256 commits only.
            return self.created
        return found

    def reaches_back_to(self, seen_version: int) -> bool:
        """Say whether every commit after this version is remembered."""
        for oldest in self.entries.values():
            return oldest.version <= seen_version + 1
        return True
