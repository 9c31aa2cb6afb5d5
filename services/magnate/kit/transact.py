"""One command, one effect: queue, load, decide, append, and the way back from every unknown outcome.

Each game has a first-in-first-out queue in each instance, so that one writer at a time appends; other
instances may append too, and the expectation decides who was first. Whoever loses reads what was stored,
looks for its own command in the window, and decides again.

A refusal is given only from a state that was the log's newest at some moment after the command arrived. An
own append that succeeded proves it, and so does a look at the log's last commit; one look serves all commands
that arrived before it, so a storm of refusals costs one round trip, not one each.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Generic, TypeVar

from magnate.kit.clock import Clock, SystemClock
from magnate.kit.limits import (
    COMMIT_BYTES_MAX,
    DECIDE_ATTEMPTS_MAX,
    GAMES_CACHED_MAX,
    QUEUE_PER_GAME_MAX,
    RETRY_SECONDS_MAX,
    SNAPSHOT_EVERY_COMMITS,
)
from magnate.kit.log.commit import Command, ParsedCommit, build_commit, check_follows, parse_commit
from magnate.kit.log.errors import CommitTooLargeError, DataLossError, LogUnavailableError
from magnate.kit.log.fold import Fold, Loaded, Loader, SnapshotCodec
from magnate.kit.log.port import Appended, Conflict, Log, Stored
from magnate.kit.log.skew import GUARD
from magnate.kit.transact_slots import Attempt, Slot
from magnate.kit.transact_types import (
    Certain,
    CommitMoved,
    CommitRefused,
    Committed,
    Done,
    Outcome,
    Proposal,
    Refused,
    TransactStats,
    command_id_reused,
    queue_full,
    refuse_seen_version,
    stale_version,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from magnate.kit.keys import KeyRing

S = TypeVar("S")
R = TypeVar("R")


class Transactor(Generic[S]):
    """Runs commands on games for one service in one process. Not for use from several threads."""

    def __init__(
        self,
        log: Log,
        keys: KeyRing,
        fold: Fold[S],
        *,
        codec: SnapshotCodec[S] | None = None,
        clock: Clock | None = None,
        games_cached_max: int = GAMES_CACHED_MAX,
        queue_per_game_max: int = QUEUE_PER_GAME_MAX,
        retry_seconds_max: float = RETRY_SECONDS_MAX,
        snapshot_every_commits: int = SNAPSHOT_EVERY_COMMITS,
    ) -> None:
        self.log = log
        self.keys = keys
        self.fold = fold
        self.loader: Loader[S] = Loader(log, keys, fold, codec)
        self.stats = TransactStats()
        self.on_damage: Callable[[], None] = lambda: None  # a log that does not verify is met
        self._codec = codec
        self._clock = clock or SystemClock()
        self.started_ms = self._clock.now_ms()  # since when anybody could reach this process
        self._games_cached_max = games_cached_max
        self._queue_per_game_max = queue_per_game_max
        self._retry_seconds_max = retry_seconds_max
        self._snapshot_every = snapshot_every_commits
        self._slots: OrderedDict[str, Slot[S]] = OrderedDict()
        self._ticks = 0
        self._background: set[asyncio.Task[None]] = set()

    async def run(
        self,
        game_id: str,
        command: Command,
        decide: Callable[[Loaded[S]], Awaitable[Proposal[S, R] | Certain[R] | R]],
    ) -> Outcome[S, R]:
        """Carry out one command on one game; `decide` may be asked several times and must have no effects.

        It returns a Proposal, or any other value: a refusal, which is passed on once the state it came from
        is known to be newest (at once if it is wrapped in Certain).

        Raises LogUnavailableError (outcome unknown; the same id may be sent again), DataLossError,
        LogNewerError, CommitTooLargeError and, while this process's clock is off, ClockSkewedError.
        """
        GUARD.require()  # also where somebody else appends: the time of what is decided is ours
        slot = self._slot(game_id)
        if slot.waiting >= self._queue_per_game_max:
            return Refused(queue_full(slot.waiting), None)
        attempt = self._attempt()
        slot.waiting += 1
        try:
            async with slot.lock:
                return await self._run(slot, command, decide, attempt)
        except Exception as error:
            slot.failed(error, self.on_damage)
            raise
        finally:
            slot.waiting -= 1
            self._trim(slot)

    async def view(self, game_id: str, *, newest: bool = True, at_least: int = 0) -> Loaded[S]:
        """Return the game for a query, at least at version `at_least` if the log has it.

        With `newest`, as new as the log was when this was called: one look at the log. Without, what this
        instance holds will do if it is new enough: no look at all.
        """
        held = self.peek(game_id)
        if held is not None and not newest and held.version >= at_least:
            return held
        attempt = self._attempt()
        async with self._turn(game_id) as slot:
            loaded = await self._load(slot, attempt)
            while (newest or loaded.version < at_least) and not await self._is_newest(slot, attempt):
                loaded = self._held(slot)
            return loaded

    async def observe(self, game_id: str, commit: ParsedCommit) -> Loaded[S]:
        """Take a commit that another service appended for us, and return the game at least that new.

        When it is the next one it is folded without asking the log; else the log is read.
        """
        async with self._turn(game_id) as slot:
            loaded = slot.loaded
            if loaded is not None and loaded.version + 1 == commit.version:
                return self._advance(slot, commit, None, slot.newest_at).loaded
        return await self.view(game_id, newest=False, at_least=commit.version)

    def busy(self, game_id: str) -> bool:
        """Say whether anything of this game waits or runs here, so that a look would have to wait, too."""
        slot = self._slots.get(game_id)
        return slot is not None and not slot.idle

    def peek(self, game_id: str) -> Loaded[S] | None:
        """Return what this instance holds of the game, without asking anybody."""
        slot = self._slots.get(game_id)
        return None if slot is None else slot.loaded

    def forget(self, game_id: str) -> None:
        """Drop what this instance holds of the game; the next command loads it from the log."""
        slot = self._slots.get(game_id)
        if slot is not None:
            slot.loaded = None
            slot.newest_at = 0

    async def close(self) -> None:
        """Wait for snapshots that are being written."""
        await asyncio.gather(*self._background, return_exceptions=True)

    async def _run(
        self,
        slot: Slot[S],
        command: Command,
        decide: Callable[[Loaded[S]], Awaitable[Proposal[S, R] | Certain[R] | R]],
        attempt: Attempt,
    ) -> Outcome[S, R]:
        await self._load(slot, attempt)
        for _ in range(DECIDE_ATTEMPTS_MAX):
            known: Outcome[S, R] | None = await self._known(slot, command, attempt)
            if known is not None:
                return known
            loaded = self._held(slot)
            decided = refuse_seen_version(command.seen_version, loaded) or await decide(loaded)
            if isinstance(decided, Certain):
                return Refused(decided.answer, loaded)
            if not isinstance(decided, Proposal):
                if await self._is_newest(slot, attempt):
                    return Refused(decided, loaded)
                continue
            if command.expected_version not in (0, loaded.version):
                if await self._is_newest(slot, attempt):
                    return Refused(stale_version(command.expected_version, loaded.version), loaded)
                continue
            result: Outcome[S, R] | None
            if decided.commit is None:
                result = await self._append(slot, command, decided, attempt)
            else:
                result = await self._delegate(slot, decided, attempt)
            if isinstance(result, (Done, Refused)):
                return result
            self.stats.conflicts += 1
        raise LogUnavailableError(
            f"game {slot.game_id}: lost against other writers {DECIDE_ATTEMPTS_MAX} times"
        )

    async def _known(self, slot: Slot[S], command: Command, attempt: Attempt) -> Outcome[S, R] | None:
        """Answer a command that the game remembers."""
        loaded = self._held(slot)
        found = loaded.window.find(command.command_id)
        if found is None:
            return None
        if found.request_hash != command.request_hash:
            return Refused(command_id_reused(found.version), loaded)
        stored = await attempt.reading(lambda: self.log.read(slot.game_id, found.sequence))
        if stored is None:
            raise DataLossError(slot.game_id, found.version, f"not at sequence {found.sequence} any more")
        commit = parse_commit(self.keys, slot.game_id, stored.data, stored.sequence)
        replayed = commit.hash != attempt.sent_hash
        self.stats.replays += replayed
        return Done(commit, loaded, replayed=replayed)

    async def _append(
        self, slot: Slot[S], command: Command, proposal: Proposal[S, R], attempt: Attempt
    ) -> Done[S] | None:
        """Append the proposal; None if the game has moved on and must be decided anew."""
        loaded = self._held(slot)
        commit = build_commit(
            self.keys,
            slot.game_id,
            command,
            proposal.sections,
            previous_version=loaded.version,
            previous_hash=loaded.hash,
            previous_time_ms=loaded.time_ms,
            now_ms=self._clock.now_ms(),
            secret_sections=proposal.secret_sections,
        )
        if len(commit.data) > COMMIT_BYTES_MAX:
            raise CommitTooLargeError(slot.game_id, commit.version, f"commit of {len(commit.data)} bytes")
        attempt.sent_hash = commit.hash
        message_id = commit.hash[:16].hex()
        while True:
            tick = self._tick()
            result = await self.log.append(slot.game_id, commit.data, loaded.sequence, message_id)
            if isinstance(result, Appended):
                if result.duplicate:  # an earlier attempt of ours: the stored commit answers, not our bytes
                    await self._catch_up(slot, attempt)
                    return None
                commit.sequence = result.sequence
                return self._advance(slot, commit, proposal.draft, tick)
            if isinstance(result, Conflict):
                if await self._catch_up(slot, attempt):
                    return None
                reason = "another append is in flight"
            else:
                reason = result.reason
            self.stats.resends += 1
            await attempt.wait(reason)

    async def _delegate(
        self, slot: Slot[S], proposal: Proposal[S, R], attempt: Attempt
    ) -> Done[S] | Refused[S, R] | None:
        """Have somebody else append the proposal; None if it must be decided anew."""
        assert proposal.commit is not None
        loaded = self._held(slot)
        asked = False
        while True:
            tick = self._tick()
            result = await proposal.commit(loaded)
            if isinstance(result, Committed):
                commit = parse_commit(self.keys, slot.game_id, result.data, result.sequence)
                if asked or not result.replayed:  # else it is the effect of an earlier call
                    attempt.sent_hash = commit.hash
                if not result.replayed and commit.previous_hash == loaded.hash:
                    return self._advance(slot, commit, proposal.draft, tick)
                await self._catch_up(slot, attempt)  # it answered from an older commit: so will we
                return None
            if isinstance(result, CommitRefused):
                if result.version == loaded.version and await self._is_newest(slot, attempt):
                    return Refused(result.rejection, loaded)
                if self._held(slot) is not loaded or await self._catch_up(slot, attempt):
                    return None
                reason = f"refused from version {result.version}, which is not ours"
            elif isinstance(result, CommitMoved):
                if not await self._catch_up(slot, attempt):
                    await attempt.wait("told that the game has moved on")
                return None
            else:
                reason, asked = result.reason, True
            self.stats.resends += 1
            await attempt.wait(reason)

    def _advance(self, slot: Slot[S], commit: ParsedCommit, draft: S | None, tick: int) -> Done[S]:
        """Take a commit that was just stored after the held state."""
        loaded = self._held(slot)
        check_follows(commit, loaded.version, loaded.hash, loaded.time_ms)
        try:
            state = self.fold.apply(self.fold.copy(loaded.state), commit) if draft is None else draft
        except BaseException:
            slot.loaded = None  # stored all the same; the next command reads it from the log
            raise
        slot.loaded = loaded = loaded.after(commit, state)
        slot.newest_at = tick
        self._consider_snapshot(slot, loaded)
        return Done(commit, loaded, replayed=False)

    async def _load(self, slot: Slot[S], attempt: Attempt) -> Loaded[S]:
        if slot.loaded is None:
            self.stats.cold_loads += 1
            loaded, slot.snapshot_version = await attempt.reading(
                lambda: self.loader.load_counted(slot.game_id)
            )
            slot.loaded = loaded
            slot.newest_at = 0  # a replica may have answered
            self._consider_snapshot(slot, loaded)
        return slot.loaded

    async def _is_newest(self, slot: Slot[S], attempt: Attempt) -> bool:
        """Say whether the held state was the log's newest after the command arrived; if not, catch up."""
        return slot.newest_at >= attempt.arrived or not await self._catch_up(slot, attempt)

    async def _catch_up(self, slot: Slot[S], attempt: Attempt) -> bool:
        """Ask the leader for the newest commit and fold what is missing; say whether anything was."""
        loaded = self._held(slot)
        self.stats.newest_checks += 1
        tick = self._tick()
        last = await attempt.reading(lambda: self.log.last(slot.game_id))
        sequence = 0 if last is None else last.sequence
        if sequence == loaded.sequence:
            slot.newest_at = tick
            return False
        if last is None or sequence < loaded.sequence:
            raise DataLossError(
                slot.game_id, loaded.version, f"was at sequence {loaded.sequence}; now {sequence} is last"
            )
        slot.loaded = await self._extend(slot, loaded, last, attempt)
        slot.newest_at = tick
        return True

    async def _extend(self, slot: Slot[S], loaded: Loaded[S], last: Stored, attempt: Attempt) -> Loaded[S]:
        commit = parse_commit(self.keys, slot.game_id, last.data, last.sequence)
        if commit.version == loaded.version + 1:  # as usual: lost against exactly one
            return self.loader.extend(loaded, [last])
        return await attempt.reading(lambda: self.loader.refresh(loaded, last.sequence))

    @asynccontextmanager
    async def _turn(self, game_id: str) -> AsyncIterator[Slot[S]]:
        """Wait for the game's turn and hold it."""
        slot = self._slot(game_id)
        slot.reading += 1
        try:
            async with slot.lock:
                yield slot
        except Exception as error:
            slot.failed(error, self.on_damage)
            raise
        finally:
            slot.reading -= 1
            self._trim(slot)

    def _slot(self, game_id: str) -> Slot[S]:
        slot = self._slots.get(game_id)
        if slot is None:
            slot = self._slots[game_id] = Slot(game_id)
        else:
            self._slots.move_to_end(game_id)
        return slot

    def _trim(self, slot: Slot[S]) -> None:
        """Forget games that do not exist at once, and the ones least recently used beyond the bound."""
        if slot.idle and (slot.loaded is None or slot.loaded.version == 0):
            self._slots.pop(slot.game_id, None)
        while len(self._slots) > self._games_cached_max:
            oldest = next((game_id for game_id, slot in self._slots.items() if slot.idle), None)
            if oldest is None:
                return
            del self._slots[oldest]

    def _consider_snapshot(self, slot: Slot[S], loaded: Loaded[S]) -> None:
        if self._codec is None or loaded.version - slot.snapshot_version < self._snapshot_every:
            return
        slot.snapshot_version = loaded.version
        self.stats.snapshots += 1
        data = self.loader.encode(loaded)  # now: the window is shared with later versions
        task = asyncio.create_task(self.log.snapshot_put(self._codec.kind, slot.game_id, data))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    def _held(self, slot: Slot[S]) -> Loaded[S]:
        assert slot.loaded is not None, "the game is loaded before it is judged"
        return slot.loaded

    def _attempt(self) -> Attempt:
        return Attempt(self._tick(), time.monotonic() + self._retry_seconds_max)

    def _tick(self) -> int:
        self._ticks += 1
        return self._ticks
