"""Follows the log of all games and keeps the agenda; remembers how far it has got, with what it knew then."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

import structlog
from google.protobuf.message import DecodeError

from magnate.kit.clock import Clock, SystemClock
from magnate.kit.ids import expire_id
from magnate.kit.log.commit import DEADLINES, parse_commit
from magnate.kit.log.errors import LogError
from magnate.kit.log.port import Beat
from magnate.kit.log.subjects import game_stream
from magnate.log.v1 import log_pb2
from magnate.timer.codec import changes, decode_agenda, encode_agenda
from magnate.timer.domain.schedule import DeadlineCleared, DeadlineFired, DeadlineShifted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.port import Followed, Log
    from magnate.timer.domain.agenda import Agenda
    from magnate.timer.domain.schedule import Change
    from magnate.timer.metrics import TimerMetrics

CHECKPOINT_SECONDS: Final = 10.0
"""At most this much of the log is read again after a crash."""
CHECKPOINT_BYTES_MAX: Final = 800_000
"""A larger one is not stored; then the stream is read from its beginning."""

_log = structlog.get_logger("magnate.timer")


class Follower:
    """Reads every commit once and tells which games' deadlines changed."""

    def __init__(
        self,
        log: Log,
        keys: KeyRing,
        agenda: Agenda,
        metrics: TimerMetrics,
        changed: Callable[[str], None],
        clock: Clock | None = None,
    ) -> None:
        self._log = log
        self._keys = keys
        self._agenda = agenda
        self._metrics = metrics
        self._changed = changed
        self._clock = clock or SystemClock()
        self._positions: dict[str, int] = {}
        self._stored: dict[str, int] = {}
        self._behind: set[str] = set()
        self.caught_up = asyncio.Event()

    async def restore(self) -> None:
        """Start from what was remembered; without it, from the beginning of the log."""
        for stream, end in (await self._log.last_sequences()).items():
            self._behind.add(stream)
            data = await self._log.checkpoint_get(_name(stream))
            position = 0 if data is None else decode_agenda(self._keys, data, self._agenda)
            if position > end:  # it remembers more than there is: what is missing is the log's affair
                _log.error("log shorter than the timer remembers", stream=stream, end=end, known=position)
            self._positions[stream] = self._stored[stream] = position
        for game_id in list(self._agenda.games):
            self._changed(game_id)
        self._look()

    async def begin_anew(self) -> None:
        """Start from the beginning of the log, whatever was remembered."""
        self._positions = dict.fromkeys(await self._log.last_sequences(), 0)
        self._behind = set(self._positions)
        self._look()

    async def run(self) -> None:
        """Follow, for ever."""
        async with aclosing(self._log.watch_all(self._positions)) as commits:
            async for followed in commits:
                if isinstance(followed, Beat):
                    self._read_up(followed)
                    continue
                self._positions[followed.stream] = followed.sequence
                self._take(followed)

    async def keep(self) -> None:
        """Remember how far this has got, now and then, for ever."""
        while True:
            await asyncio.sleep(CHECKPOINT_SECONDS)
            await self.remember()

    async def remember(self) -> None:
        """Store what is known of every stream that went on."""
        for stream in list(self._positions):  # a new one may come meanwhile
            position = self._positions[stream]
            if position == self._stored.get(stream, 0):
                continue
            games = {game_id: None for game_id in self._agenda.games if game_stream(game_id) == stream}
            data = encode_agenda(self._keys, self._agenda, games, position)
            if len(data) <= CHECKPOINT_BYTES_MAX:
                await self._log.checkpoint_put(_name(stream), data)
            self._stored[stream] = position

    def _read_up(self, beat: Beat) -> None:
        self._positions[beat.stream] = max(self._positions.get(beat.stream, 0), beat.sequence)
        self._behind.discard(beat.stream)
        self._look()

    def _look(self) -> None:
        if not self._behind and not self.caught_up.is_set():
            self.caught_up.set()
            self._metrics.caught_up.set(1)
            _log.info("caught up", games=len(self._agenda.games), deadlines=self._agenda.pending())

    def _take(self, followed: Followed) -> None:
        """Take one commit; most say nothing about deadlines and are only glanced at."""
        try:
            message = log_pb2.Commit.FromString(followed.data)
            public = log_pb2.PublicPart.FromString(message.public)
            if all(section.kind != DEADLINES for section in public.sections):
                return
            commit = parse_commit(self._keys, followed.game_id, followed.data, followed.sequence)
            found = changes(commit, terms=False)
            if self.caught_up.is_set():
                self._measure(commit, found)
            self._agenda.apply(followed.game_id, commit.version, found)
            self._metrics.shifted.inc(sum(isinstance(change, DeadlineShifted) for change in found))
        except (DecodeError, LogError) as error:
            # That game is stopped by whoever owns it; the others go on.
            self._metrics.damaged.inc()
            _log.error("commit not read", game_id=followed.game_id, stream=followed.stream, why=str(error))
            return
        self._changed(followed.game_id)

    def _measure(self, commit: ParsedCommit, found: Iterable[Change]) -> None:
        """Count how late the deadlines were that this commit dealt with.

        Its own time is that of the decision, which may have waited for the log since.
        """
        game = self._agenda.games.get(commit.game_id)
        if game is None or commit.version <= game.version:
            return
        for change in found:
            due = game.schedule.deadlines.get(change.deadline_id)
            ended = isinstance(change, DeadlineFired) or (
                isinstance(change, DeadlineCleared) and commit.command_id == expire_id(change.deadline_id)
            )
            if ended and due is not None and due.due_ms:
                self._metrics.late(due.owner, due.kind, self._clock.now_ms() - due.due_ms)


def _name(stream: str) -> str:
    return f"timer-{stream}"
