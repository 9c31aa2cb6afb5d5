"""Events as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from magnate.cli.narrate import QUIET, Narrator
from magnate.cli.sentences import SENTENCES
from magnate.game.v1 import game_pb2
from magnate.rules.v1 import vocabulary_pb2
from tests.support.client_views import view_of

if TYPE_CHECKING:
    from google.protobuf.message import Message

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


def test_every_event_but_a_position_has_a_sentence() -> None:
    """No log shows numbers that only the code can read."""
    without = {field.name for field in [*EVENTS, *AUCTION_EVENTS] if not field.GetOptions().deprecated}
    assert without - set(SENTENCES) == {"position_given"}


def test_sentences_are_of_events() -> None:
    """A word that was renamed would be told field by field without anybody noticing."""
    assert {field.name for field in [*EVENTS, *AUCTION_EVENTS]} >= set(SENTENCES)


@pytest.mark.parametrize(
    ("kind", "event", "told"),
    [
        (
            "deed_dealt",
            vocabulary_pb2.DeedDealt(seat=1, lot=39, price=400),
            "Bot 1 is dealt Boardwalk for $400",
        ),
        ("turn_skipped", vocabulary_pb2.TurnSkipped(seat=0), "Bot 0 loses this turn"),
        (
            "pot_taken",
            vocabulary_pb2.PotTaken(seat=0, pot=-2, amount=600),
            "Bot 0 takes $600 from the parking pot",
        ),
        (
            "dice_thrown",
            vocabulary_pb2.DiceThrown(seat=0, first=4, purpose=vocabulary_pb2.DICE_PURPOSE_JACKPOT),
            "Bot 0 throws 4",
        ),
        (
            "question_asked",
            vocabulary_pb2.QuestionAsked(
                seat=1, question=vocabulary_pb2.QUESTION_LOCATION, square=7, amount=100
            ),
            "Bot 1 may pay $100 and go to any lot",
        ),
        (
            "jackpot_played",
            vocabulary_pb2.JackpotPlayed(seat=1, faces=[3], prize=0),
            "3: Bot 1 wins nothing",
        ),
        (
            "rents_capped",
            vocabulary_pb2.RentsCapped(level=1, payments=2),
            "the next 2 rents are charged at level 1",
        ),
        (
            "loan_taken",
            vocabulary_pb2.LoanTaken(
                loan=vocabulary_pb2.OpenLoan(debtor=0, creditor=-1, amount=2000, due_round=16)
            ),
            "Bot 0 borrows $2,000 from the bank, to be paid back by round 16",
        ),
        ("phase_entered", vocabulary_pb2.PhaseEntered(phase=vocabulary_pb2.PHASE_BUY), "phase: buy"),
        (
            "debt_paid",
            vocabulary_pb2.DebtPaid(
                debtor=0, creditor=-1, amount=50, reason=vocabulary_pb2.TRANSFER_REASON_JAIL_FINE
            ),
            "Bot 0 pays the bank the $50 owed (jail fine)",
        ),
        (
            "offer_closed",
            vocabulary_pb2.OfferClosed(offer=3, end=vocabulary_pb2.OFFER_END_REJECTED),
            "offer 3 is over (rejected)",
        ),
        (
            "offer_made",
            vocabulary_pb2.OfferMade(
                from_seat=0,
                to_seat=1,
                terms=vocabulary_pb2.Terms(
                    give_immunity=[vocabulary_pb2.Immunity(lot=39, visits=3)], take_loan=500
                ),
            ),
            "Bot 0 offers Bot 1 3 free visits of Boardwalk for a loan of $500",
        ),
    ],
)
def test_what_only_some_rule_sets_have_is_told_in_words(kind: str, event: Message, told: str) -> None:
    """With names of seats, squares, pots and money."""
    holder = vocabulary_pb2.Event()
    getattr(holder, kind).CopyFrom(event)
    assert list(narrator().commit(game_pb2.PublicCommit(events=[holder]), everything=True)) == [told]


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


def test_how_a_seat_stands_with_the_clocks_is_told_in_words() -> None:
    """Every event of the table that is about a seat has a sentence of its own, with the seat's name."""
    about_seats = [
        field
        for field in game_pb2.TableEvent.DESCRIPTOR.fields
        if field.message_type and "seat" in field.message_type.fields_by_name and field.name != "seat_taken"
    ]
    assert len(about_seats) >= 8
    for field in about_seats:
        event = game_pb2.TableEvent()
        getattr(event, field.name).seat = 1
        (told,) = narrator().commit(game_pb2.PublicCommit(table_events=[event]))
        assert "Bot 1" in told
        assert field.name.replace("_", " ") not in told


def test_causes_are_told_before_effects() -> None:
    """Somebody does not buy a lot, and then it goes under the hammer."""
    declined = vocabulary_pb2.Event(lot_declined=vocabulary_pb2.LotDeclined(seat=1, lot=39))
    put_up = vocabulary_pb2.Event(lot_put_up=vocabulary_pb2.LotPutUp(lot=39))
    opened = vocabulary_pb2.AuctionEvent(auction_opened=vocabulary_pb2.AuctionOpened(auction=1, lot=39))
    commit = game_pb2.PublicCommit(events=[declined, put_up], auction_events=[opened])
    assert list(narrator().commit(commit)) == [
        "Bot 1 does not buy Boardwalk",
        "Boardwalk goes under the hammer",
    ]
