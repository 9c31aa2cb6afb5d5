"""What bots say when the last buildings are asked about, and how they bid for them."""

from __future__ import annotations

import random

from magnate.client.bots.base import in_steps
from magnate.client.bots.random_legal import RandomLegalBot
from magnate.client.bots.sensible import SensibleBot
from magnate.rules.v1 import vocabulary_pb2
from tests.support.client_views import action, lot, view_of

HOUSE = vocabulary_pb2.BUILDING_HOUSE


def bots() -> list[SensibleBot | RandomLegalBot]:
    """Return one of each."""
    return [SensibleBot(random.Random(1)), RandomLegalBot(random.Random(1))]


def test_they_want_a_building_or_say_that_they_do_not() -> None:
    """Sensible ones want it when they have twice the least bid; nobody leaves the others waiting."""
    view = view_of(phase=vocabulary_pb2.PHASE_SHORTAGE)
    view.situation.waiting_seats[:] = [0]
    for most, kind in ((400, "want_building"), (399, "skip")):
        listed = [
            action("skip"),
            action("want_building", answers=[HOUSE], amount_min=200, amount_max=most),
        ]
        command = SensibleBot(random.Random(1)).choose(0, view, listed)
        assert command is not None
        assert command.WhichOneof("kind") == kind
        assert RandomLegalBot(random.Random(1)).choose(0, view, listed) is not None


def test_they_place_what_they_won() -> None:
    """On a lot that is listed."""
    view = view_of(phase=vocabulary_pb2.PHASE_PLACE)
    view.situation.waiting_seats[:] = [0]
    for bot in bots():
        command = bot.choose(0, view, [action("place_building", lots=[lot(37, low=1, high=1, alone=1)])])
        assert command is not None
        assert command.place_building.lot == 37


def test_they_bid_for_a_building_or_pass() -> None:
    """No lot is under the hammer, and nobody asks what it is worth."""
    view = view_of(phase=vocabulary_pb2.PHASE_AUCTION)
    view.situation.waiting_seats[:] = [0]
    auction = view.situation.auction
    auction.auction, auction.lot, auction.leader, auction.building = 1, -1, -1, HOUSE
    listed = [
        action("place_bid", lots=[lot(-1)], amount_min=200, amount_max=900),
        action("pass_auction", lots=[lot(-1)]),
    ]
    for bot in bots():
        kinds = {str(bot.choose(0, view, listed)).split(" ", 1)[0] for _ in range(20)}
        assert kinds == {"place_bid", "pass_auction"}


def test_bids_keep_to_the_steps() -> None:
    """The highest bid up to an amount that the steps allow."""
    listed = action("place_bid", amount_min=20, amount_max=100, amount_step=20)
    assert [in_steps(amount, listed) for amount in (20, 39, 40, 99, 100)] == [20, 20, 40, 80, 100]
    assert in_steps(37, action("place_bid", amount_min=20, amount_max=100)) == 37
