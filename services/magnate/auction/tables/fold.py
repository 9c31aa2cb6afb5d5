"""How auctions fold what makes a log that of a table: its cards and unit (TERMINAL), its accounts (LEDGER).

A function gets the table as it was, None in a game, and returns it as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.auction.tables.limits import SEATS_MAX
from magnate.auction.tables.state import NO_SEAT, Lapsing, Table
from magnate.rules.vocabulary import AuctionCancelled, AuctionClosed, AuctionOpened

if TYPE_CHECKING:
    from magnate.bank.v1 import bank_pb2, terminal_pb2
    from magnate.rules.vocabulary import AuctionEvent

_SEAT: Final = "seat-"


def seat_of(account: str) -> int:
    """Return the seat whose account this is, -1 for all others and for seats that are too far out to bid."""
    number = account[len(_SEAT) :]
    if not account.startswith(_SEAT) or len(number) > len(str(SEATS_MAX)):
        return NO_SEAT
    seat = int(number)
    return seat if seat < SEATS_MAX else NO_SEAT


def fold_ledger(table: Table | None, record: bank_pb2.Record) -> Table | None:
    """Fold a record: a ledger that clients post to is a table, and so are its accounts."""
    kind = record.WhichOneof("record")
    if kind == "ledger_opened" and record.ledger_opened.standalone:
        table = Table() if table is None else table
    elif table is None:
        return None
    elif kind == "account_opened":
        seat = seat_of(record.account_opened.account)
        if seat != NO_SEAT:
            table = table.copy()
            table.seats = table.seats | {seat}
    elif kind == "account_closed":
        seat = seat_of(record.account_closed.account)
        if seat != NO_SEAT:
            table = table.copy()
            table.seats, table.closed_seats = table.seats - {seat}, table.closed_seats | {seat}
    elif kind == "hold_placed":
        placed = record.hold_placed
        seat = seat_of(placed.account)
        if placed.expires_at_ms and seat != NO_SEAT:
            table = table.copy()
            one = Lapsing(seat, placed.amount, placed.expires_at_ms)
            table.lapsing = {**table.lapsing, placed.hold_id: one}
    elif kind in _ENDS and getattr(record, kind).hold_id in table.lapsing:
        ended = getattr(record, kind).hold_id
        table = table.copy()
        table.lapsing = {key: one for key, one in table.lapsing.items() if key != ended}
    return table


def fold_terminal(table: Table | None, event: terminal_pb2.TerminalEvent) -> Table | None:
    """Fold an event; the unit of a game makes no table of it."""
    kind = event.WhichOneof("event")
    if kind == "table_opened":
        if event.table_opened.in_game:
            return None
        table = Table()
        table.has_cards, table.shared_unit = True, event.table_opened.shared_unit
        return table
    if table is None or kind not in _CHANGES:
        return table
    table = table.copy()
    if kind == "card_issued":
        table.cards = {**table.cards, event.card_issued.card_id: event.card_issued.seat}
    elif kind == "card_retired":
        table.retired = table.retired | {table.cards[event.card_retired.card_id]}
    elif kind == "pin_failed":
        if event.pin_failed.locked:
            table.locked = table.locked | {table.cards[event.pin_failed.card_id]}
    elif kind == "card_unlocked":
        table.locked = table.locked - {table.cards[event.card_unlocked.card_id]}
    else:
        table.paused = kind == "table_paused"
        table.closed = kind == "table_closed"
    return table


def fold_auction(table: Table, event: AuctionEvent, actor: str) -> Table:
    """Fold what concerns the table of an event of its auctions; `actor` is whose command it was."""
    if isinstance(event, AuctionOpened):
        table = table.copy()
        table.opened = event.auction
        seat = seat_of(actor)
        if seat != NO_SEAT:
            table.sellers = {**table.sellers, event.auction: seat}
    elif isinstance(event, AuctionClosed | AuctionCancelled) and event.auction in table.sellers:
        table = table.copy()
        table.sellers = {key: seat for key, seat in table.sellers.items() if key != event.auction}
    return table


_ENDS: Final = frozenset({"hold_captured", "hold_released", "hold_expired"})
_CHANGES: Final = frozenset(
    {
        "card_issued", "card_retired", "pin_failed", "card_unlocked", "table_paused", "table_resumed",
        "table_closed",
    }
)  # fmt: skip
