"""Amounts, operations and hints as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from magnate.bank.v1 import terminal_pb2
from magnate.cli.terminal.board import square_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from magnate.bank.v1.terminal_pb2 import Frame, Operation, OperationEntry, Table
    from magnate.cli.terminal.texts import Texts

_THOUSAND: Final = 1_000
_MILLION: Final = 1_000_000
_SEAT: Final = "seat-"
_NO_BREAK: Final = "\u00a0"
_GROUP: Final = {"en": ",", "ru": _NO_BREAK, "fr": "\u202f"}
_POINT: Final = {"en": ".", "ru": ",", "fr": ","}
_IN_FRONT: Final = frozenset("$£€¥")


class Currency(Protocol):
    """What money is called and counted in: of a table of the bank, or of a board."""

    @property
    def unit(self) -> str:
        """The printed currency."""
        ...

    @property
    def scale(self) -> int:
        """How much of it one unit of an amount is."""
        ...


def money(amount: int, currency: Currency, language: str) -> str:
    """Return an amount of a ledger as text: `$1,500`, or `14.85M` where it counts in thousands."""
    scale = currency.scale or 1
    value = abs(amount) * scale
    if scale < _THOUSAND:
        text = _grouped(value, language)
    else:
        unit, letter = (_THOUSAND, "K") if value < _MILLION else (_MILLION, "M")
        rest = str(unit + value % unit)[1:].rstrip("0")
        text = _grouped(value // unit, language) + (_POINT[language] + rest if rest else "") + letter
    sign = "−" if amount < 0 else ""
    if not currency.unit or currency.unit.upper() in {"K", "M"}:
        return sign + text
    if language == "en" and currency.unit in _IN_FRONT:
        return sign + currency.unit + text
    return f"{sign}{text}{_NO_BREAK}{currency.unit}"


def _grouped(value: int, language: str) -> str:
    return f"{value:,}".replace(",", _GROUP[language])


def seat_of(account: str) -> int:
    """Return the seat whose account this is, -1 for another one."""
    number = account.removeprefix(_SEAT)
    return int(number) if number != account and number.isdigit() else -1


def name_of(table: Table, seat: int) -> str:
    """Return the name of a card's holder; empty for nobody."""
    return next((card.name for card in table.cards if card.seat == seat and seat >= 0), "")


def sentence(operation: Operation, table: Table, operations: Sequence[Operation], t: Texts) -> str:
    """Return what happened, as a sentence."""
    if operation.reverses:
        first = next((one for one in operations if one.version == operation.reverses), None)
        what = _entries(operation, table, t) if first is None else sentence(first, table, operations, t)
        return t("history.undo", what=what)
    if operation.kind == "reset":
        return t("history.reset")
    if operation.kind == "open" and operation.entries:
        first_entry = operation.entries[0]
        amount = money(first_entry.amount, table.currency, t.language)
        if len(operation.entries) > 1:
            return t("history.open", amount=amount)
        return t("history.open_card", to=_party(first_entry.credit, table, t), amount=amount)
    said = _entries(operation, table, t)
    return t("history.retire", what=said) if operation.kind == "retire" else said


def _entries(operation: Operation, table: Table, t: Texts) -> str:
    return "; ".join(_entry(entry, operation.kind, table, t) for entry in operation.entries)


def _entry(entry: OperationEntry, kind: str, table: Table, t: Texts) -> str:
    if seat_of(entry.debit) >= 0 and seat_of(entry.credit) >= 0:
        key = "history.transfer"
    elif kind == "go":
        key = "history.go"
    else:
        key = "history.credit" if seat_of(entry.credit) >= 0 else "history.debit"
    values = {"from": _party(entry.debit, table, t), "to": _party(entry.credit, table, t)}
    return t(key, amount=money(entry.amount, table.currency, t.language), **values)


def _party(account: str, table: Table, t: Texts) -> str:
    seat = seat_of(account)
    return t("party.bank") if seat < 0 else name_of(table, seat) or account


def hint(table: Table, t: Texts) -> str:
    """Return what to do next at the unit, or why not."""
    unit, frame = table.unit, table.unit.frame
    state = state_of(table)
    if state == "error":
        return t.because(frame.refusal)
    if state == "closed":
        return t("term.hint.closed")
    cards = {card.card_id: card.name for card in table.cards}
    payee, payer = cards.get(unit.left_card_id, ""), cards.get(unit.right_card_id, "")
    key = next((one for one in (f"hint.{state}.{_case(table)}", f"hint.{state}") if t.has(one)), "")
    if not key:
        return ""
    is_touch = table.model == terminal_pb2.UNIT_MODEL_TOUCH
    return t(
        key,
        name=name_of(table, frame.seat),
        owner=name_of(table, frame.owner),
        payer=payer,
        payee=payee,
        square=square_name(frame.square, t) if is_touch else "",
        level=frame.level,
    )


def _case(table: Table) -> str:
    """Return which of several things the state means here; the page has the same ones."""
    unit, frame = table.unit, table.unit.frame
    if table.model == terminal_pb2.UNIT_MODEL_TOUCH:
        return _touch_case(frame)
    match frame.state:
        case "armed" if unit.left_card_id and unit.right_card_id:
            return "transfer"
        case "armed":
            return "plus" if frame.sign == "+" else "minus"
        case "entry" if table.model == terminal_pb2.UNIT_MODEL_ONE_SLOT:
            return "one"
        case "entry":
            return "two" if table.currency.scale > 1 else "units"
        case "remembered":
            return "payee" if frame.sign == "+" else "payer"
        case _:
            return "in_game" if table.in_game else ""


def _touch_case(frame: Frame) -> str:
    match frame.state:
        case "query":
            return ("owned" if frame.owner >= 0 else "free") + ("_card" if "card" in frame.expects else "")
        case "offer":
            return "return" if frame.sign == "+" else "buy" if frame.square >= 0 else "jail"
        case "choose" if frame.sign:
            return "go" if frame.sign == "+" else "location"
        case "choose":
            return "deed" if list(frame.expects[:1]) == ["deed"] else "card"
        case "event":
            return "which" if "event" in frame.expects else "whose"
        case "booked" if frame.sign == "+":
            return "got"
        case "booked":
            return "paid" if frame.owner >= 0 else "paid_bank"
        case _:
            return "touch"


def state_of(table: Table) -> str:
    """Return the word for what the display shows; that of the table comes first."""
    if table.status == terminal_pb2.TABLE_STATUS_CLOSED:
        return "closed"
    if table.status == terminal_pb2.TABLE_STATUS_PAUSED:
        return "paused"
    return table.unit.frame.state or "off"
