"""Folding a game's log into a service's state: snapshot, tail, and the checks that nothing is missing."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, final

from magnate.kit.log.commit import LEDGER, ZERO_HASH, ParsedCommit, check_follows, parse_commit
from magnate.kit.log.errors import DataLossError
from magnate.kit.log.heads import Head, decode_head
from magnate.kit.log.snapshot import Snapshot, decode_snapshot, encode_snapshot
from magnate.kit.log.window import Window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.kit.keys import KeyRing
    from magnate.kit.log.port import Log, Stored

S = TypeVar("S")


class Fold(Protocol[S]):
    """How a service makes its state of a game from commits. Never decides, never draws, never waits."""

    def initial(self, game_id: str) -> S:
        """Return the state before the first commit."""
        ...

    def apply(self, state: S, commit: ParsedCommit) -> S:
        """Return the state after the commit; may change the given one in place and return it."""
        ...

    def copy(self, state: S) -> S:
        """Return an independent copy."""
        ...


class SnapshotCodec(Protocol[S]):
    """How a service stores its state. A changed schema hash drops all old snapshots."""

    @property
    def kind(self) -> str:
        """Return the service's word in the snapshot's subject, e.g. `game`."""
        ...

    @property
    def schema_hash(self) -> bytes:
        """Return a digest that changes whenever the state's bytes mean something else."""
        ...

    def encode(self, state: S) -> bytes:
        """Return the state's bytes."""
        ...

    def decode(self, data: bytes) -> S:
        """Return the state; any exception drops the snapshot."""
        ...


@final
class Loaded(Generic[S]):
    """A game folded up to one commit. Version 0 is a game that does not exist yet.

    The object is never changed afterwards (only its window is shared with later ones), and neither is
    `state`: whoever decides works on a copy.
    """

    __slots__ = ("game_id", "hash", "ledger_version", "sequence", "state", "time_ms", "version", "window")

    def __init__(
        self,
        game_id: str,
        state: S,
        *,
        version: int = 0,
        sequence: int = 0,
        commit_hash: bytes = ZERO_HASH,
        time_ms: int = 0,
        ledger_version: int = 0,
        window: Window | None = None,
    ) -> None:
        self.game_id = game_id
        self.state = state
        self.version = version
        self.sequence = sequence
        self.hash = commit_hash
        self.time_ms = time_ms
        self.ledger_version = ledger_version
        self.window = Window() if window is None else window

    def after(self, commit: ParsedCommit, state: S) -> Loaded[S]:
        """Return what is loaded after this commit, given the state after it."""
        self.window.add(commit)
        ledger_version = self.ledger_version if commit.section(LEDGER) is None else commit.version
        return Loaded(
            self.game_id,
            state,
            version=commit.version,
            sequence=commit.sequence,
            commit_hash=commit.hash,
            time_ms=commit.time_ms,
            ledger_version=ledger_version,
            window=self.window,
        )


