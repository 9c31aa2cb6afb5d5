"""What happens in a game as sentences: each event, in each language, on the page as in the window."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from magnate.cli.terminal.texts import LANGUAGES, Texts
from magnate.cli.watch import teller as module
from magnate.cli.watch.teller import QUIET, Teller, clock_face
from magnate.game.v1 import game_pb2
from magnate.gateway.site import PAGE
from magnate.rules.v1 import setup_pb2, vocabulary_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT = (PAGE / "js/game/teller.js").read_text(encoding="utf-8")
KINDS = (game_pb2.TableEvent, vocabulary_pb2.AuctionEvent, vocabulary_pb2.Event)


def view() -> game_pb2.GameView:
    """Return a game of two on a board of three squares."""
    squares = [setup_pb2.Square(name=name) for name in ("GO", "Old Lane", "New Lane")]
    return game_pb2.GameView(
        game_id="1-0-000000000000000000000001",
        board=setup_pb2.Board(currency=setup_pb2.Currency(unit="$", scale=1), squares=squares),
        seats=[game_pb2.SeatView(seat=0, name="Ada"), game_pb2.SeatView(seat=1, name="Bob")],
        situation=game_pb2.Situation(auctions=[game_pb2.AuctionView(auction=4, lot=2)]),
    )


def every_event() -> Iterator[tuple[str, Any]]:
    """Yield an event of each kind as everybody may see it, by its name."""
    for group in KINDS:
        for field in group.DESCRIPTOR.fields:
            event = group()
            getattr(event, field.name).SetInParent()
            yield field.name, event


def commit_of(*events: Any) -> game_pb2.PublicCommit:
    """Return a commit with these events."""
    commit = game_pb2.PublicCommit(version=1)
    for event in events:
        place: Any = {
            game_pb2.TableEvent: commit.table_events,
            vocabulary_pb2.AuctionEvent: commit.auction_events,
            vocabulary_pb2.Event: commit.events,
        }[type(event)]
        place.append(event)
    return commit


def told(*events: Any, language: str = "en") -> list[str]:
    """Return how events are told."""
    return list(Teller(view(), Texts(language)).commit(commit_of(*events)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_is_told_in_words(language: str) -> None:
    """None shows its name, a key, or a brace that was not filled in."""
    assert len(list(every_event())) > 100
    for kind, event in every_event():
        for sentence in told(event, language=language):
            assert Texts(language).has(f"told.{kind}"), kind
            assert "{" not in sentence, (kind, sentence)
            assert not sentence.startswith("told."), (kind, sentence)


def test_names_and_amounts_stand_in_the_sentences() -> None:
    """Seats, squares, money, what an auction is about."""
    event, auction = vocabulary_pb2.Event, vocabulary_pb2.AuctionEvent
    bought = vocabulary_pb2.LotBought(seat=1, lot=1, price=1200)
    assert told(event(lot_bought=bought)) == ["Bob buys Old Lane for $1,200"]
    bid = vocabulary_pb2.BidPlaced(auction=4, seat=0, amount=50)
    assert told(auction(bid_placed=bid)) == ["Ada bids $50 for New Lane"]
    opened = vocabulary_pb2.AuctionOpened(auction=5, lot=1, label="A cake")
    called = vocabulary_pb2.AuctionCalled(auction=5, count=2)
    assert told(auction(auction_opened=opened), auction(auction_called=called))[1:] == ["A cake: going twice"]
    debt = vocabulary_pb2.OpenDebt(debtor=0, creditor=-1, amount=7)
    incurred = vocabulary_pb2.DebtIncurred(debt=debt)
    assert told(event(debt_incurred=incurred), language="ru") == ["Ada пока не может заплатить 7\u00a0$"]
    terms = vocabulary_pb2.Terms(give_cash=10, give_lots=[1], take_loan=5)
    offer = vocabulary_pb2.OfferMade(offer=1, from_seat=0, to_seat=1, terms=terms)
    assert told(event(offer_made=offer)) == ["Ada offers Bob: $10 + Old Lane for a loan of $5"]
    ended = vocabulary_pb2.GameEnded(ranking=[1, 0])
    assert told(event(game_ended=ended)) == ["The game is over: 1. Bob, 2. Ada"]


def test_what_is_said_beside_is_not_said_twice() -> None:
    """A close is told by what follows from it, and by itself where nothing follows."""
    closed = vocabulary_pb2.AuctionEvent(
        auction_closed=vocabulary_pb2.AuctionClosed(auction=4, lot=2, winner=1, price=50)
    )
    won = vocabulary_pb2.Event(lot_auctioned=vocabulary_pb2.LotAuctioned(lot=2, winner=1, price=50))
    assert told(closed, won) == ["Bob wins New Lane for $50"]
    assert told(closed) == ["New Lane: gone to Bob for $50"]
    nobody = vocabulary_pb2.AuctionEvent(auction_closed=vocabulary_pb2.AuctionClosed(auction=4, winner=-1))
    assert told(nobody) == ["New Lane: gone to nobody"]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Bob does not buy New Lane", "New Lane goes under the hammer"]),
        ("ru", ["Bob не покупает «New Lane»", "«New Lane» — на аукционе"]),
        ("fr", ["Bob n’achète pas New Lane", "New Lane est mis aux enchères"]),
    ],
)
def test_causes_are_told_before_effects(language: str, sentences: list[str]) -> None:
    """Somebody does not buy a lot, and then it goes under the hammer."""
    declined = vocabulary_pb2.Event(lot_declined=vocabulary_pb2.LotDeclined(seat=1, lot=2))
    put_up = vocabulary_pb2.Event(lot_put_up=vocabulary_pb2.LotPutUp(lot=2))
    opened = vocabulary_pb2.AuctionEvent(auction_opened=vocabulary_pb2.AuctionOpened(auction=5, lot=2))
    assert told(opened, declined, put_up, language=language) == sentences


def test_the_page_tells_the_same() -> None:
    """What it leaves out, and which of several sentences an event has."""
    (quiet,) = re.findall(r"const QUIET = new Set\(\[(.*?)\]\)", SCRIPT, re.DOTALL)
    assert set(re.findall(r'"(\w+)"', quiet)) == QUIET
    cases = set(re.findall(r'case "(\w+)":', SCRIPT[SCRIPT.index("function variantOf") :]))
    with open(module.__file__, encoding="utf-8") as source:  # noqa: PTH123 - of a module
        text = source.read()
    mine = text[text.index("def _variant") : text.index("def _levels")]
    assert cases == set(re.findall(r'"(\w+)"', "\n".join(re.findall(r"case (.*?):", mine))))


@pytest.mark.parametrize(
    ("left_ms", "face"),
    [
        (0, "0.0"),
        (9_999, "9.9"),
        (10_000, "0:10"),
        (65_999, "1:05"),
        (3_600_000, "1:00:00"),
        (3_725_000, "1:02:05"),
    ],
)
def test_the_face_of_a_clock(left_ms: int, face: str) -> None:
    """Tenths when it is short; never more than there is."""
    assert clock_face(left_ms) == face
