"""The sensible bot's choices on hand-made positions."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from magnate.client.bots.sensible import SensibleBot
from magnate.client.bots.worth import Worth
from magnate.rules.v1 import vocabulary_pb2
from tests.support.client_views import BROWN, DARK_BLUE, LIGHT_BLUE, action, bidding, lot, owned, view_of

if TYPE_CHECKING:
    from magnate.game.v1 import game_pb2


def bot(seed: int = 1) -> SensibleBot:
    """Return a bot whose moods are known."""
    return SensibleBot(random.Random(seed))


def chosen(view: game_pb2.GameView, *actions: game_pb2.LegalAction, seat: int = 0) -> vocabulary_pb2.Command:
    """Return what a fresh bot does; it must do something."""
    command = bot().choose(seat, view, actions)
    assert command is not None
    return command


def test_it_buys_what_it_can_pay() -> None:
    """A lot that leaves money over is bought."""
    view = view_of(phase=vocabulary_pb2.PHASE_BUY)
    assert chosen(view, action("buy_lot", lots=[lot(39, 400)]), action("decline_lot")).HasField("buy_lot")


def test_it_declines_what_would_leave_it_broke() -> None:
    """A lot that takes the last money is left to the auction."""
    view = view_of(cash=(410, 1500), phase=vocabulary_pb2.PHASE_BUY)
    assert chosen(view, action("buy_lot", lots=[lot(39, 400)]), action("decline_lot")).HasField("decline_lot")


def test_it_spends_its_last_money_to_complete_a_group() -> None:
    """The last lot of a group is worth all of it."""
    view = view_of(cash=(410, 1500), owner=owned(0, [37]), phase=vocabulary_pb2.PHASE_BUY)
    assert chosen(view, action("buy_lot", lots=[lot(39, 400)]), action("decline_lot")).HasField("buy_lot")


def test_others_do_not_make_it_hurry() -> None:
    """While the game waits for somebody else it does nothing."""
    assert bot().choose(0, view_of(waiting=(1,)), [action("roll")]) is None


def test_it_bids_within_the_range_and_its_limit() -> None:
    """A bid is at least the least one and never above what the lot is worth to it."""
    view = view_of(phase=vocabulary_pb2.PHASE_AUCTION)
    view.situation.auction.lot = 39
    bid = chosen(view, *bidding(39, 50, 1500))
    worth = Worth(view)
    assert 50 <= bid.place_bid.amount <= worth.lot(0, 39) * 115 // 100


def test_it_passes_above_its_limit() -> None:
    """What costs far more than it is worth is left to others."""
    view = view_of(phase=vocabulary_pb2.PHASE_AUCTION)
    view.situation.auction.lot = 1
    command = chosen(view, *bidding(1, 400, 1500))
    assert command.pass_auction.lot == 1


@pytest.mark.parametrize("seed", range(5))
def test_bidding_keeps_a_reserve_but_not_for_the_last_of_a_group(seed: int) -> None:
    """The limit rises with what the lot completes, and only then touches the reserve."""
    alone = Worth(view_of(cash=(500, 1500)))
    completing = Worth(view_of(cash=(500, 1500), owner=owned(0, [37])))
    assert bot(seed).bid_limit(0, alone, 39) <= 500 - alone.reserve(0)
    assert bot(seed).bid_limit(0, completing, 39) > bot(seed).bid_limit(0, alone, 39)


def test_it_builds_where_the_rent_grows_most() -> None:
    """Of two steps it takes the one with more rent for its price, to the level the lot reaches alone."""
    view = view_of(owner=owned(0, [*BROWN, *DARK_BLUE]))
    build = action(
        "build", amount_max=1500, lots=[lot(1, 50, high=5, alone=1), lot(39, 200, high=5, alone=1)]
    )
    targets = chosen(view, build, action("end_turn")).build.targets
    assert [(one.lot, one.level) for one in targets] == [(39, 1)]


def test_it_does_not_build_into_its_reserve() -> None:
    """A poor owner keeps his money and ends the turn."""
    view = view_of(cash=(250, 1500), owner=owned(0, DARK_BLUE))
    build = action("build", amount_max=250, lots=[lot(39, 200, high=1, alone=1)])
    assert chosen(view, build, action("end_turn")).HasField("end_turn")


def test_it_raises_money_step_by_step() -> None:
    """In debt: loose lots are mortgaged, then buildings sold, then groups mortgaged, then it gives up."""
    view = view_of(cash=(0, 1500), owner=owned(0, [5, *BROWN]), level={1: 1, 3: 1})
    view.debts.add(debtor=0, creditor=1, amount=900)
    mortgage = action("mortgage_lots", lots=[lot(5, 100)])
    sell = action("sell_buildings", lots=[lot(1, 25, alone=0), lot(3, 25, alone=0)])
    give_up = action("declare_bankruptcy")
    assert list(chosen(view, mortgage, sell).mortgage_lots.lots) == [5]
    sold = chosen(view, action("mortgage_lots", lots=[lot(1, 30)]), sell).sell_buildings.targets
    assert [(one.lot, one.level) for one in sold] == [(1, 0)]
    assert list(chosen(view, action("mortgage_lots", lots=[lot(1, 30)])).mortgage_lots.lots) == [1]
    assert chosen(view, give_up).HasField("declare_bankruptcy")


def test_it_sells_a_whole_group_when_no_lot_goes_down_alone() -> None:
    """Hotels that cannot be broken up for want of houses are sold together."""
    view = view_of(cash=(0, 1500), owner=owned(0, BROWN), level={1: 5, 3: 5})
    view.debts.add(debtor=0, creditor=1, amount=900)
    sold = chosen(view, action("sell_buildings", lots=[lot(1, 25), lot(3, 25)])).sell_buildings.targets
    assert {(one.lot, one.level) for one in sold} == {(1, 0), (3, 0)}


def test_it_leaves_jail_early_and_stays_later() -> None:
    """With lots to buy it pays; with hotels around it stays where it is safe."""
    jail = (action("roll"), action("pay_fine"))
    early = view_of(phase=vocabulary_pb2.PHASE_JAIL)
    assert chosen(early, *jail).HasField("pay_fine")
    hotels = dict.fromkeys(DARK_BLUE, 5)
    everything = {one.lot: 1 for one in early.lots}
    late = view_of(owner=everything, level=hotels, phase=vocabulary_pb2.PHASE_JAIL)
    assert chosen(late, *jail).HasField("roll")


def test_it_redeems_only_when_rich() -> None:
    """A mortgaged lot is redeemed from what is left above twice the reserve."""
    redeem = action("redeem_lots", lots=[lot(39, 220)])
    rich = view_of(cash=(1500, 100), owner=owned(0, [39]), mortgaged=[39])
    poor = view_of(cash=(300, 100), owner=owned(0, [39]), mortgaged=[39])
    assert list(chosen(rich, redeem, action("end_turn")).redeem_lots.lots) == [39]
    assert chosen(poor, redeem, action("end_turn")).HasField("end_turn")


def trade(view: game_pb2.GameView, cash: int) -> game_pb2.LegalAction:
    """Return the legal action to offer anything that is owned to anybody."""
    lots = [lot(one.lot) for one in view.lots if one.owner >= 0]
    return action("offer_trade", seats=[1], amount_max=cash, lots=lots)


def test_it_asks_for_the_lot_that_completes_a_group() -> None:
    """Both sides gain by its own estimate, so it offers."""
    view = view_of(cash=(1500, 300), owner={**owned(0, [37]), **owned(1, [39])})
    offer = chosen(view, trade(view, 1500), action("end_turn")).offer_trade
    assert offer.to_seat == 1
    assert list(offer.terms.take_lots) == [39]
    assert 0 < offer.terms.give_cash <= 1500


def test_what_one_bot_offers_another_accepts() -> None:
    """The two judge alike, so deals come about."""
    view = view_of(cash=(1500, 300), owner={**owned(0, [37]), **owned(1, [39])})
    offer = chosen(view, trade(view, 1500), action("end_turn")).offer_trade
    view.offers.add(offer=4, from_seat=0, to_seat=1, terms=offer.terms)
    answers = (action("accept_offer", offers=[4]), action("reject_offer", offers=[4]))
    assert chosen(view, *answers, seat=1).accept_offer.offer == 4


def test_a_bad_offer_is_rejected_at_once() -> None:
    """A lot for a pittance is refused, also while it is another's turn."""
    view = view_of(owner={**owned(0, [37]), **owned(1, [39])}, waiting=(0,))
    terms = vocabulary_pb2.Terms(give_cash=10, take_lots=[39])
    view.offers.add(offer=4, from_seat=0, to_seat=1, terms=terms)
    answers = (action("accept_offer", offers=[4]), action("reject_offer", offers=[4]))
    assert chosen(view, *answers, seat=1).reject_offer.offer == 4