class Loader(Generic[S]):
    """Loads games for one service: `snapshot + tail + check of versions, chain and head`."""

    def __init__(self, log: Log, keys: KeyRing, fold: Fold[S], codec: SnapshotCodec[S] | None = None) -> None:
        self.log = log
        self.keys = keys
        self.fold = fold
        self.codec = codec

    async def load(self, game_id: str) -> Loaded[S]:
        """Return the game at its newest commit; DataLossError if the log is damaged or was longer once."""
        return (await self.load_counted(game_id))[0]

    async def load_counted(self, game_id: str) -> tuple[Loaded[S], int]:
        """Load, and say from which version's snapshot (0: from none)."""
        snapshot, head = await asyncio.gather(self._snapshot(game_id), self._head(game_id))
        at_least = max(head.sequence if head else 0, snapshot.sequence if snapshot else 0)
        loaded = None
        if snapshot is not None:
            loaded = await self._from_snapshot(snapshot, head, at_least)
        used = 0 if loaded is None or snapshot is None else snapshot.version
        if loaded is None:
            loaded = await self._from_start(game_id, head, at_least)
        self._check_length(loaded, snapshot, head)
        return loaded, used

    async def load_at(self, game_id: str, version: int, at_least: int = 0) -> Loaded[S]:
        """Return the game as it was at a version, or the newest if there is none so high; uses no cache.

        A replica may answer a moment behind; what is stored up to `at_least` is there all the same.
        """
        loaded = Loaded(game_id, self.fold.initial(game_id))
        stored = await self.log.load(game_id, 0, at_least)
        return self._fold_onto(loaded, stored, None, up_to=version)

    async def refresh(self, loaded: Loaded[S], at_least: int = 0) -> Loaded[S]:
        """Return the game with what was appended since; the given one stays as it is."""
        stored = await self.log.load(loaded.game_id, loaded.sequence, at_least)
        return self.extend(loaded, stored)

    def extend(self, loaded: Loaded[S], stored: Sequence[Stored]) -> Loaded[S]:
        """Return the game with these commits folded onto a copy of its state."""
        if not stored:
            return loaded
        window = loaded.window
        fresh = Loaded(
            loaded.game_id,
            self.fold.copy(loaded.state),
            version=loaded.version,
            sequence=loaded.sequence,
            commit_hash=loaded.hash,
            time_ms=loaded.time_ms,
            ledger_version=loaded.ledger_version,
            window=window,
        )
        return self._fold_onto(fresh, stored, None)

    def encode(self, loaded: Loaded[S]) -> bytes:
        """Return the bytes of a snapshot of this."""
        assert self.codec is not None, "a service without a codec has no snapshots"
        snapshot = Snapshot(
            loaded.game_id,
            loaded.version,
            loaded.sequence,
            loaded.hash,
            time_ms=loaded.time_ms,
            ledger_version=loaded.ledger_version,
            window=loaded.window,
            state=self.codec.encode(loaded.state),
        )
        return encode_snapshot(self.keys, self.codec.schema_hash, snapshot)

    async def _snapshot(self, game_id: str) -> Snapshot | None:
        if self.codec is None:
            return None
        data = await self.log.snapshot_get(self.codec.kind, game_id)
        return decode_snapshot(self.keys, self.codec.schema_hash, game_id, data) if data else None

    async def _head(self, game_id: str) -> Head | None:
        stored = await self.log.head_get(game_id)
        return None if stored is None else decode_head(self.keys, game_id, stored.data)

    async def _from_snapshot(self, snapshot: Snapshot, head: Head | None, at_least: int) -> Loaded[S] | None:
        game_id = snapshot.game_id
        assert self.codec is not None
        # The snapshot's own commit is read with the tail: it must be there, with the very same hash.
        stored = await self.log.load(game_id, snapshot.sequence - 1, at_least)
        if not stored or stored[0].sequence != snapshot.sequence:
            return None
        commit = parse_commit(self.keys, game_id, stored[0].data, snapshot.sequence)
        if commit.hash != snapshot.hash or commit.version != snapshot.version:
            return None
        try:
            state = self.codec.decode(snapshot.state)
        except Exception:  # noqa: BLE001 - whatever is wrong with a cache, the log has the truth
            return None
        loaded = Loaded(
            game_id,
            state,
            version=snapshot.version,
            sequence=snapshot.sequence,
            commit_hash=snapshot.hash,
            time_ms=snapshot.time_ms,
            ledger_version=snapshot.ledger_version,
            window=snapshot.window,
        )
        return self._fold_onto(loaded, stored[1:], head)

    async def _from_start(self, game_id: str, head: Head | None, at_least: int) -> Loaded[S]:
        stored = await self.log.load(game_id, 0, at_least)
        return self._fold_onto(Loaded(game_id, self.fold.initial(game_id)), stored, head)

    def _fold_onto(
        self, loaded: Loaded[S], stored: Sequence[Stored], head: Head | None, up_to: int | None = None
    ) -> Loaded[S]:
        keys, apply, window = self.keys, self.fold.apply, loaded.window
        game_id, state = loaded.game_id, loaded.state
        version, commit_hash, time_ms = loaded.version, loaded.hash, loaded.time_ms
        sequence, ledger_version = loaded.sequence, loaded.ledger_version
        head_version = 0 if head is None else head.version
        for message in stored:
            if version == up_to:
                break
            sequence = message.sequence
            commit = parse_commit(keys, game_id, message.data, sequence)
            check_follows(commit, version, commit_hash, time_ms)
            state = apply(state, commit)
            window.add(commit)
            version, commit_hash, time_ms = commit.version, commit.hash, commit.time_ms
            if commit.section(LEDGER) is not None:
                ledger_version = version
            if version == head_version and head is not None and commit_hash != head.hash:
                raise DataLossError(game_id, version, "the log's hash is not the one in its head")
        return Loaded(
            game_id,
            state,
            version=version,
            sequence=sequence,
            commit_hash=commit_hash,
            time_ms=time_ms,
            ledger_version=ledger_version,
            window=window,
        )

    def _check_length(self, loaded: Loaded[S], snapshot: Snapshot | None, head: Head | None) -> None:
        if head is not None and head.version > loaded.version:
            raise DataLossError(
                loaded.game_id,
                loaded.version + 1,
                f"missing; the head says version {head.version} was stored",
            )
        if snapshot is not None and snapshot.version > loaded.version:
            raise DataLossError(
                loaded.game_id,
                loaded.version + 1,
                f"missing; a snapshot of version {snapshot.version} exists",
            )
