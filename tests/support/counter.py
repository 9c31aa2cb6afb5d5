"""A tiny service over the log, for tests: its state counts what was added."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from magnate.kit.ids import derive_game_id
from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import RULES, Command, ParsedCommit, Section, build_commit, require_version
from magnate.kit.transact_types import Proposal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from magnate.kit.log.fold import Loaded

KEYS = KeyRing("k2", {"k1": b"1" * 32, "k2": b"2" * 32})
START_MS = 1_700_000_000_000


class Counter:
    """The state: a sum and how many commits made it."""

    __slots__ = ("commits", "total")

    def __init__(self, total: int = 0, commits: int = 0) -> None:
        self.total = total
        self.commits = commits


class CounterFold:
    """Folds `add n` sections."""

    def __init__(self) -> None:
        self.applied = 0

    def initial(self, game_id: str) -> Counter:
        """Return the empty state."""
        del game_id
        return Counter()

    def apply(self, state: Counter, commit: ParsedCommit) -> Counter:
        """Add what the commit adds."""
        self.applied += 1
        for section in commit.sections:
            if section.kind == RULES:
                require_version(commit, section, 1)
                state.total += int(section.body)
        state.commits += 1
        return state

    def copy(self, state: Counter) -> Counter:
        """Return an independent copy."""
        return Counter(state.total, state.commits)


class CounterCodec:
    """Stores the two numbers as text."""

    kind = "counter"

    def __init__(self, schema: bytes = b"1") -> None:
        self.schema_hash = hashlib.sha256(schema).digest()

    def encode(self, state: Counter) -> bytes:
        """Return the state's bytes."""
        return f"{state.total} {state.commits}".encode()

    def decode(self, data: bytes) -> Counter:
        """Return the state."""
        total, commits = data.split()
        return Counter(int(total), int(commits))


def game(name: str = "g", shards: int = 4, epoch: int = 1) -> str:
    """Return the id of a game by any name."""
    return derive_game_id("main", "tester", name, epoch=epoch, shards=shards)


def command(
    command_id: str, content: bytes = b"", seen_version: int = 0, expected_version: int = 0
) -> Command:
    """Return a command whose request hash stands for its content."""
    digest = hashlib.sha256(content or command_id.encode()).digest()
    return Command(
        command_id,
        digest,
        actor="seat-0",
        received_at_ms=START_MS,
        seen_version=seen_version,
        expected_version=expected_version,
    )


def add(number: int) -> Callable[[Loaded[Counter]], Awaitable[Proposal[Counter, str] | str]]:
    """Return a decider that adds a number, and refuses to go below zero."""

    async def decide(loaded: Loaded[Counter]) -> Proposal[Counter, str] | str:
        if loaded.state.total + number < 0:
            return "BELOW_ZERO"
        return Proposal([Section(RULES, 1, str(number).encode())])

    return decide


def chain(game_id: str, count: int, *, number: int = 1, body_bytes: int = 0) -> list[ParsedCommit]:
    """Return the commits of a game in which every command adds the same number."""
    commits: list[ParsedCommit] = []
    version, commit_hash, time_ms = 0, bytes(32), START_MS
    for index in range(count):
        section = Section(RULES, 1, str(number).encode().rjust(body_bytes, b"0"))
        commit = build_commit(
            KEYS,
            game_id,
            command(f"c{index}"),
            [section],
            previous_version=version,
            previous_hash=commit_hash,
            previous_time_ms=time_ms,
            now_ms=START_MS + index,
        )
        commits.append(commit)
        version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
    return commits
