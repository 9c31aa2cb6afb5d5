"""Stored bytes: sections of kind DEADLINES (version 1), and the cached agenda of a stream."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from magnate.bank.v1 import terminal_pb2
from magnate.game.v1 import game_pb2
from magnate.kit.log.commit import DEADLINES, RULES, TABLE, TERMINAL, Section, require_version
from magnate.kit.log.errors import DataLossError, LogNewerError
from magnate.kit.log.keys import seal, unseal
from magnate.timer.domain.schedule import (
    Change,
    ContradictionError,
    Deadline,
    DeadlineCleared,
    DeadlineFired,
    DeadlinePaused,
    DeadlineResumed,
    DeadlineSet,
    DeadlineShifted,
    State,
    Terms,
)
from magnate.timer.domain.timers import BANK_TABLE, FIRE, GAME, MISSING, OWNER, SHIFT, SKIP, Table
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.timer.domain.agenda import Agenda

SECTION_VERSION: Final = 1
_PURPOSE: Final = "agenda"

MISFIRES: Final = {
    FIRE: timer_pb2.MISFIRE_FIRE,
    SKIP: timer_pb2.MISFIRE_SKIP,
    SHIFT: timer_pb2.MISFIRE_SHIFT,
}
MISFIRE_WORDS: Final = {number: word for word, number in MISFIRES.items()}


def changes(commit: ParsedCommit, *, terms: bool = True) -> list[Change]:
    """Return what a commit says about deadlines; without `terms` nothing of what clients say about theirs.

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
            wish = terms_of(one) if terms else None
            found.append(DeadlineSet(one.deadline_id, one.owner, one.kind, one.due_ms, wish, one.occurrence))
        elif kind == "cleared":
            found.append(DeadlineCleared(change.cleared.deadline_id))
        elif kind == "paused":
            stopped = change.paused
            found.append(DeadlinePaused(stopped.deadline_id, stopped.left_ms, held=stopped.held))
        elif kind == "resumed":
            found.append(DeadlineResumed(change.resumed.deadline_id, change.resumed.due_ms))
        elif kind == "fired":
            found.append(DeadlineFired(change.fired.deadline_id))
        elif kind == "shifted":
            found.append(DeadlineShifted(change.shifted.deadline_id, change.shifted.due_ms))
        else:
            raise LogNewerError(
                commit.game_id, commit.version, "a change of a deadline of a kind unknown here"
            )
    return found


def deadlines_section(found: Iterable[Change]) -> Section:
    """Return the section that stores these changes."""
    section = timer_pb2.DeadlinesSection()
    for change in found:
        _put_change(change, section.changes.add())
    return Section(DEADLINES, SECTION_VERSION, section.SerializeToString())


def _put_change(change: Change, message: timer_pb2.DeadlineChange) -> None:
    if isinstance(change, DeadlineSet):
        put_set(change, message.set)
    elif isinstance(change, DeadlineCleared):
        message.cleared.deadline_id = change.deadline_id
    elif isinstance(change, DeadlinePaused):
        message.paused.deadline_id = change.deadline_id
        message.paused.left_ms, message.paused.held = change.left_ms, change.held
    elif isinstance(change, DeadlineFired):
        message.fired.deadline_id = change.deadline_id
    else:
        target = message.shifted if isinstance(change, DeadlineShifted) else message.resumed
        target.deadline_id, target.due_ms = change.deadline_id, change.due_ms


def put_set(change: DeadlineSet | Deadline, message: timer_pb2.DeadlineSet) -> None:
    """Store how a deadline was set, or as what it would have to be set now."""
    message.deadline_id, message.owner = change.deadline_id, change.owner
    message.kind, message.due_ms, message.occurrence = change.kind, change.due_ms, change.occurrence
    if change.terms is not None:
        terms = change.terms
        message.label, message.data, message.set_by = terms.label, terms.data, terms.set_by
        message.misfire = MISFIRES[terms.misfire]
        message.runs_through_pause = terms.runs_through
        message.every_ms, message.times = terms.every_ms, terms.times


def terms_of(one: timer_pb2.DeadlineSet) -> Terms | None:
    """Return what a client said about its timer; None of a deadline of a service."""
    if one.owner != OWNER:
        return None
    word = MISFIRE_WORDS.get(one.misfire, FIRE)
    return Terms(
        one.label,
        one.data,
        word,
        one.set_by,
        runs_through=one.runs_through_pause,
        every_ms=one.every_ms,
        times=one.times,
    )


class TimerFold:
    """How the timer folds one table's log: DEADLINES, and of the others whether it goes on, and with whom."""

    def initial(self, game_id: str) -> Table:
        """Return a table that does not exist yet."""
        del game_id
        return Table()

    def apply(self, state: Table, commit: ParsedCommit) -> Table:
        """Fold a commit in place; DataLossError when it contradicts the ones before."""
        try:
            for section in commit.sections:
                if section.kind == TABLE:
                    _fold_game(state, section.body)
                elif section.kind == TERMINAL:
                    _fold_table(state, section.body)
                elif section.kind == RULES:
                    _fold_rules(state, section.body)
            if state.what == MISSING:
                state.what = BANK_TABLE
            for change in changes(commit):
                state.take(change)
        except (ContradictionError, DecodeError) as error:
            raise DataLossError(commit.game_id, commit.version, str(error)) from error
        return state

    def copy(self, state: Table) -> Table:
        """Return an independent copy."""
        return state.copy()


def _fold_game(state: Table, body: bytes) -> None:
    state.what = GAME
    for event in game_pb2.TableSection.FromString(body).events:
        kind = event.WhichOneof("kind")
        if kind == "table_paused":
            state.paused = True
        elif kind == "table_resumed":
            state.paused = False
        elif kind == "seed_revealed":
            state.over = True


def _fold_rules(state: Table, body: bytes) -> None:
    for event in game_pb2.RulesSection.FromString(body).events:
        kind = event.WhichOneof("kind")
        if kind == "seat_eliminated":
            state.gone.add(event.seat_eliminated.seat)
        elif kind == "position_given":
            state.gone = {seat for seat, out in enumerate(event.position_given.out) if out}


def _fold_table(state: Table, body: bytes) -> None:
    for event in terminal_pb2.TerminalSection.FromString(body).events:
        kind = event.WhichOneof("event")
        if kind == "card_issued":
            state.cards[event.card_issued.card_id] = event.card_issued.seat
        elif kind == "card_retired":
            state.gone.add(state.cards[event.card_retired.card_id])
        elif state.what == GAME:
            continue  # what becomes of the unit of a game is nothing to its timers
        elif kind in ("table_paused", "table_resumed"):
            state.paused = kind == "table_paused"
        elif kind == "table_closed":
            state.over = True


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
