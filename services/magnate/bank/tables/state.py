"""A table: cards, unit, ledger, and what can be taken back. Folding replaces; it decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from magnate.bank.domain.accounts import seat_account
from magnate.bank.domain.ledger import INITIAL, lapsed
from magnate.bank.tables.events import (
    CardClaimed,
    CardIssued,
    CardRetired,
    CardUnlocked,
    OperationUndone,
    PinFailed,
    PinPassed,
    PinSet,
    TableClosed,
    TableOpened,
    TablePaused,
    TableResumed,
    UnitChanged,
)
from magnate.bank.tables.limits import UNDO_DEPTH
from magnate.bank.terminal.edition import EDITIONS, Edition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from magnate.bank.domain.ledger import State
    from magnate.bank.tables.events import Event, Rank
    from magnate.bank.tables.pending import Pending
    from magnate.bank.terminal.unit import Unit

MISSING: Final = 0
OPEN: Final = 1
PAUSED: Final = 2
CLOSED: Final = 3
"""Numbers of `TableStatus` in the proto."""

MODEL_NONE: Final = 1
MODELS: Final = {2: "two-slot", 3: "one-slot", 4: "touch"}
"""Units by their number in the proto's `UnitModel`."""


class Card:
    """A card. Read only: a change makes another one."""

    __slots__ = (
        "card_id", "claimed", "failures", "key_id", "locked", "name", "pin_hash", "pin_key_id", "retired",
        "seat", "secret_digest",
    )  # fmt: skip

    def __init__(self, card_id: str, seat: int, name: str, secret_digest: bytes, key_id: str) -> None:
        self.card_id = card_id
        self.seat = seat
        self.name = name
        self.secret_digest = secret_digest
        self.key_id = key_id
        self.claimed = False
        self.retired = False
        self.locked = False
        self.pin_hash = ""
        self.pin_key_id = ""
        self.failures = 0

    @property
    def account(self) -> str:
        """Return the account whose money is on the card."""
        return seat_account(self.seat)

    def copy(self) -> Card:
        """Return a card that can be changed without changing this one."""
        other = Card(self.card_id, self.seat, self.name, self.secret_digest, self.key_id)
        other.claimed = self.claimed
        other.retired = self.retired
        other.locked = self.locked
        other.pin_hash = self.pin_hash
        other.pin_key_id = self.pin_key_id
        other.failures = self.failures
        return other


class Table:
    """A table without its money. `cards` are by seat; `key_id` is the key that the table was opened with."""

    __slots__ = (
        "cards", "edition", "in_game", "key_id", "model", "opened_at_ms", "ranking", "shared_unit", "status",
        "unit",
    )  # fmt: skip

    def __init__(self) -> None:
        self.status = MISSING
        self.edition: Edition | None = None
        self.model = 0
        self.shared_unit = False
        self.in_game = False
        self.opened_at_ms = 0
        self.key_id = ""
        self.cards: list[Card] = []
        self.unit: Unit | None = None
        self.ranking: list[Rank] = []

    def copy(self) -> Table:
        """Return a table that can be changed without changing this one; cards and unit are shared."""
        other = Table()
        other.status = self.status
        other.edition = self.edition
        other.model = self.model
        other.shared_unit = self.shared_unit
        other.in_game = self.in_game
        other.opened_at_ms = self.opened_at_ms
        other.key_id = self.key_id
        other.cards = self.cards.copy()
        other.unit = self.unit
        other.ranking = self.ranking
        return other

    @property
    def money(self) -> Edition:
        """Return the edition of a table that is there."""
        assert self.edition is not None, "the table is open"
        return self.edition

    @property
    def attached(self) -> bool:
        """Say whether this is the unit of a game that was not opened here, whose seats have own tokens."""
        return self.in_game and self.money.edition_id == ""

    def card(self, card_id: str) -> Card | None:
        """Return the card of this id."""
        return next((card for card in self.cards if card.card_id == card_id), None)


class Standing(NamedTuple):
    """An operation that moved money and was not taken back: its version and where its commit is."""

    version: int
    sequence: int


