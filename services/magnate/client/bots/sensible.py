"""A bot with some sense: it buys, bids by value, builds evenly, keeps a reserve, raises money, and deals.

It is a third-party client like any other: it sees the public view and its legal actions, nothing else. Every
choice is one of the legal ones, and a turn has a bounded number of choices, so its games end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from magnate.client.bots.answers import give_back, play, sensible_answer
from magnate.client.bots.base import (
    bid,
    by_kind,
    claim,
    in_steps,
    last_building,
    let_go,
    lot_levels,
    lots,
    offer_answer,
    simple,
)
from magnate.client.bots.promises import borrow, repay
from magnate.client.bots.trader import Trader
from magnate.client.bots.worth import Worth
from magnate.rules.v1 import vocabulary_pb2

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from magnate.game.v1 import game_pb2

    Legal = dict[str, game_pb2.LegalAction]

BID_STEP_PERCENT: Final = 12
BID_MOOD_PERCENT: Final = 15
BUILDING_BID_CHANCE: Final = 0.6
BUY_FLOOR_PERCENT: Final = 3
RICH_RESERVES: Final = 2
JAIL_EARLY_FREE_LOTS: Final = 8


class SensibleBot:
    """Plays one seat of one game; the generator gives it moods, so that two of them differ."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._trader = Trader()
        self._offered: dict[int, int] = {}

    def choose(
        self, seat: int, view: game_pb2.GameView, actions: Sequence[game_pb2.LegalAction]
    ) -> vocabulary_pb2.Command | None:
        """Return the next command of a seat, or None to leave it to others."""
        legal = by_kind(actions)
        worth = Worth(view)
        answer = claim(legal) or self._trader.answer(seat, worth, legal)
        if answer is not None:
            return answer
        if seat not in view.situation.waiting_seats:
            return None
        if view.situation.phase in (vocabulary_pb2.PHASE_SHORTAGE, vocabulary_pb2.PHASE_PLACE):
            asked = legal.get("want_building")
            wants = asked is not None and asked.amount_max >= 2 * asked.amount_min
            return last_building(legal, wants=wants)
        if view.situation.phase == vocabulary_pb2.PHASE_CHOICE:
            return sensible_answer(seat, worth, legal)
        if "place_bid" in legal or "pass_auction" in legal:
            return self._bid(seat, worth, legal)
        if any(debt.debtor == seat for debt in view.debts):
            return self._raise_money(seat, worth, legal)
        if "place_token" in legal and view.situation.phase != vocabulary_pb2.PHASE_ACT:
            return None  # real tokens are moved by whoever has them
        if "buy_lot" in legal or "decline_lot" in legal:
            return self._buy(seat, worth, legal)
        if "pay_fine" in legal or "use_jail_card" in legal:
            return self._leave_jail(seat, worth, legal)
        return self._manage(seat, worth, legal) or self._go_on(legal)

    def _buy(self, seat: int, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
        if "buy_lot" in legal:
            action = legal["buy_lot"]
            lot = action.lots[0].lot if action.lots else worth.view.seats[seat].at
            left = worth.cash(seat) - worth.squares[lot].price
            floor = worth.start_money * BUY_FLOOR_PERCENT // 100
            if left >= floor or (left >= 0 and worth.completes(seat, [lot])):
                return simple("buy_lot")
        return simple("decline_lot") if "decline_lot" in legal else simple("buy_lot")

    def _bid(self, seat: int, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
        action = legal.get("place_bid")
        if action is not None:
            lot = action.lots[0].lot
            if lot < 0:  # a building of the last ones is worth a bid more often than not
                limit = action.amount_min if self._chance.random() < BUILDING_BID_CHANCE else 0
                step = 0
            else:
                limit = self.bid_limit(seat, worth, lot)
                step = worth.squares[lot].price * BID_STEP_PERCENT // 100
            if action.amount_min <= min(limit, action.amount_max):
                amount = min(
                    limit, action.amount_max, action.amount_min + self._chance.randint(0, max(0, step))
                )
                return bid(action, in_steps(max(amount, action.amount_min), action))
        if "pass_auction" in legal:
            return let_go(legal["pass_auction"])
        return None

    def bid_limit(self, seat: int, worth: Worth, lot: int) -> int:
        """Return how far to bid: the worth with some mood; the reserve only for what completes a group."""
        mood = 100 + self._chance.randint(-BID_MOOD_PERCENT, BID_MOOD_PERCENT)
        keeps = 0 if worth.completes(seat, [lot]) else worth.reserve(seat)
        return max(0, min(worth.lot(seat, lot) * mood // 100, worth.cash(seat) - keeps))

    def _leave_jail(self, seat: int, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
        """Leave at once while there are lots to buy; later jail is a safe place."""
        free = sum(worth.owner(lot) < 0 for lot in worth.lots)
        dangerous = worth.reserve(seat) > worth.start_money * 20 // 100
        if free >= JAIL_EARLY_FREE_LOTS or not dangerous:
            if "use_jail_card" in legal:
                return simple("use_jail_card")
            if "pay_fine" in legal and worth.cash(seat) - worth.view.board.jail_fine >= worth.reserve(seat):
                return simple("pay_fine")
        return self._manage(seat, worth, legal) or self._go_on(legal)

    def _manage(self, seat: int, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
        stale = self._stale_offer(worth, legal)
        if stale is not None:
            return stale
        deal = self._trader.propose(seat, worth, legal)
        if deal is not None:
            return deal
        reserve = worth.reserve(seat)
        if "build" in legal:
            if "play_card" in legal:  # only what makes a building cheaper is for this moment
                return play(legal["play_card"].cards[0])
            command = build_best(worth, legal["build"], worth.cash(seat) - reserve)
            if command is not None:
                return command
        if "repay_loan" in legal:
            rich = worth.cash(seat) - RICH_RESERVES * reserve
            mine = [loan for loan in worth.view.loans if loan.debtor == seat]
            owed = {loan.creditor: loan.amount for loan in reversed(mine)}  # the oldest is paid first
            for creditor in legal["repay_loan"].answers:
                if owed.get(creditor, 0) <= rich:
                    return repay(creditor)
        if "redeem_lots" in legal:
            return redeem_best(seat, worth, legal["redeem_lots"], worth.cash(seat) - RICH_RESERVES * reserve)
        return None

    def _stale_offer(self, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
        """Take back an own offer that nobody answered since an earlier turn."""
        turn = worth.view.situation.turn
        action = legal.get("withdraw_offer")
        for offer in () if action is None else action.offers:
            if self._offered.setdefault(offer, turn) < turn:
                return offer_answer("withdraw_offer", offer)
        return None

    @staticmethod
    def _go_on(legal: Legal) -> vocabulary_pb2.Command | None:
        for kind in ("roll", "end_turn", "pay_debt", "pay_fine", "use_jail_card"):
            if kind in legal:
                return simple(kind)
        return None

    @staticmethod
    def _raise_money(seat: int, worth: Worth, legal: Legal) -> vocabulary_pb2.Command | None:
        """Pay; else mortgage what earns least, borrow, sell buildings, mortgage the rest; else give up.

        What is there and cannot be paid waits for the card on the bank's terminal, which is none of a bot's.
        """
        if "pay_debt" in legal:
            return simple("pay_debt")
        if worth.cash(seat) >= sum(debt.amount for debt in worth.view.debts if debt.debtor == seat):
            return None
        if "return_lots" in legal:
            return give_back(_least_that_pays(seat, worth, legal["return_lots"]))
        mortgages = list(legal["mortgage_lots"].lots) if "mortgage_lots" in legal else []
        loose = [one for one in mortgages if not worth.has_group(worth.owner(one.lot), one.lot)]
        if loose:
            return lots("mortgage_lots", [min(loose, key=lambda one: worth.rent(one.lot)).lot])
        if "take_loan" in legal:
            owed = sum(debt.amount for debt in worth.view.debts if debt.debtor == seat)
            return borrow(legal["take_loan"], owed - worth.cash(seat))
        if "sell_buildings" in legal:
            command = sell_least(worth, legal["sell_buildings"])
            if command is not None:
                return command
        if mortgages:
            return lots("mortgage_lots", [min(mortgages, key=lambda one: worth.rent(one.lot)).lot])
        return simple("declare_bankruptcy") if "declare_bankruptcy" in legal else None


def build_best(worth: Worth, action: game_pb2.LegalAction, budget: int) -> vocabulary_pb2.Command | None:
    """Build one lot one step up: the step that adds most rent for its price, within the budget."""
    best, best_gain = None, 0.0
    for one in action.lots:
        level = worth.lots[one.lot].level
        rents = worth.squares[one.lot].rents
        steps = one.level_alone - level
        if steps <= 0 or one.amount <= 0 or steps * one.amount > budget:
            continue
        gain = (rents[one.level_alone] - rents[level]) / (steps * one.amount)
        if gain > best_gain:
            best, best_gain = one, gain
    return None if best is None else lot_levels("build", {best.lot: best.level_alone})


def _least_that_pays(seat: int, worth: Worth, action: game_pb2.LegalAction) -> int:
    """Return the cheapest lot that pays the debt by itself, else the dearest."""
    owed = sum(debt.amount for debt in worth.view.debts if debt.debtor == seat) - worth.cash(seat)
    enough = [one for one in action.lots if one.amount >= owed]
    if enough:
        return min(enough, key=lambda one: one.amount).lot
    return max(action.lots, key=lambda one: one.amount).lot


def redeem_best(
    seat: int, worth: Worth, action: game_pb2.LegalAction, budget: int
) -> vocabulary_pb2.Command | None:
    """Redeem the affordable lot that is worth most: of whole groups first."""
    affordable = [one for one in action.lots if 0 < one.amount <= budget]
    if not affordable:
        return None
    best = max(affordable, key=lambda one: (worth.has_group(seat, one.lot), worth.squares[one.lot].price))
    return lots("redeem_lots", [best.lot])


def sell_least(worth: Worth, action: game_pb2.LegalAction) -> vocabulary_pb2.Command | None:
    """Sell where it costs least rent: a lot that goes down by itself, else all that stands in one group."""
    alone = [one for one in action.lots if one.level_alone >= 0]
    if alone:

        def loss(one: game_pb2.LegalLot) -> int:
            rents = worth.squares[one.lot].rents
            return rents[worth.lots[one.lot].level] - rents[one.level_alone]

        least = min(alone, key=loss)
        return lot_levels("sell_buildings", {least.lot: least.level_alone})
    for one in action.lots:
        standing = [lot for lot in worth.group_of(one.lot) if worth.lots[lot].level]
        if standing:
            return lot_levels("sell_buildings", dict.fromkeys(standing, 0))
    return None
