"""Amounts, operations and hints as people read them, in three languages."""

from __future__ import annotations

import pytest

from magnate.bank.v1 import terminal_pb2
from magnate.bank.v1.terminal_pb2 import Card, Currency, Frame, Operation, OperationEntry, Rank, Table, Unit
from magnate.cli.terminal.sentences import hint, money, name_of, seat_of, sentence, state_of
from magnate.cli.terminal.texts import Texts

DOLLARS = Currency(unit="$", scale=1)
THOUSANDS = Currency(unit="$", scale=1000)
ROUBLES = Currency(unit="руб.", scale=1000)
TABLE = Table(currency=THOUSANDS, cards=[Card(seat=0, name="Ann"), Card(seat=1, name="Bob")])


@pytest.mark.parametrize(
    ("amount", "currency", "language", "text"),
    [
        (0, DOLLARS, "en", "$0"),
        (1_500, DOLLARS, "en", "$1,500"),
        (-1_500, DOLLARS, "en", "−$1,500"),
        (1_500, DOLLARS, "fr", "1\u202f500\u00a0$"),
        (1_234_567, Currency(), "ru", "1\u00a0234\u00a0567"),
        (100, THOUSANDS, "en", "$100K"),
        (15_000, THOUSANDS, "en", "$15M"),
        (14_850, THOUSANDS, "en", "$14.85M"),
        (1_000_001, THOUSANDS, "en", "$1,000.001M"),
        (1_500, ROUBLES, "ru", "1,5M\u00a0руб."),
        (5, Currency(unit="M", scale=1), "en", "5"),
    ],
)
def test_money(amount: int, currency: Currency, language: str, text: str) -> None:
    """Whole, exact, with the signs of the language."""
    assert money(amount, currency, language) == text


@pytest.mark.parametrize(("account", "seat"), [("seat-0", 0), ("seat-12", 12), ("bank", -1), ("seat-x", -1)])
def test_seats_of_accounts(account: str, seat: int) -> None:
    """A seat's number, or none."""
    assert seat_of(account) == seat
    assert name_of(TABLE, seat) == ("Ann" if seat == 0 else "")


def operation(kind: str, *entries: tuple[str, str, int], version: int = 2, reverses: int = 0) -> Operation:
    """Return something that happened."""
    moved = [OperationEntry(debit=debit, credit=credit, amount=amount) for debit, credit, amount in entries]
    return Operation(kind=kind, entries=moved, version=version, reverses=reverses)


@pytest.mark.parametrize(
    ("happened", "said"),
    [
        (operation("credit", ("bank", "seat-0", 500)), "Bank pays Ann $500K"),
        (operation("debit", ("seat-1", "bank", 500)), "Bob pays the bank $500K"),
        (operation("transfer", ("seat-1", "seat-0", 500)), "Bob pays Ann $500K"),
        (operation("go", ("bank", "seat-1", 2_000)), "Bob passes GO: $2M"),
        (operation("open", ("bank", "seat-0", 9), ("bank", "seat-1", 9)), "Everybody gets $9K"),
        (operation("open", ("bank", "seat-1", 9)), "Bob gets a card with $9K"),
        (operation("reset", ("seat-1", "bank", 9)), "New game: everybody has the opening amount"),
        (operation("retire", ("seat-1", "bank", 9)), "Card retired: Bob pays the bank $9K"),
        (operation("undo", ("seat-0", "bank", 9), reverses=1), "Taken back: Ann pays the bank $9K"),
    ],
)
def test_what_happened(happened: Operation, said: str) -> None:
    """One sentence for each kind."""
    assert sentence(happened, TABLE, [happened], Texts("en")) == said


def test_a_reversal_names_what_it_takes_back() -> None:
    """By the words of the operation itself, where it is known."""
    first = operation("go", ("bank", "seat-0", 2_000), version=4)
    undo = operation("undo", ("seat-0", "bank", 2_000), version=5, reverses=4)
    assert sentence(undo, TABLE, [first, undo], Texts("fr")) == "Annulation : Ann passe le départ : 2M\u00a0$"


PAYERS = {"payer": "Bob", "payee": "Ann"}


