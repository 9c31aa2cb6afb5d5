"""Tables for people: money as the unit shows it, cards, operations, QR codes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

import segno

from magnate.bank.terminal.display import Frame
from magnate.bank.terminal.edition import Edition
from magnate.bank.v1 import terminal_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator

STATUS: Final = {
    terminal_pb2.TABLE_STATUS_OPEN: "open",
    terminal_pb2.TABLE_STATUS_PAUSED: "paused",
    terminal_pb2.TABLE_STATUS_CLOSED: "closed",
}
MODELS: Final = {
    "": terminal_pb2.UNIT_MODEL_UNSPECIFIED,
    "none": terminal_pb2.UNIT_MODEL_NONE,
    "two-slot": terminal_pb2.UNIT_MODEL_TWO_SLOT,
    "one-slot": terminal_pb2.UNIT_MODEL_ONE_SLOT,
    "touch": terminal_pb2.UNIT_MODEL_TOUCH,
}
_SEAT: Final = "seat-"


def money(table: terminal_pb2.Table, amount: int) -> str:
    """Return an amount as five digits show it, with a `>` where there is more than they show."""
    frame = Frame("")
    currency = table.currency
    frame.show(amount, Edition("", currency.unit, currency.scale, 0, 0, ""))
    return f"{frame.text}{frame.suffix}{'>' if frame.more else ''}"


def who(table: terminal_pb2.Table, account: str) -> str:
    """Return whose account it is."""
    seat = account.removeprefix(_SEAT)
    if seat != account and seat.isdecimal() and int(seat) < len(table.cards):
        return table.cards[int(seat)].name
    return account


def operation(table: terminal_pb2.Table, one: terminal_pb2.Operation) -> str:
    """Return one line about an operation."""
    entries = ", ".join(
        f"{who(table, entry.debit)} -> {who(table, entry.credit)} {money(table, entry.amount)}"
        for entry in one.entries
    )
    told = f"{one.version:>6}  {one.kind:<8}  {entries}"
    if one.reverses:
        told += f"  (takes back {one.reverses}{': ' + one.note if one.note else ''})"
    if one.reversed_by:
        told += f"  (taken back by {one.reversed_by})"
    return told


def card(table: terminal_pb2.Table, one: terminal_pb2.Card) -> str:
    """Return one line about a card."""
    marks = [
        word
        for word, is_so in (("retired", one.retired), ("locked", one.locked), ("PIN", one.has_pin))
        if is_so
    ]
    return f"  {one.name:<32}  {money(table, one.balance):>8}  {one.card_id}  {' '.join(marks)}".rstrip()


def lines(table: terminal_pb2.Table) -> Iterator[str]:
    """Yield a table as it is."""
    status = STATUS.get(table.status, "?")
    yield f"table {table.table_id}  join code {table.join_code}  {table.edition or 'own amounts'}  {status}"
    for one in table.cards:
        yield card(table, one)
    if table.HasField("unit"):
        frame = table.unit.frame
        shown = f"{frame.sign}{frame.text}{frame.suffix}" or "-"
        yield f"  display {shown}  {frame.state}{' ' + frame.refusal if frame.refusal else ''}"
    for rank in table.ranking:
        name = table.cards[rank.seat].name
        yield f"  {rank.place}. {name}  {money(table, rank.total)}"


def join_link(page: str, code: str) -> str:
    """Return what a phone opens to join: the page, if there is one, else the code alone."""
    return f"{page.rstrip('/')}/#join={code}" if page else code


def card_link(page: str, table_id: str, card_id: str, secret: str) -> str:
    """Return what a phone opens to claim a card."""
    told = f"{table_id}/{card_id}/{secret}"
    return f"{page.rstrip('/')}/#card={told}" if page else told


def qr(text: str) -> str:
    """Return a QR code for a terminal."""
    drawn = io.StringIO()
    segno.make(text, error="m", micro=False).terminal(drawn, compact=True, border=2)
    return drawn.getvalue().rstrip("\n")
