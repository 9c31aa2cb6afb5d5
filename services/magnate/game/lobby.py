"""What lists show of a game, folded from the TABLE and DEADLINES sections alone: cheap enough for every commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.game.v1 import game_pb2
from magnate.game.view import set_time
from magnate.kit.log.commit import DEADLINES, TABLE
from magnate.kit.log.heads import Head
from magnate.timer.v1 import timer_pb2

if TYPE_CHECKING:
    from magnate.kit.log.commit import ParsedCommit

STATUS_WORDS: Final = {
    game_pb2.GAME_STATUS_OPEN: "open",
    game_pb2.GAME_STATUS_RUNNING: "running",
    game_pb2.GAME_STATUS_PAUSED: "paused",
    game_pb2.GAME_STATUS_OVER: "over",
}


class Lobby:
    """One game as lists show it, and its pending deadlines."""

    __slots__ = ("deadlines", "summary")

    def __init__(self, game_id: str) -> None:
        self.summary = game_pb2.GameSummary(game_id=game_id)
        self.deadlines: dict[str, int] = {}

    def apply(self, commit: ParsedCommit) -> None:
        """Fold one commit, in place."""
        summary = self.summary
        summary.version = commit.version
        set_time(summary.update_time, commit.time_ms)
        for section in commit.sections:
            if section.kind == TABLE:
                for event in game_pb2.TableSection.FromString(section.body).events:
                    _fold_table(summary, event)
            elif section.kind == DEADLINES:
                for change in timer_pb2.DeadlinesSection.FromString(section.body).changes:
                    _fold_deadline(self.deadlines, change)

    def head(self, commit: ParsedCommit) -> Head:
        """Return the game's head at this commit, which was folded last."""
        return Head(
            commit.game_id,
            commit.version,
            commit.sequence,
            commit.hash,
            time_ms=commit.time_ms,
            status=STATUS_WORDS.get(self.summary.status, ""),
            lobby=self.summary.SerializeToString(),
            earliest_deadline_ms=min(self.deadlines.values(), default=0),
        )


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


def _fold_deadline(deadlines: dict[str, int], change: timer_pb2.DeadlineChange) -> None:
    kind = change.WhichOneof("change")
    if kind == "set":
        deadlines[change.set.deadline_id] = change.set.due_ms
    elif kind == "resumed":
        deadlines[change.resumed.deadline_id] = change.resumed.due_ms
    elif kind == "cleared":
        deadlines.pop(change.cleared.deadline_id, None)
    elif kind == "paused":
        deadlines.pop(change.paused.deadline_id, None)
