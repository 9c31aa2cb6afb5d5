"""The random bot stays within what is legal, and its talk ends."""

from __future__ import annotations

import random

import pytest

from magnate.client.bots.random_legal import RandomLegalBot
from magnate.rules.v1 import vocabulary_pb2
from tests.support.client_views import BROWN, action, bidding, lot, owned, view_of

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_bids_are_in_range(seed: int) -> None:
    """A bid is between the least and the most, or it passes."""
    view = view_of(phase=vocabulary_pb2.PHASE_AUCTION)
    view.situation.auction.lot = 39
    actions = bidding(39, 50, 55)
    command = RandomLegalBot(random.Random(seed)).choose(0, view, actions)
    assert command is not None
    if command.HasField("place_bid"):
        assert 50 <= command.place_bid.amount <= 55
    else:
        assert command.pass_auction.lot == 39


@pytest.mark.parametrize("seed", SEEDS)
def test_targets_are_those_a_lot_reaches_alone(seed: int) -> None:
    """Building and selling name the level that needs no other lot to move."""
    view = view_of(cash=(0, 1500), owner=owned(0, BROWN), level={1: 2, 3: 1})
    view.debts.add(debtor=0, creditor=1, amount=10)
    sell = action("sell_buildings", lots=[lot(1, 25, alone=1), lot(3, 25)])
    command = RandomLegalBot(random.Random(seed)).choose(0, view, [sell])
    assert command is not None
    assert [(one.lot, one.level) for one in command.sell_buildings.targets] == [(1, 1)]


def test_a_turn_has_few_offers() -> None:
    """However often it is asked in one turn, it talks at most twice."""
    view = view_of(owner={**owned(0, [1]), **owned(1, [3])})
    offers = [lot(1), lot(3)]
    actions = [action("offer_trade", seats=[1], amount_max=500, lots=offers)]
    talker = RandomLegalBot(random.Random(3))
    made = [talker.choose(0, view, actions) for _ in range(200)]
    assert sum(command is not None for command in made) == 2


def test_a_counter_offer_goes_to_who_made_the_offer() -> None:
    """It names the offer it answers and only lots of the two."""
    view = view_of(owner={**owned(0, [1]), **owned(1, [3])}, waiting=(1,))
    view.offers.add(offer=7, from_seat=1, to_seat=0)
    counter = action("counter_offer", seats=[1], offers=[7], amount_max=500, lots=[lot(1), lot(3)])
    commands = [RandomLegalBot(random.Random(seed)).choose(0, view, [counter]) for seed in SEEDS]
    made = [command.counter_offer for command in commands if command is not None]
    assert made
    for one in made:
        assert one.offer == 7
        assert list(one.terms.give_lots) == [1]
        assert list(one.terms.take_lots) == [3]


def test_it_never_resigns() -> None:
    """Resigning is left to people."""
    actions = [action("resign"), action("roll")]
    command = RandomLegalBot(random.Random(1)).choose(0, view_of(), actions)
    assert command == vocabulary_pb2.Command(roll=vocabulary_pb2.Roll())
    assert RandomLegalBot(random.Random(1)).choose(0, view_of(), [action("resign")]) is None


def test_it_has_bids_made_where_that_may_be() -> None:
    """Now and then it sets a ceiling in the auction that the action is about, within the range."""
    view = view_of(phase=vocabulary_pb2.PHASE_AUCTION)
    lots = [lot(39)]
    ceiling = action("set_proxy_bid", amount_min=51, amount_max=10**15, lots=lots, auction=2)
    pass_by = action("pass_auction", lots=lots, auction=2)
    chosen = [RandomLegalBot(random.Random(seed)).choose(0, view, [pass_by, ceiling]) for seed in range(30)]
    found = [one.set_proxy_bid for one in chosen if one is not None and one.HasField("set_proxy_bid")]
    assert found
    assert all((one.lot, one.auction) == (39, 2) and one.ceiling >= 51 for one in found)
