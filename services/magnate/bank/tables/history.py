"""What happened to the money of a table, operation by operation, read from its log."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, final

from magnate.bank.domain.records import EntryPosted, HoldCaptured
from magnate.bank.fold import read_section
from magnate.bank.tables.credentials import card_id_of
from magnate.bank.tables.events import CardRetired, OperationUndone
from magnate.bank.tables.fold import moves_money, read_events
from magnate.bank.tables.limits import HISTORIES_CACHED_MAX
from magnate.kit.log.commit import LEDGER, TERMINAL
from magnate.kit.log.damage import noticing
from magnate.kit.log.fold import Loader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from magnate.bank.tables.events import Event
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log

UNDO: Final = "undo"
POST: Final = "post"
SEAT_PREFIX: Final = "seat-"
_UNIT_PREFIX: Final = "terminal_"


@final
class Entry:
    """An entry of an operation; `index` is its place among the records of its commit."""

    __slots__ = ("amount", "credit", "debit", "index")

    def __init__(self, index: int, debit: str, credit: str, amount: int) -> None:
        self.index = index
        self.debit = debit
        self.credit = credit
        self.amount = amount


@final
class Operation:
    """A commit that moved money. Read only, but for `reversed_by`, which a later one sets."""

    __slots__ = ("actor", "entries", "kind", "note", "reversed_by", "reverses", "time_ms", "version")

    def __init__(
        self,
        version: int,
        time_ms: int,
        kind: str,
        actor: str,
        entries: list[Entry],
        reverses: int = 0,
        note: str = "",
    ) -> None:
        self.version = version
        self.time_ms = time_ms
        self.kind = kind
        self.actor = actor
        self.entries = entries
        self.reverses = reverses
        self.note = note
        self.reversed_by = 0


def entry_ids(commit: ParsedCommit) -> list[str]:
    """Return the ids of the transfers and captures of a commit, in their order."""
    section = read_section(commit)
    records = [] if section is None else section.records
    return [one.transfer_id for one in records if isinstance(one, EntryPosted | HoldCaptured)]


def operation_of(commit: ParsedCommit) -> Operation | None:
    """Return the operation that a commit is, None if it moved no money; raises as folding it does."""
    section = read_section(commit)
    if section is None or not moves_money(section):
        return None
    entries: list[Entry] = []
    reason = ""
    for index, record in enumerate(section.records):
        if isinstance(record, EntryPosted):
            entries.append(Entry(index, record.debit, record.credit, record.amount))
        elif isinstance(record, HoldCaptured):
            entries.append(Entry(index, record.account, record.to, record.captured))
        else:
            continue
        reason = reason or record.reason
    events = read_events(commit)
    undone = next((event for event in events if isinstance(event, OperationUndone)), None)
    if undone is not None:
        return Operation(
            commit.version, commit.time_ms, UNDO, actor_of(commit), entries, undone.version, undone.note
        )
    kind = reason if is_of_game(commit) else _kind(events, reason)
    return Operation(commit.version, commit.time_ms, kind, actor_of(commit), entries)


def is_of_game(commit: ParsedCommit) -> bool:
    """Say whether a commit was made by the rules of a game: other services have sections in it."""
    return any(section.kind not in {LEDGER, TERMINAL} for section in commit.sections)


def actor_of(commit: ParsedCommit) -> str:
    """Return who did it, in the words of tables: the ledger's own calls name a card by its account."""
    seat = commit.actor.removeprefix(SEAT_PREFIX)
    if seat != commit.actor and seat.isdecimal():
        return f"card:{card_id_of(commit.game_id, int(seat))}"
    return commit.actor


def _kind(events: Sequence[Event], reason: str) -> str:
    if not events:
        return POST
    if any(isinstance(event, CardRetired) for event in events):
        return "retire"
    return reason.removeprefix(_UNIT_PREFIX)


class HistoryFold:
    """Collects a table's operations, oldest first (see `kit.log.fold.Fold`)."""

    def initial(self, game_id: str) -> list[Operation]:
        """Return the history of a table that is not there yet."""
        del game_id
        return []

    def apply(self, state: list[Operation], commit: ParsedCommit) -> list[Operation]:
        """Add a commit's operation, and mark the one that it takes back."""
        operation = operation_of(commit)
        if operation is not None:
            if operation.reverses:
                for earlier in reversed(state):
                    if earlier.version == operation.reverses:
                        earlier.reversed_by = operation.version
                        break
            state.append(operation)
        return state

    def copy(self, state: list[Operation]) -> list[Operation]:
        """Return an independent list; what is in it never changes but for the better."""
        return state.copy()


class Histories:
    """The operations of tables that somebody looks at; those looked at last are kept."""

    def __init__(self, log: Log, keys: KeyRing, on_damage: Callable[[], None] = lambda: None) -> None:
        self.on_damage = on_damage
        self._loader: Loader[list[Operation]] = Loader(log, keys, HistoryFold())
        self._kept: OrderedDict[str, Loaded[list[Operation]]] = OrderedDict()

    async def until(self, table_id: str, version: int, sequence: int) -> list[Operation]:
        """Return a table's operations up to a version, whose commit is at this sequence; oldest first."""
        loaded = self._kept.get(table_id)
        with noticing(self.on_damage):
            if loaded is None:
                loaded = await self._loader.load(table_id)
            if loaded.version < version:
                loaded = await self._loader.refresh(loaded, sequence)
        self._keep(loaded)
        return [one for one in loaded.state if one.version <= version]

    def _keep(self, loaded: Loaded[list[Operation]]) -> None:
        known = self._kept.get(loaded.game_id)
        if known is None or known.version < loaded.version:
            self._kept[loaded.game_id] = loaded
        self._kept.move_to_end(loaded.game_id)
        while len(self._kept) > HISTORIES_CACHED_MAX:
            self._kept.popitem(last=False)