class TableState:
    """A table with its money, and the newest operations that can be taken back, the last one last.

    `auctions`: what is sold in those that run, by their numbers; `pending`: deadlines. Both are replaced and
    never changed.
    """

    __slots__ = ("auctions", "ledger", "pending", "standing", "table")

    def __init__(self) -> None:
        self.table = Table()
        self.ledger: State = INITIAL.copy()
        self.standing: tuple[Standing, ...] = ()
        self.auctions: Mapping[int, str] = {}
        self.pending: Mapping[str, Pending] = {}

    def copy(self) -> TableState:
        """Return a state that can be changed without changing this one."""
        other = TableState()
        other.table = self.table.copy()
        other.ledger = self.ledger.copy()
        other.standing = self.standing
        other.auctions, other.pending = self.auctions, self.pending
        return other

    def at(self, now_ms: int) -> TableState:
        """Return the table as it is at a time: what is held by holds that have lapsed may be spent."""
        return self._with(lapsed(self.ledger, now_ms))

    def seen(self, viewer: int = -1) -> TableState:
        """Return the table as a seat sees it, or anybody (-1): without the holds of others' sealed bids."""
        return self._with(self.ledger.seen(seat_account(viewer) if viewer >= 0 else ""))

    def _with(self, ledger: State) -> TableState:
        if ledger is self.ledger:
            return self
        other = TableState()
        other.table, other.ledger, other.standing = self.table, ledger, self.standing
        other.auctions, other.pending = self.auctions, self.pending
        return other

    def lapses_ms(self) -> int:
        """Return when the next hold lapses, 0 if none does."""
        if self.ledger.expiring == 0:
            return 0
        return min(one.expires_at_ms for one in self.ledger.holds.values() if one.expires_at_ms)

    def balance(self, seat: int) -> int:
        """Return what may be spent of a seat's account."""
        ledger = self.ledger
        place = ledger.index.get(seat_account(seat), -1)
        return 0 if place < 0 else ledger.posted[place] - ledger.held[place]

    def posted(self, seat: int) -> int:
        """Return what is on a seat's account, held or not."""
        place = self.ledger.index.get(seat_account(seat), -1)
        return 0 if place < 0 else self.ledger.posted[place]

    def version_of(self, transfer_id: str) -> int:
        """Return the version that made a transfer, 0 if none did."""
        known = self.ledger.known.get(transfer_id)
        return 0 if known is None else known.version

    def hidden(self, seat: int, viewer: int) -> bool:
        """Say whether a seat's balance is not for the viewer (row 88): a seat, or -1 who has no card."""
        place = self.ledger.index.get(seat_account(seat), -1)
        return place >= 0 and self.ledger.private[place] and seat != viewer

    def moved(self, version: int, sequence: int) -> None:
        """Note an operation that can be taken back."""
        self.standing = (*self.standing, Standing(version, sequence))[-UNDO_DEPTH:]

    def undone(self, version: int) -> None:
        """Forget an operation that was taken back."""
        self.standing = tuple(one for one in self.standing if one.version != version)


def evolve(table: Table, event: Event, time_ms: int) -> None:
    """Fold one event in place; KeyError or ValueError when it does not fit what came before."""
    if isinstance(event, UnitChanged):
        table.unit = event.unit
    elif isinstance(event, TableOpened):
        _open(table, event, time_ms)
    elif isinstance(event, CardIssued):
        if event.seat != len(table.cards):
            raise ValueError(f"a card for seat {event.seat}, but {len(table.cards)} are issued")
        table.key_id = table.key_id or event.key_id
        table.cards.append(Card(event.card_id, event.seat, event.name, event.secret_digest, event.key_id))
    elif isinstance(event, TablePaused):
        table.status = PAUSED
    elif isinstance(event, TableResumed):
        table.status = OPEN
    elif isinstance(event, TableClosed):
        table.status = CLOSED
        table.ranking = event.ranking
    elif not isinstance(event, OperationUndone):
        _change_card(table, event)


def _open(table: Table, event: TableOpened, time_ms: int) -> None:
    table.status = OPEN
    table.model = event.model
    table.shared_unit = event.shared_unit
    table.in_game = event.in_game
    table.opened_at_ms = time_ms
    known = EDITIONS.get(event.edition)
    table.edition = Edition(
        event.edition,
        event.unit_name,
        event.scale,
        event.opening_amount,
        event.go_amount,
        MODELS.get(event.model, "" if known is None else known.model),
    )


def _change_card(
    table: Table, event: CardClaimed | CardRetired | PinSet | PinFailed | PinPassed | CardUnlocked
) -> None:
    old = table.card(event.card_id)
    if old is None:
        raise KeyError(event.card_id)
    card = table.cards[old.seat] = old.copy()
    if isinstance(event, CardClaimed):
        card.claimed = True
    elif isinstance(event, CardRetired):
        card.retired = True
    elif isinstance(event, PinSet):
        card.pin_hash, card.pin_key_id, card.failures = event.hash, event.key_id, 0
    elif isinstance(event, PinFailed):
        card.failures, card.locked = event.failures, event.locked
    elif isinstance(event, PinPassed):
        card.failures = 0
    else:
        card.locked, card.failures, card.pin_hash, card.pin_key_id = False, 0, "", ""