@pytest.mark.parametrize(
    ("frame", "slots", "more", "key", "values"),
    [
        (Frame(state="off"), "", Table(), "hint.off", {}),
        (Frame(state="entry"), "", Table(), "hint.entry.two", {}),
        (Frame(state="entry"), "", Table(currency=DOLLARS), "hint.entry.units", {}),
        (Frame(state="entry"), "", Table(model=terminal_pb2.UNIT_MODEL_ONE_SLOT), "hint.entry.one", {}),
        (Frame(state="armed", sign="+", seat=0), "l", Table(), "hint.armed.plus", {"name": "Ann"}),
        (Frame(state="armed", sign="-", seat=1), "r", Table(), "hint.armed.minus", {"name": "Bob"}),
        (Frame(state="armed", sign="-", seat=1), "lr", Table(), "hint.armed.transfer", PAYERS),
        (Frame(state="remembered", sign="-", seat=0), "", Table(), "hint.remembered.payer", {}),
        (Frame(state="remembered", sign="+", seat=1), "", Table(), "hint.remembered.payee", {"name": "Bob"}),
        (Frame(state="balance", seat=0), "", Table(in_game=True), "hint.balance.in_game", {}),
        (Frame(state="error", refusal="NO_CARD"), "", Table(), "because.NO_CARD", {}),
        (Frame(state="idle"), "", Table(status=terminal_pb2.TABLE_STATUS_PAUSED), "hint.paused", {}),
        (Frame(state="idle"), "", Table(status=terminal_pb2.TABLE_STATUS_CLOSED), "term.hint.closed", {}),
        (Frame(state="strange"), "", Table(), "", {}),
    ],
)
def test_hints(frame: Frame, slots: str, more: Table, key: str, values: dict[str, str]) -> None:
    """What to do next, or why not, with the names of those it is about."""
    table = Table(currency=THOUSANDS, model=terminal_pb2.UNIT_MODEL_TWO_SLOT)
    table.cards.extend(
        Card(card_id=name[0], seat=seat, name=name) for seat, name in enumerate(("Ann", "Bob"))
    )
    left, right = "A" if "l" in slots else "", "B" if "r" in slots else ""
    table.unit.CopyFrom(Unit(frame=frame, left_card_id=left, right_card_id=right))
    table.MergeFrom(more)
    t = Texts("en")
    said = hint(table, t)
    assert said == (t(key, **values) if key else "")
    assert "{" not in said


TOUCHED = {"name": "Ann", "owner": "Bob", "level": 2}


@pytest.mark.parametrize(
    ("frame", "key", "square"),
    [
        (Frame(state="idle"), "hint.idle.touch", ""),
        (Frame(state="query", square=3, owner=-1), "hint.query.free", "Deed 2"),
        (Frame(state="query", square=7, owner=-1, expects=["card"]), "hint.query.free_card", "Location"),
        (Frame(state="query", square=3, owner=1, expects=["card"]), "hint.query.owned_card", "Deed 2"),
        (Frame(state="offer", square=3), "hint.offer.buy", "Deed 2"),
        (Frame(state="offer", square=3, sign="+"), "hint.offer.return", "Deed 2"),
        (Frame(state="offer", square=-1), "hint.offer.jail", ""),
        (Frame(state="choose", sign="+"), "hint.choose.go", ""),
        (Frame(state="choose", sign="-"), "hint.choose.location", ""),
        (Frame(state="choose", expects=["deed"]), "hint.choose.deed", ""),
        (Frame(state="choose", expects=["card"]), "hint.choose.card", ""),
        (Frame(state="event", expects=["event"]), "hint.event.which", ""),
        (Frame(state="event", expects=["card"]), "hint.event.whose", ""),
        (Frame(state="booked", sign="+"), "hint.booked.got", ""),
        (Frame(state="booked", owner=1), "hint.booked.paid", ""),
        (Frame(state="booked", owner=-1), "hint.booked.paid_bank", ""),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru", "fr"])
def test_hints_of_the_touch_unit(frame: Frame, key: str, square: str, language: str) -> None:
    """The same as on the page; a square is called by its number or its symbol."""
    table = Table(model=terminal_pb2.UNIT_MODEL_TOUCH, unit=Unit(frame=frame), in_game=True)
    table.cards.extend(
        Card(card_id=name[0], seat=seat, name=name) for seat, name in enumerate(("Ann", "Bob"))
    )
    t = Texts(language)
    assert t.has(key)
    said = hint(table, t)
    assert "{" not in said
    if language == "en":
        assert said == t(key, square=square, **TOUCHED | {"level": frame.level})


def test_the_tables_state_comes_first() -> None:
    """A paused or closed table says so, whatever the unit shows."""
    table = Table(unit=Unit(frame=Frame(state="balance")), ranking=[Rank(place=1)])
    assert state_of(table) == "balance"
    table.status = terminal_pb2.TABLE_STATUS_PAUSED
    assert state_of(table) == "paused"
    table.status = terminal_pb2.TABLE_STATUS_CLOSED
    assert state_of(table) == "closed"