def test_talk_always_ends() -> None:
    """In one turn a bot makes a bounded number of offers, and does not repeat itself for many turns."""
    owner = {**owned(0, [37, 6, 8, 1]), **owned(1, [39, 9, 3])}
    talker = bot()
    offers = 0
    for turn in range(1, 21):
        view = view_of(cash=(1500, 1500), owner=owner, turn=turn)
        made = 0
        while True:
            command = talker.choose(0, view, [trade(view, 1500), action("end_turn")])
            assert command is not None
            if not command.HasField("offer_trade"):
                break
            made += 1
        assert made <= 2
        offers += made
    assert 0 < offers <= 3


def test_groups_are_seen_whole() -> None:
    """Completion needs every lot of the group."""
    worth = Worth(view_of(owner=owned(0, LIGHT_BLUE[:2])))
    assert worth.completes(0, [LIGHT_BLUE[2]])
    assert not worth.completes(0, [BROWN[0]])
    assert worth.lot(0, LIGHT_BLUE[2]) > worth.lot(1, LIGHT_BLUE[2]) > worth.squares[9].price


def test_its_offers_keep_to_the_ratio_of_the_rule_set() -> None:
    """What it would pay less than the rule set asks it pays up to that; what would be too much it leaves."""
    view = view_of(cash=(1500, 300), owner={**owned(0, [37]), **owned(1, [39])})
    free = chosen(view, trade(view, 1500), action("end_turn")).offer_trade.terms.give_cash
    bounded = trade(view, 1500)
    bounded.imbalance_percent_max = 20
    for one in bounded.lots:
        one.worth = free + 100 if one.lot == 39 else 0
    offer = chosen(view, bounded, action("end_turn")).offer_trade
    assert offer.terms.give_cash == max(free, -(-(free + 100) * 80 // 100))
    for one in bounded.lots:
        one.worth = 1
    assert chosen(view, bounded, action("end_turn")).HasField("end_turn")


def test_free_visits_and_loans_are_weighed() -> None:
    """Many free visits of a dear lot are a good price; lending for nothing is not."""
    view = view_of(cash=(1500, 1500), owner={**owned(0, DARK_BLUE), **owned(1, [1])}, waiting=(0,))
    terms = vocabulary_pb2.Terms(take_lots=[1])
    terms.give_immunity.add(lot=39, visits=40)
    view.offers.add(offer=4, from_seat=0, to_seat=1, terms=terms)
    answers = (action("accept_offer", offers=[4]), action("reject_offer", offers=[4]))
    assert chosen(view, *answers, seat=1).accept_offer.offer == 4
    view.offers[0].terms.CopyFrom(vocabulary_pb2.Terms(take_loan=50))
    assert chosen(view, *answers, seat=1).reject_offer.offer == 4


def test_it_borrows_what_it_owes_and_pays_back_when_rich() -> None:
    """Before it sells buildings it asks the bank; the oldest loan is paid when there is money to spare."""
    view = view_of(cash=(40, 1500))
    view.debts.add(debtor=0, creditor=1, amount=300)
    loan = action("take_loan", amount_min=1, amount_max=2000)
    assert chosen(view, loan, action("declare_bankruptcy")).take_loan.amount == 260
    rich = view_of(cash=(1500, 1500))
    rich.loans.add(debtor=0, creditor=-1, amount=100)
    back = action("repay_loan", answers=[-1])
    assert chosen(rich, back, action("end_turn")).repay_loan.creditor == -1
    rich.loans[0].amount = 1400
    assert chosen(rich, back, action("end_turn")).HasField("end_turn")
