"""What lists show of a game, folded from its TABLE and DEADLINES sections alone.

A log that begins without a TABLE section is no game but a table that only the bank keeps. It gets a head too,
so that the guard of the tail and audits know of it, with a status that no game has; lists leave it out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.bank.v1 import terminal_pb2
from magnate.game.codec import begins_bank_table
from magnate.game.v1 import game_pb2
from magnate.game.view import set_time
from magnate.kit.log.commit import DEADLINES, TABLE, TERMINAL
from magnate.kit.log.keeper import HeadFacts
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.heads import Head

STATUS_WORDS: Final = {
    game_pb2.GAME_STATUS_OPEN: "open",
    game_pb2.GAME_STATUS_RUNNING: "running",
    game_pb2.GAME_STATUS_PAUSED: "paused",
    game_pb2.GAME_STATUS_OVER: "over",
}

BANK_TABLE: Final = "bank-"
"""How the status word of a head begins whose log is no game."""

_BANK_WORDS: Final = {
    "table_opened": "bank-open",
    "table_paused": "bank-paused",
    "table_resumed": "bank-open",
    "table_closed": "bank-closed",
}


class LobbyFold:
    """Makes a game's head from the one before and a commit (see `kit.log.keeper.HeadFold`)."""

    def facts(self, before: Head | None, commit: ParsedCommit) -> HeadFacts:
        """Return what the head says after this commit; most commits change nothing that lists show."""
        if before.status.startswith(BANK_TABLE) if before is not None else begins_bank_table(commit):
            return _bank_facts(before, commit)
        sections = [section for section in commit.sections if section.kind in {TABLE, DEADLINES}]
        if before is not None and not sections:
            return HeadFacts(before.status, before.lobby, before.earliest_deadline_ms)
        record = game_pb2.LobbyRecord()
        if before is not None:
            record.ParseFromString(before.lobby)
        record.summary.game_id = commit.game_id
        for section in sections:
            if section.kind == TABLE:
                for event in game_pb2.TableSection.FromString(section.body).events:
                    _fold_table(record.summary, event)
                    _fold_presence(record.connections, event)
            else:
                for change in timer_pb2.DeadlinesSection.FromString(section.body).changes:
                    _fold_deadline(record.deadlines, change)
        status = STATUS_WORDS.get(record.summary.status, "")
        earliest = min(record.deadlines.values(), default=0)
        return HeadFacts(status, record.SerializeToString(), earliest)


def _bank_facts(before: Head | None, commit: ParsedCommit) -> HeadFacts:
    """Return what the head of a bank table says: its status, and which of its deadlines is due first."""
    lobby, earliest = (b"", 0) if before is None else (before.lobby, before.earliest_deadline_ms)
    section = commit.section(DEADLINES)
    if section is not None:
        record = game_pb2.LobbyRecord.FromString(lobby)
        for change in timer_pb2.DeadlinesSection.FromString(section.body).changes:
            _fold_deadline(record.deadlines, change)
        lobby = record.SerializeToString(deterministic=True)
        earliest = min(record.deadlines.values(), default=0)
    return HeadFacts(_bank_status(before, commit), lobby, earliest)


def _bank_status(before: Head | None, commit: ParsedCommit) -> str:
    word = _BANK_WORDS["table_opened"] if before is None else before.status
    section = commit.section(TERMINAL)
    if section is not None:
        for event in terminal_pb2.TerminalSection.FromString(section.body).events:
            word = _BANK_WORDS.get(event.WhichOneof("event") or "", word)
    return word


def summary_of(head: Head) -> game_pb2.GameSummary:
    """Return what lists show of a game."""
    summary = game_pb2.LobbyRecord.FromString(head.lobby).summary
    summary.version = head.version
    set_time(summary.update_time, head.time_ms)
    return summary


def _fold_table(summary: game_pb2.GameSummary, event: game_pb2.TableEvent) -> None:
    kind = event.WhichOneof("kind")
    if kind == "table_opened":
        opened = event.table_opened
        summary.status = game_pb2.GAME_STATUS_OPEN
        summary.title = opened.title
        summary.ruleset = opened.ruleset.id
        summary.board = opened.board.id
        summary.seat_count = opened.seat_count
    elif kind == "seat_taken":
        summary.players.append(event.seat_taken.name)
    elif kind in {"table_started", "table_resumed"}:
        summary.status = game_pb2.GAME_STATUS_RUNNING
    elif kind == "table_paused":
        summary.status = game_pb2.GAME_STATUS_PAUSED
    elif kind == "seed_revealed":
        summary.status = game_pb2.GAME_STATUS_OVER


def _fold_presence(connections: MutableMapping[int, str], event: game_pb2.TableEvent) -> None:
    kind = event.WhichOneof("kind")
    if kind == "seed_revealed":
        connections.clear()
    elif kind == "seat_presence":
        seen = event.seat_presence
        if seen.connection:
            connections[seen.seat] = seen.connection
        else:
            connections.pop(seen.seat, None)


def _fold_deadline(deadlines: MutableMapping[str, int], change: timer_pb2.DeadlineChange) -> None:
    kind = change.WhichOneof("change")
    if kind == "set":
        deadlines[change.set.deadline_id] = change.set.due_ms
    elif kind == "resumed":
        deadlines[change.resumed.deadline_id] = change.resumed.due_ms
    elif kind == "cleared":
        deadlines.pop(change.cleared.deadline_id, None)
    elif kind == "fired":
        deadlines.pop(change.fired.deadline_id, None)
    elif kind == "shifted":
        deadlines[change.shifted.deadline_id] = change.shifted.due_ms
    elif kind == "paused":
        deadlines.pop(change.paused.deadline_id, None)
