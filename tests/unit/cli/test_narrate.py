"""Events as sentences."""

from __future__ import annotations

from magnate.cli.narrate import QUIET, Narrator
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.client_views import view_of

EVENTS = vocabulary_pb2.Event.DESCRIPTOR.oneofs_by_name["kind"].fields
AUCTION_EVENTS = vocabulary_pb2.AuctionEvent.DESCRIPTOR.oneofs_by_name["kind"].fields


def narrator() -> Narrator:
    """Return one that knows the board and two players."""
    told = Narrator()
    told.know(view_of())
    return told


def test_every_event_can_be_told() -> None:
    """No event is without words, even one that has nothing in it."""
    for field in EVENTS:
        event = vocabulary_pb2.Event()
        getattr(event, field.name).SetInParent()
        commit = game_pb2.PublicCommit(events=[event])
        assert all(list(narrator().commit(commit, everything=True))), field.name
    for field in AUCTION_EVENTS:
        auction_event = vocabulary_pb2.AuctionEvent()
        getattr(auction_event, field.name).SetInParent()
        assert all(list(narrator().commit(game_pb2.PublicCommit(auction_events=[auction_event]))))


def test_quiet_events_are_events() -> None:
    """A word that was renamed would be noisy without anybody noticing."""
    assert {field.name for field in EVENTS} >= QUIET


def test_names_of_players_squares_and_money() -> None:
    """The sentence is for people."""
    event = vocabulary_pb2.Event(lot_bought=vocabulary_pb2.LotBought(seat=1, lot=39, price=400))
    told = list(narrator().commit(game_pb2.PublicCommit(events=[event])))
    assert told == ["Bot 1 buys Boardwalk for $400"]


def test_a_narrator_learns_from_the_commits() -> None:
    """Whoever reads a log from the start needs nothing else."""
    told = Narrator()
    opened = game_pb2.TableEvent()
    opened.table_opened.board.CopyFrom(view_of().board)
    taken = game_pb2.TableEvent(seat_taken=game_pb2.SeatTaken(seat=0, name="Ada"))
    list(told.commit(game_pb2.PublicCommit(table_events=[opened, taken])))
    assert told.who(0) == "Ada"
    assert told.what(39) == "Boardwalk"
    assert told.who(-1) == "the bank"
    assert told.what(99) == "square 99"
