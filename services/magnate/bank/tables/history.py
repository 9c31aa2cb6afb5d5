"""What happened to the money of a table, operation by operation, read from its log."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final, final

from magnate.auction.v1 import auction_pb2
from magnate.bank.domain.records import EntryPosted, HoldCaptured
from magnate.bank.fold import read_section
from magnate.bank.tables.credentials import card_id_of
from magnate.bank.tables.events import CardRetired, OperationUndone
from magnate.bank.tables.fold import moves_money, read_events
from magnate.bank.tables.limits import HISTORIES_CACHED_MAX, MESSAGE_ENTRIES_MAX
from magnate.bank.tables.pending import fold_auctions
from magnate.kit.log.commit import AUCTION, LEDGER, TERMINAL
from magnate.kit.log.damage import noticing
from magnate.kit.log.fold import Loader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from magnate.bank.tables.events import Event
    from magnate.kit.keys import KeyRing
    from magnate.kit.log.commit import ParsedCommit
    from magnate.kit.log.fold import Loaded
    from magnate.kit.log.port import Log

NOTHING: Final[Mapping[int, str]] = {}
UNDO: Final = "undo"
POST: Final = "post"
SEAT_PREFIX: Final = "seat-"
_UNIT_PREFIX: Final = "terminal_"


@final
class Entry:
    """An entry of an operation; `index` is its place among the records of its commit."""

    __slots__ = ("amount", "credit", "debit", "index", "reverses", "transfer_id")

    def __init__(
        self, index: int, debit: str, credit: str, amount: int, transfer_id: str = "", reverses: str = ""
    ) -> None:
        self.index = index
        self.transfer_id = transfer_id
        self.reverses = reverses
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


def operation_of(
    commit: ParsedCommit, version_of: Callable[[str], int] = lambda _: 0, sold: Mapping[int, str] = NOTHING
) -> Operation | None:
    """Return the operation that a commit is, None if it moved no money; raises as folding it does.

    `version_of` says which operation a transfer belongs to: the ledger's own calls take back by its id.
    `sold` says what is for sale in auctions, which the commit of a sale does not say again.
    """
    section = read_section(commit)
    if section is None or not moves_money(section):
        return None
    entries: list[Entry] = []
    reason, note, reverses = "", "", 0
    for index, record in enumerate(section.records):
        if isinstance(record, EntryPosted):
            sides = (record.debit, record.credit, record.amount)
            entries.append(Entry(index, *sides, record.transfer_id, record.reverses))
            if record.reverses and not reverses:
                reverses, note = version_of(record.reverses), record.note
        elif isinstance(record, HoldCaptured):
            sides = (record.account, record.to, record.captured)
            entries.append(Entry(index, *sides, record.transfer_id))
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
    note = note or labels_of(commit, sold)
    return Operation(commit.version, commit.time_ms, kind, actor_of(commit), entries, reverses, note)


def labels_of(commit: ParsedCommit, sold: Mapping[int, str]) -> str:
    """Return what was paid for in a commit of auctions at a table; empty for every other."""
    section = commit.section(AUCTION) if sold else None
    if section is None:
        return ""
    found: dict[str, None] = {}  # in their order, each once
    for event in auction_pb2.AuctionSection.FromString(section.body).events:
        kind = event.WhichOneof("kind")
        if kind == "auction_closed":
            found[sold.get(event.auction_closed.auction, "")] = None
        elif kind == "bid_placed" and not event.bid_placed.hold_id:
            found[sold.get(event.bid_placed.auction, "")] = None
    return ", ".join(filter(None, found))


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


@final
class History:
    """A table's operations, oldest first, which of them made a transfer, and what auctions were about."""

    __slots__ = ("by_transfer", "operations", "sold")

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.by_transfer: dict[str, Operation] = {}
        self.sold: dict[int, str] = {}

    def version_of(self, transfer_id: str) -> int:
        """Return the operation that made a transfer, 0 if none did."""
        found = self.by_transfer.get(transfer_id)
        return 0 if found is None else found.version


def portions(operations: Sequence[Operation], operations_max: int) -> Iterator[list[Operation]]:
    """Cut operations into what fits into a message each; one may have a thousand entries."""
    portion: list[Operation] = []
    entries = 0
    for operation in operations:
        entries += len(operation.entries)
        if portion and (len(portion) == operations_max or entries > MESSAGE_ENTRIES_MAX):
            yield portion
            portion, entries = [], len(operation.entries)
        portion.append(operation)
    if portion:
        yield portion


class HistoryFold:
    """Collects a table's operations (see `kit.log.fold.Fold`)."""

    def initial(self, game_id: str) -> History:
        """Return the history of a table that is not there yet."""
        del game_id
        return History()

    def apply(self, state: History, commit: ParsedCommit) -> History:
        """Add a commit's operation, and mark those that it takes back, whoever asked for it."""
        section = commit.section(AUCTION)
        if section is not None:
            state.sold.update(fold_auctions({}, section.body))
        operation = operation_of(commit, state.version_of, state.sold)
        if operation is None:
            return state
        for entry in operation.entries:
            earlier = state.by_transfer.get(entry.reverses)
            if earlier is not None:
                earlier.reversed_by = operation.version
            if entry.transfer_id:
                state.by_transfer[entry.transfer_id] = operation
        state.operations.append(operation)
        return state

    def copy(self, state: History) -> History:
        """Return a history with a list of its own; the rest only grows, by what is in the log."""
        other = History()
        other.operations, other.by_transfer = state.operations.copy(), state.by_transfer
        other.sold = state.sold
        return other


class Histories:
    """The operations of tables that somebody looks at; those looked at last are kept."""

    def __init__(self, log: Log, keys: KeyRing, on_damage: Callable[[], None] = lambda: None) -> None:
        self.on_damage = on_damage
        self._loader: Loader[History] = Loader(log, keys, HistoryFold())
        self._kept: OrderedDict[str, Loaded[History]] = OrderedDict()

    async def until(self, table_id: str, version: int, sequence: int) -> list[Operation]:
        """Return a table's operations up to a version, whose commit is at this sequence; oldest first."""
        loaded = self._kept.get(table_id)
        with noticing(self.on_damage):
            if loaded is None:
                loaded = await self._loader.load(table_id)
            if loaded.version < version:
                loaded = await self._loader.refresh(loaded, sequence)
        self._keep(loaded)
        return [one for one in loaded.state.operations if one.version <= version]

    def _keep(self, loaded: Loaded[History]) -> None:
        known = self._kept.get(loaded.game_id)
        if known is None or known.version < loaded.version:
            self._kept[loaded.game_id] = loaded
        self._kept.move_to_end(loaded.game_id)
        while len(self._kept) > HISTORIES_CACHED_MAX:
            self._kept.popitem(last=False)
