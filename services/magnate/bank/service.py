"""Writing commits: the one place where money moves.

A commit is decided on the ledger as of the caller's head and appended under the expectation that this head is
the log's last. If the caller's newest ledger section is the one this process folded last, nothing is read.
Whatever the log answers, the outcome is certain before the caller hears of it: these bytes are stored, or
those of an earlier attempt of the same command, or nothing.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from magnate.bank import codec
from magnate.bank.asks import CommitAnswer, CommitAsk, Committed, Head, Moved, Refused, Reused
from magnate.bank.books import Books, at_head
from magnate.bank.checks import check_ask
from magnate.bank.domain.batch import BatchDecision, decide_batch
from magnate.bank.domain.ledger import INITIAL, decide
from magnate.bank.domain.records import parted
from magnate.bank.domain.rejections import Rejection
from magnate.bank.fold import LedgerFold
from magnate.kit.errors import InvalidArgumentError
from magnate.kit.limits import (
    COMMIT_BYTES_MAX,
    GAMES_CACHED_MAX,
    QUEUE_PER_GAME_MAX,
    RETRY_PAUSE_SECONDS_MAX,
    RETRY_PAUSE_SECONDS_MIN,
    RETRY_SECONDS_MAX,
    SNAPSHOT_EVERY_COMMITS,
)
from magnate.kit.log.commit import LEDGER, Section, build_commit, parse_commit
from magnate.kit.log.errors import DataLossError, LogError, LogUnavailableError
from magnate.kit.log.fold import Loaded, Loader
from magnate.kit.log.port import Appended, Conflict

if TYPE_CHECKING:
    from magnate.bank.books import Book
    from magnate.bank.domain.ledger import Decision, State
    from magnate.bank.metrics import BankMetrics
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import SnapshotCodec
    from magnate.kit.log.port import Log


class Bank:
    """Writes commits for all games, one at a time for each. Not for use from several threads."""

    def __init__(
        self,
        log: Log,
        keys: KeyRing,
        metrics: BankMetrics,
        *,
        snapshots: SnapshotCodec[State] | None = None,
        games_cached_max: int = GAMES_CACHED_MAX,
        queue_per_game_max: int = QUEUE_PER_GAME_MAX,
        retry_seconds_max: float = RETRY_SECONDS_MAX,
    ) -> None:
        self._log = log
        self._keys = keys
        self._metrics = metrics
        self._snapshots = snapshots
        self._loader: Loader[State] = Loader(log, keys, LedgerFold(), snapshots)
        self._books = Books(games_cached_max, queue_per_game_max)
        self._retry_seconds_max = retry_seconds_max
        self._background: set[asyncio.Task[None]] = set()

    async def commit(self, ask: CommitAsk) -> CommitAnswer:
        """Write one commit.

        Raises:
            InvalidArgumentError: what no well-behaved service asks.
            ExhaustedError: the game's queue is full.
            LogUnavailableError: the outcome is unknown; the same command may be asked again.
            DataLossError, LogNewerError: the game's log cannot be folded here.
        """
        started = time.perf_counter()
        metrics = self._metrics
        try:
            check_ask(ask)
            answer = await self._queued(ask)
        except BaseException as error:
            metrics.failed.inc()
            if isinstance(error, DataLossError):
                metrics.damaged.inc()
            raise
        if isinstance(answer, Committed):
            (metrics.replayed if answer.replayed else metrics.committed).inc()
        elif isinstance(answer, Refused):
            metrics.refused.inc()
            metrics.refusals.labels(answer.rejection.name).inc()
        elif isinstance(answer, Moved):
            metrics.conflict.inc()
        else:
            metrics.reused.inc()
        metrics.commit_seconds.observe(time.perf_counter() - started)
        return answer

    async def newest(self, game_id: str) -> Loaded[State]:
        """Return a game's ledger, as new as the log was when this was called; version 0 if there is no game.

        Raises what reading a log raises.
        """
        book = self._books.enter(game_id, to_read=True)
        try:
            loaded = book.loaded
            if loaded is None:
                loaded, book.snapshot_version = await self._loader.load_counted(game_id)
            last = await self._log.last(game_id)  # from the leader: another replica may be behind
            sequence = 0 if last is None else last.sequence
            if sequence > loaded.sequence:
                loaded = await self._loader.refresh(loaded, sequence)
            elif sequence < loaded.sequence:
                what = f"was at sequence {loaded.sequence}; now {sequence} is last"
                raise DataLossError(game_id, loaded.version, what)
        except LogError as error:
            book.loaded = None
            if isinstance(error, DataLossError):
                self._metrics.damaged.inc()
            raise
        else:
            if loaded.version:
                book.offer(loaded)
                self._consider_snapshot(book, loaded)
            return loaded
        finally:
            self._leave(book, to_read=True)

    async def close(self) -> None:
        """Wait for snapshots that are being written."""
        await asyncio.gather(*self._background, return_exceptions=True)

    async def _queued(self, ask: CommitAsk) -> CommitAnswer:
        """Wait for this game's turn, then write."""
        book = self._books.enter(ask.game_id)
        try:
            async with book.lock:
                return await self._write(book, ask)
        except LogError:
            book.loaded = None  # whatever is wrong, the next one reads the log from its beginning
            raise
        finally:
            self._leave(book)

    def _leave(self, book: Book, *, to_read: bool = False) -> None:
        self._books.leave(book, to_read=to_read)
        self._metrics.games.set(len(self._books))

    async def _write(self, book: Book, ask: CommitAsk) -> CommitAnswer:
        """Decide on the caller's head and append."""
        loaded = await self._at(book, ask)
        head = ask.head
        if loaded is None:
            answer = await self._settle(book, ask, b"", 0)
            if answer is None:
                raise LogUnavailableError("the log does not show yet what this process has seen in it")
            return answer
        time_ms = max(head.time_ms, ask.now_ms)
        decision = decide_ask(loaded.state, ask, time_ms)
        if isinstance(decision, Rejection):
            return Refused(decision, head)
        results = decision.results if isinstance(decision, BatchDecision) else []
        commit = self._build(ask, loaded, decision)
        answer = await self._append(book, ask, commit)
        if answer is not None:
            if isinstance(answer, Committed) and not answer.replayed:  # stored after all, found by reading
                answer.results = results
            return answer
        self._metrics.records.inc(len(decision.records))
        book.loaded = loaded = Loaded(
            ask.game_id,
            decision.state,
            version=commit.version,
            sequence=commit.sequence,
            commit_hash=commit.hash,
            time_ms=commit.time_ms,
            ledger_version=decision.state.version,
        )
        self._consider_snapshot(book, loaded)
        return Committed(commit.data, commit.sequence, replayed=False, results=results)

    async def _at(self, book: Book, ask: CommitAsk) -> Loaded[State] | None:
        """Return the ledger as of the caller's head, reading only what is missing; None if that is past."""
        head, loaded = ask.head, book.loaded
        if loaded is None:
            if head.ledger_version == 0:  # nothing to read: a wrong claim loses against the expectation
                return at_head(ask.game_id, INITIAL, head)
            self._metrics.log_reads.inc()
            book.loaded = loaded = await self._loader.load(ask.game_id)
        if loaded.version < head.version and loaded.state.version != head.ledger_version:
            self._metrics.log_reads.inc()
            book.loaded = loaded = await self._loader.refresh(loaded, head.sequence)
            if loaded.version < head.version:
                raise LogUnavailableError(f"the log does not show version {head.version} yet")
        if loaded.version > head.version:
            return None
        if loaded.state.version != head.ledger_version:
            detail = f"is {head.ledger_version}, but the newest ledger section is {loaded.state.version}"
            raise InvalidArgumentError("head.ledger_version", detail)
        if loaded.version == head.version and (loaded.sequence, loaded.hash) != (head.sequence, head.hash):
            raise InvalidArgumentError("head", f"is not what the log has at version {head.version}")
        return at_head(ask.game_id, loaded.state, head)

    def _build(self, ask: CommitAsk, loaded: Loaded[State], decision: Decision) -> ParsedCommit:
        """Return the commit, its ledger section last; what is about concealed holds is in its secret part."""
        sections, secret = list(ask.sections), list(ask.secret_sections)
        public, hidden = parted(decision.records)
        if decision.records:
            refused = decision.refused() if isinstance(decision, BatchDecision) else []
            body = codec.encode(loaded.state.version, public, refused)
            sections.append(Section(LEDGER, codec.SECTION_VERSION, body))
        if hidden:
            secret.append(Section(LEDGER, codec.SECTION_VERSION, codec.encode_hidden(hidden)))
        commit = build_commit(
            self._keys,
            ask.game_id,
            ask.command,
            sections,
            previous_version=loaded.version,
            previous_hash=loaded.hash,
            previous_time_ms=loaded.time_ms,
            now_ms=ask.now_ms,
            secret_sections=secret,
            salt=ask.salt or None,
        )
        if len(commit.data) > COMMIT_BYTES_MAX:
            detail = f"make a commit of {len(commit.data)} bytes; at most {COMMIT_BYTES_MAX} fit"
            raise InvalidArgumentError("sections", detail)
        return commit

    async def _append(self, book: Book, ask: CommitAsk, commit: ParsedCommit) -> CommitAnswer | None:
        """Append until the outcome is certain; None once these bytes are stored, else what to answer."""
        deadline = time.monotonic() + self._retry_seconds_max
        pause = RETRY_PAUSE_SECONDS_MIN
        message_id = commit.hash.hex()
        while True:
            result = await self._log.append(ask.game_id, commit.data, ask.head.sequence, message_id)
            if isinstance(result, Appended) and not result.duplicate:
                commit.sequence = result.sequence
                return None
            if isinstance(result, Appended | Conflict):
                self._check_not_shorter(ask, result)
                seen = result.sequence if isinstance(result, Appended) else result.last_sequence or 0
                answer = await self._settle(book, ask, commit.hash, seen)
                if answer is not None:
                    return answer
                reason = f"the log's last sequence is {seen}" if seen else "another append is in flight"
            else:
                reason = result.reason
            if time.monotonic() + pause > deadline:
                raise LogUnavailableError(f"the log did not take the commit in time ({reason})")
            await asyncio.sleep(pause)
            pause = min(pause * 2, RETRY_PAUSE_SECONDS_MAX)

    def _check_not_shorter(self, ask: CommitAsk, result: Appended | Conflict) -> None:
        """Raise DataLossError if the log ends before the caller's head."""
        last = result.last_sequence if isinstance(result, Conflict) else None
        if last is not None and last < ask.head.sequence:
            what = f"was at sequence {ask.head.sequence} by the caller's word; now {last} is last"
            raise DataLossError(ask.game_id, ask.head.version, what)

    async def _settle(
        self, book: Book, ask: CommitAsk, sent_hash: bytes, at_least: int
    ) -> CommitAnswer | None:
        """Look at what was stored after the caller's head: this very command, or others. None: nothing."""
        self._metrics.log_reads.inc()
        loaded, head = book.loaded, ask.head
        start = head.sequence if loaded is None else min(head.sequence, loaded.sequence)
        at_least = at_least if loaded is None else max(at_least, loaded.sequence)
        stored = await self._log.load(ask.game_id, start, at_least)
        if not stored or stored[-1].sequence <= head.sequence:
            return None
        if loaded is not None:
            fresh = [one for one in stored if one.sequence > loaded.sequence]
            book.loaded = self._loader.extend(loaded, fresh)
        commits = [
            parse_commit(self._keys, ask.game_id, one.data, one.sequence)
            for one in stored
            if one.sequence > head.sequence
        ]
        for commit in commits:
            if commit.command_id == ask.command.command_id:
                if commit.request_hash != ask.command.request_hash:
                    return Reused(commit.version)
                replayed = commit.hash != sent_hash
                return Committed(commit.data, commit.sequence, replayed=replayed, results=[])
        last = commits[-1]
        ledger_version = max(
            [head.ledger_version] + [commit.version for commit in commits if commit.section(LEDGER)]
        )
        return Moved(Head(last.version, last.sequence, last.hash, last.time_ms, ledger_version))

    def _consider_snapshot(self, book: Book, loaded: Loaded[State]) -> None:
        """Write a snapshot every some hundred versions, beside the commits."""
        if self._snapshots is None or loaded.version - book.snapshot_version < SNAPSHOT_EVERY_COMMITS:
            return
        book.snapshot_version = loaded.version
        data = self._loader.encode(loaded)
        task = asyncio.create_task(self._log.snapshot_put(self._snapshots.kind, book.game_id, data))
        self._background.add(task)
        task.add_done_callback(self._background.discard)


def decide_ask(state: State, ask: CommitAsk, time_ms: int) -> Decision | Rejection:
    """Decide on what is asked; a batch of which nothing can be done is refused with its first refusal."""
    version = ask.head.version + 1
    if not ask.batch:
        return decide(state, ask.instructions, version, time_ms)
    decision = decide_batch(state, ask.instructions, ask.links, version, time_ms)
    return decision.refusal() or decision
