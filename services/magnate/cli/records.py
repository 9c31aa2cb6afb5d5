"""A game's exported records: the chain checked link by link, then folded as the services fold them.

A client has no keys and no secrets. It has the public bytes, the digest of what is secret and the hashes: all
that the chain needs. And the fold needs the public bytes only, but for the seed, which is shown at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import DecodeError

from magnate.game.fold import GameFold
from magnate.kit.log.commit import ZERO_HASH, ParsedCommit, Section, check_follows, public_chain_hash
from magnate.kit.log.errors import DataLossError
from magnate.log.v1 import log_pb2

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.game.state import GameState
    from magnate.game.v1 import game_pb2


def read_record(game_id: str, record: game_pb2.ExportGameResponse) -> ParsedCommit:
    """Return one record as a commit without its secret part.

    Raises:
        DataLossError: its hash does not match its bytes, it does not parse, or it belongs to another game.
    """
    expected = public_chain_hash(record.previous_hash, record.public, record.secret_digest)
    try:
        public = log_pb2.PublicPart.FromString(record.public)
    except DecodeError as error:
        raise DataLossError(game_id, None, f"record at {record.sequence} is not a commit") from error
    if len(record.previous_hash) != len(ZERO_HASH) or expected != record.hash:
        raise DataLossError(game_id, public.version, "its hash does not match its bytes")
    if public.game_id != game_id:
        raise DataLossError(game_id, public.version, f"it belongs to game {public.game_id!r}")
    commit = ParsedCommit()
    commit.game_id = game_id
    commit.version = public.version
    commit.command_id = public.command.command_id
    commit.request_hash = public.command.request_hash
    commit.actor = public.command.actor
    commit.causation_id = public.command.causation_id
    commit.correlation_id = public.command.correlation_id
    commit.received_at_ms = public.received_at_ms
    commit.time_ms = public.time_ms
    commit.sections = [Section(one.kind, one.version, one.body) for one in public.sections]
    commit.public = record.public
    commit.secret = b""
    commit.previous_hash = record.previous_hash
    commit.hash = record.hash
    commit.key_id = ""
    commit.data = b""
    commit.sequence = record.sequence
    return commit


def read_records(game_id: str, records: Sequence[game_pb2.ExportGameResponse]) -> list[ParsedCommit]:
    """Return all records, each of which must follow the one before.

    Raises:
        DataLossError: one does not, or is damaged; names the version.
    """
    commits: list[ParsedCommit] = []
    version, commit_hash, time_ms = 0, ZERO_HASH, 0
    for record in records:
        commit = read_record(game_id, record)
        check_follows(commit, version, commit_hash, time_ms)
        version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
        commits.append(commit)
    return commits


def replay(game_id: str, commits: Sequence[ParsedCommit]) -> GameState:
    """Return the game after these commits.

    Raises:
        DataLossError: a section does not fold onto what came before.
        LogNewerError: a later release wrote it.
    """
    fold = GameFold()
    state = fold.initial(game_id)
    for commit in commits:
        state = fold.apply(state, commit)
    return state
