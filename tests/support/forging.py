"""Logs tampered with by somebody who has the keys: every hash and mac is right, the content is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.kit.log.commit import ZERO_HASH, Command, Section, build_commit
from magnate.kit.log.port import Stored
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit


def sealed(keys: KeyRing, table_id: str, commits: Sequence[ParsedCommit]) -> list[Stored]:
    """Return the commits as they would be stored had they been written so: chained and signed anew."""
    stored = []
    version, previous, time_ms = 0, ZERO_HASH, 0
    for sequence, commit in enumerate(commits, start=1):
        salt = log_pb2.SecretPart.FromString(commit.secret).salt if commit.secret else None
        built = build_commit(
            keys,
            table_id,
            Command(
                commit.command_id,
                commit.request_hash,
                actor=commit.actor,
                received_at_ms=commit.received_at_ms,
            ),
            commit.sections,
            previous_version=version,
            previous_hash=previous,
            previous_time_ms=time_ms,
            now_ms=commit.time_ms,
            secret_sections=commit.secret_sections(),
            salt=salt,
        )
        stored.append(Stored(sequence, built.data))
        version, previous, time_ms = built.version, built.hash, built.time_ms
    return stored


def changed(
    commits: Sequence[ParsedCommit], kind: int, change: Callable[[bytes], bytes | None], skip: int = 0
) -> int:
    """Change the first section of a kind for which `change` returns other bytes; return its version."""
    for commit in commits[skip:]:
        for section in commit.sections:
            body = change(section.body) if section.kind == kind else None
            if body is not None:
                commit.sections[commit.sections.index(section)] = Section(kind, section.version, body)
                return commit.version
    raise AssertionError("there is nothing to change")
