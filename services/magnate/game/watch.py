"""What viewers of a game get: every commit in order, as typed events or as stored records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from magnate.auction.v1 import auction_pb2
from magnate.bank.v1 import bank_pb2
from magnate.game.openings import Told
from magnate.game.sight import ANYBODY, seen
from magnate.game.standing_view import put_standing
from magnate.game.upcast import rules_events
from magnate.game.v1 import game_pb2
from magnate.game.view import STATUS, put_situation, set_time
from magnate.kit.log.commit import AUCTION, DEADLINES, LEDGER, RULES, TABLE
from magnate.kit.log.watch import HeadBeat, read_commits, watch_commits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from prometheus_client import Gauge

    from magnate.game.state import GameState
    from magnate.kit.clock import Clock
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.transact import Transactor


class Watch:
    """Reads games' logs for viewers."""

    def __init__(self, transactor: Transactor[GameState], keys: KeyRing, clock: Clock) -> None:
        self._transactor = transactor
        self._keys = keys
        self._clock = clock
        self._watchers: Gauge | None = None

    def count_in(self, watchers: Gauge) -> None:
        """Count open streams in this gauge."""
        self._watchers = watchers

    async def follow(
        self, newest: Loaded[GameState], after_version: int, own: int = ANYBODY
    ) -> AsyncGenerator[game_pb2.WatchGameResponse, None]:
        """Yield how the game stands, every commit after a version and each new one; heartbeats in between.

        What the game waits for is as the seat `own` sees it.

        Raises:
            DataLossError: the log does not verify; nothing after the damage is sent.
        """
        if self._watchers is not None:
            self._watchers.inc()
        commits = watch_commits(self._transactor.log, self._keys, newest.game_id, after_version)
        told = newest.version  # up to where clocks and presence were told
        standings = newest.state.table.standings
        stale = False
        try:
            yield self._now(newest, own)
            async for item in commits:
                update = game_pb2.WatchGameResponse()
                if isinstance(item, HeadBeat):
                    update.heartbeat.head_version = item.version
                    set_time(update.heartbeat.server_time, self._clock.now_ms())
                else:
                    put_commit(item, update.commit)
                    stale = stale or (item.version > told and _moves_clocks(item))
                    state = await self._newest(newest.game_id, item.version)
                    if state is not None:
                        now_ms = self._clock.now_ms()
                        put_situation(seen(state, own, now_ms), update.situation, own)
                        if stale or state.table.standings != standings:  # a bid says it by its sender
                            put_standing(state, now_ms, update.standing)
                            stale, standings = False, state.table.standings
                yield update
        finally:
            if self._watchers is not None:
                self._watchers.dec()
            await commits.aclose()

    async def export(self, game_id: str, after_version: int) -> AsyncIterator[game_pb2.ExportGameResponse]:
        """Yield the stored records up to the newest; secrets as digests, until all of them has been told."""
        commits = await read_commits(self._transactor.log, self._keys, game_id, after_version)
        told = Told(commits)
        for commit in commits:
            yield game_pb2.ExportGameResponse(
                sequence=commit.sequence,
                public=commit.public,
                secret_digest=commit.secret_digest(),
                previous_hash=commit.previous_hash,
                hash=commit.hash,
                opened_secret=told.opened(commit) if commit.secret else b"",
            )

    def _now(self, loaded: Loaded[GameState], own: int) -> game_pb2.WatchGameResponse:
        """Return the first message: the game as it stands."""
        state, now_ms = loaded.state, max(self._clock.now_ms(), loaded.time_ms)
        update = game_pb2.WatchGameResponse()
        update.now.version = loaded.version
        update.now.status = STATUS[state.table.status]
        put_situation(seen(state, own, now_ms), update.now.situation, own)
        put_standing(state, now_ms, update.standing)
        return update

    async def _newest(self, game_id: str, version: int) -> GameState | None:
        """Return the state after a commit if it is the newest that is known here."""
        loaded = self._transactor.peek(game_id)
        if loaded is None or loaded.version < version:
            loaded = await self._transactor.view(game_id)
        return loaded.state if loaded.version == version else None


def _moves_clocks(commit: ParsedCommit) -> bool:
    """Say whether a commit may change a clock, or who is there."""
    return any(section.kind in (TABLE, DEADLINES) for section in commit.sections)


def put_commit(commit: ParsedCommit, message: game_pb2.PublicCommit) -> None:
    """Store what everybody may see of a commit."""
    message.version = commit.version
    message.command_id = commit.command_id
    message.actor = commit.actor
    set_time(message.time, commit.time_ms)
    for section in commit.sections:
        if section.kind == TABLE:
            message.table_events.extend(game_pb2.TableSection.FromString(section.body).events)
        elif section.kind == RULES:
            message.events.extend(rules_events(section))
        elif section.kind == AUCTION:
            message.auction_events.extend(auction_pb2.AuctionSection.FromString(section.body).events)
        elif section.kind == LEDGER:
            message.ledger_records.extend(bank_pb2.LedgerSection.FromString(section.body).records)
