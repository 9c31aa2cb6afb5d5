"""Bytes that earlier builds stored stay readable. The files are only ever added to, never changed."""

from __future__ import annotations

from pathlib import Path

from magnate.kit.keys import KeyRing
from magnate.kit.log.commit import RULES, ParsedCommit, Section, check_follows, parse_commit
from magnate.kit.log.heads import decode_head
from magnate.kit.log.snapshot import decode_snapshot

STORED = Path(__file__).parent / "log"
GAME = "1-2-00112233445566778899aabb"
KEYS = KeyRing("now", {"now": b"n" * 32, "golden": b"g" * 32})


def stored(name: str) -> list[bytes]:
    """Return the records of a file, one a line in hexadecimal."""
    return [bytes.fromhex(line) for line in (STORED / name).read_text(encoding="ascii").split()]


def test_commits_of_the_first_format_are_read() -> None:
    """Three commits, the first with a secret part, under a key that no longer signs."""
    version, commit_hash, time_ms = 0, bytes(32), 0
    commits: list[ParsedCommit] = []
    for number, data in enumerate(stored("commits-1.hex"), start=1):
        commit = parse_commit(KEYS, GAME, data, number)
        check_follows(commit, version, commit_hash, time_ms)
        version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
        commits.append(commit)
    first, _, last = commits
    assert first.secret_sections() == [Section(RULES, 1, b"seed")]
    assert (last.command_id, last.actor, last.causation_id, last.correlation_id) == (
        "c3",
        "seat-0",
        "c1",
        "x",
    )
    assert (last.received_at_ms, last.time_ms) == (1_700_000_000_003, 1_700_000_000_013)
    assert last.sections == [Section(RULES, 1, b"rules"), Section(3, 1, b"ledger")]
    assert last.hash.hex() == (STORED / "commits-1.hash").read_text(encoding="ascii").strip()


def test_heads_and_snapshots_of_the_first_format_are_read() -> None:
    """Both are caches, but a release that cannot read them starts cold."""
    (data,) = stored("head-1.hex")
    head = decode_head(KEYS, GAME, data)
    assert head is not None
    assert (head.version, head.sequence, head.status, head.lobby) == (3, 9, "running", b"lobby")
    assert (head.earliest_deadline_ms, head.time_ms) == (1_700_000_060_000, 1_700_000_000_013)
    (data,) = stored("snapshot-1.hex")
    snapshot = decode_snapshot(KEYS, b"s" * 32, GAME, data)
    assert snapshot is not None
    assert (snapshot.version, snapshot.sequence, snapshot.ledger_version, snapshot.state) == (
        3,
        9,
        3,
        b"state",
    )
    assert snapshot.window.created_id == "c1"
    assert list(snapshot.window.entries) == ["c1", "c2", "c3"]
