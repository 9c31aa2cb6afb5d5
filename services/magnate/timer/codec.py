"""Stored bytes: sections of kind DEADLINES (version 1), and the cached agenda of a stream."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from magnate.kit.log.commit import DEADLINES, require_version
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.kit.log.keys import seal, unseal
from magnate.timer.domain.schedule import (
    INITIAL,
    Change,
    ContradictionError,
    Deadline,
    DeadlineCleared,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    State,
    evolve,
)
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.timer.domain.agenda import Agenda

SECTION_VERSION: Final = 1
_PURPOSE: Final = "agenda"


def changes(commit: ParsedCommit) -> list[Change]:
    """Return what a commit says about deadlines.

    Raises:
        LogNewerError: a later release wrote it.
        DataLossError: it does not parse.
    """
    section = commit.section(DEADLINES)
    if section is None:
        return []
    require_version(commit, section, SECTION_VERSION)
    try:
        stored = timer_pb2.DeadlinesSection.FromString(section.body)
    except DecodeError as error:
        raise DataLossError(commit.game_id, commit.version, "deadlines do not parse") from error
    found: list[Change] = []
    for change in stored.changes:
        kind = change.WhichOneof("change")
        if kind == "set":
            one = change.set
            found.append(DeadlineSet(one.deadline_id, one.owner, one.kind, one.due_ms))
        elif kind == "cleared":
            found.append(DeadlineCleared(change.cleared.deadline_id))
        elif kind == "paused":
            found.append(DeadlinePaused(change.paused.deadline_id, change.paused.left_ms))
        elif kind == "resumed":
            found.append(DeadlineResumed(change.resumed.deadline_id, change.resumed.due_ms))
        else:
            raise LogNewerError(
                commit.game_id, commit.version, "a change of a deadline of a kind unknown here"
            )
    return found


class TimerFold:
    """How the timer folds one game's log: DEADLINES only."""

    def initial(self, game_id: str) -> State:
        """Return the schedule of a game that does not exist yet."""
        del game_id
        return INITIAL.copy()

    def apply(self, state: State, commit: ParsedCommit) -> State:
        """Fold a commit in place; DataLossError when it contradicts the ones before."""
        for change in changes(commit):
            try:
                evolve(state, change)
            except ContradictionError as error:
                raise DataLossError(commit.game_id, commit.version, str(error)) from error
        return state

    def copy(self, state: State) -> State:
        """Return an independent copy."""
        return state.copy()


def encode_agenda(keys: KeyRing, agenda: Agenda, games: Mapping[str, object], sequence: int) -> bytes:
    """Return the cache of these games of an agenda, which includes everything up to a sequence."""
    message = timer_pb2.Agenda()
    message.sequence = sequence
    for game_id in games:
        game = agenda.games[game_id]
        stored = message.games.add()
        stored.game_id = game_id
        stored.version = game.version
        for deadline in game.schedule.deadlines.values():
            one = stored.deadlines.add()
            one.deadline_id = deadline.deadline_id
            one.owner = deadline.owner
            one.kind = deadline.kind
            one.due_ms = deadline.due_ms
            one.left_ms = deadline.left_ms
    return seal(keys, _PURPOSE, zlib.compress(message.SerializeToString(), 1))


def decode_agenda(keys: KeyRing, data: bytes, agenda: Agenda) -> int:
    """Put a cache into an agenda; return the sequence it includes, 0 if anything about it is odd."""
    body = unseal(keys, _PURPOSE, data)
    if body is None:
        return 0
    try:
        message = timer_pb2.Agenda.FromString(zlib.decompress(body))
    except (DecodeError, zlib.error):
        return 0
    for stored in message.games:
        schedule = State()
        for one in stored.deadlines:
            schedule.deadlines[one.deadline_id] = Deadline(
                one.deadline_id, one.owner, one.kind, one.due_ms, one.left_ms
            )
        agenda.replace(stored.game_id, stored.version, schedule)
    return message.sequence
